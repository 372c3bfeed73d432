//! The distribution queries are drawn from.

use super::parameters::QueryErrorParameters;
use crate::data::Microdata;
use crate::lab::LabError;
use crate::release::{Admitted, CountQuery, Records};
use rand::seq::index::sample;
use rand::{Rng, RngExt};
use std::collections::BTreeMap;

/// A COUNT query: the admitted codes.
pub(super) struct Query {
    /// Ascending by attribute.
    pub quasi: Vec<Admitted>,
    /// A flag per code.
    pub sensitive: Vec<bool>,
}

impl Query {
    /// The attributes it restricts.
    pub fn attributes(&self) -> Vec<usize> {
        self.quasi.iter().map(|one| one.attribute).collect()
    }

    /// `age in {30; 31} and illness in {flu}`.
    pub fn in_words(&self, microdata: &Microdata) -> String {
        let admits = |column: usize, codes: &mut dyn Iterator<Item = u32>| {
            let column = &microdata.table.columns[column];
            let values: Vec<&str> = codes.map(|code| column.values[code as usize].as_str()).collect();
            format!("{} in {{{}}}", column.name, values.join("; "))
        };
        let quasi = self
            .quasi
            .iter()
            .map(|one| admits(microdata.quasi_identifiers[one.attribute], &mut one.values.iter().copied()));
        let mut sensitive = (0..).zip(&self.sensitive).filter(|(_, admitted)| **admitted).map(|(code, _)| code);
        quasi.chain([admits(microdata.sensitive, &mut sensitive)]).collect::<Vec<_>>().join(" and ")
    }

    /// The admitted values of an attribute; none of one that it does not restrict.
    pub fn values_of(&self, attribute: usize) -> &[u32] {
        let admitted = self.quasi.iter().find(|one| one.attribute == attribute);
        admitted.map_or(&[], |one| one.values.as_slice())
    }

    /// As a release is asked; `records` are those that have the quasi-identifiers.
    pub fn over<'a>(&'a self, records: Records<'a>) -> CountQuery<'a> {
        CountQuery { quasi: &self.quasi, records, sensitive: &self.sensitive }
    }
}

pub(super) struct Workload {
    dim: usize,
    /// Per quasi-identifier, how many values it has and how many of them a query may admit.
    quasi: Vec<(usize, u32)>,
    sensitive: (usize, u32),
}

impl Workload {
    pub fn new(microdata: &Microdata, parameters: &QueryErrorParameters) -> Result<Self, LabError> {
        let &QueryErrorParameters { dim, sel, .. } = parameters;
        let number = microdata.quasi_identifiers.len();
        if microdata.rows() == 0 {
            return Err(LabError::input("the table has no rows to count"));
        }
        if dim == 0 || dim > number {
            return Err(LabError::input(format!(
                "`dim` must be from 1 to {number}, the number of quasi-identifiers, not {dim}"
            )));
        }
        if !(sel > 0.0 && sel <= 1.0) {
            return Err(LabError::input(format!("`sel` must be above 0 and at most 1, not {sel}")));
        }
        let domain = |column: usize| {
            let values = microdata.table.columns[column].cardinality();
            // 0.29 · 100 is a hair below 29 in binary; the hair is not meant.
            (values, (sel * values as f64 + 1e-9).floor() as u32)
        };
        let quasi: Vec<(usize, u32)> = microdata.quasi_identifiers.iter().map(|&column| domain(column)).collect();
        let sensitive = domain(microdata.sensitive);
        let usable = quasi.iter().filter(|(_, most)| *most > 0).count();
        if sensitive.1 == 0 || usable < dim {
            return Err(LabError::input(format!(
                "with `sel` {sel} a query can admit a value of {usable} quasi-identifiers and {} sensitive values; \
                 {dim} quasi-identifiers and a sensitive value are needed, so every count would be 0: raise `sel` or lower `dim`",
                sensitive.1
            )));
        }
        Ok(Self { dim, quasi, sensitive })
    }

    pub fn draw(&self, rng: &mut impl Rng) -> Query {
        let mut quasi: Vec<Admitted> = sample(rng, self.quasi.len(), self.dim)
            .into_iter()
            .map(|attribute| {
                let mut values = draw_values(self.quasi[attribute], rng);
                values.sort_unstable();
                Admitted { attribute, values }
            })
            .collect();
        quasi.sort_unstable_by_key(|one| one.attribute);
        let mut sensitive = vec![false; self.sensitive.0];
        for value in draw_values(self.sensitive, rng) {
            sensitive[value as usize] = true;
        }
        Query { quasi, sensitive }
    }
}

/// A set of codes below the size of a domain whose own size is drawn from 0 to the most that may be admitted.
fn draw_values((domain, most): (usize, u32), rng: &mut impl Rng) -> Vec<u32> {
    let size = rng.random_range(0..=most) as usize;
    sample(rng, domain, size).into_iter().map(|value| value as u32).collect()
}

/// The places of queries by the attributes they restrict.
pub(super) fn by_attributes<'a>(queries: impl Iterator<Item = &'a Query>) -> BTreeMap<Vec<usize>, Vec<usize>> {
    let mut places: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (place, query) in queries.enumerate() {
        places.entry(query.attributes()).or_default().push(place);
    }
    places
}
