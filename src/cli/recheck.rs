mod again;
mod args;
mod planned;

use super::list::counted;
use super::{Exit, Failure};
use crate::capsule::{Agreement, Capsule, CapsuleCheck, CellCheck, SampleSize, missed};
use crate::cli::output::{out, outln};
use crate::report::outcome::{Badge, OutcomePage, OutcomeRow, write_outcome};
use crate::run::code_digest;
use crate::sources::DataLocations;
use crate::statistics::median;
use again::Again;
pub use args::Args;
use planned::PlannedRun;

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let capsule = Capsule::open(&args.file)?;
    let (entries, unsound) = capsule.entries();
    let mut checks = vec![CapsuleCheck::new(
        "files",
        Agreement::Agrees,
        "every file has the SHA-256 that the metadata states, and none is missing or added",
    )];
    checks.push(match unsound.first() {
        None => CapsuleCheck::new("stored cells", Agreement::Agrees, "each has its checksum and its own key"),
        Some(first) => {
            CapsuleCheck::new("stored cells", Agreement::Differs, format!("{first} ({} in all)", unsound.len()))
        }
    });
    let mut planned = Vec::new();
    for run in &capsule.manifest.runs {
        planned.push(PlannedRun::of(&capsule, run, &entries, args, locations)?);
    }
    checks.extend(planned::unclaimed(&planned, &entries));
    let results = args.out.join("results");
    for one in &planned {
        checks.extend(one.checks());
    }
    checks.extend(planned::results_anew(&capsule, &planned, &results)?);
    let size = match (args.all, args.cells) {
        (true, _) => SampleSize::All,
        (false, Some(cells)) => SampleSize::Cells(cells),
        (false, None) => SampleSize::Share(args.sample),
    };
    let again = Again::of(&planned, size, args)?;
    let outcome = Outcome { capsule: &capsule, checks, again };
    let page = write_outcome(&outcome.page(), &args.out)?;
    out!("{}", outcome.text())?;
    outln!("outcome: {}\nthe report, made anew: {}", page.display(), results.join("index.html").display())?;
    Ok(outcome.exit())
}

/// All that was found.
struct Outcome<'a> {
    capsule: &'a Capsule,
    checks: Vec<CapsuleCheck>,
    again: Again,
}

/// The shares whose forging a sample is judged by.
const FORGED: [f64; 3] = [0.01, 0.05, 0.10];

