//! Whatever happens to the cache, a run gives the same measurements.

use crate::lab::Lab;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Just enough rows to be kept, and enough queries for their true counts to be shared.
const SPEC: &str = "
anonlab: 1
title: Large
datasets:
  people:
    source: {file: people.csv, format: csv}
    quasi_identifiers: [zip, age, sex, job, town]
    sensitive: ill
measures:
  queries: {measure: query-error, parameters: {queries: 1200, dim: 2}}
figures:
  errors:
    title: Query error
    datasets: [people]
    algorithms: [anatomy]
    measures: [queries]
    sweep: {product: {l: [3, 4]}}
    draw: {x: l, y: mean_relative_error}
";

fn lab() -> Lab {
    let lab = Lab::new();
    let row = |i: u64| {
        let drawn = i.wrapping_mul(6_364_136_223_846_793_005) >> 20;
        let [zip, age, sex] = [drawn % 300, drawn / 300 % 80, drawn / 24_000 % 2];
        format!("{zip},{age},{sex},{},{},{}\n", drawn / 48_000 % 14, i % 25, drawn / 672_000 % 20)
    };
    let rows: String = (1..=180_000).map(row).collect();
    lab.write("people.csv", &format!("zip,age,sex,job,town,ill\n{rows}"));
    lab.write("large.yaml", SPEC);
    lab
}

fn measurements(lab: &Lab, out: &str) -> String {
    lab.read(&format!("{out}/large/measurements.csv"))
}

fn entries(lab: &Lab) -> Vec<PathBuf> {
    let listed = fs::read_dir(lab.path("cache/anonlab/computed")).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

#[test]
fn a_run_gives_the_same_bytes_whatever_happens_to_the_cache() {
    let lab = lab();
    let fresh = ["run", "large.yaml", "--fresh", "--out", "reports"];
    let without: crate::lab::Said = lab.command(&fresh).env("ANONLAB_CACHE_SIZE", "0").output().unwrap().into();
    without.expect(0);
    assert_eq!(entries(&lab), Vec::<PathBuf>::new(), "it was turned off");
    let expected = measurements(&lab, "reports");

    // Two runs at once make it.
    let start = |out: &str| lab.command(&["run", "large.yaml", "--out", out]).output().unwrap();
    std::thread::scope(|scope| {
        let both = [scope.spawn(|| start("one")), scope.spawn(|| start("two"))];
        both.into_iter().for_each(|run| drop(crate::lab::Said::from(run.join().unwrap()).expect(0)));
    });
    assert_eq!([measurements(&lab, "one"), measurements(&lab, "two")], [expected.clone(), expected.clone()]);
    let kept = entries(&lab);
    assert_eq!(kept.len(), 2, "the dataset and the true counts");
    let told = lab.run(&["cache"]).expect(0).out;
    assert!(told.contains("180000 rows of people.csv") && told.contains("true counts of 1200 queries"), "{told}");

    let again = |what: &str| {
        lab.run(&fresh).expect(0);
        assert!(measurements(&lab, "reports") == expected, "{what}");
    };
    again("from the cache");
    for path in &kept {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(path, bytes).unwrap();
    }
    assert_eq!(lab.run(&["cache"]).expect(0).out.matches("damaged").count(), 2);
    again("corrupted");
    assert!(!lab.run(&["cache"]).expect(0).out.contains("damaged"), "written anew");
    for path in &kept {
        let length = fs::metadata(path).unwrap().len();
        fs::File::options().write(true).open(path).unwrap().set_len(length / 3).unwrap();
    }
    again("truncated");
    assert!(lab.run(&["cache", "clear"]).expect(0).out.starts_with("removed 2 entries"));
    again("cleared");

    // Taken away again and again while runs use it.
    let running = std::sync::atomic::AtomicBool::new(true);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while running.load(std::sync::atomic::Ordering::Relaxed) {
                entries(&lab).iter().for_each(|path| drop(fs::remove_file(path)));
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        });
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| again("deleted while in use")));
        running.store(false, std::sync::atomic::Ordering::Relaxed);
        failed.unwrap();
    });
}

