//! The blocks of a document that `anonlab export --splice` makes anew.

use super::Failure;
use super::claims;
use crate::report::export::{ExportKind, FinishedExperiment};
use crate::report::findings::{Findings, section, summary};
use crate::report::splice::spliced;
use crate::report::{ClaimsTable, ReadingNames, known_metrics};
use crate::run::write_atomically;
use std::path::{Path, PathBuf};

const BLOCKS: &str = "`findings`, `findings EXPERIMENT`, `claims EXPERIMENT`, `table EXPERIMENT FIGURE` and `picture EXPERIMENT FIGURE FILE.svg` (or .png, .pdf)";

/// Replaces the blocks of a document by what the results in `dir` say now, and tells how many there were. Pictures are
/// written beside the document. An error leaves everything as it was.
pub fn splice(document: &Path, dir: &Path) -> Result<usize, Failure> {
    let named = |error: String| Failure::new(format!("{}: {error}", document.display()));
    let text = std::fs::read_to_string(document).map_err(|error| named(error.to_string()))?;
    let beside = document.parent().unwrap_or(Path::new(""));
    let mut pictures: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    let (text, blocks) = spliced(&text, |words| block(words, dir, beside, &mut pictures)).map_err(named)?;
    if blocks == 0 {
        return Err(named("there is no block to replace: a line `<!-- anonlab: findings -->` begins one, a line `<!-- /anonlab -->` ends it".into()));
    }
    for (path, bytes) in pictures {
        write_atomically(&path, &bytes)?;
    }
    write_atomically(document, text.as_bytes())?;
    Ok(blocks)
}

fn block(words: &[&str], dir: &Path, beside: &Path, pictures: &mut Vec<(PathBuf, Vec<u8>)>) -> Result<String, String> {
    match words {
        ["findings"] => told(Findings::in_directory(dir)).map(|all| summary(&all)),
        ["findings", experiment] => told(Findings::read(&folder(dir, experiment)?)).map(|findings| section(&findings)),
        ["claims", experiment] => {
            let folder = folder(dir, experiment)?;
            let names = told(ReadingNames::read(&folder))?;
            told(ClaimsTable::read(&folder)).map(|table| claims::markdown(&names.in_table(table)))
        }
        ["table", experiment, figure] => {
            told(told(FinishedExperiment::read(&folder(dir, experiment)?, known_metrics()))?.markdown(figure))
        }
        ["picture", experiment, figure, file] => {
            let path = Path::new(file);
            let kind = match path.extension().and_then(|ending| ending.to_str()) {
                Some("svg") => Some(ExportKind::Svg),
                Some("png") => Some(ExportKind::Png),
                Some("pdf") => Some(ExportKind::Pdf),
                _ => None,
            };
            let below = !path.is_absolute() && path.components().all(|part| part.as_os_str() != "..");
            let Some(kind) = kind.filter(|_| below) else {
                return Err(format!(
                    "`{file}` is no place for a picture: an .svg, .png or .pdf at or below the document is needed"
                ));
            };
            let finished = told(FinishedExperiment::read(&folder(dir, experiment)?, known_metrics()))?;
            let alt = told(finished.title(figure))?;
            let files = told(finished.files(&[kind], &[figure.to_string()]))?;
            let made =
                files.into_iter().next().ok_or_else(|| format!("figure `{figure}` is a table and has no picture"))?;
            pictures.push((beside.join(path), made.bytes));
            Ok(format!("![{}]({file})", crate::report::markdown::escaped(&alt)))
        }
        words => Err(format!("`{}` is no block; there are {BLOCKS}", words.join(" "))),
    }
}

fn told<T>(result: Result<T, crate::report::ReportError>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

fn folder(dir: &Path, experiment: &str) -> Result<PathBuf, String> {
    let folder = dir.join(experiment);
    match folder.join("standings.csv").is_file() && !experiment.contains(['/', '\\']) {
        true => Ok(folder),
        false => Err(format!("there are no results of `{experiment}` in {}", dir.display())),
    }
}
