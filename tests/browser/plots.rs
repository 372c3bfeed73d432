//! What a reader does to a plot: by mouse, by keyboard, by a link, and on paper.

use crate::chromium::{self, Chromium, Scheme};
use crate::{fixtures, folder};
use anonlab::report;
use serde_json::json;
use std::path::PathBuf;

/// The papers' pages, and the one with a figure under three readings.
fn opened(name: &str, page: &str) -> Option<(Chromium, PathBuf)> {
    let program = chromium::find()?;
    let folder = folder(name);
    let mut experiments = fixtures::papers();
    experiments.push(fixtures::readings());
    report::write(&experiments, &folder).unwrap();
    let mut chromium = Chromium::start(&program);
    chromium.look(1_440, 900, Scheme::Light);
    let page = folder.join(page);
    chromium.open(&page);
    chromium.settled();
    Some((chromium, page))
}

const HIDDEN: &str = "[...document.querySelectorAll('#fig8c .series')].filter((g) => getComputedStyle(g).display === 'none').map((g) => g.dataset.series)";
const TOGGLES: &str = "document.querySelectorAll('#fig8c .legend .toggle')";

#[test]
fn series_are_hidden_and_shown_alone_and_the_address_knows() {
    let Some((mut chromium, page)) = opened("series", "injector/index.html") else { return };
    assert_eq!(chromium.ask(HIDDEN), json!([]));
    chromium.ask(&format!("{TOGGLES}[1].click()"));
    assert_eq!(chromium.ask(HIDDEN), json!(["1"]));
    assert_eq!(chromium.ask(&format!("{TOGGLES}[1].getAttribute('aria-pressed')")), "false");
    assert_eq!(chromium.ask("location.hash"), "#fig8c?hide=1");
    assert_eq!(chromium.ask("document.querySelector('#fig8c .anchor').getAttribute('href')"), "#fig8c?hide=1");
    chromium.ask("document.querySelectorAll('#fig8c .legend .only')[0].click()");
    assert_eq!(chromium.ask(HIDDEN), json!(["1", "2"]));
    // A link shows the same view, on a page that was just opened and on one that is open.
    chromium.open_at(&page, "fig8c?hide=0,2");
    chromium.settled();
    assert_eq!(chromium.ask(HIDDEN), json!(["0", "2"]));
    assert_eq!(chromium.ask("scrollY > 200"), true, "the figure is in view");
    chromium.ask("new Promise((done) => { addEventListener('hashchange', () => setTimeout(done)); location.hash = 'fig8c?hide=1'; })");
    assert_eq!(chromium.ask(HIDDEN), json!(["1"]));
    chromium.ask(
        "[...document.querySelectorAll('#fig8c .tools.view button')].find((b) => b.textContent === 'reset').click()",
    );
    assert_eq!(chromium.ask(HIDDEN), json!([]));
    assert_eq!(chromium.ask("location.hash"), "#fig8c");
    assert_eq!(chromium.complaints, Vec::<String>::new());
}

#[test]
fn an_address_that_was_cut_leaves_the_figures_as_they_are() {
    let Some((mut chromium, page)) = opened("cut", "injector/index.html") else { return };
    for cut in ["fig8c?hide", "fig8c?x&y0=1..&yscale", "%E0%A4%A", "fig8c?hide=%E0", "nothing?x=1..2"] {
        chromium.open_at(&page, cut);
        chromium.settled();
        assert_eq!(chromium.ask(&format!("{TOGGLES}.length")), 3, "{cut}");
    }
    assert_eq!(chromium.complaints, Vec::<String>::new());
}

