//! The report on A4, and for everybody: no clipped table, no heading left alone, nothing that axe-core objects to.

use crate::chromium::{self, Chromium, Scheme};
use crate::{fixtures, folder, pages_below};
use anonlab::report;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What Chromium leaves of A4 between its margins, in CSS pixels.
const SHEET: u32 = 718;

/// Tables, plots and text that reach beyond the sheet.
const BEYOND: &str = "[...document.querySelectorAll('table, svg.plot, pre, h1, h2, h3')].filter((e) => e.getClientRects().length && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((e) => e.outerHTML.slice(0, 160))";

fn written(name: &str) -> PathBuf {
    let folder = folder(name);
    let mut experiments = fixtures::papers();
    experiments.push(fixtures::readings());
    report::write(&experiments, &folder).unwrap();
    folder
}

#[test]
fn nothing_is_clipped_on_a4() {
    let Some(program) = chromium::find() else { return };
    let folder = written("a4");
    let mut chromium = Chromium::start(&program);
    for page in pages_below(&folder) {
        chromium.look_on_paper(SHEET);
        chromium.open(&page);
        let beyond = chromium.ask(BEYOND);
        assert_eq!(beyond, serde_json::json!([]), "{}", page.display());
    }
}

#[test]
fn no_heading_is_left_alone_at_the_foot_of_a_page() {
    let Some(program) = chromium::find() else { return };
    let Some(pdftotext) = tool("pdftotext") else { return };
    let folder = written("headings");
    let mut chromium = Chromium::start(&program);
    chromium.look(1_440, 900, Scheme::Light);
    for name in ["index.html", "injector/index.html", "km-anonymity/comparison.html", "readings/claims.html"] {
        chromium.open(&folder.join(name));
        let headings = chromium.ask("[...document.querySelectorAll('h2, h3, .numbers > summary, .holes > summary, .statements > summary')].map((h) => h.innerText.replace(/#$/, '').trim().split('\\n')[0])");
        let headings: Vec<String> = serde_json::from_value(headings).unwrap();
        let pdf = folder.join("page.pdf");
        std::fs::write(&pdf, chromium.print()).unwrap();
        let text = Command::new(&pdftotext).args(["-layout", "-enc", "UTF-8"]).arg(&pdf).arg("-").output().unwrap();
        let text = String::from_utf8(text.stdout).unwrap();
        let sheets: Vec<&str> = text.split('\u{c}').filter(|sheet| !sheet.trim().is_empty()).collect();
        assert!(!sheets.is_empty(), "{name}");
        for (number, sheet) in sheets.iter().enumerate().take(sheets.len() - 1) {
            let last = sheet.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap();
            let alone = headings.iter().any(|heading| !heading.is_empty() && last.eq_ignore_ascii_case(heading));
            assert!(!alone, "{name}: “{last}” stands alone at the foot of sheet {}", number + 1);
        }
        if name == "readings/claims.html" {
            assert!(sheets.len() <= 2, "the claims of a paper take {} sheets", sheets.len());
        }
    }
}

#[test]
fn axe_finds_nothing_that_keeps_people_out() {
    let Some(program) = chromium::find() else { return };
    let Some(axe) = axe() else { return };
    let folder = written("accessible");
    let mut chromium = Chromium::start(&program);
    for page in pages_below(&folder) {
        for scheme in [Scheme::Light, Scheme::Dark] {
            chromium.look(1_440, 900, scheme);
            chromium.open(&page);
            chromium.ask(&axe);
            let found = chromium.ask(
                "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)}`))",
            );
            assert_eq!(found, serde_json::json!([]), "{} in {scheme:?}", page.display());
        }
    }
}

/// What scripts/install-axe.sh has fetched, or `ANONLAB_AXE`.
fn axe() -> Option<String> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cache")))?;
    let given = std::env::var_os("ANONLAB_AXE").map(PathBuf::from);
    let file = given.unwrap_or_else(|| cache.join("anonlab/axe-core-4.10.3/axe.min.js"));
    match std::fs::read_to_string(file) {
        Ok(script) => Some(format!("{script}; 1")),
        Err(_) => chromium::skipped("no axe-core here: scripts/install-axe.sh fetches it"),
    }
}

fn tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.or_else(|| chromium::skipped(&format!("no {name} here: scripts/install-chromium.sh installs it")))
}
