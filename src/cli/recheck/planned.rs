//! The runs of a capsule planned here, and what their stored cells come to.

use super::args::Args;
use crate::capsule::{Agreement, Capsule, CapsuleCheck, CapsuleError, CapsuleRun, MatchedCell, SPECS, match_cells};
use crate::cli::list::counted;
use crate::cli::{Failure, experiment};
use crate::report::{self, Provenance};
use crate::run::{Entry, Key, key_of};
use crate::sources::DataLocations;
use crate::spec::{Experiment, PlanOptions};
use indexmap::IndexMap;
use std::collections::BTreeSet;
use std::path::Path;

pub struct PlannedRun<'a> {
    pub run: &'a CapsuleRun,
    pub experiment: Experiment,
    pub provenance: Provenance,
    pub locations: DataLocations,
    entries: &'a [Entry],
    capsule: &'a Capsule,
}

impl<'a> PlannedRun<'a> {
    pub fn of(
        capsule: &'a Capsule,
        run: &'a CapsuleRun,
        entries: &'a [Entry],
        args: &Args,
        here: &DataLocations,
    ) -> Result<Self, Failure> {
        let here = PlanOptions { allow_external: args.allow_external, jail: args.jail, ..PlanOptions::of(here) };
        let mut experiment = capsule.experiment(run, entries, &here)?;
        let locations = experiment.wanted.locations.for_spec_in(experiment.spec.directory());
        // Rows say what the data was where the cells were computed.
        let (matched, _, _) = match_cells(&experiment.plan.cells, entries);
        let origins: IndexMap<Key, _> =
            matched.into_iter().map(|found| (found.cell.key.clone(), run.origin(&found.key))).collect();
        for cell in &mut experiment.plan.cells {
            if let Some(origin) = origins.get(&cell.key) {
                cell.origin = *origin;
            }
        }
        Ok(Self { run, experiment, provenance: capsule.provenance(run)?, locations, entries, capsule })
    }

    pub fn matched(&self) -> Vec<MatchedCell<'_>> {
        match_cells(&self.experiment.plan.cells, self.entries).0
    }

    /// Whether the stored cells are those that the spec asks for, and the spec and the programs those that were run.
    pub fn checks(&self) -> Vec<CapsuleCheck> {
        let id = &self.run.id;
        let (matched, absent, _) = match_cells(&self.experiment.plan.cells, self.entries);
        let mut checks = Vec::new();
        checks.push(match absent.first() {
            None => {
                let detail = format!("the spec asks for {}, and each is stored", counted(matched.len(), "cell"));
                CapsuleCheck::new(format!("{id}: plan"), Agreement::Agrees, detail)
            }
            Some(first) => {
                let detail = format!("{} of the spec have no stored answer: {first}", counted(absent.len(), "cell"));
                CapsuleCheck::new(format!("{id}: plan"), Agreement::Differs, detail)
            }
        });
        checks.push(match self.provenance.spec_digest == self.experiment.spec.digest {
            true => {
                CapsuleCheck::new(format!("{id}: spec"), Agreement::Agrees, "it is the one that the provenance names")
            }
            false => {
                let detail = "it is another than the provenance names: altered after the run";
                CapsuleCheck::new(format!("{id}: spec"), Agreement::Differs, detail)
            }
        });
        let altered: BTreeSet<&String> = matched
            .iter()
            .flat_map(|found| &found.difference.program)
            .filter(|name| Capsule::is_inside(name) && self.capsule.directory().join(SPECS).join(name).is_file())
            .collect();
        if !altered.is_empty() {
            let names: Vec<&str> = altered.into_iter().map(String::as_str).collect();
            let detail = format!("{} is not what the stored cells were computed with", names.join(", "));
            checks.push(CapsuleCheck::new(format!("{id}: programs"), Agreement::Differs, detail));
        }
        checks
    }
}

/// Answers that no spec asks for.
pub fn unclaimed(planned: &[PlannedRun], entries: &[Entry]) -> Option<CapsuleCheck> {
    let asked: BTreeSet<String> =
        planned.iter().flat_map(PlannedRun::matched).map(|found| found.key.as_str().to_string()).collect();
    let unused = entries.iter().filter(|entry| !asked.contains(key_of(&entry.key_fields).as_str())).count();
    (unused > 0).then(|| {
        let detail = format!("{} that no spec asks for", counted(unused, "answer"));
        CapsuleCheck::new("stored cells", Agreement::Differs, detail)
    })
}

const MEASURED: [&str; 2] = ["measurements.csv", "costs.csv"];
const WITNESSES: &str = "witnesses.csv";
const JUDGED: [&str; 2] = ["claims.csv", "standings.csv"];

