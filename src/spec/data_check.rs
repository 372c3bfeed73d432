//! A spec held to the data that is here: each dataset is built once, and the guarantees that its figures ask for must be
//! within reach.

use super::plan::{PlanOptions, Promise, demands, strictness};
use super::{Spec, SpecError};
use crate::data::Dataset;
use crate::lab::{LabError, Seed};
use crate::release::{Guarantee, check_reachable};
use crate::run::code_digest;
use crate::sources::{DataError, DataLocations, DatasetDefinition, Description, load_once, resolve};

/// A dataset of a spec, as it was built.
#[derive(Debug)]
pub struct Built {
    pub name: String,
    /// Or why it is not here.
    pub description: Result<Description, String>,
}

/// What came of holding a spec to its data.
#[derive(Debug, Default)]
pub struct CheckedData {
    pub built: Vec<Built>,
    /// Data that does not fit its definition, and guarantees that no cell of a figure can reach with an algorithm: nothing would come
    /// of running these.
    pub wrong: Vec<SpecError>,
    /// Guarantees that some cells of a figure cannot reach, and others can.
    pub partly: Vec<SpecError>,
}

/// Builds every dataset that some figure in `options` uses and that is to be looked at. Where a sweep changes a dataset, its first
/// value stands for all. Every dataset that does not fit is one error; absent data is none.
pub fn check_data(
    spec: &Spec,
    options: &PlanOptions,
    is_looked_at: impl Fn(&str, &DatasetDefinition, &DataLocations) -> bool,
) -> Result<CheckedData, Vec<SpecError>> {
    let locations = options.locations.for_spec_in(spec.directory());
    let seed = Seed(options.seed.unwrap_or(spec.file.seed));
    let mut checked = CheckedData::default();
    for (name, demand) in demands(spec, options)? {
        if !is_looked_at(&name, &demand.definition, &locations) {
            continue;
        }
        let loaded = match resolve(&demand.definition, &locations) {
            Err(DataError::Absent(reason)) => {
                checked.built.push(Built { name, description: Err(reason) });
                continue;
            }
            Err(error) => Err(error),
            Ok(_) => load_once(&demand.definition, &locations, seed, code_digest()).map(|once| once.loaded),
        };
        match loaded {
            Err(error) => checked.wrong.extend(data_errors(spec, &name, error)),
            Ok(loaded) => {
                for promise in &demand.promises {
                    let Some((error, is_all)) = out_of_reach(promise, &loaded.dataset) else { continue };
                    let message = format!("{} on {name}: {error}", promise.algorithm);
                    let error = spec.error(&["figures", &promise.figure, "sweep"], message);
                    if is_all { &mut checked.wrong } else { &mut checked.partly }.push(error);
                }
                checked.built.push(Built { name, description: Ok(loaded.describe(&demand.definition)) });
            }
        }
    }
    Ok(checked)
}

/// Why the strictest of the guarantees that cannot be reached is out of reach, and whether that is true of every cell.
fn out_of_reach(promise: &Promise, dataset: &Dataset) -> Option<(LabError, bool)> {
    let refused = |guarantee: &Guarantee| Some((strictness(guarantee), check_reachable(dataset, guarantee).err()?));
    let mut out: Vec<(u64, LabError)> = promise.guarantees.values().filter_map(refused).collect();
    let is_all = out.len() == promise.guarantees.len() && !promise.elsewhere;
    // Of equally strict ones the first.
    out.sort_by_key(|(strictness, _)| std::cmp::Reverse(*strictness));
    out.into_iter().next().map(|(_, error)| (error, is_all))
}

fn data_errors(spec: &Spec, dataset: &str, error: DataError) -> Vec<SpecError> {
    match error {
        DataError::Definition(faults) => faults.iter().map(|fault| spec.dataset_fault(dataset, fault)).collect(),
        error => vec![spec.error(&["datasets", dataset, "source"], error.to_string())],
    }
}
