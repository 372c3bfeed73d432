use crate::data::InputKind;
use crate::lab::{Foremost, Metric, Observation, Witness, Workbench, counted, with_defaults};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::mining::{NegativeRuleParameters, NegativeRules};

/// What an adversary can mine from the data: its negative rules and how many values they deny each tuple (Injector,
/// Figure 3).
pub struct NegativeRuleCensus;

with_defaults! {
    pub struct CensusParameters {
        /// Rules to look for by name, written as in `negative-rules.csv`: "sex = M ⇒ ¬ disease = Ovarian Cancer".
        pub named: Vec<String>,
        /// Which rules are mined.
        #[serde(flatten)]
        pub rules: NegativeRuleParameters,
    }
}

const RULES: Metric = Metric::fact("rules", "rules", "negative rules of the data");
const REDUNDANT: Metric =
    Metric::fact("redundant_rules", "rules", "of those, rules that a more general one says already");
const SHARE: Metric =
    Metric::fact("incompatible_share", "%", "tuples with exactly 0, 1, 2, 3, 4 and with 5+ values they cannot take");
const NAMED: Metric = Metric::fact("named_rule_found", "", "whether a rule looked for by name is among them: 1 or 0");

const FEWEST: Metric = Metric::fact(
    "fewest_possible_values",
    "values",
    "sensitive values that the rules leave to the tuple they leave the fewest: no release can leave it more",
);

/// The last class of tuples has this many values or more.
const MANY: usize = 5;

impl Measure for NegativeRuleCensus {
    type Parameters = CensusParameters;
    const NAME: &'static str = "negative-rules";
    const ABOUT: About = About {
        kind: MeasureKind::Data,
        summary: "Negative association rules of the data, and how many sensitive values they rule out for its tuples",
        paper: "T. Li, N. Li: Injector: Mining Background Knowledge for Data Anonymization, ICDE 2008, Figure 3",
        input: InputKind::Table,
        releases: &[],
        metrics: &[RULES, REDUNDANT, SHARE, NAMED, FEWEST],
    };

    fn measure(subject: Subject<'_>, parameters: &CensusParameters, bench: &mut Workbench) -> Observed {
        let microdata = subject.original.microdata()?;
        let rules = NegativeRules::mine(microdata, &parameters.rules)?;
        let incompatible = rules.incompatibilities();
        let mut tuples = [0usize; MANY + 1];
        let values = microdata.table.columns[microdata.sensitive].values.len();
        let mut fewest = values;
        let mut poorest: Foremost<usize, usize> = Foremost::new(1);
        for row in 0..microdata.rows() {
            let excluded = incompatible.of(row).len();
            tuples[excluded.min(MANY)] += 1;
            fewest = fewest.min(values - excluded);
            poorest.offer(values - excluded, || row);
        }
        bench.attach("negative-rules.csv", || rules.to_csv());
        bench.witness(|| {
            let all: Vec<u32> = (0..values as u32).collect();
            let witness = |(number, row): (usize, usize)| {
                let left: Vec<u32> =
                    all.iter().copied().filter(|&value| !incompatible.of(row).contains(value)).collect();
                let names = rules.names(&left);
                let says = format!("the rules leave {number} of {} to row {}", counted(values, "value"), row + 1);
                let by = rules.why_left(row, &all, &left);
                Witness::of_metric(&FEWEST, says).row(row).by(by).left(names).number(number as f64)
            };
            poorest.into_cases().map(witness).collect::<Vec<_>>()
        });
        let mut observed = vec![
            Observation::new(&RULES, rules.rules.len() as f64),
            Observation::new(&REDUNDANT, rules.redundant() as f64),
            Observation::new(&FEWEST, fewest as f64),
        ];
        observed.extend(tuples.iter().enumerate().map(|(values, &count)| {
            let at = if values == MANY { format!("{MANY}+") } else { values.to_string() };
            Observation::at(&SHARE, at, count as f64 / microdata.rows() as f64 * 100.0)
        }));
        let descriptions: Vec<String> = rules.rules.iter().map(|rule| rules.describe(rule)).collect();
        observed.extend(
            parameters
                .named
                .iter()
                .map(|name| Observation::at(&NAMED, name, f64::from(u8::from(descriptions.contains(name))))),
        );
        Ok(observed)
    }
}
