//! The page of an experiment: its paper, its data, what it was made from, and its figures.

use super::contest::anchor;
use super::figure::{FigureView, figure};
use super::text::{NAME, paragraphs, prose};
use super::verdicts::{Count, Verdicts, counts};
use super::words::Labels;
use crate::data::Origin;
use crate::report::contest::Contest;
use crate::report::number::{number, with_unit};
use crate::report::plot::svg::shorten;
use crate::report::prepared::Prepared;
use crate::report::results::ExperimentResult;
use crate::report::typeset::typeset;
use crate::sources::{Described, Description};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize)]
pub struct ExperimentView {
    pub id: String,
    pub title: String,
    pub paper: Option<PaperView>,
    /// HTML, as are captions and reasons.
    pub about: Vec<String>,
    /// What was found, as the index says it; HTML.
    pub sentences: Vec<String>,
    pub figures: Vec<FigureView>,
    pub verdicts: Verdicts,
    pub cells: Vec<Count>,
    pub total_cells: usize,
    pub data: Vec<DataView>,
    pub has_comparison: bool,
    /// The files of the whole experiment, beside its page.
    pub files: Vec<String>,
    pub origin: Basis,
    pub run: RunView,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PaperView {
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
pub struct RunView {
    pub started: String,
    pub finished: String,
    pub machine: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct DataView {
    pub name: String,
    /// As its spec and the files call it, where that is something else.
    pub id: String,
    pub origin: &'static str,
    pub note: String,
    pub files: Vec<(String, String)>,
    pub citation: String,
    pub licence: String,
    /// What it is: (what, words).
    pub facts: Vec<(&'static str, String)>,
}

pub fn experiment(result: &ExperimentResult, prepared: &[Prepared], files: Vec<String>) -> ExperimentView {
    let figures: Vec<FigureView> = prepared.iter().map(|prepared| figure(prepared)).collect();
    let provenance = &result.provenance;
    let dirty = match provenance.git_dirty {
        Some(true) => ", with uncommitted changes",
        Some(false) => "",
        None => ", whether with uncommitted changes is unknown",
    };
    let revision = provenance.git_revision.as_ref().map(|revision| format!("{revision}{dirty}"));
    let machine = &provenance.machine;
    let memory = with_unit(machine.memory_bytes as f64, "bytes");
    let machine = match machine.processor.as_str() {
        "" => String::new(),
        cpu => {
            let cores = if machine.cores == 1 { "core" } else { "cores" };
            format!("{cpu}, {} {cores}, {memory} memory, {}", machine.cores, machine.system)
        }
    };
    let labels = Labels::of_all(result.figures.iter().map(|figure| &figure.draw.labels));
    let called = labels.apart(provenance.data.iter().map(|data| &data.name));
    ExperimentView {
        id: result.id.clone(),
        title: shorten(&typeset(&result.title), NAME),
        paper: result.paper.as_ref().map(|paper| PaperView {
            title: shorten(&paper.title, NAME * 2),
            authors: shorten(&paper.authors, NAME * 2),
            venue: match paper.year.to_string() {
                year if paper.venue.contains(&year) => paper.venue.clone(),
                year => format!("{} {year}", paper.venue),
            },
            link: paper.link.clone().filter(|link| link.starts_with("https://") || link.starts_with("http://")),
        }),
        about: paragraphs(&result.about),
        sentences: Vec::new(),
        has_comparison: false,
        verdicts: Verdicts::count(prepared.iter()),
        cells: counts(prepared.iter()),
        total_cells: prepared.iter().flat_map(|prepared| &prepared.observations.cells).map(|(_, count)| count).sum(),
        figures,
        files,
        data: provenance
            .data
            .iter()
            .map(|data| DataView {
                name: shorten(&called[&data.name], NAME),
                id: if called[&data.name] == data.name { String::new() } else { shorten(&data.name, NAME) },
                origin: data.origin.name(),
                note: match (data.note.as_str(), data.origin) {
                    ("", Origin::StandIn) => "generated to match the published statistics".to_string(),
                    (note, _) => parted(note),
                },
                files: data.sha256.iter().map(|(file, digest)| (file.clone(), digest.clone())).collect(),
                citation: data.citation.clone(),
                licence: data.licence.clone(),
                facts: data.description.as_ref().map(|data| described(data, &labels)).unwrap_or_default(),
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
        run: RunView { started: provenance.started.clone(), finished: provenance.finished.clone(), machine },
    }
}

impl ExperimentView {
    /// Its page says what was found.
    pub fn tell(&mut self, sentences: &[String]) {
        self.sentences = sentences.iter().map(|sentence| prose(sentence)).collect();
    }

    /// Its figures link to the metrics that the comparison page has.
    pub fn link_comparison(&mut self, prepared: &[Prepared], contest: &Contest) {
        let compared = |metric: &str| contest.metrics.iter().any(|known| known.metric == metric);
        for (figure, prepared) in self.figures.iter_mut().zip(prepared) {
            let has_several = |metric: &&str| compared(metric) && prepared.has_contenders(metric);
            let first = prepared.result.draw.metrics().find(has_several);
            figure.compared = first.map(anchor).unwrap_or_default();
        }
        self.has_comparison = !contest.metrics.is_empty();
    }
}

/// What a dataset is, fact by fact.
fn described(data: &Description, labels: &Labels) -> Vec<(&'static str, String)> {
    let count = |many: usize| number(many as f64);
    let (used, read) = (count(data.rows_used), count(data.rows_read));
    let steps: Vec<String> =
        data.steps.iter().map(|step| format!("{}: {} left", step.step, count(step.rows_left))).collect();
    let rows = match (data.rows_used == data.rows_read, steps.is_empty()) {
        (true, true) => format!("all {read}"),
        _ => {
            let drawn = if data.rows_used > data.rows_read { "drawn with replacement from" } else { "used of" };
            let whole = format!("{used} {drawn} {read} read");
            std::iter::once(whole).chain(steps).collect::<Vec<_>>().join("; ")
        }
    };
    match &data.content {
        Described::Table { quasi_identifiers, sensitive } => {
            // Each begins with its name.
            let told = |name: &str, whole: String| match whole.strip_prefix(name) {
                Some(rest) => format!("{}{rest}", labels.name(name)),
                None => whole,
            };
            let shown: Vec<String> =
                quasi_identifiers.iter().map(|attribute| told(&attribute.name, attribute.to_string())).collect();
            let sensitive = told(&sensitive.name, sensitive.to_string());
            vec![("rows", rows), ("quasi-identifiers", shown.join("; ")), ("sensitive", sensitive)]
        }
        Described::Transactions { items, private_items, longest, mean, hierarchy } => {
            let private =
                if *private_items > 0 { format!(", {} of them private", count(*private_items)) } else { String::new() };
            let sizes = format!("{} items in a transaction on average, at most {longest}", number(*mean));
            let mut facts = vec![("transactions", rows), ("items", format!("{}{private}; {sizes}", count(*items)))];
            facts.extend(hierarchy.iter().map(|tree| ("hierarchy", tree.clone())));
            facts
        }
    }
}

/// Counts of the catalogue's prose as the page writes them everywhere: "515597 transactions" → "515,597 transactions". A number
/// with nothing counted behind it may be a name.
fn parted(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let shown = |(place, word): (usize, &&str)| {
        let next = words.get(place + 1).and_then(|next| next.chars().next());
        let counts = next.is_some_and(|first| first.is_ascii_lowercase());
        match word.parse::<u32>() {
            Ok(count) if counts && !word.starts_with(['0', '+']) => number(f64::from(count)),
            _ => word.to_string(),
        }
    };
    words.iter().enumerate().map(shown).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::parted;

    #[test]
    fn counts_are_parted_and_names_are_not() {
        for (text, shown) in [
            (
                "a part of the whole, which has 515597 transactions, 1657 items",
                "a part of the whole, which has 515,597 transactions, 1,657 items",
            ),
            ("the zip code 47677, of 00501 people", "the zip code 47677, of 00501 people"),
            ("BMS-POS.part-a.dat.gz", "BMS-POS.part-a.dat.gz"),
        ] {
            assert_eq!(parted(text), shown);
        }
    }
}
