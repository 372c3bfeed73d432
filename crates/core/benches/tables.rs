//! Publishers and measures of generalized tables on Adult, one line `name seconds` each; `scripts/bench-tables.sh` runs them
//! beside their peers of PyPI. With `grow`, Mondrian and the measures on Adult repeated up to five million rows.
//!
//! Each is timed alone, the best of several runs, in processor time: the table is in memory, files are neither read nor written.

use anonlab_core::data::{Content, Dataset, Microdata};
use anonlab_core::lab::{Seed, Workbench, cpu_time};
use anonlab_core::measures::measure;
use anonlab_core::publish::publisher;
use anonlab_core::release::generalized_table::{
    ClassGroup, Classes, Conventions, Distance, Fraction, GeneralizedCell, GeneralizedTable, Interval, Overall,
    SuppressedIf, alpha, basic_beta, closeness, delta, distinct_values, enhanced_beta, entropy_diversity,
};
use anonlab_core::release::{PrivacyVerdict, Release, verify};
use anonlab_core::sources::{DataLocations, DatasetDefinition, load};
use serde_json::{Map, Value, json};
use std::path::Path;

const ADULT: &str = r#"{
    "source": "adult-train",
    "quasi_identifiers": ["age", "workclass", "education", "marital_status", "race", "sex"],
    "sensitive": "occupation",
    "derive": [{"drop_missing": "all"}],
    "hierarchies": {
        "age": "adult/age", "workclass": "adult/workclass", "education": "adult/education",
        "marital_status": "adult/marital_status", "race": "adult/race", "sex": "adult/sex"
    }
}"#;

fn main() {
    let dataset = adult();
    if std::env::args().any(|argument| argument == "grow") {
        for rows in [30_000, 100_000, 300_000, 1_000_000, 3_000_000, 5_000_000] {
            let grown = repeated(&dataset, rows);
            let line = |name: &str, seconds: f64| {
                let (each, peak) = (seconds / rows as f64 * 1e9, peak_megabytes());
                println!(
                    "{name:16} {rows:9} rows {seconds:8.3} s {each:6.0} ns a row, process so far at most {peak:5} MB"
                );
            };
            let (release, seconds) = publish("mondrian", &grown, &json!({"k": 10}), 1);
            line("mondrian", seconds);
            for name in ["reached-privacy", "risk", "classes", "information-loss", "kl-divergence"] {
                line(name, take(name, &grown, &release, 1));
            }
        }
        return;
    }
    if let Some(path) = std::env::args().skip_while(|argument| argument != "--write").nth(1) {
        write(&dataset, Path::new(&path));
    }
    let runs = 5;
    let (mondrian, seconds) = publish("mondrian", &dataset, &json!({"k": 10}), runs);
    println!("mondrian {seconds:.6}");
    println!(
        "mondrian-relaxed {:.6}",
        publish("mondrian", &dataset, &json!({"k": 10, "partitioning": "relaxed"}), runs).1
    );
    println!("mondrian-t {:.6}", publish("mondrian", &dataset, &json!({"k": 10, "t": 0.3}), runs).1);
    println!("full-domain {:.6}", publish("full-domain", &dataset, &json!({"k": 10, "suppression": 0.02}), runs).1);
    println!(
        "full-domain-t {:.6}",
        publish("full-domain", &dataset, &json!({"k": 10, "t": 0.5, "suppression": 0.02}), runs).1
    );
    println!("datafly {:.6}", publish("datafly", &dataset, &json!({"k": 10, "suppression": 0.02}), runs).1);
    for name in ["reached-privacy", "risk", "classes", "information-loss", "kl-divergence", "classification"] {
        println!("{name} {:.6}", take(name, &dataset, &mondrian, runs));
    }
    let tens = ages_in_tens(&dataset);
    for (name, value) in ALONE {
        println!("alone-{name} {:.7}", best(runs * 4, || value(&dataset, &tens)).1);
    }
    let guarantee = publisher("mondrian").unwrap().guarantee(&map(&json!({"k": 10}))).unwrap();
    let verified = best(runs, || assert_eq!(verify(&dataset, &mondrian, &guarantee).unwrap(), PrivacyVerdict::Private));
    println!("verifier {:.6}", verified.1);
}

/// A value of a table.
type Alone = fn(&Dataset, &GeneralizedTable) -> Option<f64>;

