//! What leaves a report for a paper: pictures, tables and numbers that LaTeX takes, and documents with current tables.

use crate::lab::Lab;
use std::process::Command;

/// A figure of each kind, with a timeout, printed values, several panels, and names that would command LaTeX.
const SPEC: &str = r##"
anonlab: 1
title: "50 % of \\input{/etc/passwd} & k^m_{x} #1"
datasets:
  people:
    source:
      format: csv
      inline: |
        age,sex,disease
        29,F,flu
        22,F,cold
        27,M,asthma
        43,M,gout
        52,F,flu
        47,M,cold
        30,M,asthma
        36,M,gout
    quasi_identifiers: [age, sex]
    sensitive: disease
labels: {l: "ℓ_{\\x} [1]", anatomy: "A & B \\\\ $x^2$ % ~ \"q\" 中"}
measures:
  queries: {measure: query-error, parameters: {queries: 20, dim: 1, sel: 1.0}}
figures:
  error:
    title: "Error % of \\undefined{ ℓ"
    datasets: [people]
    algorithms: [anatomy]
    measures: [queries]
    sweep: {product: {l: [2, 3]}}
    repetitions: 3
    draw: {x: l, y: [median_relative_error, seconds]}
    reference:
      - {metric: median_relative_error, where: {algorithm: anatomy}, x: [2, 3], value: [10, 20], source: "Figure 1 \\x"}
      - {metric: median_relative_error, x: [3], at_least: [5]}
    claims:
      - {says: "It costs 100 % & \\more_{", metric: median_relative_error, is: {rising: {along: l}}}
  bars:
    title: bars
    datasets: [people]
    algorithms: [anatomy]
    measures: [queries]
    sweep: {product: {l: [2, 3, 7]}}
    repetitions: 3
    draw: {kind: bar, x: l, y: seconds, y_scale: log}
  band:
    title: band
    datasets: [people]
    algorithms: [anatomy]
    measures: [queries]
    sweep: {product: {l: [2, 3]}}
    repetitions: 3
    draw: {x: l, y: median_relative_error, spread: band, x_scale: log}
  scatter:
    title: scatter
    datasets: [people]
    algorithms: [anatomy]
    measures: [queries]
    sweep: {product: {l: [2, 3]}}
    draw: {kind: scatter, x: seconds, y: median_relative_error}
  numbers:
    title: numbers
    datasets: [people]
    algorithms: [anatomy]
    measures: [queries]
    sweep: {product: {l: [2, 3]}}
    draw: {kind: table, x: l, y: median_relative_error}
"##;

fn lab() -> Lab {
    let lab = Lab::with("paper.yaml", SPEC);
    lab.run(&["run", "paper.yaml", "--quiet"]);
    lab
}

/// Whether there is a LaTeX to compile with. On CI there must be.
fn has_latex() -> bool {
    let has = |file: &str| Command::new("kpsewhich").arg(file).output().is_ok_and(|found| found.status.success());
    let found = has("pgfplots.sty") && has("standalone.cls") && has("booktabs.sty");
    let message = "no LaTeX with PGFPlots here: scripts/install-latex.sh installs it";
    assert!(found || std::env::var_os("CI").is_none_or(|ci| ci.is_empty() || ci == "false"), "{message}");
    if !found {
        eprintln!("skipped: {message}");
    }
    found
}

#[track_caller]
fn compile(lab: &Lab, folder: &str, document: &str) {
    let said = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", document])
        .current_dir(lab.path(folder))
        .output()
        .unwrap();
    assert!(said.status.success(), "{folder}/{document}:\n{}", String::from_utf8_lossy(&said.stdout));
}

#[test]
fn latex_compiles_every_picture_table_and_number() {
    let lab = lab();
    lab.run(&["export", "reports/paper", "--out", "out"]).expect(0);
    let macros = lab.read("out/paper/macros.tex");
    let name = "\\anonlabPaperErrorAnatomyMedianRelativeErrorLTwo";
    assert!(macros.contains(&format!("\\newcommand{{{name}}}{{")), "{macros}");
    for name in macros.lines().skip(1).map(|line| line.split(['{', '}']).nth(1).unwrap()) {
        assert!(name.strip_prefix('\\').unwrap().chars().all(|c| c.is_ascii_alphabetic()), "{name}");
    }
    if !has_latex() {
        return;
    }
    for figure in ["error", "bars", "band", "scatter"] {
        compile(&lab, "out/paper", &format!("{figure}.standalone.tex"));
    }
    assert!(!lab.path("out/paper/numbers.tex").exists(), "a table is no picture");
    // In a document elsewhere: the picture finds its numbers.
    let tables: String = ["error", "bars", "band", "scatter", "numbers"]
        .map(|id| format!("\n\n\\input{{out/paper/{id}.table}}"))
        .concat();
    let document = format!(
        "\\documentclass{{article}}\\usepackage[T1]{{fontenc}}\\usepackage{{lmodern,booktabs,graphicx,pgfplots}}\\pgfplotsset{{compat=1.17}}\
         \\usepgfplotslibrary{{groupplots,fillbetween}}\\usetikzlibrary{{plotmarks}}\\input{{out/paper/macros}}\\begin{{document}}\
         \\input{{out/paper/error}}{tables}\n\n\\input{{out/paper/claims}}\n\n${name}$ is {name}WithUnit{{}}.\\end{{document}}\n"
    );
    lab.write("whole.tex", &document);
    compile(&lab, ".", "whole.tex");
}

