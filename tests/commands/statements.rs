//! The register of the papers' statements, and the claims that name them.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    statements: BTreeMap<String, Statement>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Statement {
    section: String,
    says: String,
    /// Where there is nothing to measure: the file of the test that shows it.
    #[serde(default)]
    test: Option<PathBuf>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Paper → its register.
fn registers() -> BTreeMap<String, Register> {
    let mut registers = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("experiments/claims")).unwrap().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let register =
            serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", entry.path().display()));
        registers.insert(entry.path().file_stem().unwrap().to_string_lossy().into_owned(), register);
    }
    registers
}

#[test]
fn every_statement_has_an_id_of_its_own_a_section_and_words() {
    let mut seen = BTreeSet::new();
    for (paper, register) in registers() {
        assert!(root().join(format!("experiments/{paper}.yaml")).is_file(), "{paper} has a register and no spec");
        for (id, statement) in register.statements {
            assert!(!statement.section.is_empty() && !statement.says.is_empty(), "{id}");
            assert!(
                statement.test.is_none_or(|test| root().join(test).is_file()),
                "{id} names a test that is not there"
            );
            assert!(id != "ours" && seen.insert(id.clone()), "{id} is there twice");
        }
    }
    assert_eq!(seen.len(), 81);
}

#[test]
fn every_figure_is_claimed_or_says_why_none_is_possible() {
    let mut figures = 0;
    // The registers in experiments/claims are no specs.
    let folders = ["experiments", "experiments/external"].map(|folder| root().join(folder));
    for entry in folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap().flatten()) {
        if entry.path().extension().is_some_and(|extension| extension == "yaml") {
            let spec = anonlab::spec::Spec::read(&entry.path()).unwrap();
            for (id, figure) in &spec.file.figures {
                figures += 1;
                let told = figure.claims.is_empty() != figure.unclaimed.is_empty();
                assert!(told, "{}, {id}: no claim and no `unclaimed`, or both", entry.path().display());
            }
        }
    }
    assert!(figures > 90, "only {figures} figures");
}

#[test]
fn every_statement_is_claimed_or_tested_and_every_claim_names_one() {
    for (paper, register) in registers() {
        let spec = anonlab::spec::Spec::read(&root().join(format!("experiments/{paper}.yaml"))).unwrap();
        let mut claimed = BTreeSet::new();
        for (id, figure) in &spec.file.figures {
            for claim in &figure.claims {
                let named = claim.statement.as_deref();
                let named = named.unwrap_or_else(|| panic!("{paper}, {id}: `{}` names no statement", claim.says));
                let known = named == "ours" || register.statements.contains_key(named);
                assert!(known, "{paper}, {id}: `{}` names `{named}`, which is not in the register", claim.says);
                claimed.insert(named.to_string());
            }
        }
        let is_open = |(id, statement): &(&String, &Statement)| !claimed.contains(*id) && statement.test.is_none();
        let open: Vec<&String> = register.statements.iter().filter(is_open).map(|(id, _)| id).collect();
        assert!(open.is_empty(), "{paper}: neither claimed nor tested: {open:?}");
    }
}
