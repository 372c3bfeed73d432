//! Results that look like those of the papers, made up in code.

use anonlab::data::Origin;
use anonlab::lab::Better;
use anonlab::report::{
    DataUsed, ExperimentResult, FigureResult, Hole, Measurement, MetricInfo, MetricSide, Observations, Provenance,
    Value,
};
use anonlab::run::{Limits, Machine, Status};
use anonlab::spec::{Paper, Variant};
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;

/// What the cells of a figure found and cost.
#[derive(Default)]
pub struct Found {
    axes: Vec<String>,
    measurements: Vec<Line>,
    costs: Vec<Line>,
}

#[derive(Clone, Default)]
pub struct Line {
    pub dataset: String,
    /// The real one unless given.
    pub origin: Option<Origin>,
    pub algorithm: String,
    /// Axis → value; an axis that is not named does not apply.
    pub axes: Vec<(String, String)>,
    pub repetition: i64,
    /// `ok` unless given.
    pub status: Option<Status>,
    pub reason: String,
    pub metric: String,
    pub at: Option<String>,
    pub value: Option<f64>,
}

impl Line {
    pub fn of(dataset: &str, algorithm: &str) -> Self {
        Self { dataset: dataset.into(), algorithm: algorithm.into(), ..Self::default() }
    }

    pub fn origin(mut self, origin: Origin) -> Self {
        self.origin = Some(origin);
        self
    }

    pub fn axis(mut self, name: &str, value: impl ToString) -> Self {
        self.axes.push((name.into(), value.to_string()));
        self
    }

    pub fn repetition(mut self, repetition: i64) -> Self {
        self.repetition = repetition;
        self
    }

    pub fn status(mut self, status: Status, reason: &str) -> Self {
        (self.status, self.reason) = (Some(status), reason.into());
        self
    }

    pub fn metric(mut self, metric: &str, value: f64) -> Self {
        (self.metric, self.value) = (metric.into(), Some(value));
        self
    }

    pub fn at(mut self, at: impl ToString) -> Self {
        self.at = Some(at.to_string());
        self
    }
}

impl Found {
    pub fn measure(&mut self, line: Line) {
        self.note_axes(&line);
        self.measurements.push(line);
    }

    pub fn cost(&mut self, line: Line) {
        self.note_axes(&line);
        self.costs.push(line);
    }

    fn note_axes(&mut self, line: &Line) {
        for (axis, _) in &line.axes {
            if !self.axes.contains(axis) {
                self.axes.push(axis.clone());
            }
        }
    }

    fn observations(&self) -> Observations {
        let columns = ["dataset", "algorithm", "at"].map(String::from).into_iter().chain(self.axes.iter().cloned());
        let mut observations = Observations { columns: columns.collect(), ..Observations::default() };
        let key = |line: &Line| {
            let at = line.at.as_deref().map_or(Value::None, Value::parse);
            let axis = |axis: &String| line.axes.iter().find(|(name, _)| name == axis);
            let axes = self.axes.iter().map(|name| axis(name).map_or(Value::None, |(_, value)| Value::parse(value)));
            [Value::parse(&line.dataset), Value::parse(&line.algorithm), at].into_iter().chain(axes).collect()
        };
        let row = |line: &Line, value| Measurement {
            key: key(line),
            repetition: line.repetition,
            metric: line.metric.clone(),
            value,
        };
        let mut cells: BTreeSet<(Vec<Value>, i64, Status)> = BTreeSet::new();
        for line in &self.measurements {
            let (status, repetition) = (line.status.unwrap_or(Status::Ok), line.repetition);
            cells.insert((key(&Line { at: None, ..line.clone() }), repetition, status));
            if !observations.origins.iter().any(|(known, _)| *known == line.dataset) {
                observations.origins.push((line.dataset.clone(), line.origin.unwrap_or(Origin::Real)));
            }
            match line.value {
                Some(value) if status == Status::Ok => observations.rows.push(row(line, value)),
                _ => observations.holes.push(Hole { key: key(line), repetition, status, reason: line.reason.clone() }),
            }
        }
        for line in &self.costs {
            observations.machines.entry(line.metric.clone()).or_default().insert("3f1c0d9e".to_string());
            observations.rows.extend(line.value.map(|value| row(line, value)));
        }
        let count = |status| cells.iter().filter(|cell| cell.2 == status).count();
        observations.cells =
            Status::ALL.map(|status| (status, count(status))).into_iter().filter(|(_, count)| *count > 0).collect();
        observations
    }

