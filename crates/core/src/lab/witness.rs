use super::Metric;
use serde::{Deserialize, Serialize};

/// One case behind a number or a refusal that a person can check by hand: the row that is exposed and the rule that exposes
/// it, the itemset that is in too few transactions, the query with the largest error.
///
/// Who gives one names rows by number. What the original says of a row ([`person`](Self::person)) is filled in later, by
/// whoever knows whether it may be shown.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Witness {
    /// What it witnesses: a metric (`vulnerable_tuples`), a guarantee (`3-anonymity`), or [`Witness::TRUTH`].
    pub of: String,
    /// All of it in one sentence.
    pub says: String,
    /// The same sentence without what the original says of single rows, where the first one has that.
    #[serde(skip)]
    pub says_by_number: Option<String>,
    /// The row of the original, or the transaction, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// The quasi-identifiers of that row, or its items, where they may be shown: (attribute, value).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub person: Vec<(String, String)>,
    /// The group or class of the release that the row is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The rules, constraints or conditions that expose it; the query that goes wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
    /// The values left to it, most probable first where that is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
    /// The itemset at fault; the empty one is a set, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub itemset: Option<Vec<String>>,
    /// The private item that an itemset gives away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private_item: Option<String>,
    /// The first few transactions with the itemset, or rows of the class, counted from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub among: Vec<u64>,
    /// The number that it witnesses: what the release says or allows to conclude.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What the original says, or what was promised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<f64>,
}

impl Witness {
    /// At most so many stand for one number of a measure. A verifier stops after a few faults of its own.
    pub const MOST: usize = 3;
    /// At most so many transactions or rows are named in one.
    pub const MOST_AMONG: usize = 10;
    /// What every guarantee rests on: that the release says nothing untrue of the original.
    pub const TRUTH: &'static str = "truth";

    /// The columns of a witness as text, in files and tables.
    pub const COLUMNS: [&'static str; 12] = [
        "metric",
        "says",
        "row",
        "person",
        "group_or_class",
        "exposed_by",
        "values_left",
        "itemset",
        "private_item",
        "among",
        "value",
        "against",
    ];

    /// What stands in [`Witness::COLUMNS`]; empty where there is nothing to say.
    pub fn fields(&self) -> [String; 12] {
        let list = |items: &[String]| items.join("; ");
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        let person: Vec<String> = self.person.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let among: Vec<String> = self.among.iter().map(u64::to_string).collect();
        [
            self.of.clone(),
            self.says.clone(),
            self.row.map_or(String::new(), |row| row.to_string()),
            list(&person),
            text(&self.group),
            list(&self.by),
            list(&self.left),
            self.itemset.as_ref().map_or(String::new(), |items| format!("{{{}}}", items.join(", "))),
            text(&self.private_item),
            among.join(" "),
            number(self.value),
            number(self.against),
        ]
    }

    /// Of a guarantee, named as it is in words, or of [`Witness::TRUTH`].
    pub fn of(what: impl Into<String>, says: impl Into<String>) -> Self {
        Self { of: what.into(), says: says.into(), ..Self::default() }
    }

    /// A case behind a metric's value.
    pub fn of_metric(metric: &Metric, says: impl Into<String>) -> Self {
        Self::of(metric.name, says)
    }

    /// The sentence for data whose rows may not be shown.
    pub fn or_by_number(mut self, says: impl Into<String>) -> Self {
        self.says_by_number = Some(says.into());
        self
    }

    /// Leaves out what the original says of single rows.
    pub fn by_number(&mut self) {
        self.person.clear();
        // What should be in a row is what the original has there.
        if self.of == Self::TRUTH && self.row.is_some() {
            self.by.clear();
        }
        if let Some(says) = self.says_by_number.take() {
            self.says = says;
        }
    }

    /// The row of that index, which is counted from 0.
    pub fn row(mut self, index: usize) -> Self {
        self.row = Some(index as u64 + 1);
        self
    }