#[test]
fn the_keyboard_alone_hides_series_and_reads_values() {
    let Some((mut chromium, _)) = opened("keyboard", "injector/index.html") else { return };
    chromium.ask(&format!("{TOGGLES}[0].focus()"));
    chromium.press("Enter");
    assert_eq!(chromium.ask(HIDDEN), json!(["0"]));
    chromium.press("Enter");
    assert_eq!(chromium.ask(HIDDEN), json!([]));
    // From the last tool on, the plot is the next stop.
    chromium
        .ask("[...document.querySelectorAll('#fig8c .tools.view > button')].filter((b) => !b.hidden).at(-1).focus()");
    chromium.press("Tab");
    assert_eq!(chromium.ask("document.activeElement.tagName"), "svg");
    chromium.press("ArrowRight");
    let told = chromium.ask("document.querySelector('[role=status]').textContent");
    let told = told.as_str().unwrap();
    for part in ["ℓ: 3", "Anatomy 1", "Injector 2", "Injector (balanced) 1"] {
        assert!(told.contains(part), "{part} in {told}");
    }
    chromium.press("ArrowRight");
    let next = chromium.ask("document.querySelector('[role=status]').textContent");
    assert!(next.as_str().unwrap().contains("ℓ: 4"), "{next}");
    chromium.press("Escape");
    assert_eq!(chromium.ask("document.querySelector('.values').hidden"), true);
    assert_eq!(chromium.complaints, Vec::<String>::new());
}

const PLOT: &str = "document.querySelector('#fig8c .panels svg')";

/// Where a share of the plot's frame is on the screen.
fn spot(chromium: &mut Chromium, x: f64, y: f64) -> (f64, f64) {
    let place = chromium.ask(&format!(
        "(() => {{ const s = {PLOT}; s.scrollIntoView({{ block: 'center' }}); const [l, r, t, b] = s.dataset.area.split(' ').map(Number);
        const f = s.getBoundingClientRect(), k = f.width / s.viewBox.baseVal.width;
        return [f.left + (l + (r - l) * {x}) * k, f.top + (t + (b - t) * {y}) * k]; }})()"
    ));
    (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
}

#[test]
fn the_cursor_shows_the_values_of_all_series() {
    let Some((mut chromium, _)) = opened("cursor", "injector/index.html") else { return };
    let (x, y) = spot(&mut chromium, 0.97, 0.5);
    chromium.mouse("mouseMoved", x, y, 0);
    let shown = chromium.ask("document.querySelector('.values').innerText");
    let shown = shown.as_str().unwrap();
    assert!(shown.contains("ℓ: 6"), "{shown}");
    assert_eq!(chromium.ask("document.querySelectorAll('.values div').length"), 3, "{shown}");
    // What is hidden has no value.
    chromium.ask(&format!("{TOGGLES}[1].click()"));
    chromium.mouse("mouseMoved", x - 1.0, y, 0);
    assert_eq!(chromium.ask("document.querySelectorAll('.values div').length"), 2);
    let inside = "(() => { const b = document.querySelector('.values').getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth && b.top >= 0 && b.bottom <= innerHeight; })()";
    assert_eq!(chromium.ask(inside), true);
    assert_eq!(chromium.complaints, Vec::<String>::new());
}

/// The height of each mark of a series on the screen.
const HEIGHTS: &str = "[...document.querySelectorAll('#fig8c .series[data-series=\"0\"] > g[data-y] .mark')].map((m) => { const b = m.getBoundingClientRect(); return b.top + b.height / 2; })";
const TICKS: &str = "[...document.querySelectorAll('#fig8c .axes text')].map((t) => t.textContent)";

