//! Standard output that is closed, or full, and names that would command a terminal.

use crate::lab::{Lab, PATIENTS, Said};
use std::fs::OpenOptions;
use std::process::Stdio;

/// Every command, where it prints something.
const COMMANDS: [&[&str]; 38] = [
    &["algorithms", "check", "--release", "buckets", "--command", "false"],
    &["algorithms", "list"],
    &["algorithms", "new", "--lang", "python", "mine"],
    &["algorithms", "show", "anatomy"],
    &["audit", "--dataset", "adult", "--release", "release"],
    &["bundle", "reports", "--output", "again.zip"],
    &["cache"],
    &["cache", "clear"],
    &["claims", "reports"],
    &["collect", "parts"],
    &["compare", "p.yaml"],
    &["completions", "bash"],
    &["config"],
    &["data", "fetch", "adult"],
    &["data", "list"],
    &["data", "show", "adult"],
    &["data", "verify"],
    &["doctor"],
    &["explain", "p.yaml"],
    &["export", "reports", "--out", "exported"],
    &["findings", "reports"],
    &["init"],
    &["man", "--out", "man"],
    &["plan", "p.yaml"],
    &["plan", "p.yaml", "--format", "json"],
    &["plan", "p.yaml", "--shards", "2"],
    &["publish", "--dataset", "adult", "--algorithm", "anatomy", "-p", "l=4", "--out", "release"],
    &["recheck", "results.zip"],
    &["report", "--from", "results.zip", "--out", "leaders"],
    &["run", "p.yaml", "--quiet"],
    &["run", "p.yaml", "--shard", "1/2", "--quiet", "--out", "parts"],
    &["schema"],
    &["track", "check", "--spec", "p.yaml", "--against", "base", "--out", "checked"],
    &["track", "history", "history.csv", "--spec", "p.yaml", "--revision", "r"],
    &["track", "record", "--spec", "p.yaml", "--into", "base"],
    &["validate", "p.yaml"],
    &["--help"],
    &["--version"],
];
/// `reproduce` ends as `run` does, and the other two take minutes or data that not every machine has.
const LEFT_OUT: [&str; 3] = ["reproduce", "data compare", "data measure"];

/// With everything that the commands ask for.
fn lab() -> Lab {
    let lab = Lab::new();
    let claim =
        "claims: [{statement: ours, says: S, metric: mean_relative_error, of: anatomy, is: {at_most: 99}}]\n    draw:";
    let spec = PATIENTS.replace("repetitions: 5", "repetitions: 1").replace("[anatomy]", "[anatomy, mondrian]");
    lab.write("p.yaml", &spec.replace("draw:", claim));
    lab.run(&["run", "p.yaml", "--quiet"]).expect(0);
    lab.run(&["run", "p.yaml", "--quiet", "--shard", "1/2", "--out", "parts"]).expect(0);
    lab.run(&["bundle", "reports", "--output", "results.zip"]).expect(0);
    lab.run(&["publish", "--dataset", "adult", "--algorithm", "anatomy", "-p", "l=4", "--out", "release"]).expect(0);
    lab.run(&["track", "record", "--spec", "p.yaml", "--into", "base"]).expect(0);
    lab
}

#[test]
fn no_command_is_forgotten() {
    let mut open = vec![(String::new(), anonlab::cli::command())];
    while let Some((name, command)) = open.pop() {
        let below = command.get_subcommands().filter(|below| !below.is_hide_set());
        let below: Vec<_> = below.map(|one| (format!("{name} {}", one.get_name()), one.clone())).collect();
        let name = name.trim();
        let is_tried = COMMANDS.iter().any(|words| words.join(" ").starts_with(name));
        assert!(is_tried || LEFT_OUT.contains(&name), "`anonlab {name}` is not tried with a closed output");
        open.extend(below);
    }
}

#[test]
fn a_closed_output_ends_a_command_quietly() {
    let lab = lab();
    for command in COMMANDS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let said: Said = lab.command(command).stdout(writer).output().unwrap().into();
        assert_eq!((said.code, said.err.as_str()), (Some(141), ""), "{command:?}");
    }
}

#[test]
fn a_full_output_is_an_error_that_says_so() {
    let lab = lab();
    for command in COMMANDS {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let said: Said = lab.command(command).stdout(full).output().unwrap().into();
        assert_eq!(said.code, Some(2), "{command:?}: {}", said.err);
        assert!(said.err.starts_with("cannot write to standard output: No space left"), "{command:?}: {}", said.err);
    }
}

#[test]
fn a_closed_error_output_hinders_nothing() {
    let lab = lab();
    for command in [&["run", "p.yaml"][..], &["run", "absent.yaml"]] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let status = lab.command(command).stdout(Stdio::null()).stderr(full).status().unwrap();
        assert_eq!(status.code(), Some(if command[1] == "p.yaml" { 0 } else { 2 }), "{command:?}");
    }
}

#[test]
fn names_do_not_command_the_terminal() {
    let lab = Lab::new();
    let spec =
        PATIENTS.replace("repetitions: 5", "repetitions: 1").replace("title: Patients", r#"title: "\e]0;owned\a""#);
    lab.write("p.yaml", &spec.replace("patients", "\"p\\e[2Jx\""));
    for command in [&["plan", "p.yaml"][..], &["run", "p.yaml"], &["validate", "p.yaml"]] {
        let said = lab.run(command);
        let text = said.out + &said.err;
        assert!(!text.contains(['\u{1b}', '\u{7}']), "{command:?}: {text:?}");
    }
    let said = lab.run(&["run", "\u{1b}[31mabsent.yaml"]).expect(2);
    assert!(!said.err.contains('\u{1b}'), "{:?}", said.err);
}
