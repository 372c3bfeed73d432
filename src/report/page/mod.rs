//! Pages: HTML with everything in it, rendered from what [`view`] makes of the results.

pub mod card;
mod drawing;
mod standing;
pub mod view;

use super::ReportError;
use super::contest::Contest;
use super::findings::Findings;
use super::plot::svg::escape;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use card::Card;
use serde::Serialize;
use sha2::{Digest, Sha256};
use tera::{Context, Tera};

const TEMPLATES: [(&str, &str); 18] = [
    ("audit.html", include_str!("../templates/audit.html")),
    ("base.html", include_str!("../templates/base.html")),
    ("index.html", include_str!("../templates/index.html")),
    ("found.html", include_str!("../templates/found.html")),
    ("experiment.html", include_str!("../templates/experiment.html")),
    ("reading.html", include_str!("../templates/reading.html")),
    ("paper.html", include_str!("../templates/paper.html")),
    ("comparison.html", include_str!("../templates/comparison.html")),
    ("contest.html", include_str!("../templates/contest.html")),
    ("contest-terms.html", include_str!("../templates/contest-terms.html")),
    ("figure.html", include_str!("../templates/figure.html")),
    ("claims.html", include_str!("../templates/claims.html")),
    ("trend.html", include_str!("../templates/trend.html")),
    ("trends.html", include_str!("../templates/trends.html")),
    ("leaderboard.html", include_str!("../templates/leaderboard.html")),
    ("leaderboards.html", include_str!("../templates/leaderboards.html")),
    ("outcome.html", include_str!("../templates/outcome.html")),
    ("table.html", include_str!("../templates/table.html")),
];
const STYLE: &str = include_str!("../templates/style.css");
/// Of pages with tables, which all are.
const SCRIPT: &str = include_str!("../templates/script.js");
/// Of pages with plots.
const PLOTS: &str = include_str!("../templates/plots.js");
/// The pages whose plots can be played with.
const WITH_PLOTS: [&str; 5] = ["experiment.html", "reading.html", "trends.html", "comparison.html", "leaderboard.html"];

pub struct Pages {
    tera: Tera,
}

impl Pages {
    pub fn new() -> Result<Self, ReportError> {
        let mut tera = Tera::new();
        // The same escaping as in plots: it also takes the sting out of control characters and direction overrides.
        tera.set_escape_fn(|text, output| output.write_all(escape(text).as_bytes()));
        tera.add_raw_templates(TEMPLATES).map_err(|error| fault("templates", &error))?;
        Ok(Self { tera })
    }

    /// `unfinished` experiments have pages that a stopped run left; `trends` where there is a page of them beside it.
    pub fn index(
        &self,
        experiments: &[Card],
        findings: &[Findings],
        unfinished: &[String],
        trends: bool,
    ) -> Result<String, ReportError> {
        let mut verdicts = view::Verdicts::default();
        for experiment in experiments {
            verdicts.holds += experiment.verdicts.holds;
            verdicts.fails += experiment.verdicts.fails;
            verdicts.inconclusive += experiment.verdicts.inconclusive;
            verdicts.expected += experiment.verdicts.expected;
            verdicts.surprises += experiment.verdicts.surprises;
            verdicts.total += experiment.verdicts.total;
            verdicts.robust += experiment.verdicts.robust;
            verdicts.reading += experiment.verdicts.reading;
            verdicts.chance += experiment.verdicts.chance;
            verdicts.open += experiment.verdicts.open;
        }
        let page = IndexPage {
            experiments,
            found: findings.iter().map(view::found).collect(),
            surprises: view::surprises(findings),
        };
        let mut context = context("index.html", &page)?;
        context.insert("verdicts", &verdicts);
        context.insert("trends", &trends);
        context.insert("unfinished", unfinished);
        context.insert("figures", &experiments.iter().map(|experiment| experiment.figures.len()).sum::<usize>());
        self.render("index.html", &context)
    }

    pub fn experiment(&self, experiment: &view::ExperimentView) -> Result<String, ReportError> {
        let mut context = context("experiment.html", &ExperimentPage { experiment })?;
        context.insert("verdicts", &experiment.verdicts);
        self.render("experiment.html", &context)
    }

    pub fn comparison(
        &self,
        experiment: &view::ExperimentView,
        contest: &Contest,
        labels: &view::Labels,
    ) -> Result<String, ReportError> {
        let page = ComparisonPage { experiment, contest: view::contest(contest, labels)? };
        self.render("comparison.html", &context("comparison.html", &page)?)
    }

    /// A figure under another reading.
    pub fn reading(&self, page: &view::ReadingPage) -> Result<String, ReportError> {
        self.render("reading.html", &context("reading.html", page)?)
    }

    /// All claims under every reading.
    pub fn paper(&self, page: &view::PaperPage) -> Result<String, ReportError> {
        self.render("paper.html", &context("paper.html", page)?)
    }

    pub fn trends(&self, page: &impl Serialize) -> Result<String, ReportError> {
        self.render("trends.html", &context("trends.html", page)?)
    }

    /// One experiment of several people.
    pub fn leaderboard(&self, page: &impl Serialize) -> Result<String, ReportError> {
        self.render("leaderboard.html", &context("leaderboard.html", page)?)
    }

    /// The experiments that there are leaderboards of.
    pub fn leaderboards(&self, page: &impl Serialize) -> Result<String, ReportError> {
        self.render("leaderboards.html", &context("leaderboards.html", page)?)
    }

    /// What came of checking a capsule.
    pub fn outcome(&self, page: &impl Serialize) -> Result<String, ReportError> {
        self.render("outcome.html", &context("outcome.html", page)?)
    }

    /// What came of auditing a finished release.
    pub fn audit(&self, page: &impl Serialize) -> Result<String, ReportError> {
        self.render("audit.html", &context("audit.html", page)?)
    }

    fn render(&self, template: &'static str, context: &Context) -> Result<String, ReportError> {
        self.tera.render(template, context).map_err(|error| fault(template, &error))
    }
}

#[derive(Serialize)]
struct IndexPage<'a> {
    experiments: &'a [Card],
    found: Vec<view::FindingsView>,
    surprises: Vec<view::Surprises>,
}

#[derive(Serialize)]
struct ExperimentPage<'a> {
    experiment: &'a view::ExperimentView,
}

#[derive(Serialize)]
struct ComparisonPage<'a> {
    experiment: &'a view::ExperimentView,
    contest: view::ContestPage,
}

fn context(template: &'static str, page: &impl Serialize) -> Result<Context, ReportError> {
    let mut context = Context::from_serialize(page).map_err(|error| fault(template, &error))?;
    context.insert("style", STYLE);
    let script = compact(if WITH_PLOTS.contains(&template) { [PLOTS, SCRIPT].concat() } else { SCRIPT.to_string() });
    // Only our own script may run, and nothing may be fetched, whatever a page is made to contain.
    let digest = STANDARD.encode(Sha256::digest(script.as_bytes()));
    context.insert("script", &script);
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    );
    context.insert("policy", &policy);
    Ok(context)
}

/// A script without indentation and lines of comment: a report has it on many pages.
fn compact(script: String) -> String {
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn fault(template: &'static str, error: &tera::Error) -> ReportError {
    let mut message = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        message += &format!(": {cause}");
        source = cause.source();
    }
    ReportError::Render { template, message }
}
