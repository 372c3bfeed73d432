//! Publishers of generalized tables against their literal versions, and their rule against the verifier.

use super::grouping::{Grouping, Packing};
use super::levels::Levels;
use super::privacy::{Diversity, Privacy, suppressing};
use super::rule::Rule;
use super::{Datafly, EverythingGeneralized, FullDomain, Identity, Mondrian};
use crate::data::{Column, Content, Dataset, Hierarchy, SensitivePart, Table, combined};
use crate::lab::{LabError, Seed, Workbench};
use crate::publish::Publisher;
use crate::release::generalized_table::{Distance, Domain, GeneralizedCell, GeneralizedTable, Requirement};
use crate::release::{Guarantee, PrivacyVerdict, Release, verify};
use proptest::prelude::*;

/// Columns `age` (numbers), `town` (with a hierarchy), `job` (without) and the sensitive `ill`.
fn dataset(rows: &[[u8; 4]]) -> Dataset {
    let text: Vec<[String; 4]> =
        rows.iter().map(|[a, b, c, s]| [a.to_string(), format!("t{b}"), format!("j{c}"), format!("s{s}")]).collect();
    let cells: Vec<Vec<&str>> = text.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
    let table = Table::from_rows(&["age", "town", "job", "ill"], &cells);
    let mut dataset = Dataset::of_table(table, &["age", "town", "job"], "ill").unwrap();
    if let Content::Table(microdata) = &mut dataset.content {
        let tree = |column: usize| {
            let values = &microdata.table.columns[column].values;
            Hierarchy::by_degree(values, &(0..values.len() as u32).collect::<Vec<_>>(), 2).unwrap()
        };
        let (town, ill) = (tree(1), tree(3));
        microdata.hierarchies[1] = Some(town);
        microdata.sensitive_hierarchy = Some(ill);
    }
    dataset
}

/// The same with a second sensitive attribute, `pay`: each alone.
fn with_pay(rows: &[[u8; 4]], pay: impl Fn(usize) -> u8) -> Dataset {
    let mut dataset = dataset(rows);
    if let Content::Table(microdata) = &mut dataset.content {
        let ill = microdata.table.columns.remove(microdata.sensitive);
        let pay: Vec<String> = (0..rows.len()).map(|row| format!("p{}", pay(row))).collect();
        let pay = Column::encode("pay", &pay);
        let both = combined(&[ill.clone(), pay.clone()]).unwrap();
        let order: Vec<u32> = (0..pay.cardinality() as u32).collect();
        let of_pay = Hierarchy::by_degree(&pay.values, &order, 2).unwrap();
        microdata.sensitive_parts = vec![
            SensitivePart::new(&ill, &both, microdata.sensitive_hierarchy.take()),
            SensitivePart::new(&pay, &both, Some(of_pay)),
        ];
        microdata.table.columns.push(both);
    }
    dataset
}

fn publish<P: Publisher>(dataset: &Dataset, parameters: &P::Parameters) -> Result<GeneralizedTable, LabError> {
    let release = P::publish(dataset, parameters, &mut Workbench::new(Seed(1), "test"))?;
    assert_eq!(verify(dataset, &release, &P::guarantee(parameters)).unwrap(), PrivacyVerdict::Private);
    match release {
        Release::GeneralizedTable(table) => Ok(table),
        other => panic!("{}", other.kind()),
    }
}

