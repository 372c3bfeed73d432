use super::asked::true_counts;
use super::counting::Counter;
use super::workload::Workload;
use super::*;
use crate::data::{Dataset, Table};
use crate::lab::{LabError, Seed};
use crate::release::{Buckets, Release};
use proptest::prelude::*;

fn dataset(rows: &[[u8; 4]]) -> Dataset {
    let text: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(u8::to_string).collect()).collect();
    let cells: Vec<Vec<&str>> = text.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
    Dataset::of_table(Table::from_rows(&["a", "b", "c", "s"], &cells), &["a", "b", "c"], "s").unwrap()
}

fn measure(dataset: &Dataset, group_of: Vec<u32>, parameters: &QueryErrorParameters) -> Result<Vec<f64>, LabError> {
    let release = Release::Buckets(Buckets::from_groups(dataset.microdata()?, group_of));
    let mut bench = Workbench::new(Seed(7), "test");
    let observed = QueryError::measure(Subject::of(dataset, &release), parameters, &mut bench)?;
    Ok(observed.into_iter().map(|observation| observation.value).collect())
}

#[test]
fn groups_of_one_value_answer_every_query_exactly() {
    let rows: Vec<[u8; 4]> = (0..40).map(|i| [i % 3, i % 5, i % 7, i % 4]).collect();
    let parameters = QueryErrorParameters { queries: 50, dim: 2, sel: 1.0 };
    let by_value = measure(&dataset(&rows), rows.iter().map(|row| u32::from(row[3])).collect(), &parameters).unwrap();
    assert_eq!(by_value[..2], [0.0, 0.0]);
    let together = measure(&dataset(&rows), vec![0; rows.len()], &parameters).unwrap();
    assert!(together[0] > 0.0);
    assert_eq!(by_value[2], together[2], "the queries do not depend on the release");
}

#[test]
fn workloads_without_a_positive_count_are_refused() {
    let dataset = dataset(&[[0, 0, 0, 0], [1, 1, 1, 1]]);
    let refused = |dim, sel| {
        let parameters = QueryErrorParameters { queries: 10, dim, sel };
        measure(&dataset, vec![0, 0], &parameters).unwrap_err().to_string()
    };
    assert_eq!(refused(4, 0.5), "`dim` must be from 1 to 3, the number of quasi-identifiers, not 4");
    assert_eq!(refused(2, 0.0), "`sel` must be above 0 and at most 1, not 0");
    assert!(refused(2, 0.4).starts_with("with `sel` 0.4 a query can admit a value of 0 quasi-identifiers"));
    let empty = super::tests::dataset(&[]);
    let error = measure(&empty, vec![], &QueryErrorParameters::default()).unwrap_err();
    assert_eq!(error.to_string(), "the table has no rows to count");
}

proptest! {
    /// Whatever the way queries are counted, true counts are those of a scan over all rows, and answers have exactly the
    /// literal sums in `literal`.
    #[test]
    fn queries_are_answered_as_a_plain_scan_would(
        rows in prop::collection::vec([0u8..4, 0u8..3, 0u8..9, 0u8..5], 1..60),
        groups in prop::sample::select(vec![1u32, 2, 5, 17, 150, 300]),
        together in prop::sample::select(vec![1usize, 4, 12, 32]),
        wide in any::<bool>(),
        seed in any::<u64>(),
    ) {
        // Two columns of distinct values have too many combinations to be counted apart.
        let number = if wide { 300 } else { 90 };
        let cells: Vec<Vec<String>> = (rows.iter().cycle().take(number).enumerate())
            .map(|(i, row)| {
                let mut row = row.map(|value| value.to_string());
                if wide {
                    (row[0], row[1]) = (i.to_string(), (i * 7 % number).to_string());
                }
                row.to_vec()
            })
            .collect();
        let cells: Vec<Vec<&str>> = cells.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
        let dataset = Dataset::of_table(Table::from_rows(&["a", "b", "c", "s"], &cells), &["a", "b", "c"], "s").unwrap();
        let microdata = dataset.microdata().unwrap();
        let groups = groups.min(number as u32);
        let group_of: Vec<u32> = (0..number as u32).map(|row| row * 31 % groups).collect();
        // Groups are numbered without gaps: 31 and their numbers have no common divisor.
        let buckets = Buckets::from_groups(microdata, group_of);
        let release = Release::Buckets(buckets.clone());
        let mut answers = release.counts(&dataset).unwrap();
        let workload = Workload::new(microdata, &QueryErrorParameters { queries: 1, dim: 2, sel: 1.0 }).unwrap();
        let mut rng = Seed(seed).stream("queries", &());
        let orders = Orders::new(microdata);
        let mut found = Vec::new();
        for _ in 0..20 {
            let query = workload.draw(&mut rng);
            let counter = Counter::new(&orders, &query.attributes(), together);
            prop_assert_eq!(counter.count(&query), literal::count(microdata, &query));
            let selector = Selector::new(&orders, &query.attributes(), together);
            prop_assert_eq!(matches!(selector, Selector::Combined(_)), together >= 4 && !(wide && query.attributes() == [0, 1]));
            let answer = answers.count(&query.over(selector.records(&query, &mut found)));
            let expected = literal::answer(microdata, &buckets, &query, together);
            // Not about: equal.
            prop_assert_eq!(answer, expected);
        }
    }

    /// Drawing in batches asks the queries, and counts the redraws, of drawing one by one.
    #[test]
    fn batches_ask_the_same_queries(
        rows in prop::collection::vec([0u8..6, 0u8..6, 0u8..9, 0u8..5], 1..12),
        queries in 1usize..40,
        seed in any::<u64>(),
    ) {
        let dataset = dataset(&rows);
        let microdata = dataset.microdata().unwrap();
        let parameters = QueryErrorParameters { queries, dim: 2, sel: 1.0 };
        let orders = Orders::new(microdata);
        let asked = AskedQueries::draw(&orders, &parameters, &mut Seed(seed).stream("queries", &())).unwrap();
        let workload = Workload::new(microdata, &parameters).unwrap();
        let mut rng = Seed(seed).stream("queries", &());
        let (mut one_by_one, mut redraws) = (Vec::new(), 0);
        while one_by_one.len() < queries {
            let query = workload.draw(&mut rng);
            match true_counts(std::slice::from_ref(&query), &orders)[0] {
                0 => redraws += 1,
                count => one_by_one.push((query.quasi.clone(), query.sensitive, count)),
            }
        }
        let counted = AskedQueries::counted(&orders, &parameters, &mut Seed(seed).stream("queries", &()), asked.counts.clone());
        let counted = counted.unwrap().unwrap();
        let of = |asked: &AskedQueries| -> Vec<_> {
            asked.queries.iter().map(|(query, count)| (query.quasi.clone(), query.sensitive.clone(), *count)).collect()
        };
        prop_assert_eq!((of(&counted), counted.redraws), (of(&asked), asked.redraws));
        let cut_off = asked.counts[..asked.counts.len() - 1].to_vec();
        let cut_off = AskedQueries::counted(&orders, &parameters, &mut Seed(seed).stream("queries", &()), cut_off);
        prop_assert!(cut_off.unwrap().is_none());
        let asked_for: Vec<_> =
            asked.queries.into_iter().map(|(query, count)| (query.quasi, query.sensitive, count)).collect();
        prop_assert_eq!(asked_for, one_by_one);
        prop_assert_eq!(asked.redraws, redraws);
    }
}

