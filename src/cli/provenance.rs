//! What a result rests on: spec, seed, code, data, machine, time.

use super::repository::Repository;
use crate::lab::Seed;
use crate::report::{DataUsed, Provenance};
use crate::run::{Machine, code_digest, now};
use crate::sources::definition::Source;
use crate::sources::{DatasetDefinition, DatasetEntry, entry, load_once};
use crate::spec::Experiment;
use serde_json::json;
use std::path::Path;

pub fn of(experiment: &Experiment, out: &Path) -> Provenance {
    let Experiment { spec, plan, started, wanted } = experiment;
    let locations = wanted.locations.for_spec_in(spec.directory());
    let repository = Repository::around(spec.directory());
    let data = plan.data.iter().map(|(name, resolution)| {
        // Under a reading it may have other files: `pos (part=both)`.
        let own = name.split(" (").next().unwrap_or(name);
        let definition = spec.file.datasets.get(own);
        let entry = definition.and_then(catalogue_entry);
        DataUsed {
            name: name.clone(),
            origin: resolution.origin,
            note: resolution.note.clone(),
            sha256: resolution.digests.iter().map(|digest| (digest.file.clone(), digest.sha256.clone())).collect(),
            citation: entry.map(|entry| entry.citation.clone()).unwrap_or_default(),
            licence: entry.map(|entry| entry.licence.clone()).unwrap_or_default(),
            description: spec.file.datasets.get(name).and_then(|definition| {
                let once = load_once(definition, &locations, Seed(plan.seeds[0]), code_digest()).ok()?;
                Some(once.loaded.describe(definition))
            }),
        }
    });
    Provenance {
        spec: seen_from(out, &spec.path),
        spec_digest: spec.digest.clone(),
        set: spec.arguments(),
        seed: plan.seeds[0],
        seeds: plan.seeds.len(),
        readings: plan.readings.name().to_string(),
        code_digest: code_digest().to_string(),
        git_revision: repository.as_ref().and_then(|repository| repository.head().map(str::to_string)),
        git_dirty: repository.as_ref().and_then(Repository::has_changes),
        version: env!("CARGO_PKG_VERSION").to_string(),
        data: data.collect(),
        machine: Machine::this(),
        started: started.to_string(),
        finished: now(),
    }
}

fn catalogue_entry(definition: &DatasetDefinition) -> Option<&'static DatasetEntry> {
    match &definition.source {
        Source::Catalogue(name) => entry(name).ok(),
        Source::File(_) | Source::Inline(_) | Source::Synthetic(_) => None,
    }
}

/// provenance.json
pub fn json(provenance: &Provenance) -> String {
    let value = json!({
        "spec": provenance.spec,
        "spec_digest": provenance.spec_digest,
        "set": provenance.set,
        "seed": provenance.seed,
        "seeds": provenance.seeds,
        "readings": provenance.readings,
        "code_digest": provenance.code_digest,
        "git_revision": provenance.git_revision,
        // Null where it is unknown.
        "git_dirty": provenance.git_dirty,
        "version": provenance.version,
        "data": provenance.data,
        "machine": provenance.machine,
        "timings": crate::run::examine(),
        "started": provenance.started,
        "finished": provenance.finished,
    });
    format!("{value:#}\n")
}

/// A path as seen from a directory: a report that is moved together with its specs still knows them.
pub fn seen_from(directory: &Path, path: &Path) -> String {
    let whole = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or(path.to_path_buf());
    let (directory, path) = (whole(directory), whole(path));
    let shared = directory.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    let up = directory.components().skip(shared).map(|_| "..".as_ref());
    up.chain(path.components().skip(shared).map(|part| part.as_os_str()))
        .collect::<std::path::PathBuf>()
        .display()
        .to_string()
}