/// Makes every result anew from the stored cells, and holds the capsule's own to them.
pub fn results_anew(capsule: &Capsule, planned: &[PlannedRun], out: &Path) -> Result<Vec<CapsuleCheck>, Failure> {
    let mut results = Vec::new();
    for one in planned {
        let entries: IndexMap<Key, Entry> =
            one.matched().iter().map(|found| (found.cell.key.clone(), found.entry.clone())).collect();
        let mut result = experiment::write_again(&one.experiment, &entries, one.provenance.clone(), out)?;
        result.call_spec(&one.experiment.spec.path.display().to_string(), &format!("{SPECS}/{}.yaml", one.run.id));
        for figure in &mut result.figures {
            figure.code_digest.clone_from(&one.provenance.code_digest);
            for (_, other) in &mut figure.others {
                other.code_digest.clone_from(&one.provenance.code_digest);
            }
        }
        let provenance = fs_err::read(capsule.results(one.run).join("provenance.json"))?;
        crate::run::write_atomically(&out.join(&one.run.id).join("provenance.json"), &provenance)?;
        results.push(result);
    }
    report::write(&results, out)?;
    let mut checks = Vec::new();
    for one in planned {
        let (there, here) = (capsule.results(one.run), out.join(&one.run.id));
        let id = &one.run.id;
        for (what, files) in [
            ("measurements", &["measurements.csv", "costs.csv", WITNESSES][..]),
            ("claims", &["claims.csv", "standings.csv"][..]),
        ] {
            // Capsules from before there were witnesses have none.
            let mut files = files.iter().filter(|file| **file != WITNESSES || there.join(file).is_file());
            let differ = files.find_map(|file| difference(&there.join(file), &here.join(file), file).transpose());
            checks.push(match differ.transpose()? {
                None => CapsuleCheck::new(
                    format!("{id}: {what}"),
                    Agreement::Agrees,
                    "made anew from the stored cells, they have the same bytes",
                ),
                Some(detail) => CapsuleCheck::new(format!("{id}: {what}"), Agreement::Differs, detail),
            });
        }
        checks.push(pages(capsule, id, &there, &here)?);
    }
    Ok(checks)
}

/// The first line in which a file is not what it should be.
fn difference(there: &Path, here: &Path, name: &str) -> Result<Option<String>, CapsuleError> {
    let (there, here) = (std::fs::read(there).unwrap_or_default(), fs_err::read(here)?);
    if there == here {
        return Ok(None);
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (there, here) = (text(&there), text(&here));
    let mut lines = there.lines().zip(here.lines()).enumerate();
    // From a little before the place where they part.
    let shown = |line: &str, other: &str| {
        let same = line.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        report::shorten(&line.chars().skip(same.saturating_sub(40)).collect::<String>(), 120)
    };
    Ok(Some(match lines.find(|(_, (there, here))| there != here) {
        Some((i, (there, here))) => format!(
            "{name}, line {}, is not what the stored cells come to: `{}` there, `{}` from the cells",
            i + 1,
            shown(there, here),
            shown(here, there)
        ),
        None => {
            let lines = counted(there.lines().count(), "line");
            format!("{name} has {lines}, the stored cells come to {}", here.lines().count())
        }
    }))
}

/// Pages, figures and their tables.
fn pages(capsule: &Capsule, id: &str, there: &Path, here: &Path) -> Result<CapsuleCheck, Failure> {
    let what = format!("{id}: pages and figures");
    let theirs = &capsule.manifest.made_by.version;
    if theirs != env!("CARGO_PKG_VERSION") {
        let detail = format!("they are those of anonlab {theirs}; read the ones made anew");
        return Ok(CapsuleCheck::new(what, Agreement::Open, detail));
    }
    let (mut names, mut other) = (BTreeSet::new(), Vec::new());
    for directory in [there, here] {
        list(directory, "", &mut names)?;
    }
    // Those were compared by themselves.
    names.retain(|name| !MEASURED.iter().chain(&JUDGED).any(|file| file == name));
    for name in &names {
        let bytes = |directory: &Path| std::fs::read(directory.join(name)).ok();
        if bytes(there) != bytes(here) {
            other.push(name.as_str());
        }
    }
    Ok(match other.as_slice() {
        [] => CapsuleCheck::new(
            what,
            Agreement::Agrees,
            format!("{} made anew, with the same bytes", counted(names.len(), "file")),
        ),
        [first, ..] => {
            let detail = format!(
                "{first} ({} in all) is not what the stored cells come to; read the ones made anew",
                other.len()
            );
            CapsuleCheck::new(what, Agreement::Differs, detail)
        }
    })
}

fn list(directory: &Path, prefix: &str, found: &mut BTreeSet<String>) -> std::io::Result<()> {
    for entry in fs_err::read_dir(directory)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.file_type()?.is_dir() {
            true => list(&entry.path(), &format!("{name}/"), found)?,
            false => {
                found.insert(name);
            }
        }
    }
    Ok(())
}