    /// The group, class or bucket that it is about.
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }

    /// The rules or facts that lead to it.
    pub fn by(mut self, rules: impl IntoIterator<Item = String>) -> Self {
        self.by.extend(rules);
        self
    }

    /// The values that remain possible.
    pub fn left(mut self, values: impl IntoIterator<Item = String>) -> Self {
        self.left.extend(values);
        self
    }

    /// The items that it is about.
    pub fn itemset<S: Into<String>>(mut self, items: impl IntoIterator<Item = S>) -> Self {
        self.itemset = Some(items.into_iter().map(Into::into).collect());
        self
    }

    /// The private item that can be inferred.
    pub fn private_item(mut self, item: impl Into<String>) -> Self {
        self.private_item = Some(item.into());
        self
    }

    /// Those of these indices, counted from 0 and ascending, that are named.
    pub fn among(mut self, indices: impl IntoIterator<Item = usize>) -> Self {
        self.among.extend(indices.into_iter().take(Self::MOST_AMONG).map(|index| index as u64 + 1));
        self
    }

    /// The number that was found.
    pub fn number(mut self, value: f64) -> Self {
        self.value = Some(value);
        self
    }

    /// What the number is compared with.
    pub fn against(mut self, value: f64) -> Self {
        self.against = Some(value);
        self
    }
}

/// The first few of many by a rank, the smallest first; of equals the one that came first.
#[derive(Debug, Clone)]
pub struct Foremost<R, T> {
    kept: Vec<(R, T)>,
    most: usize,
}

impl<R: PartialOrd, T> Foremost<R, T> {
    /// Keeps the `most` worst cases.
    pub fn new(most: usize) -> Self {
        Self { kept: Vec::with_capacity(most + 1), most }
    }

    /// Whether something of this rank would be kept.
    pub fn takes(&self, rank: &R) -> bool {
        self.kept.len() < self.most || self.kept.last().is_some_and(|(last, _)| rank < last)
    }

    /// `case` is asked for only when it is kept.
    pub fn offer(&mut self, rank: R, case: impl FnOnce() -> T) {
        if self.takes(&rank) {
            let place = self.kept.partition_point(|(kept, _)| *kept <= rank);
            self.kept.insert(place, (rank, case()));
            self.kept.truncate(self.most);
        }
    }

    /// The cases that were kept, worst first.
    pub fn into_cases(self) -> impl Iterator<Item = (R, T)> {
        self.kept.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rows_are_counted_from_one_and_few_are_named() {
        let witness = Witness::of("3-anonymity", "…").row(0).among(0..100);
        assert_eq!(witness.row, Some(1));
        assert_eq!(witness.among, (1..=Witness::MOST_AMONG as u64).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_not_known_takes_no_room_in_the_store() {
        let text = serde_json::to_string(&Witness::of("truth", "the release has 1 row")).unwrap();
        assert_eq!(text, r#"{"of":"truth","says":"the release has 1 row"}"#);
        assert_eq!(serde_json::from_str::<Witness>(&text).unwrap(), Witness::of("truth", "the release has 1 row"));
    }

    #[test]
    fn by_number_a_row_is_untrue_without_what_should_be_in_it() {
        let mut untrue =
            Witness::of(Witness::TRUTH, "row 1 is not the original's").row(0).by(["`a` should be there".into()]);
        untrue.by_number();
        assert!(untrue.by.is_empty());
        let mut exposed = Witness::of("vulnerable_tuples", "row 1").row(0).by(["sex = M ⇒ ¬ ill = x".into()]);
        exposed.by_number();
        assert_eq!(exposed.by.len(), 1, "rules are mined from all rows");
    }

    #[test]
    fn every_column_has_its_text() {
        let witness = Witness { person: vec![("age".into(), "30".into())], ..Witness::of("k", "s") };
        let witness = witness.row(6).group("g").by(["r".into(), "q".into()]).left(["v".into()]).itemset([""; 0]);
        let fields = witness.private_item("p").among([1, 2]).number(0.5).against(2.0).fields();
        let expected = ["k", "s", "7", "age = 30", "g", "r; q", "v", "{}", "p", "2 3", "0.5", "2"];
        assert_eq!(fields, expected);
    }

    proptest! {
        #[test]
        fn the_foremost_are_the_first_of_a_stable_sort(ranks in prop::collection::vec(0u8..6, 0..20), most in 1usize..5) {
            let mut foremost = Foremost::new(most);
            ranks.iter().enumerate().for_each(|(place, &rank)| foremost.offer(rank, || place));
            let mut sorted: Vec<(u8, usize)> = ranks.iter().copied().zip(0..).collect();
            sorted.sort_by_key(|&(rank, _)| rank);
            sorted.truncate(most);
            prop_assert_eq!(foremost.into_cases().collect::<Vec<_>>(), sorted);
        }
    }
}
