//! Readings and seeds: which cells they mean, and what they cost.

use crate::lab::Lab;
use std::collections::BTreeSet;

/// Ten transactions over items whose ids and frequencies are in different orders, so that the loss depends on how the
/// items hang under the hierarchy; and a table of numbers that a sample is drawn from.
pub const CLICKS: &str = r#"
anonlab: 1
title: Clicks
readings:
  order:
    asks: In which order do the items hang under the hierarchy?
    options:
      id: {}
      frequency: {datasets.clicks.hierarchy.order: frequency}
      random: {datasets.clicks.hierarchy.order: random}
  bound:
    asks: Is k meant inclusively?
    options:
      inclusive: {}
      exclusive: {algorithms.aa.parameters.k: 3}
datasets:
  clicks:
    source:
      format: fimi
      inline: |
        1 5
        1 5
        1 5
        1 5 2
        5 3
        1 4
        2 6
        3 7
        4 8
        6 8
    hierarchy: {degree: 2, order: id}
  other:
    source: {format: fimi, inline: "1 2\n1 2\n1 2\n3 4\n3 4\n3 4\n"}
    hierarchy: {degree: 2, order: id}
algorithms:
  aa: {parameters: {k: 2, m: 1}}
figures:
  loss:
    title: Loss
    datasets: [clicks, other]
    algorithms: [aa]
    measures: [ncp]
    readings: [order, bound]
    sweep: {product: {m: [1, 2]}}
    draw: {x: m, y: ncp, series: dataset}
"#;

/// Claims of the figure: one that an option flips, one that a random order settles either way, one that always holds.
const CLAIMS: &str = "    claims:
      - {says: Singles lose little, statement: T-1, metric: ncp, where: {dataset: clicks, m: 1}, is: {at_most: 0.1}}
      - {says: Pairs lose little, metric: ncp, where: {dataset: clicks, m: 2}, is: {at_most: 0.4}, readings: [order], expected: fails, because: of the data}
      - {says: It is a share, statement: ours, metric: ncp, is: {at_most: 1}, expected: robust}
