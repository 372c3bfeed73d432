mod staging;

use super::{Exit, Failure, experiment, record};
use crate::capsule::{
    CapsuleRun, CrateMetadata, MANIFEST, METADATA, Manifest, Performed, README, RESULTS, Readme, ReadmeExperiment,
    STORE, pack, readme,
};
use crate::cli::list::counted;
use crate::cli::output::outln;
use crate::data::Origin;
use crate::report::{self, ReportSummary};
use crate::run::{Entry, Key, Lookup, Machine, Store, code_digest, distinct, skipped, tell, write_atomically};
use crate::sources::DataLocations;
use crate::spec::{Experiment, PlanOptions};
use indexmap::IndexMap;
use staging::Staging;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Put the results of a run into one file that anybody can check
///
/// The file is an RO-Crate: specs as run, measurements, claims, stored cells, provenance, programs, the data that may be passed
/// on, the report, and a README for the reviewer. The same results give the same bytes.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab bundle reports -o result.zip               everything that was run into reports/\n  anonlab bundle reports/injector -o injector.zip    one experiment\n  anonlab recheck result.zip                         what a reviewer does with it\n\nAuthors, their ORCID iDs and the licence of the results come from the spec:\n  results: {authors: [{name: Ada Lovelace, orcid: 0000-0002-1825-0097}], licence: CC-BY-4.0}\nData travels where the catalogue says that its licence allows it, and files beside the spec where `results.pass_on` names them. Of other data the capsule has the checksum and how to obtain it.\n\nExit codes: 0 all well · 2 bad input, or results that are not those of the store"
)]
pub struct Args {
    /// The --out of a run, or the folder of one experiment in it
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// The file to write
    #[arg(long, short, value_name = "FILE", default_value = "result.zip")]
    output: PathBuf,
    /// Let the spec's programs be asked for their version, where it gives none
    #[arg(long)]
    allow_external: bool,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let (out, folders) = record::folders(&args.directory)?;
    let staging = Staging::new()?;
    let mut bundled = Vec::new();
    for folder in &folders {
        bundled.push(Bundled::of(folder, &out, &staging, args, locations)?);
    }
    let mut results = Vec::new();
    for one in &bundled {
        results.push(one.write(&staging)?);
    }
    let summary = report::write(&results, &staging.carried(RESULTS))?;
    let manifest = Manifest::new(bundled.iter().map(|one| one.run.clone()).collect());
    write_atomically(&staging.carried(MANIFEST), manifest.json()?.as_bytes())?;
    write_atomically(&staging.carried(README), readme_of(&bundled, &summary).as_bytes())?;
    let metadata = CrateMetadata { runs: bundled.iter().map(Bundled::performed).collect() };
    let files = staging.files()?;
    write_atomically(&staging.carried(METADATA), metadata.json(&staging.carried(""), &files)?.as_bytes())?;
    let unwritten = |error: std::io::Error| Failure::new(format!("cannot write {}: {error}", args.output.display()));
    let mut zip = tempfile::NamedTempFile::new_in(parent(&args.output)).map_err(unwritten)?;
    pack(&staging.carried(""), zip.as_file_mut())?;
    let bytes = zip.as_file().metadata()?.len();
    zip.as_file().sync_all().map_err(unwritten)?;
    let path = zip.into_temp_path();
    fs_err::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
    path.persist(&args.output).map_err(|error| unwritten(error.error))?;
    let cells: usize = bundled.iter().map(|one| one.entries.len()).sum();
    outln!(
        "{}: {} of {}, {} files, {bytes} bytes",
        args.output.display(),
        counted(cells, "cell"),
        counted(bundled.len(), "experiment"),
        files.len() + 1
    )?;
    for one in &bundled {
        one.tell_gaps();
    }
    outln!("`anonlab recheck {}` checks it", crate::run::shell_word(&args.output.display().to_string()))?;
    Ok(Exit::AllWell)
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// One experiment.
struct Bundled {
    folder: PathBuf,
    run: CapsuleRun,
    experiment: Experiment,
    entries: IndexMap<Key, Entry>,
    staged: staging::Staged,
    provenance: report::Provenance,
}

impl Bundled {
    fn of(
        folder: &Path,
        out: &Path,
        staging: &Staging,
        args: &Args,
        locations: &DataLocations,
    ) -> Result<Self, Failure> {
        let request = record::read(folder)?;
        let again = "`anonlab run` brings it up to date";
        let [text] = request.specs.as_slice() else {
            return Err(Failure::new(format!("run.json in {} names no spec; {again}", folder.display())));
        };
        if request.code != code_digest() {
            return Err(Failure::new(format!(
                "{} was run by another build of anonlab (code {}, this one has {}): use that build, or run it again with this one",
                folder.display(),
                request.code.chars().take(12).collect::<String>(),
                &code_digest()[..12]
            )));
        }
        let begun_with = DataLocations::new(Some(request.plan.locations.data_dir.clone()));
        let locations = if begun_with.data_dir.is_dir() { begun_with } else { locations.clone() };
        let (spec, mut staged) = staging.spec(text, &locations)?;
        let wanted = PlanOptions {
            locations: locations.clone(),
            allow_external: args.allow_external || spec_has_versions(&spec),
            // An option of a reading may bring a program that has none.
            versions: (!args.allow_external).then(BTreeMap::new),
            ..request.plan.clone()
        };
        let mut run = CapsuleRun::new(&spec.id, text.set.clone(), &wanted, &request.started);
        let experiment = Experiment::new(spec, &wanted, &request.started)?;
        let entries = entries(&experiment, out)
            .map_err(|absent| Failure::new(format!("{}: {absent}; {again}", folder.display())))?;
        for (cell, _) in distinct(&experiment.plan.cells) {
            if cell.origin != Origin::Real {
                run.origins.insert(cell.key.as_str().to_string(), cell.origin);
            }
        }
        staged.data = staging.data(&experiment, &text.path, &locations)?;
        let provenance = provenance(folder, &experiment)?;
        Ok(Self { folder: folder.to_path_buf(), run, experiment, entries, staged, provenance })
    }

