//! Files of a stranger: a spec's folder can hold anything, and nothing in it runs unless it is allowed.

use crate::lab::{Lab, PATIENTS, Said};
use std::process::Command;

fn git(lab: &Lab, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(lab.path("")).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
    let said: Said = command.args(arguments).output().unwrap().into();
    said.expect(0).out.trim().to_string()
}

fn provenance(lab: &Lab) -> serde_json::Value {
    serde_json::from_str(&lab.read("reports/p/provenance.json")).unwrap()
}

/// A command that leaves a mark, and is a sound answer to whoever asks.
fn trap(lab: &Lab) -> String {
    let mark = lab.path("mark").display().to_string();
    format!("sh {}", lab.write("trap.sh", &format!("touch '{mark}'\ncat\n")).display())
}

#[test]
fn a_repository_around_a_spec_runs_nothing() {
    let lab = Lab::with("p.yaml", PATIENTS);
    git(&lab, &["init", "--quiet"]);
    git(&lab, &["add", "-A"]);
    git(&lab, &["commit", "--quiet", "-m", "x"]);
    let head = git(&lab, &["rev-parse", "HEAD"]);
    lab.run(&["run", "p.yaml", "--quiet"]).expect(0);
    assert_eq!((&provenance(&lab)["git_revision"], &provenance(&lab)["git_dirty"]), (&head.into(), &false.into()));
    let trap = trap(&lab);
    for setting in ["core.fsmonitor", "filter.x.clean", "filter.x.process", "diff.external"] {
        git(&lab, &["config", setting, &trap]);
    }
    lab.write(".gitattributes", "* filter=x\n");
    lab.write("p.yaml", &PATIENTS.replace("title: Patients", "title: The patients"));
    lab.run(&["run", "p.yaml", "--quiet"]).expect(0);
    assert_eq!(provenance(&lab)["git_dirty"], true);
    lab.run(&["track", "history", "h.csv", "--spec", "p.yaml", "--quiet"]).expect(0);
    assert!(!lab.path("mark").exists(), "a command of the repository ran");
}

/// `HEAD`, `refs/`, `objects/` and `config` beside the spec make its folder a repository for git.
#[test]
fn a_bare_repository_beside_a_spec_is_only_files() {
    let lab = Lab::new();
    git(&lab, &["init", "--quiet", "--bare", "folder"]);
    let trap = trap(&lab);
    let tree = lab.path("folder").display().to_string();
    for (setting, value) in [("core.bare", "false"), ("core.worktree", &tree), ("core.fsmonitor", &trap)] {
        git(&lab, &["config", "--file", "folder/config", setting, value]);
    }
    lab.write("folder/p.yaml", PATIENTS);
    lab.run(&["run", "folder/p.yaml", "--quiet"]).expect(0);
    assert!(!lab.path("mark").exists(), "a command of the repository ran");
    assert_eq!(provenance(&lab)["git_revision"], serde_json::Value::Null);
    let _ = Command::new("git").arg("-C").arg(lab.path("folder")).args(["status", "--porcelain"]).output();
    assert!(lab.path("mark").exists(), "the trap of this test is none");
}

#[test]
fn a_revision_is_built_only_when_it_is_allowed() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.write("Cargo.toml", "[package]\nname = \"anonlab\"\nversion = \"0.0.0\"\nedition = \"2024\"\n");
    lab.write("Cargo.lock", "version = 4\n\n[[package]]\nname = \"anonlab\"\nversion = \"0.0.0\"\n");
    lab.write("src/main.rs", "fn main() {}\n");
    let mark = lab.path("mark").display().to_string();
    lab.write("build.rs", &format!("fn main() {{ std::fs::write({mark:?}, \"\").unwrap(); }}\n"));
    git(&lab, &["init", "--quiet"]);
    git(&lab, &["add", "-A"]);
    git(&lab, &["commit", "--quiet", "-m", "x"]);
    let check = ["track", "check", "--spec", "p.yaml", "--quiet", "--against", "HEAD"];
    let said = lab.run(&check).expect(2);
    assert!(said.err.contains("building a revision runs its build scripts") && said.err.contains("--allow-external"));
    assert!(!lab.path("mark").exists());
    let said = lab.run(&[&check[..], &["--allow-external"]].concat());
    assert!(lab.path("mark").exists(), "allowed, it is built: {}", said.err);
}

/// A spec names a file of its reader's home.
#[test]
fn files_outside_of_a_specs_folder_need_leave() {
    let lab = Lab::with("home/secret.csv", "age,sex,disease\n29,F,flu\n22,F,cold\n27,M,flu\n43,M,cold\n");
    let start = PATIENTS.find("      inline: |").unwrap();
    let end = PATIENTS.find("    quasi_identifiers").unwrap();
    let spec = format!("{}      file: ../home/secret.csv\n{}", &PATIENTS[..start], &PATIENTS[end..]);
    lab.write("specs/p.yaml", &spec.replace("[2, 3, 4]", "[2]").replace("repetitions: 5", "repetitions: 1"));
    for command in ["validate", "plan", "run"] {
        let said = lab.run(&[command, "specs/p.yaml"]).expect(2);
        assert!(said.err.contains("`../home/secret.csv` lies outside of the spec's directory"), "{}", said.err);
        assert!(said.err.contains("--allow-files DIR") && !said.err.contains("flu"), "{}", said.err);
    }
    lab.run(&["validate", "specs/p.yaml", "--allow-files", "home"]).expect(0);
    lab.run(&["run", "specs/p.yaml", "--quiet", "--allow-files", "home"]).expect(0);
}