#[test]
fn scales_change_and_marks_and_lines_move_together() {
    let Some((mut chromium, page)) = opened("scales", "injector/index.html") else { return };
    let before = chromium.ask(HEIGHTS);
    let path = "document.querySelector('#fig8c .series[data-series=\"0\"] .line').getAttribute('d')";
    let line = chromium.ask(path);
    chromium.ask("document.querySelector('#fig8c .tools.view button').click()");
    assert_eq!(chromium.ask("location.hash"), "#fig8c?yscale=log");
    let after = chromium.ask(HEIGHTS);
    assert_ne!(before, after);
    // Every mark stands where the line passes: its value on the new axis.
    let apart = chromium.ask(
        "(() => { const g = document.querySelector('#fig8c .series[data-series=\"0\"]'); const s = g.ownerSVGElement; const k = s.getBoundingClientRect();
        const ratio = k.width / s.viewBox.baseVal.width;
        const ys = [...g.querySelector('.line').getAttribute('d').matchAll(/[ML][\\d.]+ ([\\d.]+)/g)].map((m) => +m[1]);
        const marks = [...g.querySelectorAll(':scope > g[data-y] .mark')].map((m) => { const b = m.getBoundingClientRect(); return (b.top + b.height / 2 - k.top) / ratio; });
        return Math.max(...ys.map((y, i) => Math.abs(y - marks[i]))); })()",
    );
    assert!(apart.as_f64().unwrap() < 1.0, "marks are {apart} off their line");
    assert!(chromium.ask(TICKS).as_array().unwrap().len() > 3);
    chromium.ask("document.querySelector('#fig8c .tools.view button').click()");
    assert_eq!(chromium.ask(path), line, "back where it was");
    assert_eq!(chromium.ask(HEIGHTS), before);
    // A logarithmic figure made linear begins at 0, not at −0.
    chromium.open_at(&page, "fig5a?yscale=linear");
    chromium.settled();
    let ticks = chromium.ask("[...document.querySelectorAll('#fig5a .axes text')].map((t) => t.textContent)");
    assert!(!ticks.to_string().contains("−0") && ticks.to_string().contains('0'), "{ticks}");
    chromium.open_at(&page, "fig8c?yscale=log");
    chromium.settled();
    assert_eq!(chromium.ask(HEIGHTS).as_array().unwrap().len(), 4);
    assert!(chromium.ask(TICKS).as_array().unwrap().len() > 3);
    assert_eq!(chromium.complaints, Vec::<String>::new());
}

const SEEN: &str = "[...document.querySelectorAll('#fig8c .series[data-series=\"0\"] > g[data-x]')].filter((g) => g.getAttribute('visibility') !== 'hidden').map((g) => g.dataset.x)";

#[test]
fn ranges_are_typed_or_drawn() {
    let Some((mut chromium, _)) = opened("ranges", "injector/index.html") else { return };
    assert_eq!(chromium.ask(SEEN), json!(["3", "4", "5", "6"]));
    let (left, top) = spot(&mut chromium, 0.25, 0.5);
    let (right, _) = spot(&mut chromium, 0.75, 0.5);
    chromium.mouse("mousePressed", left, top, 1);
    chromium.mouse("mouseMoved", (left + right) / 2.0, top, 1);
    chromium.mouse("mouseMoved", right, top, 1);
    chromium.mouse("mouseReleased", right, top, 1);
    assert_eq!(chromium.ask(SEEN), json!(["4", "5"]));
    let hash = chromium.ask("location.hash");
    assert!(hash.as_str().unwrap().starts_with("#fig8c?x=3."), "{hash}");
    chromium.ask(&format!("{PLOT}.dispatchEvent(new MouseEvent('dblclick'))"));
    assert_eq!(chromium.ask(SEEN), json!(["3", "4", "5", "6"]));
    chromium.ask(
        "(() => { const a = document.querySelector('#fig8c'); [...a.querySelectorAll('.tools.view button')].find((b) => b.textContent === 'range').click();
        const set = (name, value) => { a.querySelector(`.ranges [name=${name}]`).value = value; };
        set('x0', 2.5); set('x1', 4.5); a.querySelector('.ranges [type=submit]').click(); })()",
    );
    assert_eq!(chromium.ask(SEEN), json!(["3", "4"]));
    assert_eq!(chromium.ask("location.hash"), "#fig8c?x=2.5..4.5");
    assert_eq!(chromium.complaints, Vec::<String>::new());
}

