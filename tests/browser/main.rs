//! The report in a real browser, and as files.

mod chromium;
mod fixtures;
mod leaderboard;
mod pages;
mod paper;
mod plots;

use anonlab::report;
use anonlab::report::trends::{LevelChange, TrendLine, TrendPlot, Trends, write_trends};
use chromium::{Chromium, Scheme};
use std::path::{Path, PathBuf};

const CHECKS: &str = include_str!("checks.js");

/// A folder under `target/` that stays, so that its pages and pictures can be looked at.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Every HTML page below a folder.
fn pages_below(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(pages_below(&path)),
            false if path.extension().is_some_and(|extension| extension == "html") => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

fn picture_name(folder: &Path, page: &Path, looks: &str) -> PathBuf {
    let name = page.strip_prefix(folder).unwrap().with_extension("").display().to_string().replace('/', "-");
    folder.join(format!("{name}-{looks}.png"))
}

/// The page, and each figure by itself.
fn take_pictures(chromium: &mut Chromium, path: &Path) {
    chromium.screenshot("body", path);
    let articles = chromium.ask("[...document.querySelectorAll('article')].map((article) => article.id)");
    for article in articles.as_array().unwrap() {
        let article = article.as_str().unwrap();
        chromium.screenshot(&format!("[id=\"{article}\"]"), &path.with_extension(format!("{article}.png")));
    }
}

/// Every page below the folder, at both widths, in light and dark, folded up and opened out.
fn check_everywhere(chromium: &mut Chromium, folder: &Path) {
    let mut faults: Vec<String> = Vec::new();
    for page in pages_below(folder) {
        let shown = page.strip_prefix(folder).unwrap().display();
        for (width, height) in [(390, 844), (1_440, 900)] {
            chromium.look(width, height, Scheme::Light);
            chromium.open(&page);
            for (scheme, open) in
                [(Scheme::Light, false), (Scheme::Dark, false), (Scheme::Dark, true), (Scheme::Light, true)]
            {
                chromium.look(width, height, scheme);
                chromium.ask(&format!("document.querySelectorAll('details').forEach((d) => {{ d.open = {open}; }})"));
                let wrong = chromium.ask(CHECKS);
                if wrong != serde_json::json!([]) {
                    faults.push(format!("{shown} at {width}, {scheme:?}, open: {open}: {wrong:#}"));
                }
                if std::env::var_os("ANONLAB_SCREENSHOTS").is_some() && !folder.ends_with("hostile") {
                    let open = if open { "-open" } else { "" };
                    take_pictures(chromium, &picture_name(folder, &page, &format!("{width}-{scheme:?}{open}")));
                }
            }
            assert_eq!(chromium.complaints, Vec::<String>::new(), "{shown} at {width}");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn pages_look_right_at_both_widths_in_light_and_dark() {
    let Some(program) = chromium::find() else { return };
    let folder = folder("papers");
    report::write(&fixtures::papers(), &folder).unwrap();
    let mut chromium = Chromium::start(&program);
    check_everywhere(&mut chromium, &folder);
}

/// Any report: `ANONLAB_REPORT=reports cargo test --release --test browser made_elsewhere -- --ignored`.
#[test]
#[ignore = "looks at the report that ANONLAB_REPORT names"]
fn a_report_made_elsewhere_looks_right() {
    let report = std::env::var_os("ANONLAB_REPORT").expect("ANONLAB_REPORT names a folder with a report");
    let Some(program) = chromium::find() else { return };
    let report = std::fs::canonicalize(report).unwrap();
    check_everywhere(&mut Chromium::start(&program), &report);
}

#[test]
fn hostile_strings_break_no_page() {
    let Some(program) = chromium::find() else { return };
    let folder = folder("hostile");
    report::write(&[pages::hostile()], &folder).unwrap();
    let mut chromium = Chromium::start(&program);
    check_everywhere(&mut chromium, &folder);
    assert_eq!(chromium.ask("window.pwned === undefined"), true);
}

#[test]
fn tables_sort_filter_and_keep_their_rows() {
    let Some(program) = chromium::find() else { return };
    let folder = folder("sorting");
    report::write(&fixtures::papers(), &folder).unwrap();
    let mut chromium = Chromium::start(&program);
    chromium.look(1_440, 900, Scheme::Light);
    chromium.open(&folder.join("maxent/index.html"));
    let column = "[...document.querySelectorAll('#fig7a tbody tr')].map((row) => Number(row.cells[1].dataset.sort))";
    let head = "document.querySelectorAll('#fig7a thead th')[1]";
    chromium.ask(&format!("{head}.querySelector('button').click()"));
    assert_eq!(chromium.ask(&format!("{head}.getAttribute('aria-sort')")), "ascending");
    let ascending: Vec<f64> = serde_json::from_value(chromium.ask(column)).unwrap();
    assert_eq!(ascending.len(), 10);
    assert!(ascending.is_sorted(), "{ascending:?}");
    chromium.ask(&format!("{head}.querySelector('button').click()"));
    let descending: Vec<f64> = serde_json::from_value(chromium.ask(column)).unwrap();
    assert!(descending.iter().rev().is_sorted(), "{descending:?}");
    chromium.ask(
        "(() => { const i = document.querySelector('#fig7a input'); i.value = 'person 10'; i.dispatchEvent(new Event('input')); })()",
    );
    let shown = "[...document.querySelectorAll('#fig7a tbody tr')].filter((row) => !row.hidden).length";
    assert_eq!(chromium.ask(shown), 1);
    assert_eq!(chromium.complaints, Vec::<String>::new());
}

/// Figure 3 has more columns than stand beside each other: it is on the page in two parts.
#[test]
fn the_parts_of_a_wide_table_are_sorted_filtered_and_copied_as_one() {
    let Some(program) = chromium::find() else { return };
    let folder = folder("parts");
    report::write(&fixtures::papers(), &folder).unwrap();
    let mut chromium = Chromium::start(&program);
    chromium.look(1_440, 900, Scheme::Light);
    chromium.open(&folder.join("injector/index.html"));
    assert_eq!(chromium.ask("document.querySelectorAll('#fig3 figure table.data').length"), 2);
    let first = "[...document.querySelectorAll('#fig3 figure table.data')].map((table) => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent))";
    chromium.ask("document.querySelectorAll('#fig3 figure table.data')[1].tHead.rows[0].cells[1].querySelector('button').click()");
    let parts: Vec<Vec<String>> = serde_json::from_value(chromium.ask(first)).unwrap();
    assert_eq!(parts[0], parts[1], "a line stays a line");
    let copied = chromium.ask(
        "(() => { Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } });
        const buttons = [...document.querySelectorAll('#fig3 figure button')].filter((b) => b.textContent === 'Copy table');
        if (buttons.length !== 1) return `${buttons.length} buttons`;
        buttons[0].click(); return window.copied; })()",
    );
    let copied: Vec<Vec<&str>> = copied.as_str().unwrap().lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(copied.len(), 6, "{copied:?}");
    let columns = "[...document.querySelectorAll('#fig3 figure table.data')].map((table) => table.tHead.rows[0].cells.length).reduce((a, b) => a + b - 1)";
    assert_eq!(chromium.ask(columns), copied[0].len(), "every column, and what names the rows once: {copied:?}");
    assert!(copied.iter().all(|line| line.len() == copied[0].len()), "{copied:?}");
    assert_eq!(copied[1..].iter().map(|line| line[0]).collect::<Vec<_>>(), parts[0]);
    assert_eq!(chromium.complaints, Vec::<String>::new());
}

#[test]
fn everything_but_sorting_works_without_scripts() {
    let Some(program) = chromium::find() else { return };
    let folder = folder("scriptless");
    report::write(&fixtures::papers(), &folder).unwrap();
    let mut chromium = Chromium::start(&program);
    chromium.look(390, 844, Scheme::Light);
    chromium.scripts(false);
    chromium.open(&folder.join("injector/index.html"));
    assert_eq!(chromium.ask("document.querySelectorAll('button').length"), 0);
    assert_eq!(chromium.ask("document.querySelectorAll('article svg[role=img]').length"), 4);
    assert_eq!(chromium.ask(CHECKS), serde_json::json!([]));
}

#[test]
fn links_lead_to_files_and_places_that_exist() {
    let Some(program) = chromium::find() else { return };
    let folder = folder("links");
    report::write(&fixtures::papers(), &folder).unwrap();
    let mut chromium = Chromium::start(&program);
    let mut checked = 0;
    for page in pages_below(&folder) {
        chromium.open(&page);
        let links = chromium.ask("[...document.querySelectorAll('a[href]')].map((a) => a.href)");
        for link in links.as_array().unwrap() {
            let link = link.as_str().unwrap();
            let Some(target) = link.strip_prefix("file://") else {
                assert!(link.starts_with("https://"), "{link}");
                continue;
            };
            let (file, place) = target.split_once('#').unwrap_or((target, ""));
            assert!(Path::new(file).is_file(), "{}: {link}", page.display());
            let text = std::fs::read_to_string(file).unwrap();
            assert!(place.is_empty() || text.contains(&format!("id=\"{place}\"")), "{}: {link}", page.display());
            checked += 1;
        }
    }
    assert!(checked > 60, "only {checked} links");
}

#[test]
fn a_page_of_forty_figures_loads_within_a_second() {
    let Some(program) = chromium::find() else { return };
    let folder = folder("forty");
    report::write(&[pages::forty()], &folder).unwrap();
    let page = folder.join("forty/index.html");
    let bytes = std::fs::metadata(&page).unwrap().len();
    assert!(bytes < 10_000_000, "{bytes} bytes");
    let mut chromium = Chromium::start(&program);
    chromium.look(1_440, 900, Scheme::Light);
    // The best of a few: the others tell of the machine, not of the page.
    let load = |chromium: &mut Chromium| {
        chromium.open(&page);
        chromium.ask("performance.getEntriesByType('navigation')[0].loadEventStart").as_f64().unwrap()
    };
    let best = (0..5).map(|_| load(&mut chromium)).fold(f64::INFINITY, f64::min);
    println!("40 figures: {bytes} bytes, loaded in {best:.0} ms");
    assert!(best < 1_000.0, "{best} ms");
    assert_eq!(chromium.ask("document.querySelectorAll('article').length"), 40);
}

/// Twelve revisions, two algorithms, a step, and names that want to be markup.
fn trends() -> Trends {
    let revisions: Vec<String> = (0..12).map(|run| format!("{run:x}19f45e8a350")).collect();
    let values =
        |step: f64| (0..12).map(|run| (run != 4).then_some(if run < 7 { 0.02 } else { 0.02 * step })).collect();
    let level = LevelChange {
        at: 7,
        revision: revisions[7].clone(),
        place: "injector: <script>window.pwned = 1</script> on adult, l=6".to_string(),
        metric: "cpu_seconds".to_string(),
        unit: "s".to_string(),
        before: 0.02,
        after: 0.026,
        change: "+30\u{a0}%".to_string(),
    };
    let trend = |id: &str, lines: Vec<TrendLine>, changes: Vec<LevelChange>| TrendPlot {
        id: id.to_string(),
        title: format!("injector: {id}"),
        about: "geometric mean over the cells of each algorithm".to_string(),
        y_label: "cpu_seconds".to_string(),
        unit: "s".to_string(),
        lines,
        changes,
    };
    let line = |name: &str, step: f64| TrendLine { name: name.to_string(), values: values(step) };
    let two = vec![line("anatomy", 1.0), line("</svg><b>injector", 1.3)];
    Trends {
        overview: vec![trend("time", two.clone(), Vec::new()), trend("heap", two, Vec::new())],
        changed: vec![trend("step", vec![line("injector", 1.3)], vec![level.clone()])],
        levels: vec![level],
        revisions,
    }
}

#[test]
fn trends_look_right_at_both_widths_in_light_and_dark() {
    let Some(program) = chromium::find() else { return };
    let folder = folder("trends");
    write_trends(&trends(), &folder).unwrap();
    let mut chromium = Chromium::start(&program);
    check_everywhere(&mut chromium, &folder);
    assert_eq!(chromium.ask("window.pwned === undefined"), true);
    let marks = "document.querySelectorAll('#step .panels svg polygon[stroke=none]').length";
    assert_eq!(chromium.ask(marks), 1, "the change of level is marked");
}