    /// A figure from its parts as a spec would write them.
    pub fn figure(
        &self,
        id: &str,
        title: &str,
        caption: &str,
        draw: &str,
        reference: &str,
        claims: &str,
    ) -> FigureResult {
        FigureResult {
            id: id.into(),
            title: title.into(),
            caption: caption.into(),
            draw: yaml(draw),
            reference: if reference.is_empty() { Vec::new() } else { yaml(reference) },
            claims: if claims.is_empty() { Vec::new() } else { yaml(claims) },
            unclaimed: String::new(),
            observations: self.observations(),
            trials: Vec::new(),
            others: Vec::new(),
            limits: Limits::default(),
            repetitions: 10,
            seed: 7,
            seeds: 1,
            parameters: [("min_conf", "1"), ("degree", "5")].map(|(k, v)| (k.to_string(), v.to_string())).into(),
            notes: Vec::new(),
            command: format!("anonlab run experiments/example.yaml --only {id}"),
            quick: false,
            spec_digest: String::new(),
            code_digest: String::new(),
            kept: None,
        }
    }
}

pub fn yaml<T: DeserializeOwned>(text: &str) -> T {
    serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Noise without a generator: the same for the same arguments, between −1 and 1.
pub fn noise(a: usize, b: usize) -> f64 {
    (((a * 7_919 + b * 104_729 + 17) % 1_000) as f64 / 500.0) - 1.0
}

pub fn experiment(id: &str, title: &str, paper: Option<Paper>, figures: Vec<FigureResult>) -> ExperimentResult {
    let info = |unit: &str, better: Better, about: &str| MetricInfo {
        unit: unit.into(),
        better,
        about: about.into(),
        side: MetricSide::Utility,
        relative: false,
        tolerance: 0.0,
    };
    let metrics = [
        ("query_error", info("%", Better::Lower, "mean relative error of COUNT queries")),
        ("exposed_tuples", info("tuples", Better::Lower, "tuples with fewer than ℓ possible values")),
        ("rules", info("rules", Better::Neither, "negative rules found")),
        ("share", info("%", Better::Neither, "tuples with so many incompatible values")),
        ("ncp", info("%", Better::Lower, "normalized certainty penalty")),
        ("tree_nodes", info("nodes", Better::Lower, "nodes of the count-tree")),
        ("records", info("", Better::Neither, "transactions")),
        ("items", info("", Better::Neither, "distinct items")),
        ("mean_length", info("", Better::Neither, "items of a transaction")),
        ("d_overall", info("nats", Better::Neither, "divergence of the adversary's belief from the truth")),
        ("probability", info("", Better::Neither, "the adversary's belief in the true value")),
        ("variables", info("", Better::Neither, "variables in all constraints")),
    ];
    ExperimentResult {
        id: id.into(),
        title: title.into(),
        paper,
        about: "What the paper measured, measured again. Every figure stands beside the values its paper printed, where it \
                printed any.\n\nReadings of what the paper leaves open are in the spec."
            .into(),
        readings: Default::default(),
        statements: Default::default(),
        figures,
        metrics: metrics.into_iter().map(|(name, info)| (name.to_string(), info)).collect(),
        provenance: Provenance {
            spec: "../experiments/example.yaml".into(),
            spec_digest: "b3:5f0c2a9d41".into(),
            set: Vec::new(),
            seed: 7,
            seeds: 1,
            readings: "each".into(),
            code_digest: "b3:91cc0e77aa".into(),
            git_revision: Some("ce1ad97".into()),
            git_dirty: Some(true),
            version: "0.1.0".into(),
            data: vec![
                DataUsed {
                    name: "adult".into(),
                    origin: Origin::Real,
                    note: String::new(),
                    sha256: [("adult.data.gz".to_string(), "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d".to_string())].into(),
                    citation: "B. Becker, R. Kohavi: Adult. UCI Machine Learning Repository, 1996.".into(),
                    licence: "CC BY 4.0".into(),
                    description: None,
                },
                DataUsed {
                    name: "bms-pos".into(),
                    origin: Origin::Partial,
                    note: "two parts of three".into(),
                    sha256: [].into(),
                    citation: "Z. Zheng, R. Kohavi, L. Mason: Real world performance of association rule algorithms, KDD 2001.".into(),
                    licence: "free for research".into(),
                    description: None,
                },
            ],
            machine: Machine {
                processor: "An example of a processor".into(),
                cores: 2,
                memory_bytes: 8_000_000_000,
                system: "Linux".into(),
            },
            started: "2026-01-02T03:04:05Z".into(),
            finished: "2026-01-02T03:06:07Z".into(),
        },
    }
}

pub fn papers() -> Vec<ExperimentResult> {
    vec![injector(), km(), cohesion(), maxent()]
}

/// Two figures under two other readings: in `near` the first differs a little and the second in nothing, in `far` the
/// first differs so much that it has no place behind the default.
pub fn readings() -> ExperimentResult {
    let figure = |id: &str, of: f64| {
        let mut found = Found::default();
        for k in [2, 5, 10] {
            found.measure(Line::of("adult", "oa").axis("k", k).metric("ncp", of + k as f64));
            found.measure(Line::of("adult", "da").axis("k", k).metric("ncp", 8.0 + k as f64));
        }
        let claims = "- {says: OA loses less than DA, metric: ncp, of: oa, is: {less_than: {algorithm: da}}}";
        let draw = "{x: k, y: ncp, labels: {oa: OA, da: DA}}";
        found.figure(id, &format!("Figure {id}"), "A figure that readings change.", draw, "", claims)
    };
    let variant = |option: &str| Variant { options: vec![("order".to_string(), option.to_string())] };
    let with = |id: &str, other: f64| {
        let mut default = figure(id, 9.0);
        default.others = vec![(variant("frequency"), figure(id, other)), (variant("random"), figure(id, 9.0))];
        default
    };
    let mut result = experiment("readings", "Readings", None, vec![with("near", 12.0), with("far", 900.0)]);
    result.readings =
        [("order".to_string(), yaml("{asks: In which order?, options: {id: {}, frequency: {a: 1}, random: {a: 2}}}"))]
            .into();
    result
}

fn paper(title: &str, authors: &str, venue: &str, year: u32) -> Option<Paper> {
    Some(Paper {
        title: title.into(),
        authors: authors.into(),
        venue: venue.into(),
        year,
        link: Some("https://example.org/paper".into()),
    })
}

fn injector() -> ExperimentResult {
    let mut rules = Found::default();
    let shares = [
        [80.4, 15.9, 2.3, 1.2, 0.2],
        [84.6, 12.2, 2.1, 1.0, 0.1],
        [87.4, 9.5, 2.0, 1.0, 0.1],
        [87.7, 9.3, 2.5, 0.5, 0.0],
        [96.2, 1.8, 2.0, 0.0, 0.0],
    ];
    for (i, min_exp) in [0.75, 0.8, 0.85, 0.9, 0.95].into_iter().enumerate() {
        let line = Line::of("adult", "").axis("min_exp", min_exp);
        rules.measure(line.clone().metric("rules", [42.0, 38.0, 32.0, 22.0, 15.0][i]));
        rules.measure(line.clone().metric("share", 0.0).at(0));
        for (n, share) in shares[i].into_iter().enumerate() {
            rules.measure(line.clone().metric("share", share).at(n + 1));
        }
    }
    let fig3 = rules.figure(
        "fig3",
        "Figure 3: Rules found and incompatible values",
        "How many negative rules reach the expectation threshold, and what share of the tuples has 0, 1, … values that the rules rule out.",
        "{kind: table, x: min_exp, y: [rules, share], x_label: minExp, labels: {rules: '|R|', share: tuples, 'at=0': N0, 'at=1': N1, 'at=2': N2, 'at=3': N3, 'at=4': N4, 'at=5': N≥5}}",
        "- {metric: rules, x: [0.75, 0.8, 0.85, 0.9, 0.95], value: [45, 39, 32, 22, 15], source: Figure 3}\n- {metric: share, where: {at: 1}, x: [0.75, 0.8, 0.85, 0.9, 0.95], value: [80.4, 84.6, 87.5, 87.9, 96.2]}",
        "- {says: The rule counts are those of the paper, metric: rules, is: {reference: {}}, expected: fails, because: The age intervals of the paper are not published.}\n- {says: N1 is that of the paper, metric: share, where: {at: 1}, is: {reference: {tolerance: 0.3}}}",
    );

    let algorithms = ["anatomy", "injector", "injector-balanced"];
    let labels = "labels: {anatomy: Anatomy, injector: Injector, injector-balanced: Injector (balanced), l: ℓ}";
    let mut exposed = Found::default();
    let mut queries = Found::default();
    let mut by_rule = Found::default();
    let mut times = Found::default();
    for (a, algorithm) in algorithms.into_iter().enumerate() {
        for l in 3..=6usize {
            for repetition in 0..10 {
                let line = Line::of("adult", algorithm).axis("l", l).repetition(repetition);
                let some = [220.0 + 60.0 * l as f64 + 20.0 * noise(l, repetition as usize), 0.0, 0.0][a];
                exposed.measure(line.clone().metric("exposed_tuples", some.round()));
                let error =
                    [11.0, 12.5, 9.0][a] + l as f64 * [1.8, 2.6, 1.3][a] + 0.6 * noise(l + a, repetition as usize);
                queries.measure(line.clone().metric("query_error", error));
                let scale = 1.0 + 0.08 * noise(a * 5 + l, repetition as usize);
                match algorithm {
                    "anatomy" => times.cost(line.clone().metric("seconds", 0.012 * scale)),
                    "injector" => {
                        times.cost(line.clone().metric("seconds.mining", 0.21 * scale));
                        times.cost(line.clone().metric("seconds.bucketization", (0.011 + 0.002 * l as f64) * scale));
                        times.cost(line.clone().metric("seconds", (0.221 + 0.002 * l as f64) * scale));
                    }
                    _ => {}
                }
                times.measure(line.metric("groups", 5_000.0));
            }
        }
        for min_exp in [0.75, 0.8, 0.85, 0.9, 0.95] {
            for repetition in 0..10 {
                // Anatomy knows no minExp: it is the same all along.
                let line = Line::of("adult", algorithm).repetition(repetition);
                let line = if a == 0 { line } else { line.axis("min_exp", min_exp) };
                if a == 0 && min_exp > 0.75 {
                    continue;
                }
                let error = [21.0, 26.0 - 6.0 * min_exp, 19.5 - 4.0 * min_exp][a] + 0.7 * noise(a, repetition as usize);
                by_rule.measure(line.metric("query_error", error));
            }
        }
    }
    let fig4a = exposed.figure(
        "fig4a",
        "Figure 4a: Background-knowledge attack",
        "Tuples that an adversary who mines the negative rules can narrow down to fewer than ℓ values.",
        &format!("{{kind: bar, x: l, y: exposed_tuples, statistic: mean, {labels}}}"),
        "",
        "- {says: Injector exposes nobody, metric: exposed_tuples, of: [injector, injector-balanced], is: {equals: 0}}\n- {says: Anatomy exposes somebody everywhere, metric: exposed_tuples, of: anatomy, is: {at_least: 1}}",
    );
    let fig5a = times.figure(
        "fig5a",
        "Figure 5a: Time",
        "Mining the rules takes most of the time; making the groups takes about as long as Anatomy does.",
        "{x: l, y_scale: log, y: [{metric: seconds.mining, where: {algorithm: injector}, label: Rule mining}, {metric: seconds.bucketization, where: {algorithm: injector}, label: Bucketization}, {metric: seconds, where: {algorithm: anatomy}, label: Anatomy}], labels: {l: ℓ}, y_label: time}",
        "",
        "- {says: Mining dominates, metric: seconds.mining, of: injector, is: {share: {of: seconds, at_least: 0.5}}}\n- {says: Bucketization is about as fast as Anatomy, metric: seconds.bucketization, of: injector, over: {algorithm: anatomy, metric: seconds}, is: {at_most: 2}}",
    );
    let fig8c = queries.figure(
        "fig8c",
        "Figure 8c: COUNT queries",
        "The relative error of 1,000 random COUNT queries on three attributes, each with half of the domain.",
        &format!("{{x: l, y: query_error, statistic: mean, {labels}}}"),
        "",
        "- {says: Injector answers more accurately than Anatomy, metric: query_error, of: injector, is: {less_than: {algorithm: anatomy}}, expected: fails, because: The printed choice prefers the rarest values and leaves the frequent ones for the residue.}\n- {says: The balanced choice answers more accurately than Anatomy, metric: query_error, of: injector-balanced, is: {less_than: {algorithm: anatomy}}}",
    );
    let fig8d = by_rule.figure(
        "fig8d",
        "Figure 8d: COUNT queries by minExp",
        "The same along the expectation threshold, which Anatomy does not have.",
        &format!("{{x: min_exp, y: query_error, spread: band, x_label: minExp, {labels}}}"),
        "",
        "- {says: Injector's error falls with minExp, metric: query_error, of: injector, is: {falling: {along: min_exp}}}",
    );
    experiment(
        "injector",
        "Injector: mining background knowledge",
        paper("Injector: Mining Background Knowledge for Data Anonymization", "T. Li, N. Li", "ICDE", 2008),
        vec![fig3, fig4a, fig5a, fig8c, fig8d],
    )
}

fn km() -> ExperimentResult {
    let labels = "labels: {oa: OA, da: DA, aa: AA, bms-pos: POS, bms-webview-1: WV1, bms-webview-2: WV2}";
    let mut statistics = Found::default();
    let rows = [
        ("bms-pos", Origin::Partial, 343_000.0, 1_657.0, 6.5),
        ("bms-webview-1", Origin::Real, 59_602.0, 497.0, 2.5),
        ("bms-webview-2", Origin::Real, 77_512.0, 3_340.0, 5.0),
    ];
    for (dataset, origin, records, items, mean) in rows {
        let line = Line::of(dataset, "").origin(origin);
        statistics.measure(line.clone().metric("records", records));
        statistics.measure(line.clone().metric("items", items));
        statistics.measure(line.metric("mean_length", mean));
    }
    let fig7 = statistics.figure(
        "fig7",
        "Figure 7: The data sets",
        "What the data sets are like.",
        &format!("{{kind: table, x: dataset, y: [records, items, mean_length], {labels}}}"),
        "- {metric: records, x: [bms-pos, bms-webview-1, bms-webview-2], value: [515597, 59602, 77512], source: Figure 7}\n- {metric: items, x: [bms-pos, bms-webview-1, bms-webview-2], value: [1657, 497, 3340]}",
        "- {says: The data sets have the size the paper says, metric: records, is: {reference: {}}, expected: fails, because: Of BMS-POS only two parts of three are at hand.}",
    );

    let mut sweep = Found::default();
    for (a, algorithm) in ["oa", "da", "aa"].into_iter().enumerate() {
        for m in 1..=4usize {
            for repetition in 0..3 {
                let line = Line::of("webview-2-reduced", algorithm).axis("m", m).repetition(repetition);
                if a == 0 && m == 4 {
                    sweep.measure(line.status(Status::Timeout, "stopped after 60 s"));
                    continue;
                }
                if a == 1 && m == 4 && repetition == 2 {
                    sweep.measure(line.status(
                        Status::Failed,
                        "thread 'main' panicked at src/example.rs:1:1:\nan example of a failure",
                    ));
                    continue;
                }
                let seconds = [0.02, 0.004, 0.003][a] * [14f64, 9.0, 3.0][a].powi(m as i32 - 1);
                let nodes = [40.0, 40.0, 38.0][a] * [20f64, 16.0, 6.0][a].powi(m as i32 - 1);
                sweep.cost(line.clone().metric("seconds", seconds * (1.0 + 0.05 * noise(m + a, repetition as usize))));
                sweep.cost(line.clone().metric("peak_heap_bytes", nodes * 96.0));
                sweep.measure(line.clone().metric("tree_nodes", nodes));
                sweep.measure(line.metric("ncp", 8.0 + 2.2 * m as f64 + 0.05 * (a as f64)));
            }
        }
    }
    let fig10 = sweep.figure(
        "fig10",
        "Figure 10: Along m",
        "Time, size of the count-tree and loss as the adversary knows more items; 10,000 records of 40 items.",
        &format!("{{x: m, y: [seconds, tree_nodes, ncp], panels: metric, y_scale: log, {labels}}}"),
        "- {metric: ncp, where: {algorithm: aa}, x: [1, 2, 3, 4], value: [10, 12, 15, 17], source: read off Figure 10c}",
        "- {says: OA and DA are exponential in m, metric: tree_nodes, of: [oa, da], is: {at_least_exponential: {along: m}}}\n- {says: AA's loss is that of OA, metric: ncp, of: aa, is: {same_as: {algorithm: oa, relative: 0.02}}}\n- {says: AA is the fastest, metric: seconds, of: aa, is: {less_than: {algorithm: oa}}}",
    );

    let mut sets = Found::default();
    for (d, (dataset, origin)) in
        [("bms-pos", Origin::Partial), ("bms-webview-1", Origin::Real), ("bms-webview-2", Origin::StandIn)]
            .into_iter()
            .enumerate()
    {
        for order in ["id", "random"] {
            for repetition in 0..3 {
                let line = Line::of(dataset, "aa").origin(origin).axis("order", order).repetition(repetition);
                sets.cost(line.clone().metric("seconds", [4.1, 0.3, 0.9][d]));
                sets.cost(line.clone().metric("peak_heap_bytes", [410e6, 18e6, 60e6][d]));
                sets.measure(line.metric("ncp", [3.0, 10.8, 5.5][d] * if order == "id" { 1.0 } else { 0.3 }));
            }
        }
    }
    let fig11a = sets.figure(
        "fig11a",
        "Figure 11a: AA on the data sets",
        "k = 5, m = 3, degree 5. The order of the items under the hierarchy decides the loss.",
        &format!("{{kind: bar, x: dataset, y: [seconds, peak_heap_bytes, ncp], series: order, {labels}}}"),
        "",
        "- {says: The loss is at most 3 %, metric: ncp, where: {order: random}, is: {at_most: 3}, expected: fails, because: No order of the items is stated.}",
    );

    let mut many = Found::default();
    for (a, algorithm) in ["oa", "da", "aa"].into_iter().enumerate() {
        for (d, dataset) in
            ["bms-webview-1", "bms-webview-2", "retail", "t10i4d100k", "mushroom", "chess"].into_iter().enumerate()
        {
            for k in [2usize, 5, 10, 50, 100] {
                let line = Line::of(dataset, algorithm).axis("k", k);
                if a == 0 && d > 2 {
                    many.measure(
                        line.status(if d > 3 { Status::OutOfMemory } else { Status::Timeout }, "stopped at the limit"),
                    );
                    continue;
                }
                many.measure(line.metric("ncp", (d as f64 + 2.0) * (k as f64).ln() * [1.0, 1.08, 1.02][a]));
            }
        }
    }
    let beyond = many.figure(
        "beyond",
        "Beyond the paper: loss on six data sets",
        "Loss along k on all data sets of the catalogue.",
        &format!("{{x: k, x_scale: log, y: ncp, panels: dataset, {labels}}}"),
        "",
        "- {says: AA is within 5 % of OA, metric: ncp, of: aa, is: {same_as: {algorithm: oa, relative: 0.05}}}",
    );
    experiment(
        "km-anonymity",
        "kᵐ-anonymity of set-valued data",
        paper(
            "Privacy-preserving Anonymization of Set-valued Data",
            "M. Terrovitis, N. Mamoulis, P. Kalnis",
            "VLDB",
            2008,
        ),
        vec![fig7, fig10, fig11a, beyond],
    )
}

fn cohesion() -> ExperimentResult {
    let mut cost = Found::default();
    for (a, algorithm) in ["cohesion-border", "cohesion-enumeration"].into_iter().enumerate() {
        for p in 2..=7usize {
            for repetition in 0..3 {
                let line = Line::of("bms-webview-1", algorithm).axis("p", p).repetition(repetition);
                let seconds = [0.1 + 0.02 * p as f64, 0.01 * 6f64.powi(p as i32 - 1)][a];
                if seconds > 60.0 {
                    cost.measure(line.status(Status::Timeout, "stopped after 60 s"));
                    continue;
                }
                cost.cost(line.clone().metric("seconds", seconds * (1.0 + 0.03 * noise(p, repetition as usize))));
                cost.measure(line.metric("items_suppressed", 30.0 + p as f64));
            }
        }
    }
    let time = cost.figure(
        "time",
        "Border against enumeration",
        "Time of both methods as the adversary's power grows.",
        "{x: p, y: seconds, y_scale: log, labels: {cohesion-border: Borders, cohesion-enumeration: Enumeration}}",
        "",
        "- {says: Borders grow slower, metric: seconds, of: cohesion-border, is: {at_most_linear: {along: p}}}\n- {says: Both suppress the same, metric: items_suppressed, of: cohesion-border, is: {same_as: {algorithm: cohesion-enumeration}}}",
    );
    experiment(
        "cohesion",
        "(h,k,p)-cohesion",
        paper(
            "Publishing Sensitive Transactions for Itemset Utility",
            "Y. Xu, B. Fung, K. Wang, A. Fu, J. Pei",
            "ICDM",
            2008,
        ),
        vec![time],
    )
}

fn maxent() -> ExperimentResult {
    let mut facts = Found::default();
    let line = Line::of("adult", "");
    for (metric, value) in [
        ("distinct_qi_values", 7_722.0),
        ("constraints", 766_582.0),
        ("variables", 3_938_220.0),
        ("pruned_constraints", 449.0),
    ] {
        facts.measure(line.clone().metric(metric, value));
    }
    let sizes = facts.figure(
        "facts",
        "The size of the problem",
        "Constraints and variables before and after pruning.",
        "{kind: table, y: [distinct_qi_values, constraints, variables, pruned_constraints], labels: {distinct_qi_values: distinct QI values}}",
        "- {metric: distinct_qi_values, value: 7722, source: Section V}\n- {metric: pruned_constraints, value: 449}\n- {metric: constraints, value: 766000}",
        "- {says: There are 449 constraints after pruning, metric: pruned_constraints, is: {reference: {}}}",
    );
    let mut released = Found::default();
    for exact in ["true", "false"] {
        for c in 0..=8 {
            let confidence = 0.6 + 0.05 * f64::from(c);
            let gap = if exact == "true" { 0.0 } else { 0.08 * (1.0 - confidence) };
            let line = Line::of("adult", "rules")
                .axis("confidence", (confidence * 100.0).round() / 100.0)
                .axis("exact", exact);
            released.measure(line.metric("d_overall", 0.12 + 0.25 * (confidence - 0.6) + gap));
        }
    }
    let fig6 = released.figure(
        "fig6",
        "Figure 6: Exact confidences published or withheld",
        "How far the adversary's belief stays from the truth.",
        "{x: confidence, y: d_overall, series: exact, labels: {d_overall: D overall, 'exact=true': exact confidences, 'exact=false': thresholds only}}",
        "",
        "- {says: Publishing discloses more, metric: d_overall, where: {exact: true}, is: {less_than: {where: {exact: false}, in: 0.8}}}\n- {says: The gap closes, metric: d_overall, where: {exact: false}, minus: {where: {exact: true}}, is: {falling: {along: confidence}}}\n- {says: It rises with c, metric: d_overall, is: {rising: {along: confidence}}}",
    );
    let mut top = Found::default();
    for k in [1, 2, 5, 10, 20, 50, 100, 200, 500] {
        top.measure(Line::of("adult", "rules").metric("d_overall", 0.9 / f64::from(k).powf(0.3)).at(k));
    }
    let fig7c = top.figure(
        "fig7c",
        "Figure 7c: The K largest differences",
        "The mean of the K largest differences that NAR-constraints make to one individual.",
        "{x: at, x_label: K, x_scale: log, y: d_overall, y_label: mean difference}",
        "",
        "- {says: It falls with K, metric: d_overall, is: {falling: {along: at, strictly: true}}}",
    );
    let mut solving = Found::default();
    for nar in ["with NAR", "without NAR"] {
        for step in 1..=12usize {
            let line = Line::of("adult", "rules").axis("nar", nar).axis("support", 0.01 * step as f64);
            let variables = 25_000.0 * step as f64 * if nar == "with NAR" { 1.0 } else { 0.7 };
            solving.measure(line.clone().metric("variables", variables));
            for repetition in 0..3 {
                let seconds = variables * 3e-6 * (1.0 + 0.2 * noise(step, repetition as usize + nar.len()));
                solving.cost(line.clone().repetition(repetition).metric("seconds", seconds));
            }
        }
    }
    let fig8 = solving.figure(
        "fig8",
        "Figure 8: Solving time",
        "Time over the number of variables in all constraints.",
        "{kind: scatter, x: variables, y: seconds, series: nar}",
        "",
        "",
    );
    let mut people = Found::default();
    for person in 1..=10 {
        for (metric, value) in
            [("probability", 0.87 - 0.01 * f64::from(person)), ("d_overall", 0.14 + 0.01 * f64::from(person))]
        {
            people.measure(Line::of("adult", "rules").metric(metric, value).at(format!("person {person}")));
        }
    }
    let fig7a = people.figure(
        "fig7a",
        "Figure 7a: Who is exposed most",
        "The ten individuals whom NAR-constraints expose most.",
        "{kind: table, x: at, x_label: individual, y: [probability, d_overall]}",
        "- {metric: probability, where: {at: person 1}, value: 0.87, source: Figure 7a}",
        "- {says: The first row is the paper's, metric: probability, where: {at: person 1}, is: {reference: {tolerance: 0.0005}}, expected: fails, because: No setting tried gives it.}",
    );
    experiment(
        "maxent",
        "Maximum-entropy audit of association rules",
        paper("Privacy-Preserving Publication of Association Rules", "Z. Zhu, G. Wang, W. Du", "ICDE", 2009),
        vec![sizes, fig6, fig7a, fig7c, fig8],
    )
}