    /// Its results anew, from the store, and its store.
    fn write(&self, staging: &Staging) -> Result<report::ExperimentResult, Failure> {
        let store = Store::at(staging.carried(STORE));
        for (key, entry) in &self.entries {
            store.put_unsynced(key, entry)?;
        }
        let out = staging.carried(RESULTS);
        let mut result = experiment::write_again(&self.experiment, &self.entries, self.provenance.clone(), &out)?;
        result.call_spec(&self.experiment.spec.path.display().to_string(), &format!("specs/{}.yaml", self.run.id));
        let json = provenance_json(&self.folder, &self.provenance.spec)?;
        write_atomically(&out.join(&self.run.id).join("provenance.json"), json.as_bytes())?;
        for file in ["measurements.csv", "costs.csv"] {
            let there = std::fs::read(self.folder.join(file)).unwrap_or_default();
            if there != fs_err::read(out.join(&self.run.id).join(file))? {
                return Err(Failure::new(format!(
                    "{} is not what the store has of the last run (figures of an earlier one are kept in it, or it was altered); run \
                     the spec again as a whole",
                    self.folder.join(file).display()
                )));
            }
        }
        Ok(result)
    }

    fn performed(&self) -> Performed<'_> {
        let file = &self.experiment.spec.file;
        Performed {
            id: &self.run.id,
            title: &file.title,
            about: &file.about,
            sharing: &file.results,
            provenance: &self.provenance,
            data: self.staged.data.clone(),
        }
    }

    /// What a reviewer will miss.
    fn tell_gaps(&self) {
        let sharing = &self.experiment.spec.file.results;
        let mut lacks = Vec::new();
        if sharing.authors.is_empty() {
            lacks.push("authors");
        }
        if sharing.licence.is_none() {
            lacks.push("licence");
        }
        if !lacks.is_empty() {
            tell!("{}: the spec states no {} of the results (`results:`)", self.run.id, lacks.join(" and no "));
        }
    }
}

/// Whether no program must be asked for its version.
fn spec_has_versions(spec: &crate::spec::Spec) -> bool {
    spec.file.algorithms.values().all(|algorithm| algorithm.command.is_none() || algorithm.version.is_some())
}

/// The answers of a plan's cells, from the store.
fn entries(experiment: &Experiment, out: &Path) -> Result<IndexMap<Key, Entry>, String> {
    let store = Store::in_directory(out);
    let machine = Machine::this().fingerprint();
    let cells = distinct(&experiment.plan.cells);
    let (mut entries, mut absent) = (IndexMap::new(), 0);
    for (cell, timed) in &cells {
        let found = skipped(cell, &machine).or_else(|| match store.look_up(&cell.key, &cell.limits, *timed) {
            Lookup::Hit(entry) | Lookup::Crashed(entry) => Some(*entry),
            Lookup::Absent | Lookup::Unusable(_) => None,
        });
        match found {
            Some(entry) => {
                entries.insert(cell.key.clone(), entry);
            }
            None => absent += 1,
        }
    }
    match absent {
        0 => Ok(entries),
        _ => Err(format!(
            "{absent} of {} are not in its store: data, programs or files have changed since it was run",
            counted(cells.len(), "cell")
        )),
    }
}

fn provenance_file(folder: &Path) -> Result<serde_json::Value, Failure> {
    let path = folder.join("provenance.json");
    let named = |error: String| Failure::new(format!("cannot read {}: {error}", path.display()));
    serde_json::from_slice(&std::fs::read(&path).map_err(|error| named(error.to_string()))?)
        .map_err(|error| named(error.to_string()))
}

/// Of the run, with its spec where the capsule has it.
fn provenance(folder: &Path, experiment: &Experiment) -> Result<report::Provenance, Failure> {
    let found: report::Provenance = serde_json::from_value(provenance_file(folder)?)
        .map_err(|error| Failure::new(format!("{}: {error}", folder.join("provenance.json").display())))?;
    Ok(report::Provenance { spec: format!("../specs/{}.yaml", experiment.spec.id), ..found })
}

fn provenance_json(folder: &Path, spec: &str) -> Result<String, Failure> {
    let mut value = provenance_file(folder)?;
    value["spec"] = spec.into();
    Ok(format!("{value:#}\n"))
}

fn readme_of(bundled: &[Bundled], summary: &ReportSummary) -> String {
    let experiments = bundled.iter().map(|one| {
        let file = &one.experiment.spec.file;
        let claims = summary.claims.iter().filter(|claim| claim.experiment == one.run.id);
        ReadmeExperiment {
            title: &file.title,
            authors: file.results.authors.iter().map(|author| author.name.as_str()).collect(),
            cells: one.entries.len(),
            seconds: one.entries.values().map(|entry| entry.answer.costs.cell_seconds).sum(),
            claims: claims
                .map(|claim| (claim.figure.as_str(), claim.judgement.says.as_str(), claim.conclusion.verdict.name()))
                .collect(),
            data: &one.staged.data,
            programs: file.algorithms.values().filter_map(|entry| Some(entry.command.as_ref()?.join(" "))).collect(),
        }
    });
    readme(&Readme { version: env!("CARGO_PKG_VERSION"), code: code_digest(), experiments: experiments.collect() })
}
