//! README.md of a capsule, for whoever is to judge it.

use super::metadata::{DataFile, DataPlace};
use crate::report::markdown;
use std::fmt::Write;

/// What the reviewer is told.
pub struct Readme<'a> {
    pub version: &'a str,
    pub code: &'a str,
    pub experiments: Vec<ReadmeExperiment<'a>>,
}

pub struct ReadmeExperiment<'a> {
    pub title: &'a str,
    pub authors: Vec<&'a str>,
    pub cells: usize,
    /// Of processor time, on the machine that computed it.
    pub seconds: f64,
    /// Figure, claim and verdict.
    pub claims: Vec<(&'a str, &'a str, &'a str)>,
    pub data: &'a [DataFile],
    /// Commands of others that its cells run.
    pub programs: Vec<String>,
}

/// How many cells `recheck` draws unless it is told.
pub const USUAL_SHARE: f64 = 0.05;

pub fn readme(about: &Readme) -> String {
    let mut text = String::from("# What is in this file, and how to check it\n\n");
    let (cells, seconds) = about
        .experiments
        .iter()
        .fold((0, 0.0), |(cells, seconds), experiment| (cells + experiment.cells, seconds + experiment.seconds));
    let programs = about.experiments.iter().any(|experiment| !experiment.programs.is_empty());
    let allow = if programs { " --allow-external" } else { "" };
    let _ = writeln!(text, "```console\n$ anonlab recheck result.zip{allow}\n```\n");
    let _ = writeln!(
        text,
        "computes 5 % of the {cells} cells again, drawn at random, compares them to the last bit, judges every claim again from the \
         stored measurements, and writes a page with the outcome. It takes about {}; `--all` computes everything again and takes \
         about {} on one core. It needs anonlab {} (code `{}`); another version says what differs.\n",
        duration(seconds * USUAL_SHARE),
        duration(seconds),
        about.version,
        about.code.chars().take(12).collect::<String>(),
    );
    if programs {
        let _ = writeln!(
            text,
            "Some cells run programs of the authors, which are in `specs/`. They run only under `--allow-external`, in a jail where \
             the kernel has one. Without it, everything else is checked.\n"
        );
    }
    for experiment in &about.experiments {
        let _ = writeln!(text, "## {}\n", markdown::escaped(experiment.title));
        if !experiment.authors.is_empty() {
            let _ = writeln!(text, "By {}.\n", markdown::escaped(&experiment.authors.join(", ")));
        }
        if !experiment.claims.is_empty() {
            let _ = writeln!(text, "| figure | claim | verdict |\n|---|---|---|");
            for (figure, claim, verdict) in &experiment.claims {
                let _ = writeln!(text, "| {} | {} | {verdict} |", markdown::escaped(figure), markdown::escaped(claim));
            }
            let _ = writeln!(text);
        }
        for program in &experiment.programs {
            let _ = writeln!(text, "- program: `{}`", program.replace('`', "'"));
        }
        for data in experiment.data {
            let name = markdown::escaped(&data.name);
            let _ = match &data.place {
                DataPlace::Carried(path) => writeln!(text, "- data: {name} is here, in `{path}`"),
                DataPlace::Elsewhere { obtain, .. } => writeln!(
                    text,
                    "- data: {name} may not be passed on. {} SHA-256: `{}`",
                    markdown::escaped(obtain.trim()),
                    data.sha256
                ),
            };
        }
        let _ = writeln!(text);
    }
    text += "## What is where\n\n\
        - `specs/`: the specs as they were run, with the programs and files they name\n\
        - `results/`: the report (open `results/index.html`), measurements, costs, claims\n\
        - `store/`: the answer of each cell, with its key and a checksum\n\
        - `data/`: data whose licence lets it be passed on\n\
        - `capsule.json`: what planning the runs again needs\n\
        - `ro-crate-metadata.json`: all of this as an RO-Crate, with the SHA-256 of every file\n";
    text
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{} s", s.ceil().max(1.0)),
        s if s < 7200.0 => format!("{} min", (s / 60.0).ceil()),
        s => format!("{} h", (s / 3600.0).ceil()),
    }
}