labels: {\"order=frequency\": frequent items first}
";

pub fn with_claims() -> String {
    format!("{CLICKS}{CLAIMS}")
}

/// One text replaced by another.
#[track_caller]
fn with(from: &str, to: &str) -> String {
    assert!(CLICKS.contains(from), "{from}");
    CLICKS.replace(from, to)
}

#[track_caller]
fn complaint(spec: &str) -> String {
    let lab = Lab::with("c.yaml", spec);
    lab.run(&["validate", "c.yaml"]).expect(2).err.trim().to_string()
}

fn planned(lab: &Lab, arguments: &[&str]) -> Vec<serde_json::Value> {
    let words = [&["plan", "c.yaml", "--format", "json"], arguments].concat();
    let said = lab.run(&words).expect(0);
    let plan: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    plan["cells"].as_array().unwrap().clone()
}

fn distinct(cells: &[serde_json::Value]) -> usize {
    cells.iter().map(|cell| cell["key"].to_string()).collect::<BTreeSet<_>>().len()
}

#[test]
fn each_option_alone_or_every_combination() {
    let lab = Lab::with("c.yaml", CLICKS);
    let readings = |arguments: &[&str]| -> Vec<String> {
        let names = planned(&lab, arguments).iter().map(|cell| cell["reading"].as_str().unwrap().to_string()).collect();
        let mut names: Vec<String> = names;
        names.dedup();
        names
    };
    assert_eq!(readings(&["--readings", "none"]), ["default"]);
    let each = ["default", "order=frequency", "order=random", "bound=exclusive"];
    assert_eq!(readings(&["--readings", "each"]), each);
    assert_eq!(readings(&[]), each, "each is the default");
    let all = readings(&["--readings", "all"]);
    assert_eq!(all.len(), 6);
    assert!(all.contains(&"order=random, bound=exclusive".to_string()), "{all:?}");
}

#[test]
fn what_a_reading_or_a_seed_does_not_touch_is_the_same_cell() {
    let lab = Lab::with("c.yaml", CLICKS);
    assert_eq!(planned(&lab, &["--readings", "none"]).len(), 4);
    let each = planned(&lab, &[]);
    // The order touches one of two datasets, the bound both.
    assert_eq!((each.len(), distinct(&each)), (4 * 4, 4 + 2 + 2 + 4));
    // Only the random order is drawn.
    let seeds = planned(&lab, &["--seeds", "5"]);
    assert_eq!((seeds.len(), distinct(&seeds)), (4 + 4 + (5 * 2 + 2) + 4, 4 + 2 + 5 * 2 + 4));
    let said = lab.run(&["plan", "c.yaml", "--summary", "--seeds", "5"]).expect(0);
    assert!(said.out.contains("4 distinct cells under none, 20 under each"), "{}", said.out);
    assert!(said.out.contains("  order: 3 options, 12 cells more"), "{}", said.out);
    assert!(said.out.contains("  bound: 2 options, 4 cells more"), "{}", said.out);
    assert!(said.out.contains("seeds 1 to 5: each after the first is 2 cells more"), "{}", said.out);
}

#[test]
fn rows_say_under_which_reading_and_seed_they_are() {
    let lab = Lab::with("c.yaml", CLICKS);
    lab.run(&["run", "c.yaml", "--seeds", "2"]).expect(0);
    assert_eq!(lab.stored("reports").len(), 14, "each distinct cell ran once");
    let measurements = lab.read("reports/c/measurements.csv");
    let rows = |text: &str| measurements.lines().filter(|row| row.contains(text) && row.contains(",ncp,")).count();
    // Only the random order of one dataset is drawn.
    for (text, count) in [
        (",default,,", 4),
        (",order=frequency,,", 4),
        (",order=random,1,", 2),
        (",order=random,2,", 2),
        (",order=random,,", 2),
        (",bound=exclusive,,", 4),
    ] {
        assert_eq!(rows(text), count, "{text}\n{measurements}");
    }
    let again = lab.run(&["run", "c.yaml", "--seed", "2"]).expect(0);
    assert!(again.out.contains("12 of them from the store"), "{}", again.out);
}

#[test]
fn the_same_bytes_at_any_number_of_jobs_and_through_shards() {
    let lab = Lab::with("c.yaml", &with_claims());
    let all = ["--readings", "all", "--seeds", "3"];
    lab.run(&[&["run", "c.yaml", "--jobs", "1", "--out", "one"], &all[..]].concat()).expect(0);
    lab.run(&[&["run", "c.yaml", "--jobs", "3", "--out", "three"], &all[..]].concat()).expect(0);
    for shard in ["1/2", "2/2"] {
        lab.run(&[&["run", "c.yaml", "--shard", shard, "--out", "shards"], &all[..]].concat()).expect(0);
    }
    lab.run(&["collect", "shards"]).expect(0);
    for file in ["measurements.csv", "claims.csv", "standings.csv"] {
        let one = lab.read(&format!("one/c/{file}"));
        assert_eq!(one, lab.read(&format!("three/c/{file}")), "{file}");
        assert_eq!(one, lab.read(&format!("shards/c/{file}")), "{file}");
    }
}

#[test]
fn a_killed_run_with_readings_and_seeds_goes_on_and_ends_with_the_same_bytes() {
    let lab = Lab::with("c.yaml", &with_claims());
    // Two cells a seed under the random order; the others are drawn by nobody.
    let all = ["run", "c.yaml", "--seeds", "40", "--quiet", "--jobs", "1", "--out"];
    lab.run(&[&all[..], &["whole"]].concat()).expect(0);
    let cells = lab.stored("whole").len();
    let mut run = lab.command(&[&all[..], &["killed"]].concat()).spawn().unwrap();
    while lab.stored("killed").len() < 30 {
        assert!(run.try_wait().unwrap().is_none(), "it ended before it could be killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert!((30..cells).contains(&lab.stored("killed").len()), "of {cells} cells");
    lab.run(&[&all[..], &["killed"]].concat()).expect(0);
    for file in ["measurements.csv", "claims.csv", "standings.csv"] {
        assert_eq!(lab.read(&format!("whole/c/{file}")), lab.read(&format!("killed/c/{file}")), "{file}");
    }
}

#[test]
fn a_claim_stands_under_readings_and_seeds() {
    let lab = Lab::with("c.yaml", &with_claims());
    let said = lab.run(&["run", "c.yaml", "--seeds", "8"]).expect(0);
    assert!(said.out.contains("claims: 2 hold, 1 fail (1 as expected), 0 inconclusive"), "{}", said.out);
    let standings = "standings: 1 robust, 1 depends on the reading, 1 depends on chance";
    assert!(said.out.contains(standings), "{}", said.out);
    let claims = lab.read("reports/c/claims.csv");
    // Nothing is drawn but under the random order: there a verdict for each seed, else one for all.
    let rows = |text: &str| claims.lines().filter(|row| row.starts_with(text)).count();
    assert_eq!(rows("loss,Singles lose little,T-1,default,,holds,"), 1, "{claims}");
    assert_eq!(rows("loss,Singles lose little,T-1,bound=exclusive,,fails,"), 1, "{claims}");
    assert_eq!(rows("loss,Singles lose little,T-1,order=random,"), 8, "{claims}");
    assert_eq!(rows("loss,Pairs lose little,\"\",bound=exclusive,"), 0, "this claim has other readings");
    assert_eq!(rows("loss,Pairs lose little,\"\",order=random,5,holds,"), 1, "{claims}");
    assert_eq!(rows("loss,Pairs lose little,\"\",order=random,6,fails,"), 1, "{claims}");
    let standings = lab.read("reports/c/standings.csv");
    for row in [
        "loss,Singles lose little,T-1,depends_on_reading,holds,4,bound=exclusive,8,8,",
        "loss,Pairs lose little,\"\",depends_on_chance,fails,3,\"\",5,8,",
        "loss,It is a share,ours,robust,holds,4,\"\",8,8,",
    ] {
        assert!(standings.lines().any(|known| known.starts_with(row)), "{row}\n{standings}");
    }
    let again = lab.run(&["run", "c.yaml", "--seeds", "8", "--readings", "none"]).expect(0);
    assert!(again.out.contains("standings: 3 robust"), "as the spec stands nothing is drawn: {}", again.out);
}

#[test]
fn claims_are_printed_and_shown_under_every_reading() {
    let lab = Lab::with("c.yaml", &with_claims());
    let missing = lab.run(&["claims", "c.yaml"]).expect(2);
    assert!(missing.err.contains("`anonlab run c.yaml` makes them"), "{}", missing.err);
    lab.run(&["run", "c.yaml", "--seeds", "8"]).expect(0);
    let text = lab.run(&["claims", "c.yaml"]).expect(0).out;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(lines[0], "c: 3 claims");
    assert!(lines[1].starts_with("statement  figure  standing"), "{text}");
    // What depends on the reading comes first.
    let words: Vec<&str> = lines[2].split_whitespace().collect();
    let singles = "T-1 loss depends on reading ✓ ✓ ✓ 8/8 ✗ Singles lose little";
    assert_eq!(words.join(" "), singles);
    assert!(lines[3].ends_with("✗ 3/8     Pairs lose little") || lines[3].contains("✓ 5/8"), "{text}");
    assert_eq!(lab.run(&["claims", "reports"]).expect(0).out, text);
    assert_eq!(lab.run(&["claims", "reports/c"]).expect(0).out, text);
    let one = lab.run(&["claims", "reports", "--statement", "T-1", "--format", "markdown"]).expect(0).out;
    assert!(one.contains("| T-1 | loss | depends on reading | ✓ | ✓ | ✓ 8/8 | ✗ | Singles lose little |"), "{one}");
    assert!(!one.contains("Pairs lose little"), "{one}");
    let csv = lab.run(&["claims", "reports", "--format", "csv"]).expect(0).out;
    assert!(csv.contains("c,T-1,loss,Singles lose little,depends_on_reading,bound=exclusive,0,1,0,holds,\n"), "{csv}");
    let json = lab.run(&["claims", "reports", "--format", "json"]).expect(0).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["rows"][1]["marks"][2]["holds"], 5, "{json}");
    let latex = lab.run(&["claims", "reports", "--format", "latex"]).expect(0).out;
    assert!(
        latex
            .contains("\\raggedright + & \\raggedright -: bound=\\allowbreak{}exclusive; +~in 2 more \\tabularnewline"),
        "{latex}"
    );
    let unknown = lab.run(&["claims", "reports", "--statement", "T-9"]).expect(2);
    assert!(unknown.err.contains("is about the statement `T-9`"), "{}", unknown.err);

    let page = lab.read("reports/c/index.html");
    assert!(page.contains(r#"<ul class="strip" aria-label="Verdicts by reading">"#));
    assert!(page.contains("<span class=\"sr\">order=random: holds in 5 of 8 seeds and fails in 3</span>"), "{page}");
    assert!(page.contains(r#"<a href="readings/loss.order=frequency.html">"#));
    let other = lab.read("reports/c/readings/loss.order=frequency.html");
    assert!(other.contains(r#"<a href="../index.html#loss"><bdi>default</bdi></a>"#), "{other}");
    assert!(other.contains(r#"<a href="loss.order=random.html">"#), "{other}");
    assert!(other.contains("<h1>Under another reading: <bdi>frequent items first</bdi></h1>"), "{other}");
    assert!(other.contains("<dt>Question</dt><dd><bdi>In which order do the items hang"), "{other}");
    assert!(other.contains("<dt>Here</dt><dd><bdi>frequent items first</bdi></dd>"), "{other}");
    assert!(other.contains("<dt>As the spec stands</dt><dd><bdi>order=id</bdi></dd>"), "{other}");
    assert!(lab.path("reports/c/readings/loss.order=random.svg").is_file());
    let claims = lab.read("reports/c/claims.html");
    assert!(claims.contains("<bdi>frequent items first</bdi>") && !claims.contains("order=frequency"), "{claims}");
    assert!(claims.find("Singles lose little").unwrap() < claims.find("It is a share").unwrap());
    lab.run(&["run", "c.yaml", "--readings", "none"]).expect(0);
    assert!(!lab.path("reports/c/readings").exists(), "what is not of this run goes");
}

#[test]
fn findings_are_a_document_made_from_the_reports_files() {
    let lab = Lab::with("c.yaml", &with_claims());
    let said = lab.run(&["findings"]).expect(2);
    assert!(said.err.contains("cannot list reports"), "{}", said.err);
    lab.run(&["run", "c.yaml", "--seeds", "8"]).expect(0);
    let page = lab.run(&["findings"]).expect(0).out;
    assert!(page.starts_with("# What was found\n"), "{page}");
    assert!(page.contains("| Clicks | each reading, 8 seeds from 1 on, full sweeps, no stand-ins | "), "{page}");
    assert!(page.contains("| ours | Singles lose little (Loss) | "), "{page}");
    assert!(page.contains(" | of the data | ✗ fails, depends on chance |"), "{page}");
    lab.run(&["findings", "reports/c", "--write", "found.md"]).expect(0);
    assert_eq!(lab.read("found.md"), page);
    let json = lab.run(&["findings", "reports", "--format", "json"]).expect(0).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json[0]["settings"]["seeds"], &json[0]["settings"]["quick_figures"]), (&8.into(), &0.into()));
    std::fs::create_dir(lab.path("empty")).unwrap();
    let said = lab.run(&["findings", "empty"]).expect(2);
    assert!(
        said.err.contains("there are no results with claims in empty; `anonlab reproduce --out empty`"),
        "{}",
        said.err
    );
}

#[test]
fn a_reason_has_no_number_that_nothing_checks() {
    let with_reason = |reason: &str| with_claims().replace("because: of the data", &format!("because: {reason}"));
    assert_eq!(
        complaint(&with_reason("it is 0.45")),
        "c.yaml:48:136: the number 0.45 is neither a setting of this figure nor what a claim of it compares with, so nothing \
         would notice if it changed; make it a claim, or give the reason without it"
    );
    let lab = Lab::with("c.yaml", &with_reason("at m = 2 it is more than 40 %"));
    lab.run(&["validate", "c.yaml"]).expect(0);
    // What a command line sets does not make the file's reasons wrong.
    lab.run(&["plan", "c.yaml", "--set", "loss.m=1"]).expect(0);
}

#[test]
fn only_a_change_of_what_is_known_is_an_error() {
    let lab = Lab::new();
    for (expected, code) in [
        ("depends_on_reading", 0),
        ("{verdict: holds, standing: depends_on_reading, options: {bound: {exclusive: fails, inclusive: holds}}}", 0),
        ("{standing: robust}", 1),
        ("{options: {bound: {exclusive: holds}}}", 1),
        ("{verdict: fails}", 1),
    ] {
        let claim = format!("is: {{at_most: 0.1}}, expected: {expected}, because: of the data}}");
        lab.write("c.yaml", &with_claims().replacen("is: {at_most: 0.1}}", &claim, 1));
        let said = lab.run(&["run", "c.yaml"]);
        assert_eq!(said.code, Some(code), "{expected}: {}{}", said.out, said.err);
        assert_eq!(said.out.contains("against expectation: Singles lose little"), code == 1, "{}", said.out);
    }
    for (expected, told) in [
        ("{options: {bond: {exclusive: holds}}}", "there is no reading `bond`; did you mean `bound`?"),
        ("{options: {bound: {exclusiv: holds}}}", "there is no option `exclusiv`; did you mean `exclusive`?"),
        ("hold", "there is no word `hold` here; did you mean `holds`?"),
    ] {
        let claim = format!("is: {{at_most: 0.1}}, expected: {expected}}}");
        lab.write("c.yaml", &with_claims().replacen("is: {at_most: 0.1}}", &claim, 1));
        let said = lab.run(&["validate", "c.yaml"]).expect(2);
        assert!(said.err.contains(told), "{}", said.err);
    }
}

#[test]
fn a_release_that_repeats_is_published_once_and_measured_on_every_workload() {
    let lab = Lab::new();
    let spec = crate::lab::PATIENTS
        .replace("algorithms: [anatomy]", "algorithms: [anatomy, injector]")
        .replace("figures:\n", "algorithms: {injector: {parameters: {generalized: false}}}\nfigures:\n");
    lab.write("c.yaml", &spec);
    let cells = planned(&lab, &[]);
    let of = |name: &str| cells.iter().filter(|cell| cell["title"].as_str().unwrap().starts_with(name)).count();
    assert_eq!((of("anatomy"), of("injector")), (3 * 5, 3));
    lab.run(&["run", "c.yaml"]);
    let measurements = lab.read("reports/c/measurements.csv");
    let errors: Vec<&str> = measurements.lines().filter(|row| row.contains(",mean_relative_error,")).collect();
    let of = |name: &str| errors.iter().filter(|row| row.contains(&format!(",{name},"))).count();
    assert_eq!((of("anatomy"), of("injector")), (3 * 5, 3 * 5), "{measurements}");
    let values: BTreeSet<&str> =
        errors.iter().filter(|row| row.contains(",injector,2,")).map(|row| row.rsplit(',').next().unwrap()).collect();
    assert!(values.len() > 1, "workloads differ between repetitions: {errors:?}");
}

#[test]
fn what_is_wrong_with_readings_is_told_with_its_place() {
    for (from, to, told) in [
        (
            "datasets.clicks.hierarchy.order: frequency",
            "datasets.click.hierarchy.order: frequency",
            "c.yaml:9:19: there is no dataset `click`; did you mean `clicks`?",
        ),
        (
            "datasets.clicks.hierarchy.order: frequency",
            "dataset.clicks.hierarchy.order: frequency",
            "c.yaml:9:19: an option sets nothing below `dataset`; did you mean `datasets`?",
        ),
        (
            "datasets.clicks.hierarchy.order: frequency",
            "datasets.clicks.hierarchy.order: id",
            "c.yaml:9:19: `datasets.clicks.hierarchy.order` is \"id\" already, so this changes nothing",
        ),
        ("algorithms.aa.parameters.k: 3", "algorithms.aa.parameters.kk: 3", "c.yaml:15:19: there is no parameter `kk`"),
        (
            "algorithms.aa.parameters.k: 3",
            "algorithms.aa.parameters.k: 2",
            "c.yaml:15:19: `algorithms.aa.parameters.k` is 2 already, so this changes nothing",
        ),
        (
            "exclusive: {algorithms.aa.parameters.k: 3}",
            "exclusive: {}",
            "c.yaml:15:7: the option `exclusive` changes nothing",
        ),
        (
            "id: {}",
            "id: {datasets.clicks.hierarchy.order: appearance}",
            "c.yaml:8:7: the first option is the spec as it stands",
        ),
        ("readings: [order, bound]", "readings: [order, bond]", "there is no reading `bond`; did you mean `bound`?"),
        ("readings: [order, bound]", "readings: [order]", "c.yaml:11:3: no figure names the reading `bound`"),
        (
            "datasets: [clicks, other]",
            "datasets: [other]",
            "c.yaml:43:16: no option of the reading `order` changes a cell of this figure",
        ),
        ("title: Clicks", "title: Clicks\nseeds: 0", "c.yaml:4:1: an experiment has 1 to 10000 seeds, not 0"),
    ] {
        let said = complaint(&with(from, to));
        assert!(said.contains(told), "{to}\n  said {said}\n  not  {told}");
    }
}

#[test]
fn every_combination_of_too_many_readings_is_refused() {
    let lab = Lab::new();
    let names: Vec<String> = (0..11).map(|i| format!("r{i}")).collect();
    let mut readings = String::from("readings:\n");
    for (i, name) in names.iter().enumerate() {
        readings += &format!("  {name}: {{asks: x, options: {{a: {{}}, b: {{algorithms.a{i}.parameters.k: 3}}}}}}\n");
    }
    let mut algorithms = String::from("algorithms:\n");
    for i in 0..11 {
        algorithms += &format!("  a{i}: {{publisher: aa, parameters: {{k: 2}}}}\n");
    }
    let start = CLICKS.find("readings:\n  order").unwrap();
    let end = CLICKS.find("datasets:\n  clicks").unwrap();
    let spec = format!("{}{readings}{}", &CLICKS[..start], &CLICKS[end..]);
    let spec = spec
        .replace("algorithms:\n", &algorithms)
        .replace("readings: [order, bound]", &format!("readings: [{}]", names.join(", ")));
    let used: Vec<String> = (0..11).map(|i| format!("a{i}")).collect();
    let spec = spec.replace("algorithms: [aa]", &format!("algorithms: [{}]", used.join(", ")));
    lab.write("c.yaml", &spec);
    let said = lab.run(&["plan", "c.yaml", "--readings", "all"]).expect(2);
    assert!(said.err.contains("`--readings all` means every combination of 2 of `r0`"), "{}", said.err);
    assert!(said.err.contains("more than 1000; `--readings each` takes every option alone"), "{}", said.err);
    lab.run(&["plan", "c.yaml", "--readings", "each"]).expect(0);
}

/// What takes long is left to thorough runs, which draw it with its own seeds.
#[test]
fn specs_for_thorough_runs_are_left_to_them() {
    let lab = Lab::new();
    let spec = |title: &str, thorough: bool| {
        format!(
            "anonlab: 1\ntitle: {title}\nthorough: {thorough}\n\
             datasets:\n  people:\n    source: {{synthetic: {{rows: 60, columns: {{a: 5, s: 4}}}}}}\n    \
             quasi_identifiers: [a]\n    sensitive: s\n\
             figures:\n  f:\n    title: F\n    unclaimed: a test\n    datasets: [people]\n    algorithms: [anatomy]\n    \
             measures: [table-statistics]\n    sweep: {{product: {{l: [2]}}}}\n    draw: {{kind: table, x: l, y: records}}\n"
        )
    };
    lab.write("experiments/plain.yaml", &spec("Plain", false));
    lab.write("experiments/long.yaml", &spec("Long", true));
    let said = lab.run(&["reproduce", "--out", "plain", "--jobs", "1"]).expect(0);
    assert!(said.out.contains("1 figure of 1 experiment; 1 cell"), "{}", said.out);
    let said = lab.run(&["reproduce", "--thorough", "--out", "all", "--jobs", "2"]).expect(0);
    assert!(said.out.contains("2 figures of 2 experiments; 11 cells"), "{}", said.out);
    lab.run(&["run", "experiments/long.yaml", "--out", "long"]).expect(0);
    for shard in ["1/2", "2/2"] {
        lab.run(&["reproduce", "--thorough", "--shard", shard, "--out", "parts"]).expect(0);
    }
    let said = lab.run(&["collect", "parts"]).expect(0);
    assert!(said.out.contains("11 cells, 11 of them from the store"), "{}", said.out);
    for id in ["plain", "long"] {
        let measured = |out: &str| lab.read(&format!("{out}/{id}/measurements.csv"));
        assert_eq!(measured("all"), measured("parts"), "{id}");
    }
}