#[test]
fn a_report_has_its_figures_for_latex_beside_them() {
    let lab = lab();
    let page = lab.read("reports/paper/index.html");
    for link in ["tex/error.tex", "tex/error.csv", "tex/error.table.tex", "tex/numbers.table.tex"] {
        assert!(page.contains(&format!("href=\"{link}\"")), "{link}");
        assert!(lab.path("reports/paper").join(link).is_file(), "{link}");
    }
    assert!(!page.contains("href=\"tex/numbers.tex\""));
    // The same bytes as the command writes.
    lab.run(&["export", "reports", "--format", "pgfplots", "--figure", "error", "--out", "out"]).expect(0);
    assert_eq!(lab.read("reports/paper/tex/error.tex"), lab.read("out/paper/error.tex"));
    assert!(!lab.path("out/paper/bars.tex").exists() && !lab.path("out/paper/macros.tex").exists());
}

#[test]
fn what_cannot_be_exported_is_told() {
    let lab = lab();
    let said = lab.run(&["export", "reports", "--figure", "eror"]).expect(2);
    assert!(said.err.contains("no figure `eror`") && said.err.contains("error, bars, band"), "{}", said.err);
    let said = lab.run(&["export", "nowhere"]).expect(2);
    assert!(said.err.contains("nowhere"), "{}", said.err);
    assert!(!lab.path("exports").exists());
}

#[test]
fn a_documents_blocks_are_made_anew() {
    let lab = lab();
    let mark = |words: &str| format!("<!-- anonlab: {words} -->\nold\n<!-- /anonlab -->\n");
    let blocks = ["claims paper", "table paper numbers", "picture paper error docs/error.svg"].map(mark).concat();
    lab.write("README.md", &format!("# Mine\n{blocks}The end.\n"));
    lab.run(&["export", "reports", "--splice", "README.md"]).expect(0);
    let text = lab.read("README.md");
    assert!(text.starts_with("# Mine\n") && text.ends_with("The end.\n") && !text.contains("\nold\n"), "{text}");
    assert!(text.contains("| statement | figure |") && text.contains("](docs/error.svg)"), "{text}");
    assert!(lab.read("docs/error.svg").starts_with("<svg"));
    lab.run(&["export", "reports", "--splice", "README.md"]).expect(0);
    assert_eq!(lab.read("README.md"), text, "twice is once");
    for (words, told) in [
        ("claims nobody", "README.md: line 2: there are no results of `nobody`"),
        ("picture paper error ../x.svg", "is no place for a picture"),
        ("frobnicate", "`frobnicate` is no block; there are"),
    ] {
        let broken = format!("# Mine\n{}", mark(words));
        lab.write("README.md", &broken);
        let said = lab.run(&["export", "reports", "--splice", "README.md"]).expect(2);
        assert!(said.err.contains(told), "{}", said.err);
        assert_eq!(lab.read("README.md"), broken);
    }
}

#[test]
fn pictures_need_no_latex_and_have_the_same_bytes() {
    let lab = lab();
    let formats = ["export", "reports/paper", "--format", "pdf,png", "--out"];
    let made = lab.run(&[&formats[..], &["out"]].concat());
    if !cfg!(feature = "pictures") {
        let said = made.expect(2);
        assert!(said.err.contains("--features pictures") && said.err.contains("--format svg"), "{}", said.err);
        return;
    }
    made.expect(0);
    lab.run(&[&formats[..], &["again"]].concat()).expect(0);
    for figure in ["error", "bars", "band", "scatter"] {
        for (ending, magic) in [("pdf", &b"%PDF-"[..]), ("png", &b"\x89PNG"[..])] {
            let bytes = |folder: &str| std::fs::read(lab.path(&format!("{folder}/paper/{figure}.{ending}"))).unwrap();
            assert!(bytes("out").starts_with(magic), "{figure}.{ending}");
            assert!(bytes("out") == bytes("again"), "{figure}.{ending} has other bytes the second time");
        }
    }
    assert!(!lab.path("out/paper/numbers.pdf").exists(), "a table is no picture");
    lab.write("slides.md", "<!-- anonlab: picture paper error error.png -->\n<!-- /anonlab -->\n");
    lab.run(&["export", "reports", "--splice", "slides.md"]).expect(0);
    assert!(lab.read("slides.md").contains("](error.png)") && lab.path("error.png").is_file());
}
