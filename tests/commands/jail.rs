//! Programs that try to get out of their jail: refused and told; and honest ones that notice nothing of it.

use crate::external::{has, rows};
use crate::lab::{Lab, PATIENTS, Said};
use std::net::TcpListener;
use std::process::Command;

const ESCAPING: &str = include_str!("programs/escaping.py");
const WITHOUT_LANDLOCK: &str = include_str!("programs/without_landlock.py");

/// Whether there is a jail to test. On CI there must be.
fn has_jail() -> bool {
    let covered = anonlab::external::coverage();
    let whole = covered.open().is_none();
    assert!(whole || std::env::var_os("CI").is_none(), "CI needs a kernel with all of Landlock; here is {covered:?}");
    whole && has("python3")
}

/// Twelve patients, and a program for each of `ways`.
fn lab(ways: &[&str]) -> Lab {
    let lab = Lab::with("escaping.py", ESCAPING);
    lab.write("secret", "a key");
    lab.write("victim", "a thesis");
    lab.write("helper.py", "ANSWER = 42\n");
    let outside = lab.path("").display().to_string();
    let entries: String = ways
        .iter()
        .map(|way| {
            let files = if *way == "read-named" { ", files: [helper.py]" } else { "" };
            format!("  {way}: {{command: [python3, escaping.py, {way}, {outside}, port], release: buckets, randomized: false{files}}}\n")
        })
        .collect();
    let text = PATIENTS
        .replace("measures:\n  queries", &format!("algorithms:\n{entries}measures:\n  queries"))
        .replace("algorithms: [anatomy]", &format!("algorithms: [{}]", ways.join(", ")))
        .replace("[2, 3, 4]", "[2]")
        .replace("    repetitions: 5", "    repetitions: 1");
    lab.write("p.yaml", &text);
    lab
}

/// Each way out, and what its program says of it.
const WAYS_OUT: [(&str, &str); 12] = [
    ("read", "ermission"),
    ("read-unnamed", "ermission"),
    ("list", "ermission"),
    ("write", "ermission"),
    ("write-tmp", "ermission"),
    ("remove", "ermission"),
    ("connect", "ermission"),
    ("listen", "ermission"),
    ("trace", "not permitted"),
    ("environment", "ermission"),
    ("memory-map", "ermission"),
    ("signal", "not permitted"),
];

#[test]
fn ways_out_of_the_jail_are_closed_and_told() {
    if !has_jail() {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let ways: Vec<&str> = WAYS_OUT.iter().map(|(way, _)| *way).chain(["inside", "read-named"]).collect();
    let lab = lab(&ways);
    lab.write("port", &port);
    let said = lab.run(&["run", "p.yaml", "--allow-external", "--jail", "required", "--jobs", "2"]).expect(1);
    assert!(!said.err.contains("no whole jail"), "{}", said.err);
    let found = rows(&lab, "p");
    for (way, refusal) in WAYS_OUT {
        let (status, reason) = &found[way];
        assert_eq!(status, "failed", "{way} got out");
        // A module that cannot be read is found missing, where Python looks for names before it opens them.
        assert!(reason.contains(refusal) || reason.contains("No module named"), "{way}: {reason}");
        assert!(!reason.contains(refusal) || reason.contains("its jail closes files"), "{way}: {reason}");
    }
    for way in ["inside", "read-named"] {
        assert_eq!(found[way], ("ok".to_string(), String::new()), "{way}");
    }
    assert!(!lab.path("left-behind").exists() && lab.path("victim").exists());
}

/// The test above could not fail if these did not get out without a jail.
#[test]
fn without_a_jail_the_same_programs_get_out() {
    if !has("python3") {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let ways =
        ["read", "read-unnamed", "list", "write", "remove", "connect", "listen", "environment", "memory-map", "signal"];
    let lab = lab(&ways);
    lab.write("port", &listener.local_addr().unwrap().port().to_string());
    lab.run(&["run", "p.yaml", "--allow-external", "--jail", "off", "--jobs", "2"]).expect(0);
    for (way, (status, reason)) in rows(&lab, "p") {
        assert_eq!(status, "ok", "{way}: {reason}");
    }
    assert!(lab.path("left-behind").exists() && !lab.path("victim").exists());
}

/// A program is asked for its version while the run is planned: in the jail, too.
#[test]
fn a_version_is_asked_for_in_the_jail() {
    if !has_jail() {
        return;
    }
    let lab = Lab::new();
    let text = PATIENTS
        .replace(
            "measures:\n  queries",
            &format!(
                "algorithms:\n  sly: {{command: [sh, sly.sh, {}], release: buckets}}\nmeasures:\n  queries",
                lab.path("").display()
            ),
        )
        .replace("algorithms: [anatomy]", "algorithms: [sly]");
    lab.write("p.yaml", &text);
    lab.write("sly.sh", "echo here > \"$1/left-behind\" || exit 3\necho 1\n");
    let said = lab.run(&["plan", "p.yaml", "--allow-external"]).expect(2);
    assert!(said.err.contains("--version` ended with exit status: 3"), "{}", said.err);
    assert!(!lab.path("left-behind").exists());
    lab.run(&["plan", "p.yaml", "--allow-external", "--jail", "off"]).expect(0);
    assert!(lab.path("left-behind").exists());
}

#[test]
fn a_kernel_without_a_jail_is_told_once_or_refused() {
    if !has("python3") || cfg!(not(target_os = "linux")) {
        return;
    }
    let lab = lab(&["inside", "read"]);
    let filter = lab.write("without_landlock.py", WITHOUT_LANDLOCK);
    let run = |jail: &str| -> Said {
        let inner = lab.command(&["run", "p.yaml", "--allow-external", "--jail", jail, "--fresh"]);
        let mut command = Command::new("python3");
        command.arg(&filter).arg(inner.get_program()).args(inner.get_args()).current_dir(lab.path(""));
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.output().unwrap().into()
    };
    let said = run("required").expect(2);
    assert!(said.err.contains("p.yaml:") && said.err.contains("has no Landlock (Linux 5.13 and later"), "{}", said.err);
    assert!(!lab.path("reports").exists());
    let said = run("best-effort").expect(0);
    assert_eq!(said.err.matches("no whole jail for programs of a spec").count(), 1, "{}", said.err);
    assert_eq!(rows(&lab, "p")["read"].0, "ok", "nothing keeps it in");
    assert!(!run("off").expect(0).err.contains("jail"));
}
