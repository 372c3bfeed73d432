//! What a spec asks of its datasets.

use crate::release::Guarantee;
use crate::run::Cell;
use crate::sources::DatasetDefinition;
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
    /// What the algorithms of figures promise of it.
    pub promises: Vec<Promise>,
}

/// The guarantees that an algorithm of a figure promises of a dataset.
#[derive(Debug)]
pub struct Promise {
    /// The figure's name.
    pub figure: String,
    /// The algorithm's.
    pub algorithm: String,
    /// The different ones, by their JSON.
    pub guarantees: IndexMap<String, Guarantee>,
    /// Whether some of its cells have the dataset otherwise than the first cell: what these promise is not among `guarantees`.
    pub elsewhere: bool,
}

/// Demands by the names of datasets.
#[derive(Default)]
pub(super) struct Demands(pub IndexMap<String, Demand>);

impl Demands {
    /// Notes what a cell asks of its dataset.
    pub fn note(&mut self, figure: &str, algorithm: Option<&NamedPublisher>, cell: &Cell) {
        let first = || Demand { definition: Arc::clone(&cell.dataset), redrawn: false, promises: Vec::new() };
        let demand = self.0.entry(cell.dataset_name.clone()).or_insert_with(first);
        demand.redrawn |= cell.dataset.redraws();
        let parameters = cell.algorithm.as_ref().map(|algorithm| &algorithm.parameters);
        let (Some(named), Some(parameters)) = (algorithm, parameters) else { return };
        let Ok(guarantee) = named.guarantee(parameters) else { return };
        let known = |promise: &Promise| promise.figure == figure && promise.algorithm == named.name;
        let place = demand.promises.iter().position(known).unwrap_or_else(|| {
            demand.promises.push(Promise {
                figure: figure.to_string(),
                algorithm: named.name.clone(),
                guarantees: IndexMap::new(),
                elsewhere: false,
            });
            demand.promises.len() - 1
        });
        let promise = &mut demand.promises[place];
        if demand.definition != cell.dataset {
            promise.elsewhere = true;
        } else if let Ok(json) = serde_json::to_string(&guarantee) {
            promise.guarantees.entry(json).or_insert(guarantee);
        }
    }
}

/// The parameter that the data limits: ℓ or k.
pub fn strictness(guarantee: &Guarantee) -> u64 {
    let parameters = guarantee.parameters();
    ["l", "k"].iter().find_map(|name| parameters.get(*name)?.as_u64()).unwrap_or(0)
}