/// Counts and answers as they are defined, one row after another.
mod literal {
    use crate::data::Microdata;
    use crate::release::Buckets;
    use crate::utility::query_error::workload::Query;

    fn admits(microdata: &Microdata, query: &Query, row: usize) -> bool {
        query.quasi.iter().all(|one| one.values.contains(&microdata.quasi_codes(one.attribute)[row]))
    }

    pub fn count(microdata: &Microdata, query: &Query) -> u64 {
        let counts =
            |&row: &usize| admits(microdata, query, row) && query.sensitive[microdata.sensitive_codes()[row] as usize];
        (0..microdata.rows()).filter(counts).count() as u64
    }

    /// The answer from buckets, in the order of summation that the number of queries on these attributes decides.
    pub fn answer(microdata: &Microdata, buckets: &Buckets, query: &Query, queries: usize) -> f64 {
        let rows: Vec<usize> = (0..microdata.rows()).filter(|&row| admits(microdata, query, row)).collect();
        let values = |attribute: usize| microdata.table.columns[microdata.quasi_identifiers[attribute]].cardinality();
        let sensitive_values = microdata.table.columns[microdata.sensitive].cardinality();
        let attributes = query.attributes();
        let combinations: usize = attributes.iter().map(|&attribute| values(attribute)).product();
        if queries >= 4 && combinations <= (4 * microdata.rows()).max(65_536) / sensitive_values {
            by_combination(microdata, buckets, query, rows)
        } else if queries >= 32 {
            let by = attributes.into_iter().max_by_key(|&attribute| values(attribute)).unwrap();
            let mut rows = rows;
            rows.sort_by_key(|&row| microdata.quasi_codes(by)[row]);
            by_group(buckets, query, &rows)
        } else {
            by_group(buckets, query, &rows)
        }
    }

    /// The admitted values of each combination are summed over its rows in the order of their groups; then values, then
    /// combinations are added up.
    fn by_combination(microdata: &Microdata, buckets: &Buckets, query: &Query, mut rows: Vec<usize>) -> f64 {
        let combination = |row: usize| -> Vec<u32> {
            query.attributes().iter().map(|&attribute| microdata.quasi_codes(attribute)[row]).collect()
        };
        rows.sort_by_key(|&row| (combination(row), buckets.group_of[row]));
        // Combinations without a row add 0.
        let sums = rows.chunk_by(|&a, &b| combination(a) == combination(b)).map(|rows| {
            let of_value = |value: usize| {
                let mut sum = 0.0;
                for &row in rows {
                    let group = &buckets.sensitive[buckets.group_of[row] as usize];
                    let size: u32 = group.iter().map(|&(_, count)| count).sum();
                    for &(_, count) in group.iter().filter(|&&(code, _)| code as usize == value) {
                        sum += f64::from(count) / f64::from(size);
                    }
                }
                sum
            };
            (0..query.sensitive.len()).filter(|&value| query.sensitive[value]).map(of_value).sum::<f64>()
        });
        sums.sum()
    }

    /// Groups in the order in which the rows first meet them.
    fn by_group(buckets: &Buckets, query: &Query, rows: &[usize]) -> f64 {
        let mut met: Vec<(u32, u32)> = Vec::new();
        for &row in rows {
            let group = buckets.group_of[row];
            match met.iter_mut().find(|(known, _)| *known == group) {
                Some((_, seen)) => *seen += 1,
                None => met.push((group, 1)),
            }
        }
        let mut expected = 0.0;
        for (group, seen) in met {
            let group = &buckets.sensitive[group as usize];
            let size: u32 = group.iter().map(|&(_, count)| count).sum();
            let admitted: u32 =
                group.iter().filter(|&&(code, _)| query.sensitive[code as usize]).map(|&(_, count)| count).sum();
            expected += f64::from(seen) * f64::from(admitted) / f64::from(size);
        }
        expected
    }
}
