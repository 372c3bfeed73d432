//! What templates are given: strings, ready to be shown. Templates decide nothing.

use super::standing;
use crate::data::{Described, Description, Origin};
use crate::report::claims::{Conclusion, Judgement, Outcome, Verdict};
use crate::report::claims_table::{ClaimRow, ClaimsTable, Mark};
use crate::report::figure::Names;
use crate::report::number::with_unit;
use crate::report::observations::ALGORITHM;
use crate::report::plot::svg::{escape, shorten};
use crate::report::plot::{Plot, inline};
use crate::report::prepared::Prepared;
use crate::report::results::ExperimentResult;
use crate::report::typeset::typeset;
use crate::run::Status;
use crate::spec::draw::Spread;
use crate::spec::expectation::{Expected, Standing};
use crate::spec::{DEFAULT_READING, Variant};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Names longer than this are cut on pages; files keep them.
const NAME: usize = 160;
/// Evidence beyond this many lines is counted, not listed.
const EVIDENCE: usize = 60;

#[derive(Debug, Clone, Serialize)]
pub struct Experiment {
    pub id: String,
    pub title: String,
    pub paper: Option<Paper>,
    /// HTML, as are captions and reasons.
    pub about: Vec<String>,
    pub figures: Vec<Figure>,
    pub verdicts: Verdicts,
    pub cells: Vec<Count>,
    pub total_cells: usize,
    pub data: Vec<Data>,
    pub has_comparison: bool,
    /// The files of the whole experiment, beside its page.
    pub files: Vec<String>,
    pub origin: Basis,
    pub run: Run,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Paper {
    pub title: String,
    pub authors: String,
    pub venue: String,
    pub link: Option<String>,
}

/// Everything two runs of the same spec may not differ in.
#[derive(Debug, Clone, Serialize)]
pub struct Basis {
    pub spec_digest: String,
    pub set: Vec<String>,
    pub code_digest: String,
    pub revision: String,
    pub version: String,
    pub seed: u64,
}

/// Everything they may: shown in one marked place of a page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    pub started: String,
    pub finished: String,
    pub machine: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct Data {
    pub name: String,
    pub origin: &'static str,
    pub note: String,
    pub files: Vec<(String, String)>,
    pub citation: String,
    pub licence: String,
    /// What it is: (what, words).
    pub facts: Vec<(&'static str, String)>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Verdicts {
    pub holds: usize,
    pub fails: usize,
    pub inconclusive: usize,
    /// Of `fails`, those that were expected to.
    pub expected: usize,
    pub surprises: usize,
    pub total: usize,
    /// By standing: robust, depends on the reading, depends on chance, open.
    #[serde(default)]
    pub robust: usize,
    #[serde(default)]
    pub reading: usize,
    #[serde(default)]
    pub chance: usize,
    #[serde(default)]
    pub open: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Count {
    pub name: String,
    pub count: usize,
    pub ok: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    pub id: String,
    pub title: String,
    pub caption: Vec<String>,
    pub datasets: Vec<Dataset>,
    pub panels: Vec<String>,
    pub legend: Vec<Swatch>,
    pub thumbnail: String,
    pub spread: String,
    pub table: Table,
    pub sources: Vec<String>,
    pub notes: Vec<String>,
    pub claims: Vec<Claim>,
    pub verdicts: Verdicts,
    pub facts: Vec<(String, String)>,
    pub command: String,
    pub cells: Vec<Count>,
    pub holes: Vec<Hole>,
    /// Where its CSV and SVG are, without ending.
    pub base: String,
    /// The readings to switch between; none where there is one alone.
    pub readings: Vec<ReadingLink>,
    pub has_svg: bool,
    pub has_comparison: bool,
}

/// One reading in the switch of a figure; without a link it is the one that is shown.
#[derive(Debug, Clone, Serialize)]
pub struct ReadingLink {
    pub name: String,
    pub link: String,
}

/// A figure under another reading.
#[derive(Debug, Clone, Serialize)]
pub struct Reading {
    /// Of the experiment.
    pub title: String,
    pub reading: String,
    /// Option and question.
    pub answers: Vec<(String, String)>,
    pub figure: Figure,
}

/// All claims of an experiment.
#[derive(Debug, Clone, Serialize)]
pub struct PaperPage {
    pub title: String,
    /// Readings with their questions.
    pub asked: Vec<(String, String)>,
    pub readings: Vec<String>,
    pub rows: Vec<PaperRow>,
}

#[derive(Debug, Clone, Serialize)]
pub struct PaperRow {
    pub statement: String,
    pub claim: String,
    pub figure: String,
    pub standing: String,
    pub words: &'static str,
    pub told: String,
    pub surprise: String,
    pub marks: Vec<PaperMark>,
}

/// Empty where the claim does not go through the reading.
#[derive(Debug, Clone, Default, Serialize)]
pub struct PaperMark {
    pub reading: String,
    pub verdict: &'static str,
    pub text: String,
    pub told: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct Dataset {
    pub name: String,
    pub origin: &'static str,
    pub real: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct Swatch {
    pub name: String,
    pub svg: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct Table {
    pub caption: String,
    pub heads: Vec<Head>,
    pub rows: Vec<Vec<Cell>>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Head {
    pub text: String,
    pub note: String,
    pub numeric: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct Cell {
    pub text: String,
    pub note: String,
    pub sort: String,
    pub status: bool,
    pub heads_row: bool,
    pub numeric: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct Claim {
    pub says: String,
    /// Of the paper, by its id in the register; empty where the claim names none.
    pub statement: String,
    pub standing: standing::Standing,
    /// What is not as it is known to be; empty otherwise.
    pub surprised: String,
    pub verdict: &'static str,
    pub symbol: &'static str,
    /// "as expected", "unexpectedly", or nothing.
    pub expectation: &'static str,
    pub surprise: bool,
    pub because: Option<String>,
    pub detail: String,
    pub evidence: Vec<Evidence>,
    pub more_evidence: usize,
}

#[derive(Debug, Clone, Serialize)]
pub struct Evidence {
    pub place: String,
    pub numbers: String,
    pub outcome: &'static str,
    pub symbol: &'static str,
}

#[derive(Debug, Clone, Serialize)]
pub struct Hole {
    pub place: String,
    pub status: &'static str,
    pub count: usize,
    pub reason: String,
}

impl Verdicts {
    pub fn count<'a>(figures: impl Iterator<Item = &'a Prepared<'a>>) -> Self {
        let mut verdicts = Self::default();
        let claims = figures
            .flat_map(|prepared| prepared.result.claims.iter().zip(&prepared.conclusions).zip(&prepared.surprises));
        for ((claim, found), surprise) in claims {
            verdicts.total += 1;
            match found.verdict {
                Verdict::Holds => verdicts.holds += 1,
                Verdict::Fails => verdicts.fails += 1,
                Verdict::Inconclusive => verdicts.inconclusive += 1,
            }
            verdicts.expected +=
                (found.verdict == Verdict::Fails && claim.expected.verdict == Some(Expected::Fails)) as usize;
            verdicts.surprises += surprise.is_some() as usize;
            match found.standing {
                Standing::Robust => verdicts.robust += 1,
                Standing::DependsOnReading => verdicts.reading += 1,
                Standing::DependsOnChance => verdicts.chance += 1,
                Standing::Open => verdicts.open += 1,
            }
        }
        verdicts
    }
}

pub fn experiment(result: &ExperimentResult, prepared: &[Prepared], files: Vec<String>) -> Experiment {
    let figures: Vec<Figure> = prepared.iter().map(|prepared| figure(prepared)).collect();
    let provenance = &result.provenance;
    let dirty = if provenance.git_dirty { ", with uncommitted changes" } else { "" };
    let revision = provenance.git_revision.as_ref().map(|revision| format!("{revision}{dirty}"));
    let machine = &provenance.machine;
    let memory = with_unit(machine.memory_bytes as f64, "bytes");
    let machine = match machine.processor.as_str() {
        "" => String::new(),
        cpu => format!("{cpu}, {} cores, {memory} memory, {}", machine.cores, machine.system),
    };
    Experiment {
        id: result.id.clone(),
        title: shorten(&typeset(&result.title), NAME),
        paper: result.paper.as_ref().map(|paper| Paper {
            title: shorten(&paper.title, NAME * 2),
            authors: shorten(&paper.authors, NAME * 2),
            venue: match paper.year.to_string() {
                year if paper.venue.contains(&year) => paper.venue.clone(),
                year => format!("{} {year}", paper.venue),
            },
            link: paper.link.clone().filter(|link| link.starts_with("https://") || link.starts_with("http://")),
        }),
        about: paragraphs(&result.about),
        has_comparison: figures.iter().any(|figure| figure.has_comparison),
        verdicts: Verdicts::count(prepared.iter()),
        cells: counts(prepared.iter()),
        total_cells: prepared.iter().flat_map(|prepared| &prepared.observations.cells).map(|(_, count)| count).sum(),
        figures,
        files,
        data: provenance
            .data
            .iter()
            .map(|data| Data {
                name: shorten(&data.name, NAME),
                origin: data.origin.name(),
                note: match (data.note.as_str(), data.origin) {
                    ("", Origin::StandIn) => "generated to match the published statistics".to_string(),
                    (note, _) => note.to_string(),
                },
                files: data.sha256.iter().map(|(file, digest)| (file.clone(), digest.clone())).collect(),
                citation: data.citation.clone(),
                licence: data.licence.clone(),
                facts: data.description.as_ref().map(described).unwrap_or_default(),
            })
            .collect(),
        origin: Basis {
            spec_digest: provenance.spec_digest.clone(),
            set: provenance.set.clone(),
            code_digest: provenance.code_digest.clone(),
            revision: revision.unwrap_or_else(|| "not from a repository".to_string()),
            version: provenance.version.clone(),
            seed: provenance.seed,
        },
        run: Run { started: provenance.started.clone(), finished: provenance.finished.clone(), machine },
    }
}

fn counts<'a>(prepared: impl Iterator<Item = &'a Prepared<'a>>) -> Vec<Count> {
    let cells: Vec<(Status, usize)> = prepared.flat_map(|prepared| prepared.observations.cells.clone()).collect();
    Status::ALL
        .into_iter()
        .map(|status| Count {
            name: status.in_words().to_string(),
            count: cells.iter().filter(|(known, _)| *known == status).map(|(_, count)| count).sum(),
            ok: status == Status::Ok,
        })
        .filter(|count| count.count > 0)
        .collect()
}

/// What a dataset is, fact by fact.
fn described(data: &Description) -> Vec<(&'static str, String)> {
    let count = |number: usize| crate::report::number::number(number as f64);
    let (used, read) = (count(data.rows_used), count(data.rows_read));
    let steps: Vec<String> =
        data.steps.iter().map(|step| format!("{}: {} left", step.step, count(step.rows_left))).collect();
    let rows = match (data.rows_used == data.rows_read, steps.is_empty()) {
        (true, true) => format!("all {read}"),
        (_, true) => format!("{used} used of {read} read"),
        (_, false) => format!("{used} used of {read} read; {}", steps.join("; ")),
    };
    match &data.content {
        Described::Table { quasi_identifiers, sensitive } => {
            let shown: Vec<String> = quasi_identifiers.iter().map(ToString::to_string).collect();
            vec![("rows", rows), ("quasi-identifiers", shown.join("; ")), ("sensitive", sensitive.to_string())]
        }
        Described::Transactions { items, private_items, longest, mean, hierarchy } => {
            let private =
                if *private_items > 0 { format!(", {} of them private", count(*private_items)) } else { String::new() };
            let sizes = format!(
                "{} items in a transaction on average, at most {longest}",
                crate::report::number::number(*mean)
            );
            let mut facts = vec![("transactions", rows), ("items", format!("{}{private}; {sizes}", count(*items)))];
            facts.extend(hierarchy.iter().map(|tree| ("hierarchy", tree.clone())));
            facts
        }
    }
}

/// Blank lines part paragraphs.
fn paragraphs(text: &str) -> Vec<String> {
    text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()).map(prose).collect()
}

/// Prose of a spec as HTML: what is between backticks is code.
fn prose(text: &str) -> String {
    let parts: Vec<String> = text
        .split('`')
        .enumerate()
        .map(|(index, part)| escape(&if index % 2 == 0 { typeset(part) } else { part.to_string() }))
        .collect();
    if parts.len().is_multiple_of(2) {
        return parts.join("`");
    }
    let part = |(index, part): (usize, &String)| match index % 2 {
        0 => part.clone(),
        _ => format!("<code>{part}</code>"),
    };
    parts.iter().enumerate().map(part).collect()
}

fn figure(prepared: &Prepared) -> Figure {
    let result = prepared.result;
    let plot = prepared.plot.as_ref();
    let panels = plot
        .map_or(Vec::new(), |plot| (0..plot.panels.len()).map(|index| inline(&prepared.figure, plot, index)).collect());
    let mut sources: Vec<String> =
        prepared.figure.printed.iter().filter_map(|printed| printed.source.clone()).collect();
    sources.dedup();
    Figure {
        id: result.id.clone(),
        title: shorten(&typeset(&result.title), NAME),
        caption: paragraphs(&result.caption),
        datasets: datasets(prepared),
        thumbnail: plot.map_or(String::new(), thumbnail),
        panels,
        legend: plot.map_or(Vec::new(), |plot| {
            let swatch = |entry: &crate::report::plot::Entry| Swatch {
                name: shorten(&entry.name, NAME),
                svg: entry.swatch.clone(),
            };
            plot.legend.iter().map(swatch).collect()
        }),
        spread: [spread(prepared), prepared.machines_note()].join(" ").trim().to_string(),
        table: table(prepared),
        sources,
        notes: result.notes.iter().chain(&result.kept).map(|note| shorten(note, NAME * 2)).collect(),
        claims: claims(prepared),
        verdicts: Verdicts::count(std::iter::once(prepared)),
        facts: facts(prepared),
        command: result.command.clone(),
        cells: counts(std::iter::once(prepared)),
        holes: holes(prepared),
        base: format!("figures/{}", result.id),
        readings: switch(prepared),
        has_svg: plot.is_some(),
        has_comparison: !prepared.comparisons.is_empty(),
    }
}

/// The default, which is shown, and links to the others.
fn switch(prepared: &Prepared) -> Vec<ReadingLink> {
    if prepared.result.others.is_empty() {
        return Vec::new();
    }
    let default = ReadingLink { name: DEFAULT_READING.to_string(), link: String::new() };
    let other = |(reading, _): &(Variant, _)| {
        let name = reading.to_string();
        ReadingLink { link: prepared.page_of(&name), name }
    };
    std::iter::once(default).chain(prepared.result.others.iter().map(other)).collect()
}

/// The page of a figure under another reading.
pub fn reading(experiment: &ExperimentResult, default: &Prepared, prepared: &Prepared, reading: &Variant) -> Reading {
    let name = reading.to_string();
    let own = |link: &str| link.strip_prefix("readings/").unwrap_or(link).to_string();
    let mut figure = figure(prepared);
    figure.base = crate::report::files::reading_file_name(&figure.id, reading);
    figure.has_comparison = false;
    figure.readings = switch(default)
        .into_iter()
        .map(|entry| ReadingLink {
            link: match entry.name.as_str() {
                DEFAULT_READING => format!("../index.html#{}", figure.id),
                other if other == name => String::new(),
                _ => own(&entry.link),
            },
            name: entry.name,
        })
        .collect();
    for claim in &mut figure.claims {
        claim.standing.has_strip = claim.standing.marks.iter().any(|mark| mark.mixed);
        claim.standing.marks.iter_mut().for_each(|mark| mark.link = String::new());
    }
    let asks = |reading: &String| experiment.readings.get(reading).map_or("", |reading| reading.asks.as_str());
    let answer = |(reading, option): &(String, String)| (option.clone(), shorten(asks(reading), NAME * 2));
    Reading {
        title: shorten(&typeset(&experiment.title), NAME),
        reading: name,
        answers: reading.options.iter().map(answer).collect(),
        figure,
    }
}

/// The page of all claims.
pub fn paper(experiment: &ExperimentResult, table: &ClaimsTable) -> PaperPage {
    let mark = |reading: &String, mark: &Option<Mark>| {
        let Some((verdict, most, total)) = mark.map(Mark::most) else { return PaperMark::default() };
        let seeds = if total == 1 { String::new() } else { format!(" {most}/{total}") };
        let told = match total {
            1 => format!("{reading}: {verdict}"),
            _ => format!("{reading}: {verdict} in {most} of {total} seeds"),
        };
        PaperMark {
            reading: reading.clone(),
            verdict: verdict.name(),
            text: format!("{}{seeds}", standing::symbol(verdict)),
            told,
        }
    };
    let words =
        |name: &str| Standing::ALL.into_iter().find(|standing| standing.name() == name).map_or("", Standing::words);
    let row = |row: &ClaimRow| PaperRow {
        statement: row.statement.clone(),
        claim: typeset(&row.claim),
        figure: row.figure.clone(),
        standing: row.standing.clone(),
        words: words(&row.standing),
        told: row.told.clone(),
        surprise: row.surprise.clone(),
        marks: table.readings.iter().zip(&row.marks).map(|(reading, found)| mark(reading, found)).collect(),
    };
    let asked = |(name, reading): (&String, &crate::spec::Reading)| (name.clone(), shorten(&reading.asks, NAME * 2));
    PaperPage {
        title: shorten(&typeset(&experiment.title), NAME),
        asked: experiment.readings.iter().map(asked).collect(),
        readings: table.readings.clone(),
        rows: table.rows.iter().map(row).collect(),
    }
}

fn datasets(prepared: &Prepared) -> Vec<Dataset> {
    let dataset = |(name, origin): &(String, Origin)| Dataset {
        name: shorten(name, NAME),
        origin: origin.name(),
        real: *origin == Origin::Real,
    };
    prepared.observations.origins.iter().map(dataset).collect()
}

/// The first panel without the tooltips, which a link would show instead of its own.
fn thumbnail(plot: &Plot) -> String {
    let Some(panel) = plot.panels.first() else { return String::new() };
    let mut content = String::with_capacity(panel.content.len());
    for (index, part) in panel.content.split("<title>").enumerate() {
        match part.split_once("</title>") {
            Some((_, rest)) if index > 0 => content.push_str(rest),
            _ => content.push_str(part),
        }
    }
    format!(
        r#"<svg class="plot" viewBox="0 0 {} {}" aria-hidden="true">{content}</svg>"#,
        crate::report::plot::WIDTH,
        panel.height
    )
}

/// What the error bars are, where there are any.
fn spread(prepared: &Prepared) -> String {
    let figure = &prepared.figure;
    let spots = figure.points.iter().filter_map(|point| point.y);
    if spots.clone().all(|spot| spot.repetitions < 2) {
        return String::new();
    }
    let statistic = match prepared.result.draw.statistic {
        crate::spec::draw::Statistic::Median => "median",
        crate::spec::draw::Statistic::Mean => "mean",
    };
    let most = spots.clone().map(|spot| spot.repetitions).max().unwrap_or(0);
    let of = format!("The {statistic} of {most} repetitions");
    if spots.clone().all(|spot| spot.low == spot.high) {
        return match figure.spread {
            Spread::None => format!("{of}."),
            _ => format!("{of}, which agree."),
        };
    }
    match figure.spread {
        Spread::Interval => format!("{of}; bars are its bootstrap interval (95 %)."),
        Spread::Band => format!("{of}; bands are its bootstrap interval (95 %)."),
        Spread::Range => format!("{of}; bars reach from the smallest to the largest."),
        Spread::None => format!("{of}."),
    }
}

fn table(prepared: &Prepared) -> Table {
    let table = &prepared.table;
    let caveats = prepared.data_caveats();
    let data = if caveats.is_empty() { String::new() } else { format!("Data: {}.", caveats.join(", ")) };
    // Where there is one metric no heading names it.
    let mut labels: Vec<&str> = prepared.figure.panels.iter().map(|panel| panel.y_label.as_str()).collect();
    labels.dedup();
    let metric = if let [one] = labels[..] { format!("{one}. ") } else { String::new() };
    let cell = |cell: &crate::report::figure::Cell, numeric: bool| Cell {
        text: shorten(&cell.text, NAME),
        note: cell.note.clone(),
        sort: cell.number.map_or(String::new(), |number| number.to_string()),
        status: cell.status.is_some(),
        heads_row: cell.heads_row,
        numeric,
    };
    Table {
        caption: shorten(format!("{metric}{data}").trim(), NAME * 3),
        heads: table
            .heads
            .iter()
            .map(|head| Head {
                text: shorten(&head.text, NAME),
                note: shorten(&head.note, NAME),
                numeric: head.numeric,
            })
            .collect(),
        rows: table
            .rows
            .iter()
            .map(|row| row.iter().zip(&table.heads).map(|(value, head)| cell(value, head.numeric)).collect())
            .collect(),
    }
}

fn claims(prepared: &Prepared) -> Vec<Claim> {
    let judgements = prepared.judgements().iter().zip(&prepared.result.claims);
    let found = prepared.conclusions.iter().zip(&prepared.surprises);
    judgements
        .zip(found)
        // Under another reading than the default there may be claims that do not go through it.
        .filter(|(_, (found, _))| !found.tallies.is_empty())
        .map(|((judgement, claim), (found, surprise))| one_claim(prepared, judgement, claim, found, surprise))
        .collect()
}

fn one_claim(
    prepared: &Prepared,
    judgement: &Judgement,
    claim: &crate::spec::claim::Claim,
    found: &Conclusion,
    surprise: &Option<String>,
) -> Claim {
    let verdict = found.verdict;
    Claim {
        statement: claim.statement.clone().unwrap_or_default(),
        standing: standing::view(prepared, found),
        surprised: surprise.clone().unwrap_or_default(),
        says: typeset(&judgement.says),
        verdict: verdict.name(),
        symbol: match verdict {
            Verdict::Holds => "✓",
            Verdict::Fails => "✗",
            Verdict::Inconclusive => "?",
        },
        expectation: match (judgement.expected.verdict, verdict) {
            (Some(Expected::Fails), Verdict::Fails) => "as expected",
            (Some(Expected::Fails), Verdict::Holds) => "though expected to fail",
            (Some(Expected::Fails), Verdict::Inconclusive) => "expected to fail",
            (Some(Expected::Holds) | None, _) => "",
        },
        surprise: surprise.is_some(),
        because: judgement.because.as_deref().map(prose),
        detail: judgement.detail.clone(),
        evidence: judgement
            .evidence
            .iter()
            .take(EVIDENCE)
            .map(|evidence| Evidence {
                place: shorten(&evidence.place, NAME),
                numbers: evidence.numbers.clone(),
                outcome: evidence.outcome.name(),
                symbol: match evidence.outcome {
                    Outcome::Passes => "✓",
                    Outcome::Fails => "✗",
                    Outcome::Open => "?",
                },
            })
            .collect(),
        more_evidence: judgement.evidence.len().saturating_sub(EVIDENCE),
    }
}

fn facts(prepared: &Prepared) -> Vec<(String, String)> {
    let result = prepared.result;
    let mut facts: Vec<(String, String)> =
        result.parameters.iter().map(|(name, value)| (name.clone(), shorten(value, NAME))).collect();
    if result.quick {
        facts.push(("variant".to_string(), "quick: the small sweep".to_string()));
    }
    facts.push(("repetitions".to_string(), result.repetitions.to_string()));
    facts.push(("seed".to_string(), result.seed.to_string()));
    facts.push(("time limit".to_string(), result.limits.time.to_string()));
    facts.push(("memory limit".to_string(), result.limits.memory.to_string()));
    facts
}

/// Cells without an answer, those with the same reason together.
fn holes(prepared: &Prepared) -> Vec<Hole> {
    let observations = &prepared.observations;
    let names = Names::new(&prepared.result.draw, prepared.metrics);
    let keys = || observations.rows.iter().map(|row| &row.key).chain(observations.holes.iter().map(|hole| &hole.key));
    // The algorithm, and what tells the cells of the figure apart.
    let shown: Vec<usize> = (0..observations.columns.len())
        .filter(|&column| {
            column == ALGORITHM || keys().any(|key| Some(&key[column]) != keys().next().map(|key| &key[column]))
        })
        .collect();
    let mut holes: IndexMap<(String, Status, String), usize> = IndexMap::new();
    for hole in &observations.holes {
        let place: Vec<String> = shown
            .iter()
            .filter(|&&column| !hole.key[column].is_none())
            .map(|&column| names.place(&observations.columns[column], &hole.key[column]))
            .collect();
        let place = shorten(&place.join(", "), NAME * 2);
        *holes.entry((place, hole.status, hole.reason.clone())).or_default() += 1;
    }
    holes
        .into_iter()
        .map(|((place, status, reason), count)| Hole { place, status: status.in_words(), count, reason })
        .collect()
}