#[test]
fn other_readings_stand_faintly_behind_and_can_be_switched_to() {
    let Some((mut chromium, page)) = opened("switch", "readings/index.html") else { return };
    let ghosts = "[...document.querySelectorAll('#near .ghost')].map((g) => g.dataset.reading)";
    assert_eq!(chromium.ask(ghosts), json!(["1"]), "the other differs in nothing");
    assert_eq!(chromium.ask("document.querySelectorAll('#far .ghost').length"), 0, "it would flatten the default");
    assert_eq!(chromium.ask("document.querySelectorAll('#far .readings a').length"), 2, "a link instead");
    chromium.ask("document.querySelectorAll('#near .readings .toggle')[1].click()");
    assert_eq!(chromium.ask("document.querySelectorAll('#near .ghost.on').length"), 1);
    assert_eq!(chromium.ask("document.querySelectorAll('#near .series.dim').length"), 1);
    assert_eq!(chromium.ask("location.hash"), "#near?reading=1");
    let link = chromium.ask("document.querySelector('#near .readings a:not([hidden])').getAttribute('href')");
    assert!(page.parent().unwrap().join(link.as_str().unwrap()).is_file(), "{link}");
    chromium.ask("document.querySelector('#near .panels svg').focus()");
    chromium.press("ArrowRight");
    let told = chromium.ask("document.querySelector('[role=status]').textContent");
    assert!(told.as_str().unwrap().contains("OA 14"), "the value of the reading: {told}");
    // It stays in sight when the axis changes.
    chromium.ask("document.querySelector('#near .tools.view button').click()");
    let above = "(() => { const s = document.querySelector('#near .panels svg'); const top = +s.dataset.area.split(' ')[2];
        return [...s.querySelector('.ghost path').getAttribute('d').matchAll(/[ML][\\d.]+ (-?[\\d.]+)/g)].filter((m) => +m[1] < top).length; })()";
    assert_eq!(chromium.ask(above), 0);
    assert_eq!(chromium.complaints, Vec::<String>::new());
    // Without scripts the switch is links.
    chromium.scripts(false);
    chromium.open(&page);
    assert_eq!(chromium.ask("document.querySelectorAll('#near .readings a[href]').length"), 2);
}

#[test]
fn the_comparison_is_filtered_and_the_address_knows() {
    let Some((mut chromium, page)) = opened("filters", "km-anonymity/comparison.html") else { return };
    let rows = "[...document.querySelectorAll('.matrix tr[data-metric]')].filter((r) => r.getClientRects().length).map((r) => r.dataset.metric)";
    let all = chromium.ask(rows).as_array().unwrap().len();
    chromium.ask("(() => { const s = document.querySelector('select[name=metric]'); s.value = 'ncp'; s.dispatchEvent(new Event('change')); })()");
    let some = chromium.ask(rows);
    assert!(some.as_array().unwrap().iter().all(|metric| metric == "ncp"), "{some}");
    assert!(!some.as_array().unwrap().is_empty() && some.as_array().unwrap().len() < all, "{some} of {all}");
    assert_eq!(chromium.ask("location.hash"), "#matrix?metric=ncp");
    chromium.open_at(&page, "matrix?metric=ncp");
    assert_eq!(chromium.ask(rows), some);
    let text = chromium.ask("document.body.innerText");
    assert!(!text.as_str().unwrap().contains('`'), "a raw backtick");
    assert!(chromium.ask("document.querySelectorAll('td.best').length").as_u64().unwrap() > 0);
    assert_eq!(chromium.complaints, Vec::<String>::new());
}

#[test]
fn on_paper_everything_is_there_again() {
    let Some((mut chromium, page)) = opened("paper", "injector/index.html") else { return };
    chromium.open_at(&page, "fig8c?hide=0,1&yscale=log");
    chromium.settled();
    assert_eq!(chromium.ask(HIDDEN), json!(["0", "1"]));
    chromium.ask("addEventListener('beforeprint', () => { window.onPaper = [...document.querySelectorAll('#fig8c .series')].filter((g) => getComputedStyle(g).display === 'none').length; })");
    chromium.print();
    assert_eq!(chromium.ask("window.onPaper"), 0);
    assert_eq!(chromium.ask(HIDDEN), json!(["0", "1"]), "the reader's view is back");
}