fn parameters<T: serde::de::DeserializeOwned>(value: serde_json::Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn any_rows() -> impl Strategy<Value = Vec<[u8; 4]>> {
    prop::collection::vec([0u8..12, 0u8..5, 0u8..4, 0u8..3], 4..40)
}

fn any_privacy() -> impl Strategy<Value = Privacy> {
    let share = || prop_oneof![Just(0.25), Just(0.5), Just(0.75), 0.2f64..1.0];
    let distance = prop_oneof![Just(Distance::Equal), Just(Distance::Ordered), Just(Distance::Hierarchical)];
    let diversity = prop_oneof![
        Just(Diversity::Distinct),
        Just(Diversity::Frequency),
        Just(Diversity::Entropy),
        Just(Diversity::Recursive)
    ];
    (
        (1usize..6, prop::option::of(1usize..3), diversity, prop_oneof![Just(1.0), Just(2.0), 0.5f64..4.0]),
        (prop::option::of(share()), prop::option::of(share()), distance),
        (prop::option::of(prop_oneof![Just(1.0), 0.2f64..3.0]), any::<bool>(), prop::option::of(0.3f64..4.0)),
    )
        .prop_map(|((k, l, diversity, c), (alpha, t, distance), (beta, enhanced, delta))| Privacy {
            k,
            l,
            diversity,
            c,
            alpha,
            t,
            distance,
            beta,
            enhanced,
            delta,
            also: Vec::new(),
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The publishers' rule and the verifier are two implementations of the same conditions.
    #[test]
    fn the_rule_and_the_verifier_agree(rows in any_rows(), privacy in any_privacy(), part in 0usize..4) {
        // The whole table and its first rows as classes: `town` of the identity is not used, so two classes by `age`.
        let rows: Vec<[u8; 4]> = rows.iter().enumerate().map(|(i, row)| [u8::from(i % 4 <= part), 0, 0, row[3]]).collect();
        let dataset = dataset(&rows);
        let microdata = dataset.microdata().unwrap();
        let rule = Rule::new(microdata, &privacy).unwrap();
        let levels: Vec<Levels> = (0..3).map(|i| Levels::new(microdata, i)).collect();
        let packing = Packing::new(&levels).unwrap();
        // Without sensitive counts where only k is asked for.
        let classes = Grouping::new(microdata, &packing, &rule);
        let allowed = (0..classes.len()).all(|class| classes.is_allowed(&rule, class));
        let table = Release::GeneralizedTable(GeneralizedTable::identity(microdata));
        let verdict = verify(&dataset, &table, &privacy.guarantee(suppressing(0.0))).unwrap();
        prop_assert_eq!(allowed, verdict == PrivacyVerdict::Private, "{:?} {:?}", privacy, verdict);
    }

    /// The same with two sensitive attributes; and whatever is published keeps everything in each of them, as a dataset with
    /// that attribute alone says.
    #[test]
    fn each_of_two_attributes_is_protected(
        rows in any_rows(), privacy in any_privacy(), part in 0usize..4, suppression in prop_oneof![Just(0.0), Just(0.3)],
    ) {
        let classes: Vec<[u8; 4]> = rows.iter().enumerate().map(|(i, row)| [u8::from(i % 4 <= part), 0, 0, row[3]]).collect();
        let two = with_pay(&classes, |row| rows[row][2]);
        let microdata = two.microdata().unwrap();
        let rule = Rule::new(microdata, &privacy).unwrap();
        let levels: Vec<Levels> = (0..3).map(|i| Levels::new(microdata, i)).collect();
        let packing = Packing::new(&levels).unwrap();
        let grouping = Grouping::new(microdata, &packing, &rule);
        let allowed = (0..grouping.len()).all(|class| grouping.is_allowed(&rule, class));
        let guarantee = privacy.guarantee(suppressing(0.0));
        let kept = |dataset: &Dataset, table: &GeneralizedTable, guarantee: &Guarantee| {
            let table = GeneralizedTable { columns: table.columns.clone(), ..GeneralizedTable::identity(dataset.microdata().unwrap()) };
            verify(dataset, &Release::GeneralizedTable(table), guarantee).unwrap() == PrivacyVerdict::Private
        };
        prop_assert_eq!(allowed, kept(&two, &GeneralizedTable::identity(microdata), &guarantee));
        let two = with_pay(&rows, |row| rows[row][2]);
        let paid: Vec<[u8; 4]> = rows.iter().map(|row| [row[0], row[1], row[2], row[2]]).collect();
        let mut given = serde_json::to_value(&privacy).unwrap();
        if let Ok(table) = publish::<Mondrian>(&two, &parameters(given.clone())) {
            prop_assert!(kept(&dataset(&rows), &table, &guarantee) && kept(&dataset(&paid), &table, &guarantee));
        }
        given["suppression"] = suppression.into();
        // `publish` verifies.
        let _ = publish::<FullDomain>(&two, &parameters(given.clone()));
        let _ = publish::<Datafly>(&two, &parameters(given));
    }

    /// Mondrian's regions are those of the printed recursion.
    #[test]
    fn mondrian_is_its_recursion(rows in any_rows(), privacy in any_privacy(), relaxed in any::<bool>()) {
        let dataset = dataset(&rows);
        let mut given = serde_json::to_value(&privacy).unwrap();
        given["partitioning"] = if relaxed { "relaxed" } else { "strict" }.into();
        let published = publish::<Mondrian>(&dataset, &parameters(given));
        let microdata = dataset.microdata().unwrap();
        let rule = Rule::new(microdata, &privacy).unwrap();
        let Ok(table) = published else {
            prop_assert!(rule.check_reachable(0).is_err());
            return Ok(());
        };
        let mut regions = Vec::new();
        literal_mondrian(&rows, (0..rows.len()).collect(), &rule, microdata.sensitive_codes(), relaxed, &mut regions);
        // Ages, towns and jobs are in the order of their codes: those of the hierarchy by degree, too.
        for region in regions {
            for (i, domain) in Domain::all(microdata).iter().enumerate() {
                let mut codes: Vec<u32> = region.iter().map(|&row| microdata.quasi_codes(i)[row]).collect();
                codes.sort_unstable();
                codes.dedup();
                for &row in &region {
                    let cover = domain.cover(table.cell(i, row));
                    let wanted: Vec<u32> = match i {
                        0 => (codes[0]..=codes[codes.len() - 1]).collect(),
                        1 => {
                            let tree = domain.hierarchy.unwrap();
                            let all = |&node: &u32| codes.iter().all(|&code| tree.covers(node, code));
                            tree.leaves_of(tree.path_to_root(codes[0]).find(all).unwrap())
                        }
                        _ => codes.clone(),
                    };
                    prop_assert_eq!(cover.codes().collect::<Vec<_>>(), wanted, "row {} column {}", row, i);
                }
            }
        }
    }

    /// The optimum is that of looking at every combination of levels.
    #[test]
    fn full_domain_is_the_best_of_all_nodes(
        rows in any_rows(),
        privacy in any_privacy(),
        suppression in prop_oneof![Just(0.0), Just(0.1), Just(0.5)],
        loss in prop_oneof![Just("penalty"), Just("discernibility"), Just("height")],
    ) {
        let dataset = dataset(&rows);
        let microdata = dataset.microdata().unwrap();
        let mut given = serde_json::to_value(&privacy).unwrap();
        given["suppression"] = suppression.into();
        given["loss"] = loss.into();
        let rule = Rule::new(microdata, &privacy).unwrap();
        let levels: Vec<Levels> = (0..3).map(|i| Levels::new(microdata, i)).collect();
        let mut best = f64::INFINITY;
        for node in 0..levels.iter().map(|levels| levels.levels.len()).product() {
            let mut rest: usize = node;
            let node: Vec<usize> = levels.iter().map(|levels| {
                let level = rest % levels.levels.len();
                rest /= levels.levels.len();
                level
            }).collect();
            best = best.min(literal_loss(microdata, &levels, &node, &rule, suppression, loss));
        }
        let Ok(table) = publish::<FullDomain>(&dataset, &parameters(given)) else {
            prop_assert_eq!(best, f64::INFINITY);
            return Ok(());
        };
        // The published table's own loss, from its cells alone (its height from the levels they are of).
        let found = match loss {
            "height" => (0..3).map(|i| {
                let row = table.sensitive.iter().position(Option::is_some);
                let level = |level: &super::levels::Level| {
                    (0..microdata.rows()).filter(|&row| table.sensitive[row].is_some())
                        .all(|row| level.cells[level.of_code[microdata.quasi_codes(i)[row] as usize] as usize] == *table.cell(i, row))
                };
                row.map_or(0, |_| levels[i].levels.iter().position(level).unwrap())
            }).sum::<usize>() as f64,
            _ => table_loss(microdata, &table, loss),
        };
        if loss == "height" {
            // Levels that change nothing for the rows kept look lower than they are.
            prop_assert!(found <= best);
        } else {
            prop_assert!((found - best).abs() < 1e-9 * best.max(1.0), "{} is not {}", found, best);
        }
    }

    #[test]
    fn datafly_keeps_what_it_is_asked_for(
        rows in any_rows(),
        privacy in any_privacy(),
        suppression in prop_oneof![Just(0.0), Just(0.3)],
    ) {
        let dataset = dataset(&rows);
        let rule = Rule::new(dataset.microdata().unwrap(), &privacy).unwrap();
        let mut given = serde_json::to_value(&privacy).unwrap();
        given["suppression"] = suppression.into();
        // `publish` verifies. Suppression may help where the whole table would not do; its end is the whole table.
        let is_published = publish::<Datafly>(&dataset, &parameters(given)).is_ok();
        let is_reachable = rule.check_reachable(0).is_ok();
        prop_assert!(is_published || !is_reachable);
        prop_assert!(is_reachable || suppression > 0.0 || !is_published);
    }
}

/// Strict and relaxed Mondrian as the paper prints them, on rows of codes.
fn literal_mondrian(
    rows: &[[u8; 4]],
    region: Vec<usize>,
    rule: &Rule<'_>,
    sensitive: &[u32],
    relaxed: bool,
    regions: &mut Vec<Vec<usize>>,
) {
    let allows = |part: &[usize]| {
        let mut counts = vec![0; rule.values()];
        part.iter().for_each(|&row| counts[sensitive[row] as usize] += 1);
        !part.is_empty() && rule.allows(part.len(), &counts)
    };
    // Numbers by their values, categories by their places among those that occur.
    let scale = |i: usize, value: u8| match i {
        0 => f64::from(value),
        _ => {
            let mut known: Vec<u8> = rows.iter().map(|row| row[i]).collect();
            known.sort_unstable();
            known.dedup();
            known.partition_point(|&other| other < value) as f64
        }
    };
    let width = |part: &mut dyn Iterator<Item = &[u8; 4]>, i: usize| {
        let values: Vec<f64> = part.map(|row| scale(i, row[i])).collect();
        values.iter().copied().fold(f64::MIN, f64::max) - values.iter().copied().fold(f64::MAX, f64::min)
    };
    let mut order: Vec<(f64, usize)> = (0..3)
        .map(|i| {
            let whole = width(&mut rows.iter(), i);
            (if whole > 0.0 { width(&mut region.iter().map(|&row| &rows[row]), i) / whole } else { 0.0 }, i)
        })
        .filter(|&(width, _)| width > 0.0)
        .collect();
    order.sort_by(|(a, _), (b, _)| b.partial_cmp(a).unwrap());
    for (_, i) in order {
        let mut values: Vec<u8> = region.iter().map(|&row| rows[row][i]).collect();
        values.sort_unstable();
        let median = values[(values.len() - 1) / 2];
        let mut splits: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        if relaxed {
            let (mut left, mut right): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
            let below = region.iter().filter(|&&row| rows[row][i] < median).count();
            let mut room = region.len().div_ceil(2) - below;
            for &row in &region {
                let goes_left = rows[row][i] < median || (rows[row][i] == median && room > 0);
                if goes_left && rows[row][i] == median {
                    room -= 1;
                }
                if goes_left { left.push(row) } else { right.push(row) }
            }
            splits.push((left, right));
        } else {
            splits.push(region.iter().partition(|&&row| rows[row][i] <= median));
            splits.push(region.iter().partition(|&&row| rows[row][i] < median));
        }
        for (left, right) in splits {
            if allows(&left) && allows(&right) {
                literal_mondrian(rows, left, rule, sensitive, relaxed, regions);
                literal_mondrian(rows, right, rule, sensitive, relaxed, regions);
                return;
            }
        }
    }
    regions.push(region);
}

/// The loss of a node of the lattice, infinite where too many rows would have to be suppressed.
fn literal_loss(
    microdata: &crate::data::Microdata,
    levels: &[Levels],
    node: &[usize],
    rule: &Rule<'_>,
    suppression: f64,
    loss: &str,
) -> f64 {
    let mut table = GeneralizedTable::identity(microdata);
    for (i, &level) in node.iter().enumerate() {
        let level = &levels[i].levels[level];
        table.columns[i].cells = level.cells.clone();
        table.columns[i].of_row = microdata.quasi_codes(i).iter().map(|&code| level.of_code[code as usize]).collect();
    }
    let key = |row: usize| (0..3).map(|i| table.columns[i].of_row[row]).collect::<Vec<_>>();
    let refused: Vec<bool> = (0..microdata.rows())
        .map(|row| {
            let members: Vec<usize> = (0..microdata.rows()).filter(|&other| key(other) == key(row)).collect();
            let mut counts = vec![0; rule.values()];
            members.iter().for_each(|&row| counts[microdata.sensitive_codes()[row] as usize] += 1);
            !rule.allows(members.len(), &counts)
        })
        .collect();
    if refused.iter().filter(|&&refused| refused).count() as f64 > suppression * microdata.rows() as f64 {
        return f64::INFINITY;
    }
    table.suppress(|row| refused[row]);
    if loss == "height" { node.iter().sum::<usize>() as f64 } else { table_loss(microdata, &table, loss) }
}

fn table_loss(microdata: &crate::data::Microdata, table: &GeneralizedTable, loss: &str) -> f64 {
    let rows = microdata.rows();
    if loss == "discernibility" {
        let key = |row: usize| (0..3).map(|i| table.columns[i].of_row[row]).collect::<Vec<_>>();
        let same = |row: usize| (0..rows).filter(|&other| key(other) == key(row)).count();
        return (0..rows).map(|row| if table.sensitive[row].is_none() { rows } else { same(row) } as f64).sum();
    }
    let mut sum = 0.0;
    for (i, domain) in Domain::all(microdata).iter().enumerate() {
        for row in 0..rows {
            let cover = domain.cover(table.cell(i, row));
            let number = |code: u32| domain.number(code);
            sum += match (table.sensitive[row], domain.range(), cover.len()) {
                (None, _, _) => 1.0,
                (_, _, 1) => 0.0,
                (_, Some((low, high)), _) => {
                    let (from, to) = (cover.codes().next().unwrap(), cover.codes().next_back().unwrap());
                    (number(to).unwrap() - number(from).unwrap()) / (high - low)
                }
                _ => cover.len() as f64 / domain.values() as f64,
            };
        }
    }
    sum / (3 * rows) as f64
}

#[test]
fn what_cannot_be_reached_is_refused_in_words() {
    let dataset = dataset(&[[1, 0, 0, 0], [2, 1, 1, 0], [3, 2, 2, 1]]);
    let refused = |given: serde_json::Value| publish::<Mondrian>(&dataset, &parameters(given)).unwrap_err().to_string();
    assert_eq!(
        refused(serde_json::json!({"k": 4})),
        "`k` is 4, and the table has only 3 rows: no class can have as many"
    );
    let no_better = "; however the rows are divided into classes, one of these does no better";
    for (given, says) in [
        (serde_json::json!({"k": 1, "l": 3}), "`l` is 3, and the sensitive attribute has only 2 values"),
        (
            serde_json::json!({"k": 1, "l": 2, "diversity": "frequency"}),
            "`l` is 2, and a sensitive value is in 2 of 3 rows, more than 1 in 2",
        ),
        (
            serde_json::json!({"k": 1, "l": 2, "diversity": "entropy"}),
            "`l` is 2, and the whole table has the entropy of 1.8899 equally frequent values",
        ),
        (
            serde_json::json!({"k": 1, "l": 2, "c": 1.5, "diversity": "recursive"}),
            "`c` is 1.5, and in the whole table the most frequent sensitive value, in 2 of 3 rows, is not below c times those \
             from number 2 on",
        ),
        (
            serde_json::json!({"k": 1, "alpha": 0.5}),
            "`alpha` is 0.5, and a sensitive value is in 2 of 3 rows of the whole table",
        ),
        (
            serde_json::json!({"k": 1, "delta": 0}),
            "`delta` is 0, and |ln(q / p)| must be below it, so that it must be above 0",
        ),
    ] {
        assert_eq!(refused(given), format!("{says}{no_better}"));
    }
    let table = Table::from_rows(&["age", "ill"], &[]);
    let empty = Dataset::of_table(table, &["age"], "ill").unwrap();
    let error = publish::<FullDomain>(&empty, &parameters(serde_json::json!({}))).unwrap_err();
    assert_eq!(error.to_string(), "the table has no rows");
}

/// Two in three have the same illness, so that the whole table is not diverse; without one of them the others are.
#[test]
fn suppressed_rows_can_make_the_others_diverse() {
    let dataset = dataset(&[[1, 0, 0, 0], [1, 0, 0, 1], [9, 2, 2, 0]]);
    let given =
        |suppression: f64| serde_json::json!({"k": 1, "l": 2, "diversity": "frequency", "suppression": suppression});
    for table in [
        publish::<FullDomain>(&dataset, &parameters(given(0.4))).unwrap(),
        publish::<Datafly>(&dataset, &parameters(given(0.4))).unwrap(),
    ] {
        assert_eq!(table.sensitive, [Some(0), Some(1), None]);
        assert_eq!(*table.cell(0, 0), GeneralizedCell::Value(0));
    }
    let why = "`l` is 2, and a sensitive value is in 2 of 3 rows, more than 1 in 2; however the rows are divided into classes, \
               one of these does no better";
    let full_domain = publish::<FullDomain>(&dataset, &parameters(given(0.0))).unwrap_err();
    assert_eq!(full_domain.to_string(), why);
    // A limit that is no whole row is none; one row of four is not enough.
    let alike = self::dataset(&[[1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0], [4, 1, 1, 1]]);
    let refused = publish::<Datafly>(&alike, &parameters(given(0.25))).unwrap_err();
    assert!(
        refused.to_string().starts_with(
            "with every attribute at its top level, the guarantee is not met with at most 1 row suppressed: `l` is 2, and"
        ),
        "{refused}"
    );
    let refused = publish::<FullDomain>(&alike, &parameters(given(0.25))).unwrap_err();
    assert!(
        refused.to_string().starts_with(
            "no combination of levels meets the guarantee under these conventions with at most 1 row suppressed: `l` is 2, and"
        ),
        "{refused}"
    );
}

#[test]
fn the_ends_lose_nothing_and_everything() {
    let dataset = dataset(&[[1, 0, 0, 0], [2, 1, 1, 0], [3, 2, 2, 1]]);
    let identity = publish::<Identity>(&dataset, &crate::lab::NoParameters {}).unwrap();
    assert_eq!(*identity.cell(0, 2), GeneralizedCell::Value(2));
    let nothing = publish::<EverythingGeneralized>(&dataset, &crate::lab::NoParameters {}).unwrap();
    assert_eq!(*nothing.cell(0, 2), GeneralizedCell::Any);
}

#[test]
fn a_guarantee_is_everything_that_was_asked_for() {
    let given: super::mondrian::MondrianParameters = parameters(serde_json::json!(
        {"k": 3, "l": 2, "diversity": "entropy", "t": 0.2, "also": [{"require": "entropy-diversity", "l": 2.5}]}
    ));
    let Guarantee::Table(guarantee) = Mondrian::guarantee(&given) else { panic!("a table's") };
    assert_eq!(
        guarantee.requirements,
        [
            Requirement::KAnonymity { k: 3 },
            Requirement::EntropyDiversity { l: 2.0 },
            Requirement::TCloseness { t: 0.2, distance: Distance::Equal },
            Requirement::EntropyDiversity { l: 2.5 },
        ]
    );
}

/// One attribute whose hierarchy of pairs puts the largest number beside a missing value.
fn with_a_missing_age(ages: &[&str]) -> Dataset {
    let cells: Vec<[&str; 2]> = ages.iter().map(|age| [*age, "s"]).collect();
    let cells: Vec<&[&str]> = cells.iter().map(<[_; 2]>::as_slice).collect();
    let mut dataset = Dataset::of_table(Table::from_rows(&["age", "ill"], &cells), &["age"], "ill").unwrap();
    if let Content::Table(microdata) = &mut dataset.content {
        let values = &microdata.table.columns[0].values;
        let order: Vec<u32> = (0..values.len() as u32).collect();
        microdata.hierarchies[0] = Some(Hierarchy::by_degree(values, &order, 2).unwrap());
    }
    dataset
}

/// Numbers are penalized by width, a cell with a missing value among them by how many values it covers: 4 and 1000 together lose
/// more than 4, 1000, 1001 and ? together.
#[test]
fn a_penalty_that_falls_upwards_is_found() {
    let mut ages = vec!["0", "1", "2", "3", "1001", "?"];
    ages.extend(["4"; 10]);
    ages.extend(["1000"; 10]);
    let dataset = with_a_missing_age(&ages);
    let microdata = dataset.microdata().unwrap();
    let table = publish::<FullDomain>(&dataset, &parameters(serde_json::json!({"k": 2}))).unwrap();
    let domain = Domain::new(microdata, 0);
    let covered: Vec<usize> = [0, 5, 6, 16].map(|row| domain.cover(table.cell(0, row)).len()).to_vec();
    assert_eq!(covered, [4, 4, 4, 4], "pairs would lose 0.79, fours 0.42");
}

#[test]
fn one_number_written_in_two_ways_has_no_width_to_lose() {
    let dataset = with_a_missing_age(&["5", "5.0", "5", "5.0"]);
    let levels = Levels::new(dataset.microdata().unwrap(), 0);
    let penalties: Vec<&[f64]> = levels.levels.iter().map(|level| level.penalties.as_slice()).collect();
    assert_eq!(penalties, [&[0.0, 0.0][..], &[1.0]]);
}

/// Two of the three attributes have one value, which covers everything as it is: stars throughout need no more than the ages'.
#[test]
fn what_covers_everything_is_suppressed_where_stars_alone_are() {
    let dataset = dataset(&[[1, 0, 0, 0], [2, 0, 0, 1], [3, 0, 0, 2], [4, 0, 0, 0]]);
    let given = |suppression: f64| serde_json::json!({"k": 4, "suppressed_if": "quasi_identifiers", "suppression": suppression});
    let refused = publish::<FullDomain>(&dataset, &parameters(given(0.5))).unwrap_err().to_string();
    assert!(refused.starts_with("no combination of levels meets the guarantee under these conventions"), "{refused}");
    assert!(publish::<FullDomain>(&dataset, &parameters(given(1.0))).is_ok());
}
