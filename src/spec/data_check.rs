//! A spec held to the data that is here: each dataset is built once, and the guarantees that its figures ask for must be
//! within reach.

use super::plan::demands;
use super::{Spec, SpecError};
use crate::data::{DataError, DataLocations, Description, load_once, resolve};
use crate::lab::Seed;
use crate::release::check_reachable;
use crate::run::code_digest;

/// A dataset of a spec, as it was built.
#[derive(Debug)]
pub struct Built {
    pub name: String,
    /// Or why it is not here.
    pub description: Result<Description, String>,
}

/// Builds every dataset that some figure uses. Where a sweep changes a dataset, its first value stands for all. Every
/// dataset that does not fit is one error; absent data is none.
pub fn check_data(spec: &Spec, locations: &DataLocations) -> Result<Vec<Built>, Vec<SpecError>> {
    let locations = locations.for_spec_in(spec.directory());
    let (mut built, mut errors) = (Vec::new(), Vec::new());
    for (name, demand) in demands(spec)? {
        let loaded = match resolve(&demand.definition, &locations) {
            Err(DataError::Absent(reason)) => {
                built.push(Built { name, description: Err(reason) });
                continue;
            }
            Err(error) => Err(error),
            Ok(_) => {
                load_once(&demand.definition, &locations, Seed(spec.file.seed), code_digest()).map(|once| once.loaded)
            }
        };
        match loaded {
            Err(error) => errors.extend(data_errors(spec, &name, error)),
            Ok(loaded) => {
                for (figure, algorithm, guarantee) in &demand.guarantees {
                    if let Err(error) = check_reachable(&loaded.dataset, guarantee) {
                        errors
                            .push(spec.error(&["figures", figure, "sweep"], format!("{algorithm} on {name}: {error}")));
                    }
                }
                built.push(Built { name, description: Ok(loaded.describe(&demand.definition)) });
            }
        }
    }
    if errors.is_empty() { Ok(built) } else { Err(errors) }
}

fn data_errors(spec: &Spec, dataset: &str, error: DataError) -> Vec<SpecError> {
    match error {
        DataError::Definition(faults) => faults.iter().map(|fault| spec.dataset_fault(dataset, fault)).collect(),
        error => vec![spec.error(&["datasets", dataset, "source"], error.to_string())],
    }
}
