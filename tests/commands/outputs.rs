//! Standard output that is closed, or full, and names that would command a terminal.

use crate::lab::{Lab, PATIENTS, Said};
use std::fs::OpenOptions;
use std::process::Stdio;

/// Commands that print something, each in its own way.
const COMMANDS: [&[&str]; 17] = [
    &["cache"],
    &["plan", "p.yaml"],
    &["plan", "p.yaml", "--format", "json"],
    &["plan", "p.yaml", "--shards", "2"],
    &["run", "p.yaml", "--quiet"],
    &["run", "p.yaml", "--shard", "1/2", "--quiet", "--out", "parts"],
    &["validate", "p.yaml"],
    &["data", "list"],
    &["data", "show", "adult"],
    &["algorithms", "list"],
    &["algorithms", "show", "anatomy"],
    &["schema"],
    &["completions", "bash"],
    &["config"],
    &["doctor"],
    &["--help"],
    &["--version"],
];

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("p.yaml", &PATIENTS.replace("repetitions: 5", "repetitions: 1"));
    lab
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
