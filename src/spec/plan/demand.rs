//! What a spec asks of its datasets.

use crate::data::DatasetDefinition;
use crate::release::Guarantee;
use crate::run::Cell;
use crate::spec::algorithm::NamedPublisher;
use indexmap::IndexMap;
use std::sync::Arc;

/// What a spec asks of one of its datasets.
#[derive(Debug)]
pub struct Demand {
    /// As the first cell has it, where a sweep changes it.
    pub definition: Arc<DatasetDefinition>,
    /// Whether some cell has it drawn anew for each repetition.
    pub redrawn: bool,
    /// The figures and algorithms that use it so, each with the strictest guarantee it asks for.
    pub guarantees: Vec<(String, String, Guarantee)>,
}

/// Demands by the names of datasets.
#[derive(Default)]
pub(super) struct Demands(pub IndexMap<String, Demand>);

impl Demands {
    /// Notes what a cell asks of its dataset.
    pub fn note(&mut self, figure: &str, algorithm: Option<&NamedPublisher>, cell: &Cell) {
        let first = || Demand { definition: Arc::clone(&cell.dataset), redrawn: false, guarantees: Vec::new() };
        let demand = self.0.entry(cell.dataset_name.clone()).or_insert_with(first);
        demand.redrawn |= cell.dataset.redraws();
        let parameters = cell.algorithm.as_ref().map(|algorithm| &algorithm.parameters);
        let (Some(named), Some(parameters)) = (algorithm, parameters) else { return };
        let Ok(guarantee) = named.guarantee(parameters) else { return };
        if demand.definition != cell.dataset {
            return;
        }
        let known = demand.guarantees.iter_mut().find(|(id, name, _)| id == figure && *name == named.name);
        match known {
            None => demand.guarantees.push((figure.to_string(), named.name.clone(), guarantee)),
            Some((_, _, known)) if strictness(&guarantee) > strictness(known) => *known = guarantee,
            Some(_) => {}
        }
    }
}

/// The parameter that the data limits: ℓ or k.
fn strictness(guarantee: &Guarantee) -> u64 {
    let parameters = guarantee.parameters();
    ["l", "k"].iter().find_map(|name| parameters.get(*name)?.as_u64()).unwrap_or(0)
}