impl Outcome<'_> {
    fn differs(&self) -> bool {
        let cells = self.again.cells.iter().map(|cell| cell.agreement);
        self.checks.iter().map(|check| check.agreement).chain(cells).any(|found| found == Agreement::Differs)
    }

    fn exit(&self) -> Exit {
        match () {
            () if self.differs() => Exit::NotAllWell,
            () if self.again.cells.is_empty() => Exit::NothingComparable,
            () => Exit::AllWell,
        }
    }

    /// "1.2": seconds here for a second there, in the middle.
    fn slower(&self) -> Option<f64> {
        let ratios: Vec<f64> = self.again.cells.iter().filter_map(|cell| cell.slower).collect();
        (!ratios.is_empty()).then(|| median(&ratios))
    }

    fn code(&self) -> String {
        let theirs = &self.capsule.manifest.made_by;
        match theirs.code == code_digest() {
            true => "the same code as this build".to_string(),
            false => format!(
                "anonlab {} with code {}, this build is {} with {}",
                theirs.version,
                short(&theirs.code),
                env!("CARGO_PKG_VERSION"),
                short(code_digest())
            ),
        }
    }

    /// What a sample of this size would have missed.
    fn chances(&self) -> Vec<String> {
        let (cells, checked) = (self.again.checkable, self.again.cells.len());
        let forged = |share: f64| ((cells as f64 * share).ceil() as usize).max(1);
        let told = |share: f64| {
            let (percent, forged) = (share * 100.0, forged(share));
            format!(
                "if {percent} % of them ({forged}) were forged, this sample would have missed every one with probability {}",
                probability(missed(cells, forged, checked))
            )
        };
        // Of few cells several shares are the same number of them.
        let mut shares = FORGED.to_vec();
        shares.dedup_by_key(|share| forged(*share));
        if checked == 0 { Vec::new() } else { shares.into_iter().map(told).collect() }
    }

    fn counts(&self) -> String {
        let Again { cells, checkable, seed, .. } = &self.again;
        let of = |agreement| cells.iter().filter(|cell| cell.agreement == agreement).count();
        let mut text = format!(
            "{} of {} that can be checked here computed again (seed {seed}): {} agree to the last bit, {} differ",
            cells.len(),
            counted(*checkable, "cell"),
            of(Agreement::Agrees),
            of(Agreement::Differs)
        );
        if let Some(slower) = self.slower() {
            text += &format!("; their times here are {slower:.2} times those there (median)");
        }
        text
    }

    fn text(&self) -> String {
        let mut lines =
            vec![format!("{}: by {}; {}", self.capsule.path.display(), self.capsule.submitter(), self.code())];
        lines.extend(
            self.checks
                .iter()
                .map(|check| format!("  {:<11}  {}: {}", check.agreement.name(), check.what, check.detail)),
        );
        lines.push(self.counts());
        let told = |cell: &&CellCheck| cell.agreement != Agreement::Agrees;
        for cell in self.again.cells.iter().filter(told) {
            let CellCheck { experiment, figure, title, agreement, detail, .. } = cell;
            lines.push(format!("  {:<11}  {experiment}, {figure}: {title}: {detail}", agreement.name()));
        }
        lines.extend(
            self.again.open.iter().map(|(why, cells)| format!("  not checked  {}: {why}", counted(*cells, "cell"))),
        );
        lines.extend(self.chances());
        lines.join("\n") + "\n"
    }

    fn page(&self) -> OutcomePage {
        let class = |agreement| match agreement {
            Agreement::Agrees => "holds",
            Agreement::Differs => "fails",
            Agreement::Open => "inconclusive",
        };
        let row = |agreement: Agreement, what: String, detail: String| OutcomeRow {
            class: class(agreement),
            word: agreement.name(),
            what,
            detail,
        };
        let checks = self.checks.iter().map(|check| row(check.agreement, check.what.clone(), check.detail.clone()));
        let cells = self.again.cells.iter().map(|cell| {
            row(cell.agreement, format!("{}, {}: {}", cell.experiment, cell.figure, cell.title), cell.detail.clone())
        });
        let open =
            self.again.open.iter().map(|(why, cells)| row(Agreement::Open, counted(*cells, "cell"), why.clone()));
        OutcomePage {
            file: self.capsule.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: self.capsule.sha256.clone(),
            submitter: self.capsule.submitter(),
            code: self.code(),
            agrees: !self.differs() && !self.again.cells.is_empty(),
            counts: self.counts(),
            chances: self.chances(),
            badges: self.badges(),
            checks: checks.collect(),
            cells: cells.chain(open).collect(),
        }
    }

    /// What the badges of the ACM ask for, and what was seen of it.
    fn badges(&self) -> Vec<Badge> {
        let well = |agrees: bool, what: &str| format!("{what}: {}", if agrees { "yes" } else { "no" });
        // Of the whole capsule, or of one of its experiments: "injector: claims".
        let is_of = |check: &CapsuleCheck, name: &str| check.what.rsplit(": ").next() == Some(name);
        let all_agree = |names: &[&str]| {
            self.checks
                .iter()
                .filter(|check| names.iter().any(|name| is_of(check, name)))
                .all(|check| check.agreement == Agreement::Agrees)
        };
        let cells_agree =
            !self.again.cells.is_empty() && self.again.cells.iter().all(|cell| cell.agreement == Agreement::Agrees);
        vec![
            Badge {
                name: "Available",
                asks: "The artifact lies in an archive that keeps it, under an identifier, with a licence.",
                shown: vec![
                    "Where it lies is not for this program to see; the SHA-256 above says whether what lies there is this file."
                        .to_string(),
                    format!("licence of the results: {}", self.licence()),
                ],
            },
            Badge {
                name: "Functional",
                asks: "It is documented, consistent, complete, and can be exercised.",
                shown: vec![
                    well(all_agree(&["files", "stored cells"]), "every file is there and is what the metadata says"),
                    well(all_agree(&["plan"]), "the specs plan exactly the cells that are stored"),
                    well(!self.again.cells.is_empty(), "cells ran here"),
                ],
            },
            Badge {
                name: "Reproduced",
                asks: "Others obtained the main results with the authors' artifact.",
                shown: vec![
                    well(cells_agree, "every cell that was drawn came out the same to the last bit"),
                    well(all_agree(&["measurements"]), "the measurements are those of the stored cells"),
                    well(all_agree(&["claims"]), "every claim, judged again, has the verdict that is stated"),
                ],
            },
        ]
    }

    fn licence(&self) -> String {
        let runs = self.capsule.manifest.runs.iter();
        runs.filter_map(|run| self.capsule.spec(run).ok()?.file.results.licence)
            .next()
            .unwrap_or("none stated".to_string())
    }
}

fn short(digest: &str) -> String {
    digest.chars().take(12).collect()
}

fn probability(chance: f64) -> String {
    match chance {
        0.0 => "0".to_string(),
        tiny if tiny < 0.0001 => "less than 0.0001".to_string(),
        other => format!("{other:.4}"),
    }
}
