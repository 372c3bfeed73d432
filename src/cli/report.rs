use super::submissions::{self, SubmittedResults, differences, names};
use super::{Exit, Failure};
use crate::cli::list::counted;
use crate::cli::output::outln;
use crate::report::contest::{Options, contest};
use crate::report::known_metrics;
use crate::report::leaderboard::{Entrant, Leaderboard, SideBySide, write_leaderboards};
use std::path::PathBuf;

/// Put the results of several people side by side: a static leaderboard for each experiment
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab report --from ada.zip --from grace.zip --out leaderboard\n  anonlab report --from submissions/a.zip --from reports/injector\n\nAlgorithms are marked with who submitted them; cells of different code are never merged. Of a capsule only the digests are checked here: `anonlab recheck` checks what it says.\n\nExit codes: 0 all well · 2 bad input"
)]
pub struct Args {
    /// A capsule, or the folder of an experiment; given once for each
    #[arg(long, value_name = "CAPSULE|DIR", required = true)]
    from: Vec<PathBuf>,
    /// Where the pages go
    #[arg(long, value_name = "DIR", default_value = "leaderboard")]
    out: PathBuf,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let submissions = SubmittedResults::everything(&args.from)?;
    let mut boards = Vec::new();
    for name in names(&submissions) {
        let own: Vec<&SubmittedResults> = submissions.iter().filter(|one| one.experiment == name).collect();
        boards.push(board(&name, &own)?);
    }
    let index = write_leaderboards(&boards, &args.out)?;
    outln!("{} of {}", counted(submissions.len(), "result"), counted(boards.len(), "experiment"))?;
    outln!("leaderboard: {}", index.display())?;
    Ok(Exit::AllWell)
}

fn board(name: &str, submissions: &[&SubmittedResults]) -> Result<Leaderboard, Failure> {
    let observed = submissions::observations(submissions)?;
    let found = contest(&observed.iter().collect::<Vec<_>>(), known_metrics(), &Options::default())?;
    let mut claims: Vec<SideBySide> = Vec::new();
    for (column, one) in submissions.iter().enumerate() {
        for row in one.claims()?.rows {
            let known = claims.iter().position(|known| (&known.figure, &known.claim) == (&row.figure, &row.claim));
            let index = known.unwrap_or_else(|| {
                let verdicts = vec![String::new(); submissions.len()];
                claims.push(SideBySide { figure: row.figure.clone(), claim: row.claim.clone(), verdicts });
                claims.len() - 1
            });
            claims[index].verdicts[column].clone_from(&row.verdict);
        }
    }
    let entrants = submissions.iter().map(|one| Entrant {
        label: one.label.clone(),
        file: one.file.clone(),
        licence: one.licence.clone(),
        code: one.code.clone(),
        machine: format!("{} with {} cores", one.machine.processor, one.machine.cores),
        finished: one.finished.clone(),
    });
    Ok(Leaderboard {
        experiment: name.to_string(),
        entrants: entrants.collect(),
        notes: differences(submissions),
        contest: found,
        claims,
    })
}
