//! The worked tables of the papers that introduced the guarantees.

use super::*;
use crate::data::HierarchyBuilder;
use crate::lab::Seed;
use crate::sources::{DataLocations, DatasetDefinition, load};

/// The inpatients of A. Machanavajjhala et al., "ℓ-Diversity", ICDE 2006, Figure 1.
fn inpatients() -> Dataset {
    let mut dataset = dataset(
        "zip age nationality condition
         z13053 28 Russian Heart
         z13068 29 American Heart
         z13068 21 Japanese Viral
         z13053 23 American Viral
         z14853 50 Indian Cancer
         z14853 55 Russian Heart
         z14850 47 American Viral
         z14850 49 American Viral
         z13053 31 American Cancer
         z13053 37 Indian Cancer
         z13068 36 Japanese Cancer
         z13068 35 American Cancer",
    );
    let microdata = microdata(&mut dataset);
    let mut zip = HierarchyBuilder::new(microdata.table.columns[0].values.clone());
    let (a, b) = (zip.group("1305*", &[0]), zip.group("1306*", &[1]));
    let c = zip.group("1485*", &[2, 3]);
    let ab = zip.group("130**", &[a, b]);
    zip.group("1****", &[ab, c]);
    microdata.hierarchies[0] = Some(zip.finish().unwrap());
    dataset
}

#[test]
fn the_4_anonymous_inpatients_are_not_diverse() {
    let dataset = inpatients();
    // Figure 2; its rows are in the order of Figure 1.
    let cells = ["130** [20,30) *"; 4].join("\n")
        + "\n"
        + &["1485* [40,60) *"; 4].join("\n")
        + "\n"
        + &["130** [30,40) *"; 4].join("\n");
    let table = release(&dataset, &cells);
    assert_eq!(faults(&dataset, &table, &[Requirement::KAnonymity { k: 4 }]), [""; 0]);
    let groups = groups(&dataset, &table, Conventions::default());
    assert_eq!((smallest_class(&groups), distinct_values(&groups)), (Some(4), Some(1)));
    assert_eq!(
        faults(&dataset, &table, &[Requirement::DistinctDiversity { l: 2 }]),
        ["the class of row 9 has a single sensitive value, fewer than 2"]
    );
}

#[test]
fn the_3_diverse_inpatients_have_an_entropy_of_2_8_values() {
    let dataset = inpatients();
    // Figure 3: rows 1, 4, 9 and 10 together, 5 to 8, and 2, 3, 11 and 12.
    let (a, b, c) = ("1305* [0,40] *", "1306* [0,40] *", "1485* (40,60] *");
    let table = release(&dataset, &[a, b, b, a, c, c, c, c, a, a, b, b].join("\n"));
    let groups = groups(&dataset, &table, Conventions::default());
    assert_eq!((smallest_class(&groups), distinct_values(&groups)), (Some(4), Some(3)));
    assert!((entropy_diversity(&groups).unwrap() - 8f64.sqrt()).abs() < 1e-12);
    // Counts 2, 1, 1: r₁ = 2 is below c·1 for c above 2.
    assert_eq!(recursive_c(&groups, 3), Some(Some(Fraction::new(2, 1))));
    let met = |c| faults(&dataset, &table, &[Requirement::RecursiveDiversity { c, l: 3 }]).is_empty();
    assert_eq!((met(2.0), met(2.000_001)), (false, true));
}

/// The nine patients of N. Li et al., "t-Closeness", ICDE 2007, Table 3, with their salaries in thousands.
const SALARIES: &str = "zip age salary
    47677 29 3\n47602 22 4\n47678 27 5\n47905 43 6\n47909 52 11\n47906 47 8\n47605 30 7\n47673 36 9\n47607 32 10";
const DISEASES: &str = "zip age disease
    47677 29 gastric-ulcer\n47602 22 gastritis\n47678 27 stomach-cancer\n47905 43 gastritis\n47909 52 flu
    47906 47 bronchitis\n47605 30 bronchitis\n47673 36 pneumonia\n47607 32 stomach-cancer";

fn distance(dataset: &Dataset, table: &GeneralizedTable, distance: Distance) -> f64 {
    let groups = groups(dataset, table, Conventions::default());
    closeness(&groups, &overall(dataset), distance).unwrap().unwrap().as_f64()
}

#[test]
fn the_3_diverse_salaries_are_0_375_from_the_whole() {
    let dataset = dataset(SALARIES);
    let (a, b, c) = ("[47600,47700) [20,30)", "[47900,47910) [40,60)", "[47600,47700) [30,40)");
    let table = release(&dataset, &[a, a, a, b, b, b, c, c, c].join("\n"));
    let overall = overall(&dataset);
    let groups = groups(&dataset, &table, Conventions::default());
    let of = |i: usize| super::super::reached::closeness_of(&groups[i], &overall, Distance::Ordered).unwrap().as_f64();
    // Section 5: D[{3k, 4k, 5k}, Q] = 0.375 and D[{6k, 8k, 11k}, Q] = 0.167.
    assert_eq!((of(0), (of(1) * 1000.0).round()), (0.375, 167.0));
}

