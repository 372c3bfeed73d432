//! What a comparison found.

use super::rules::Lane;
use super::snapshot::CellId;
use crate::lab::named;
use crate::report::MetricSide;
use serde::Serialize;

named! {
    /// How a finding is to be taken.
    #[derive(PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ChangeVerdict {
        /// Worse beyond the tolerance: the check fails.
        Regression = "Regressions",
        /// Compared, but the numbers do not tell: too few, or too far apart.
        Inconclusive = "Inconclusive",
        /// Named as what it is and not compared.
        NotCompared = "Not compared",
        /// Different, with no better or worse, or within the tolerance.
        Changed = "Changed",
        Improved = "Improved",
    }
}

named! {
    /// What a finding speaks of.
    #[derive(PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Topic {
        /// How a cell ended.
        Status = "status",
        /// What the verifier checks, and whether it still does.
        Verifier = "verifier",
        /// An adversary learns more or less.
        Privacy = "privacy",
        /// An analyst can do more or less.
        Utility = "utility",
        /// Seconds, bytes.
        Cost = "cost",
        /// The data, or the computation.
        Fact = "fact",
        /// The bytes of the release.
        Release = "release",
        NewCell = "new cell",
        VanishedCell = "vanished cell",
        NewMetric = "new metric",
        VanishedMetric = "vanished metric",
        RenamedMetric = "renamed metric",
        OtherData = "other data",
        OtherBuild = "other build",
        OtherMachine = "other machine",
        /// A metric that was not measured on one of the sides.
        NotMeasured = "not measured",
    }
}

impl Topic {
    pub fn of(side: MetricSide) -> Self {
        match side {
            MetricSide::Privacy => Self::Privacy,
            MetricSide::Utility => Self::Utility,
            MetricSide::Cost => Self::Cost,
            MetricSide::Fact => Self::Fact,
        }
    }
}

/// One thing that differs, or that could not be compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeFinding {
    pub verdict: ChangeVerdict,
    pub topic: Topic,
    pub lane: Lane,
    pub experiment: String,
    /// Empty where it is of no cell alone.
    pub cell: String,
    /// The figures of the cell and its title, or what else it is about.
    pub place: String,
    /// Empty where it is about no metric.
    pub metric: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub at: String,
    pub before: Option<f64>,
    pub after: Option<f64>,
    /// (after − before) / |before|; of noisy metrics the median over pairs.
    pub change: Option<f64>,
    /// In words.
    pub detail: String,
}

impl ChangeFinding {
    /// About a cell as a whole.
    pub fn of_cell(
        verdict: ChangeVerdict,
        topic: Topic,
        id: &CellId,
        place: String,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            verdict,
            topic,
            lane: Lane::Exact,
            experiment: id.experiment.clone(),
            cell: id.to_string(),
            place,
            metric: String::new(),
            at: String::new(),
            before: None,
            after: None,
            change: None,
            detail: detail.into(),
        }
    }

    /// About an experiment as a whole.
    pub fn of_experiment(topic: Topic, experiment: &str, detail: impl Into<String>) -> Self {
        let id = CellId { experiment: experiment.to_string(), digest: String::new() };
        let place = format!("all of {experiment}");
        Self { cell: String::new(), ..Self::of_cell(ChangeVerdict::NotCompared, topic, &id, place, detail) }
    }

    /// The metric with its place along its axis.
    pub fn subject(&self) -> String {
        match (self.metric.as_str(), self.at.as_str()) {
            ("", _) => self.topic.name().to_string(),
            (metric, "") => metric.to_string(),
            (metric, at) => format!("{metric} at {at}"),
        }
    }
}

/// What two sides came to, beside each other.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RunComparison {
    /// Values that both sides have and that were compared.
    pub compared: usize,
    /// Of these, the ones that are the same.
    pub unchanged: usize,
    /// Of these, samples of a randomized algorithm that moved no further than their repetitions lie apart.
    pub within_spread: usize,
    /// Worst first.
    pub findings: Vec<ChangeFinding>,
    /// Cells that were compared, by what people call them, whether or not anything was found.
    #[serde(skip)]
    pub places: Vec<(CellId, String)>,
}

impl RunComparison {
    pub fn count(&self, verdict: ChangeVerdict) -> usize {
        self.of(verdict).count()
    }

    pub fn of(&self, verdict: ChangeVerdict) -> impl Iterator<Item = &ChangeFinding> {
        self.findings.iter().filter(move |finding| finding.verdict == verdict)
    }

    /// Whether anything was decided at all.
    pub fn is_empty(&self) -> bool {
        self.compared == self.count(ChangeVerdict::Inconclusive) && self.count(ChangeVerdict::Regression) == 0
    }

    /// Only which cells have no counterpart: that much is true of every lane.
    pub fn unmatched(self) -> Self {
        let unmatched = [Topic::NewCell, Topic::VanishedCell, Topic::OtherData];
        let findings = self.findings.into_iter().filter(|finding| unmatched.contains(&finding.topic)).collect();
        Self { findings, ..Self::default() }
    }

    /// The findings of another lane, too.
    pub fn join(mut self, other: Self) -> Self {
        self.compared += other.compared;
        self.unchanged += other.unchanged;
        self.within_spread += other.within_spread;
        self.findings.extend(other.findings);
        for place in other.places {
            if !self.places.iter().any(|known| known.0 == place.0) {
                self.places.push(place);
            }
        }
        self.sorted()
    }

    pub fn sorted(mut self) -> Self {
        let size = |finding: &ChangeFinding| finding.change.map_or(f64::INFINITY, f64::abs);
        self.findings.sort_by(|a, b| {
            (a.verdict, a.topic, &a.experiment)
                .cmp(&(b.verdict, b.topic, &b.experiment))
                .then_with(|| size(b).total_cmp(&size(a)))
                .then_with(|| (&a.place, &a.metric, &a.at).cmp(&(&b.place, &b.metric, &b.at)))
        });
        self
    }
}