#[test]
fn a_size_that_is_none_is_refused_before_anything_runs() {
    let lab = Lab::new();
    for command in ["cache", "doctor"] {
        let said: crate::lab::Said =
            lab.command(&[command]).env("ANONLAB_CACHE_SIZE", "2 gigs").output().unwrap().into();
        let said = said.expect(2);
        assert!(said.err.contains("ANONLAB_CACHE_SIZE: `2 gigs`") && said.err.contains("0 turns"), "{}", said.err);
    }
    let said: crate::lab::Said = lab.command(&["cache"]).env("ANONLAB_CACHE_SIZE", "2GB").output().unwrap().into();
    assert!(said.expect(0).out.contains("of at most 2"));
}

/// As on a full disk: no file may become as large as the entry of the dataset.
#[test]
fn a_run_goes_on_where_the_cache_cannot_be_written() {
    let lab = lab();
    lab.command(&["run", "large.yaml", "--out", "without"]).env("ANONLAB_CACHE_SIZE", "0").output().unwrap();
    let anonlab = lab.command(&["run", "large.yaml", "--out", "full"]);
    let mut shell = Command::new("bash");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 900; exec \"$0\" \"$@\""]).arg(anonlab.get_program());
    shell.args(anonlab.get_args()).current_dir(anonlab.get_current_dir().unwrap());
    shell.envs(anonlab.get_envs().filter_map(|(name, value)| Some((name, value?))));
    crate::lab::Said::from(shell.output().unwrap()).expect(0);
    assert_eq!(measurements(&lab, "full"), measurements(&lab, "without"));
    let lengths: Vec<u64> = entries(&lab).iter().map(|path| fs::metadata(path).unwrap().len()).collect();
    assert!(lengths.iter().all(|&length| length < 900 * 1024), "only the true counts fit: {lengths:?}");
}

/// Whichever timed cell is first fills the cache, and costs what the others cost: its memory is not that of generating the data.
#[test]
fn the_first_timed_cell_costs_what_later_ones_cost() {
    let lab = Lab::new();
    lab.write(
        "timed.yaml",
        "anonlab: 1\ntitle: t\ndatasets:\n  many:\n    \
         source: {synthetic: {rows: 600000, columns: {a: 900, b: 400, c: 50, s: 20}}}\n    \
         quasi_identifiers: [a, b, c]\n    sensitive: s\nfigures:\n  f:\n    title: f\n    datasets: [many]\n    \
         algorithms: [anatomy]\n    sweep: {product: {l: [3]}}\n    draw: {x: l, y: [seconds.load, peak_rss_bytes]}\n",
    );
    let peak = || {
        lab.run(&["run", "timed.yaml", "--fresh", "--out", "reports"]).expect(0);
        let costs = lab.read("reports/timed/costs.csv");
        let line = costs.lines().find(|line| line.contains("peak_rss_bytes")).unwrap_or_else(|| panic!("{costs}"));
        let numbers = line.split(',').filter_map(|field| field.parse::<f64>().ok());
        numbers.fold(0.0, f64::max)
    };
    // How much of the program itself is resident is the system's choice, and now and then a third more.
    let mut seen = Vec::new();
    let costs_the_same = (0..4).any(|_| {
        lab.run(&["cache", "clear"]).expect(0);
        let (first, later) = (peak(), peak());
        seen.push((first, later));
        first < later * 1.1
    });
    // Where the system lets a process forget its peak.
    if fs::write("/proc/self/clear_refs", "5").is_ok() {
        assert!(costs_the_same, "bytes after generating, and from the cache: {seen:?}");
    }
    assert!(lab.read("reports/timed/measurements.csv").contains("f,many,generated,anatomy,"));
}