/// Each value that a peer tells, computed alone as well.
const ALONE: [(&str, Alone); 8] = [
    ("k", |dataset, table| classes(dataset, table).sizes.into_iter().min().map(f64::from)),
    ("distinct-l", |dataset, table| distinct_values(&groups(dataset, table)).map(|values| values as f64)),
    ("entropy-l", |dataset, table| entropy_diversity(&groups(dataset, table))),
    ("alpha", |dataset, table| alpha(&groups(dataset, table)).map(Fraction::as_f64)),
    ("t", |dataset, table| {
        let overall = overall(dataset);
        closeness(&groups(dataset, table), &overall, Distance::Equal).expect("a distance").map(Fraction::as_f64)
    }),
    ("beta", |dataset, table| {
        let overall = overall(dataset);
        basic_beta(&groups(dataset, table), &overall).map(Fraction::as_f64)
    }),
    ("enhanced-beta", |dataset, table| {
        let overall = overall(dataset);
        enhanced_beta(&groups(dataset, table), &overall)
    }),
    ("delta", |dataset, table| {
        let overall = overall(dataset);
        delta(&groups(dataset, table), &overall)
    }),
];

fn overall(dataset: &Dataset) -> Overall<'_> {
    let microdata = dataset.microdata().expect("a table");
    Overall::of_original(microdata, &microdata.sensitive_attributes()[0])
}

fn classes(dataset: &Dataset, table: &GeneralizedTable) -> Classes {
    Classes::new(dataset.microdata().expect("a table"), table, SuppressedIf::Everything)
}

fn groups(dataset: &Dataset, table: &GeneralizedTable) -> Vec<ClassGroup> {
    classes(dataset, table).groups(&table.sensitive, Conventions::default())
}

/// The table that the peers measure: as it is, but for ages in tens.
fn ages_in_tens(dataset: &Dataset) -> GeneralizedTable {
    let microdata = dataset.microdata().expect("a table");
    let mut table = GeneralizedTable::identity(microdata);
    let ages = &microdata.table.columns[microdata.quasi_identifiers[0]];
    let tens = |code: u32| (ages.number(code).expect("an age") / 10.0).floor() as u32;
    let column = &mut table.columns[0];
    column.cells = (0..10)
        .map(|ten| GeneralizedCell::Interval(Interval::closed(f64::from(ten) * 10.0, f64::from(ten) * 10.0 + 9.0)))
        .collect();
    column.of_row.iter_mut().for_each(|code| *code = tens(*code));
    table
}

fn adult() -> Dataset {
    let definition: DatasetDefinition = serde_json::from_str(ADULT).expect("a definition");
    load(&definition, &DataLocations::new(None), Seed(1)).expect("Adult is inside the program").dataset
}

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn publish(name: &str, dataset: &Dataset, given: &Value, runs: usize) -> (Release, f64) {
    let publisher = publisher(name).expect("a publisher");
    best(runs, || publisher.publish(dataset, &map(given), &mut Workbench::new(Seed(1), "bench")).expect("a release"))
}

fn take(name: &str, dataset: &Dataset, release: &Release, runs: usize) -> f64 {
    let measure = measure(name).expect("a measure");
    let given = measure.complete(&Map::new()).expect("defaults");
    let mut bench = Workbench::new(Seed(1), "bench");
    best(runs, || measure.measure(dataset, Some(release), &given, &mut bench).expect("numbers")).1
}

fn best<T>(runs: usize, mut work: impl FnMut() -> T) -> (T, f64) {
    let mut timed = || {
        let start = cpu_time();
        let result = work();
        (result, (cpu_time() - start).as_secs_f64())
    };
    let mut fastest = timed();
    for _ in 1..runs {
        let again = timed();
        if again.1 < fastest.1 {
            fastest = again;
        }
    }
    fastest
}

/// The largest resident set of this process so far; 0 where the system does not tell.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// The rows again and again, until there are as many.
fn repeated(dataset: &Dataset, rows: usize) -> Dataset {
    let microdata = dataset.microdata().expect("a table");
    let chosen: Vec<usize> = (0..rows).map(|row| row % microdata.rows()).collect();
    let table = microdata.table.select(&chosen);
    Dataset { content: Content::Table(Microdata { table, ..microdata.clone() }), ..dataset.clone() }
}

/// The table as CSV, for the peers.
fn write(dataset: &Dataset, path: &Path) {
    let microdata = dataset.microdata().expect("a table");
    let columns = &microdata.table.columns;
    let mut text = columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(",") + "\n";
    for row in 0..microdata.rows() {
        text += &columns.iter().map(|column| column.text(row)).collect::<Vec<_>>().join(",");
        text += "\n";
    }
    std::fs::write(path, text).expect("a file");
}
