//! Releases of every kind, corrupted one way after the other: each is refused with a case that a person can check by hand
//! against the few rows below.

use anonlab::data::{Dataset, Hierarchy, HierarchyBuilder, Table, Transactions};
use anonlab::lab::{Seed, Witness, Workbench};
use anonlab::mining::NegativeRuleParameters;
use anonlab::publish::publisher;
use anonlab::release::generalized_table::{Conventions, Domain, GeneralizedTable, Requirement};
use anonlab::release::{
    Buckets, Cut, GeneralizedTransactions, Guarantee, PrivacyVerdict, PublishedRule, Release, RuleSet, RulesStated,
    SuppressedTransactions, TableGuarantee, verify,
};
use serde_json::json;

/// The witness of a refusal that is about `of`.
#[track_caller]
fn caught(dataset: &Dataset, release: Release, guarantee: &Guarantee, of: &str) -> Witness {
    let verdict = verify(dataset, &release, guarantee).unwrap();
    let again = verify(dataset, &release, guarantee).unwrap();
    assert_eq!(verdict, again, "the same twice");
    let found = verdict.witnesses().iter().find(|witness| witness.of == of);
    found.unwrap_or_else(|| panic!("nothing of {of}: {verdict:?}")).clone()
}

#[track_caller]
fn keeps(dataset: &Dataset, release: Release, guarantee: &Guarantee) {
    assert_eq!(verify(dataset, &release, guarantee).unwrap(), PrivacyVerdict::Private);
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

/// Six people: rows 1 to 3 and 4 to 6 have flu, cold and gout each.
fn six_people() -> Dataset {
    let rows: [&[&str]; 6] = [
        &["21", "Aa", "flu"],
        &["22", "Aa", "cold"],
        &["23", "Bo", "gout"],
        &["24", "Bo", "flu"],
        &["31", "Ho", "cold"],
        &["32", "Ho", "gout"],
    ];
    Dataset::of_table(Table::from_rows(&["age", "town", "illness"], &rows), &["age", "town"], "illness").unwrap()
}

#[test]
fn six_corruptions_of_buckets() {
    let dataset = six_people();
    let microdata = dataset.microdata().unwrap();
    let code = |value: &str| microdata.table.columns[2].code(value).unwrap();
    let good = Buckets::from_groups(microdata, vec![0, 0, 0, 1, 1, 1]);
    let diverse = Guarantee::Diversity { l: 3 };
    keeps(&dataset, Release::Buckets(good.clone()), &diverse);
    let corrupted = |change: &dyn Fn(&mut Buckets), of: &str, guarantee: &Guarantee| {
        let mut buckets = good.clone();
        change(&mut buckets);
        caught(&dataset, Release::Buckets(buckets), guarantee, of)
    };
    // 1. A row is told to be in another group; the values stay.
    let moved = corrupted(&|buckets| buckets.group_of[2] = 1, "truth", &diverse);
    assert_eq!(moved.by, ["`gout` is published 1 time; in the original its rows have it 0 times"]);
    assert_eq!((moved.group.as_deref(), moved.among), (Some("group 0"), vec![1, 2]));
    // 2. A value is counted once too often.
    let set = |buckets: &mut Buckets, group: usize, value: &str, count: u32| {
        buckets.sensitive[group].iter_mut().filter(|one| one.0 == code(value)).for_each(|one| one.1 = count);
    };
    let counted = corrupted(&|buckets| set(buckets, 0, "flu", 2), "truth", &diverse);
    assert_eq!(counted.by, ["`flu` is published 2 times; in the original its rows have it 1 time"]);
    assert_eq!((counted.value, counted.against), (Some(2.0), Some(1.0)));
    // 3. A value is withheld.
    let withheld = corrupted(&|buckets| buckets.sensitive[1].retain(|one| one.0 != code("cold")), "truth", &diverse);
    assert_eq!(withheld.by, ["`cold` is published 0 times; in the original its rows have it 1 time"]);
    assert_eq!(withheld.among, [4, 5, 6]);
    // 4. A row is lost.
    let lost = corrupted(&|buckets| buckets.group_of.truncate(5), "truth", &diverse);
    assert_eq!((lost.value, lost.against), (Some(5.0), Some(6.0)));
    // 5. A group that is true and not diverse: rows 1, 2 and 4 have flu, cold and flu.
    let poor = Buckets::from_groups(microdata, vec![0, 0, 1, 0, 1, 1]);
    let poor = caught(&dataset, Release::Buckets(poor), &diverse, "3-diversity");
    assert_eq!((poor.group.as_deref(), poor.among), (Some("group 0"), vec![1, 2, 4]));
    assert_eq!(sorted(poor.left), ["cold ×1", "flu ×2"]);
    assert_eq!((poor.value, poor.against), (Some(2.0), Some(3.0)));
    // 6. Table II of Injector: Bob, row 3, cannot have ovarian cancer.
    let rows: [&[&str]; 9] = [
        &["F", "ovarian cancer"],
        &["F", "ovarian cancer"],
        &["M", "prostate cancer"],
        &["M", "flu"],
        &["F", "heart disease"],
        &["M", "heart disease"],
        &["M", "heart disease"],
        &["M", "flu"],
        &["M", "flu"],
    ];
    let patients = Dataset::of_table(Table::from_rows(&["sex", "disease"], &rows), &["sex"], "disease").unwrap();
    let table_2 = Buckets::from_groups(patients.microdata().unwrap(), vec![0, 0, 0, 1, 1, 1, 2, 2, 2]);
    let rules = NegativeRuleParameters { min_exp: 0.75, generalized: false, ..Default::default() };
    let promise = Guarantee::MatchingDiversity { l: 2, rules };
    let bob = caught(&patients, Release::Buckets(table_2), &promise, "matching 2-diversity");
    assert_eq!((bob.row, bob.group.as_deref(), bob.among), (Some(3), Some("group 0"), vec![1, 2, 3]));
    assert_eq!(bob.by, ["sex = M ⇒ ¬ disease = ovarian cancer"]);
    assert_eq!(bob.left, ["prostate cancer"]);
}

#[test]
fn seven_corruptions_of_a_generalized_table() {
    let dataset = six_people();
    let microdata = dataset.microdata().unwrap();
    let promise = |requirement| {
        let conventions = Conventions::default();
        Guarantee::Table(TableGuarantee { requirements: vec![requirement], conventions })
    };
    let three = promise(Requirement::KAnonymity { k: 3 });
    let set = |table: &mut GeneralizedTable, row: usize, column: usize, text: &str| {
        let cell = Domain::new(microdata, column).parse(text).unwrap();
        let column = &mut table.columns[column];
        column.of_row[row] = column.cells.len() as u32;
        column.cells.push(cell);
    };
    let mut good = GeneralizedTable::identity(microdata);
    for row in 0..6 {
        set(&mut good, row, 0, if row < 3 { "[21,23]" } else { "[24,32]" });
        set(&mut good, row, 1, if row < 3 { "{Aa;Bo}" } else { "*" });
    }
    keeps(&dataset, Release::GeneralizedTable(good.clone()), &three);
    let corrupted = |change: &dyn Fn(&mut GeneralizedTable), of: &str, guarantee: &Guarantee| {
        let mut table = good.clone();
        change(&mut table);
        caught(&dataset, Release::GeneralizedTable(table), guarantee, of)
    };
    // 1. One cell is told more exactly.
    let narrow = corrupted(&|table| set(table, 0, 0, "[21,22]"), "3-anonymity", &three);
    assert_eq!((narrow.row, narrow.among, narrow.value), (Some(1), vec![1], Some(1.0)));
    assert_eq!(narrow.group.as_deref(), Some("age [21,22], town {Aa;Bo}"));
    // 2. A cell does not cover its value.
    let untrue = corrupted(&|table| set(table, 4, 0, "[24,30]"), "truth", &three);
    assert_eq!((untrue.row, untrue.by), (Some(5), vec!["`age` is `[24,30]`".to_string()]));
    assert!(untrue.says.ends_with("the original's `31`"), "{}", untrue.says);
    assert!(untrue.says_by_number.unwrap().ends_with("the original's value"), "the value can be left out");
    // 3. Two sensitive values change places.
    let swapped = corrupted(&|table| table.sensitive.swap(0, 1), "truth", &three);
    assert_eq!((swapped.row, swapped.by), (Some(1), vec!["`illness` is `cold`".to_string()]));
    // 4. A sensitive value is hidden in a row that is not suppressed.
    let hidden = corrupted(&|table| table.sensitive[5] = None, "truth", &three);
    assert_eq!((hidden.row, hidden.by), (Some(6), vec!["`illness` is `*`".to_string()]));
    // 5. A row is suppressed, and none may be.
    let suppressed = corrupted(&|table| table.suppress(|row| row == 3), "suppression", &three);
    assert_eq!((suppressed.among, suppressed.value, suppressed.against), (vec![4], Some(1.0), Some(0.0)));
    // 6. Rows 1 and 4 change places: the first then covers nothing of itself.
    let turned = corrupted(
        &|table| {
            table.columns.iter_mut().for_each(|column| column.of_row.swap(0, 3));
            table.sensitive.swap(0, 3);
        },
        "truth",
        &three,
    );
    assert_eq!((turned.row, turned.by), (Some(1), vec!["`age` is `[24,32]`".to_string()]));
    // 7. True and anonymous, but for the values: rows 1 and 4, which both have flu, are a class.
    let alpha = promise(Requirement::Alpha { alpha: 0.5 });
    let alike = corrupted(
        &|table| {
            for row in [0, 3] {
                set(table, row, 0, "[21,24]");
                set(table, row, 1, "{Aa;Bo}");
            }
        },
        "α = 0.5",
        &alpha,
    );
    assert_eq!((alike.row, alike.among), (Some(1), vec![1, 4]));
    assert_eq!((alike.left, alike.value), (vec!["flu ×2".to_string()], Some(1.0)));
}

/// Figures 1 and 2(a) of k^m-anonymity.
fn figure_2() -> (Dataset, Hierarchy) {
    let rows = [&["a1", "b1", "b2"][..], &["a2", "b1"], &["a2", "b1", "b2"], &["a1", "a2", "b2"]];
    let transactions = Transactions::from_labels(&rows.map(<[_]>::to_vec));
    let mut builder = HierarchyBuilder::new(transactions.labels.clone());
    let (a, b) = (builder.group("A", &[0, 1]), builder.group("B", &[2, 3]));
    builder.group("ALL", &[a, b]);
    let hierarchy = builder.finish().unwrap();
    (Dataset::of_transactions(transactions, Some(hierarchy.clone()), &[]), hierarchy)
}

#[test]
fn four_corruptions_of_generalized_transactions() {
    let (dataset, hierarchy) = figure_2();
    let original = &dataset.baskets().unwrap().transactions;
    let through =
        |nodes: &[u32]| GeneralizedTransactions::through(&Cut::new(&hierarchy, nodes).unwrap(), &hierarchy, original);
    // Items of the release: b1, b2, A.
    let good = through(&[2, 3, 4]);
    let promise = Guarantee::KmAnonymity { k: 2, m: 2 };
    keeps(&dataset, Release::GeneralizedTransactions(good.clone()), &promise);
    let corrupted = |rows: &[&[u32]], of: &str| {
        let mut transactions = Transactions::with_labels(good.transactions.labels.clone());
        rows.iter().for_each(|row| transactions.push(row.iter().copied()));
        let release = GeneralizedTransactions { cut: good.cut.clone(), transactions };
        caught(&dataset, Release::GeneralizedTransactions(release), &promise, of)
    };
    let rows: Vec<&[u32]> = good.transactions.rows().collect();
    // 1. An item is lost.
    let lost = corrupted(&[rows[0], &[2], rows[2], rows[3]], "truth");
    assert_eq!((lost.row, lost.by), (Some(2), vec!["`b1` should be there and is not".to_string()]));
    // 2. An item is invented.
    let invented = corrupted(&[rows[0], rows[1], rows[2], &[0, 1, 2]], "truth");
    assert_eq!((invented.row, invented.by), (Some(4), vec!["`b1` is there and should not be".to_string()]));
    // 3. A transaction is lost.
    let fewer = corrupted(&rows[..3], "truth");
    assert_eq!((fewer.value, fewer.against), (Some(3.0), Some(4.0)));
    // 4. Nothing is generalized: a1 and b1 are together in the first transaction alone.
    let plain = verify(&dataset, &Release::GeneralizedTransactions(through(&[0, 1, 2, 3])), &promise).unwrap();
    let pairs: Vec<_> =
        plain.witnesses().iter().map(|one| (one.itemset.clone().unwrap().join(" "), one.among.clone())).collect();
    assert_eq!(pairs, [("a1 a2".to_string(), vec![4]), ("a1 b1".to_string(), vec![1])]);
}

#[test]
fn five_corruptions_of_suppressed_transactions() {
    // Figure 1 of cohesion.
    let lines = ["a b e f s1", "c e f g s2", "a b g s3", "a b f g s2", "a b d g s2", "e f g s1", "b e f g s3"];
    let rows: Vec<Vec<&str>> = lines.iter().map(|line| line.split(' ').collect()).collect();
    let transactions = Transactions::from_labels(&rows);
    let item = |name: &str| transactions.labels.iter().position(|label| label == name).unwrap() as u32;
    let dataset = Dataset::of_transactions(transactions.clone(), None, &["s1", "s2", "s3"].map(item));
    let promise = Guarantee::Cohesion { h: 0.5, k: 3, p: 3 };
    let suppressing = |names: &str| {
        SuppressedTransactions::suppressing(&transactions, names.split(' ').map(item).collect::<Vec<_>>())
    };
    let coherence = "(0.5, 3, 3)-coherence";
    keeps(&dataset, Release::SuppressedTransactions(suppressing("a c d e f")), &promise);
    let refused = |release, of| caught(&dataset, Release::SuppressedTransactions(release), &promise, of);
    // 1. e is left in beside a: Jane, who does both, is T1.
    let jane = refused(suppressing("c d f g"), coherence);
    assert_eq!((jane.itemset.unwrap().join(" "), jane.among), ("a e".to_string(), vec![1]));
    assert_eq!((jane.value, jane.against, jane.private_item), (Some(1.0), Some(3.0), None));
    // 2. a is left in beside g: two of T3 to T5 have s2.
    let two_thirds = refused(suppressing("c d e f"), coherence);
    assert_eq!((two_thirds.itemset.unwrap().join(" "), two_thirds.among), ("a g".to_string(), vec![3, 4, 5]));
    assert_eq!((two_thirds.private_item.as_deref(), two_thirds.value), (Some("s2"), Some(2.0 / 3.0)));
    // 3. A private item is suppressed.
    assert_eq!(refused(suppressing("a c d e f s1"), "truth").private_item.as_deref(), Some("s1"));
    // 4. An item is deleted here and there alone.
    let altered = |row: usize, change: &dyn Fn(Vec<u32>) -> Vec<u32>| {
        let good = suppressing("a c d e f");
        let mut transactions = Transactions::with_labels(good.transactions.labels.clone());
        for (index, items) in good.transactions.rows().enumerate() {
            transactions.push(if index == row { change(items.to_vec()) } else { items.to_vec() });
        }
        refused(SuppressedTransactions { transactions, ..good }, "truth")
    };
    let partial = altered(2, &|items| items.into_iter().filter(|&one| one != item("g")).collect());
    assert_eq!((partial.row, partial.by), (Some(3), vec!["`g` should be there and is not".to_string()]));
    // 5. A suppressed item is back in one transaction.
    let back = altered(5, &|items| items.into_iter().chain([item("e")]).collect());
    assert_eq!((back.row, back.by), (Some(6), vec!["`e` is there and should not be".to_string()]));
}

#[test]
fn six_corruptions_of_rules() {
    // Example 1 of maximum entropy.
    let people = "Doctorate Male 50K-,Masters Female 50K-,Doctorate Female 50K+,Bachelors Male 50K-,Masters Female 50K+,\
                  Doctorate Male 50K+,Masters Female 50K+,Doctorate Female 50K+,Masters Female 50K+,Doctorate Female 50K+,\
                  Masters Female 50K+,Doctorate Female 50K+";
    let rows: Vec<Vec<&str>> = people.split(',').map(|row| row.split(' ').collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let table = Table::from_rows(&["education", "gender", "salary"], &rows);
    let dataset = Dataset::of_table(table, &["education", "gender"], "salary").unwrap();
    let given = json!({
        "support": 0.3, "confidence": 0.8, "strict_confidence": true, "exact": true, "sensitive_distribution": true
    });
    let given = given.as_object().unwrap();
    let miner = publisher("association-rules").unwrap();
    let Release::Rules(good) = miner.publish(&dataset, given, &mut Workbench::new(Seed(1), "test")).unwrap() else {
        panic!("rules")
    };
    let promise = miner.guarantee(given).unwrap();
    let Guarantee::RulesAsStated(RulesStated { exact: true, .. }) = promise else { panic!("{promise:?}") };
    keeps(&dataset, Release::Rules(good.clone()), &promise);
    let corrupted = |change: &dyn Fn(&mut RuleSet)| {
        let mut rules = good.clone();
        change(&mut rules);
        caught(&dataset, Release::Rules(rules), &promise, "rules as stated")
    };
    let female = "gender = Female ⇒ salary = 50K+";
    let place = |rules: &RuleSet| rules.rules.iter().position(|rule| rule.counts == Some((9, 8))).unwrap();
    // 1. A count is wrong: 8 of the 9 women earn more than 50K.
    let miscounted = corrupted(&|rules| {
        let at = place(rules);
        rules.rules[at].counts = Some((9, 7));
    });
    assert_eq!((miscounted.by, miscounted.value, miscounted.against), (vec![female.to_string()], Some(7.0), Some(8.0)));
    // 2. A rule is missing.
    let missing = corrupted(&|rules| drop(rules.rules.remove(place(rules))));
    assert_eq!((missing.by, missing.against), (vec![female.to_string()], Some(8.0 / 9.0)));
    // 3. A rule is there twice.
    let twice = corrupted(&|rules| {
        let rule = rules.rules[place(rules)].clone();
        rules.rules.push(rule);
    });
    assert!(twice.says.ends_with("is published twice") && twice.by == [female], "{twice:?}");
    // 4. A rule is no rule: 1 of 3 men earns more than 50K.
    let untrue = corrupted(&|rules| {
        let female = rules.rules[place(rules)].antecedent[0];
        let consequent = rules.rules[place(rules)].consequent;
        let male = (female.0, 1 - female.1);
        rules.rules.push(PublishedRule { antecedent: vec![male], consequent, counts: Some((3, 1)) });
    });
    assert_eq!(untrue.by, ["gender = Male ⇒ salary = 50K+"]);
    assert_eq!((untrue.value, untrue.against), (Some(1.0 / 3.0), Some(0.8)));
    // 5. The sensitive distribution is wrong: 9 earn more.
    let distribution = corrupted(&|rules| {
        let counts = rules.sensitive_counts.as_mut().unwrap();
        counts.iter_mut().filter(|count| **count == 9).for_each(|count| *count = 8);
    });
    assert_eq!(distribution.by, ["`50K+` is said to be in 8 records, and is in 9"]);
    // 6. The release speaks of other data.
    let records = corrupted(&|rules| rules.records = 13);
    assert_eq!((records.value, records.against), (Some(13.0), Some(12.0)));
}