/// Figure 1 of the same paper: the hierarchy of diseases, as a spec has it. No patient has those of the vascular lung or the
/// colon, yet the tree keeps its three steps from a disease to the root.
const DISEASE_TREE: &str = r#"{"tree": {"respiratory and digestive system diseases": [
    {"respiratory system diseases": [
        {"respiratory infection": ["flu", "pneumonia", "bronchitis"]},
        {"vascular lung diseases": ["pulmonary edema", "pulmonary embolism"]}]},
    {"digestive system diseases": [
        {"stomach diseases": ["gastric-ulcer", "stomach-cancer", "gastritis"]},
        {"colon diseases": ["colitis", "colon cancer"]}]}]}}"#;

/// The patients and their diseases, loaded as a spec has them.
fn patients() -> Dataset {
    let lines: Vec<String> =
        DISEASES.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(",")).collect();
    let definition = serde_json::json!({
        "source": {"inline": lines.join("\n"), "format": "csv"},
        "quasi_identifiers": ["zip", "age"],
        "sensitive": "disease",
        "hierarchies": {"disease": serde_json::from_str::<serde_json::Value>(DISEASE_TREE).unwrap()},
    });
    let definition: DatasetDefinition = serde_json::from_value(definition).unwrap();
    load(&definition, &DataLocations::new(None), Seed(1)).unwrap().dataset
}

#[test]
fn diseases_are_as_far_apart_as_the_height_of_what_they_share() {
    let dataset = patients();
    let tree = dataset.microdata().unwrap().sensitive_hierarchy.as_ref().unwrap();
    assert_eq!(tree.height(), 4);
    // Section 4.3: flu and bronchitis 1/3, flu and stomach cancer 3/3. (Its third example, 2/3, is of a disease that no patient has.)
    let overall = |one: &str, other: &str| {
        let column = &dataset.microdata().unwrap().table.columns[2];
        let (one, other) = (column.code(one).unwrap(), column.code(other).unwrap());
        let mut counts = vec![0; column.cardinality()];
        counts[other as usize] = 1;
        let group = ClassGroup { rows: 1, values: vec![(one, 1)], first_row: 0 };
        let overall = Overall { counts, rows: 1, hierarchy: Some(tree) };
        super::super::reached::closeness_of(&group, &overall, Distance::Hierarchical).unwrap()
    };
    assert_eq!(overall("flu", "bronchitis"), Fraction::new(1, 3));
    assert_eq!(overall("gastritis", "gastric-ulcer"), Fraction::new(1, 3));
    assert_eq!(overall("flu", "stomach-cancer"), Fraction::new(1, 1));
}

#[test]
fn table_5_has_0_167_closeness_of_salaries() {
    let salaries = dataset(SALARIES);
    let reached = distance(&salaries, &release(&salaries, &table_5()), Distance::Ordered);
    assert_eq!((reached * 1000.0).round(), 167.0);
}

/// The cells of Table 5, in the order of Table 3: patients 1, 3, 8; 4, 5, 6; 2, 7, 9.
fn table_5() -> String {
    let (a, b, c) = ("[47670,47680) [20,40]", "[47900,47910) [40,60)", "[47600,47610) [20,40]");
    [a, c, a, b, b, b, c, a, c].join("\n")
}

/// Table 5 by hand, in ninths. The whole has gastric ulcer 1, gastritis 2, stomach cancer 2; flu 1, bronchitis 2, pneumonia 1.
///
/// - Patients 4, 5, 6 (gastritis, flu, bronchitis, 3 each): among stomach diseases +1 −1 −2, so 1 is moved for 1/3 and 2 are
///   missing; among infections +2 +1 −1, so 1 is moved for 1/3 and 2 are left; these 2 go the whole way: (1/3 + 1/3 + 2)/9 = 8/27.
/// - Patients 1, 3, 8 (gastric ulcer, stomach cancer, pneumonia): +2 −2 +1 and −1 −2 +2: (2/3 + 2/3 + 1)/9 = 7/27.
/// - Patients 2, 7, 9 (gastritis, bronchitis, stomach cancer): −1 +1 +1 and −1 +1 −1: (1/3 + 1/3 + 1)/9 = 5/27.
///
/// The paper's caption says 0.278. That is not to be had by the paper's own definition: with classes of three among nine
/// patients and distances in thirds every distance is a whole number of 27ths, and 0.278 (5/18) lies between 7/27 and 8/27.
/// It is what 8/27 becomes when a third is taken for a quarter: (1/4 + 1/4 + 2)/9.
#[test]
fn table_5_has_8_27_closeness_of_diseases() {
    let dataset = patients();
    let table = release(&dataset, &table_5());
    let overall = overall(&dataset);
    let groups = groups(&dataset, &table, Conventions::default());
    let of = |first: u32| {
        let group = groups.iter().find(|group| group.first_row == first).unwrap();
        super::super::reached::closeness_of(group, &overall, Distance::Hierarchical).unwrap()
    };
    assert_eq!([of(3), of(0), of(1)], [8, 7, 5].map(|work| Fraction::new(work, 27)));
    let met =
        |t| faults(&dataset, &table, &[Requirement::TCloseness { t, distance: Distance::Hierarchical }]).is_empty();
    assert_eq!((met(0.278), met(0.296_296_296), met(0.296_296_297)), (false, false, true));
}
