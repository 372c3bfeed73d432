use super::terminal::tell;
use super::{Answer, PlannedCell, Status, printable};
use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressStyle {
    /// Bars on a terminal, plain lines elsewhere.
    Auto,
    /// JSON lines, for programs.
    Events,
    Quiet,
}

/// Is told where the work of a cell is: "measuring queries 640/1,000".
pub type Told = Arc<dyn Fn(&str) + Send + Sync>;

/// Tells how a run goes, on standard error: one overall bar and a line per running cell on a terminal, a plain line now
/// and then elsewhere, an object a line for programs, nothing when quiet.
pub struct Progress {
    display: Display,
    failed: AtomicUsize,
    done: AtomicUsize,
    total: AtomicUsize,
    cached: AtomicUsize,
}

enum Display {
    Bars { all: MultiProgress, overall: ProgressBar },
    Lines { last: Arc<Mutex<Instant>> },
    Events { last: Mutex<Instant> },
    Nothing,
}

/// Plain lines come at most this often, so that a log of ten thousand cells stays readable.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// Events come at most this often.
const EVENT_EVERY: Duration = Duration::from_millis(200);

impl Progress {
    pub fn new(style: ProgressStyle) -> Self {
        let display = match style {
            ProgressStyle::Quiet => Display::Nothing,
            ProgressStyle::Auto if std::io::stderr().is_terminal() => {
                let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
                let overall = all.add(ProgressBar::new(0));
                let bar = if std::env::var_os("NO_COLOR").is_some() { "{bar:30}" } else { "{bar:30.cyan/blue}" };
                overall
                    .set_style(template(&format!("{bar} {{pos}}/{{len}} cells{{msg}}{{left}}")).with_key("left", left));
                Display::Bars { all, overall }
            }
            ProgressStyle::Events => Display::Events { last: Mutex::new(Instant::now()) },
            ProgressStyle::Auto => Display::Lines { last: Arc::new(Mutex::new(Instant::now())) },
        };
        Self {
            display,
            failed: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            total: AtomicUsize::new(0),
            cached: AtomicUsize::new(0),
        }
    }

    /// Tells how far others are.
    pub fn reached(&self, done: usize, note: &str) {
        match &self.display {
            Display::Bars { overall, .. } => {
                overall.set_position(done as u64);
                overall.set_message(printable(&format!("{} · {note}", self.counts())).into_owned());
            }
            Display::Lines { last } => {
                let mut last = last.lock().expect("no thread panics while it holds the clock");
                if last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    tell!("{done}/{} cells{} · {note}", self.total.load(Relaxed), self.counts());
                }
            }
            Display::Events { last } => self.event(last, done, false),
            Display::Nothing => {}
        }
    }

    /// How many cells there are, how many of them need no run, and how many of these are from the store: the same counts
    /// as in the summary at the end.
    pub fn begin(&self, cells: usize, done: usize, cached: usize) {
        self.total.store(cells, Relaxed);
        self.done.store(done, Relaxed);
        self.cached.store(cached, Relaxed);
        if let Display::Events { last } = &self.display {
            self.event(last, done, true);
        }
        if let Display::Bars { overall, .. } = &self.display {
            overall.set_length(cells as u64);
            overall.set_position(done as u64);
            // What is left is judged by what was run, not by what was there.
            overall.reset_eta();
            overall.enable_steady_tick(Duration::from_millis(250));
            self.say_counts(overall);
        }
    }

    /// A line for a cell that starts; give it back when the cell ends.
    pub fn start(&self, cell: &PlannedCell) -> Option<ProgressBar> {
        let Display::Bars { all, .. } = &self.display else { return None };
        let line = all.add(ProgressBar::new_spinner());
        line.set_style(template("  {spinner} {elapsed:>4} {wide_msg}"));
        line.set_message(title(cell));
        line.enable_steady_tick(Duration::from_millis(250));
        Some(line)
    }

    /// Shows where a cell is: behind its name on its line, or as a plain line now and then when nothing else happens. None where
    /// nobody looks.
    pub fn whereabouts(&self, line: Option<&ProgressBar>, cell: &PlannedCell) -> Option<Told> {
        let title = title(cell);
        match &self.display {
            Display::Bars { .. } => {
                let line = line?.clone();
                Some(Arc::new(move |place| line.set_message(format!("{title} · {}", printable(place)))))
            }
            Display::Lines { last } => {
                let last = last.clone();
                Some(Arc::new(move |place| {
                    let mut last = last.lock().expect("no thread panics while it holds the clock");
                    if last.elapsed() >= LINE_EVERY {
                        *last = Instant::now();
                        tell!("{title} · {}", printable(place));
                    }
                }))
            }
            Display::Events { .. } | Display::Nothing => None,
        }
    }

    /// Reasons are told at the end, each once.
    pub fn finish(&self, line: Option<ProgressBar>, answer: &Answer) {
        let done = self.done.fetch_add(1, Relaxed) + 1;
        if answer.status != Status::Ok {
            self.failed.fetch_add(1, Relaxed);
        }
        match &self.display {
            Display::Bars { all, overall } => {
                if let Some(line) = line {
                    line.finish_and_clear();
                    all.remove(&line);
                }
                overall.inc(1);
                self.say_counts(overall);
            }
            Display::Lines { last } => {
                let total = self.total.load(Relaxed);
                let mut last = last.lock().expect("no thread panics while it holds the clock");
                if last.elapsed() >= LINE_EVERY && done < total {
                    *last = Instant::now();
                    tell!("{done}/{total} cells{}", self.counts());
                }
            }
            Display::Events { last } => self.event(last, done, done == self.total.load(Relaxed)),
            Display::Nothing => {}
        }
    }

    /// Tells `done` as one JSON object, unless it is too soon after the last one and not to be told `always`.
    fn event(&self, last: &Mutex<Instant>, done: usize, always: bool) {
        let mut last = last.lock().expect("no thread panics while it holds the clock");
        if !always && last.elapsed() < EVENT_EVERY {
            return;
        }
        *last = Instant::now();
        let (cells, cached, failed) = (self.total.load(Relaxed), self.cached.load(Relaxed), self.failed.load(Relaxed));
        let event = serde_json::json!({"progress": {"cells": cells, "done": done, "cached": cached, "not_ok": failed}});
        tell!("{event}");
    }

    /// How many cells are done, and of how many.
    #[cfg(test)]
    pub(super) fn position(&self) -> (usize, usize) {
        (self.done.load(Relaxed), self.total.load(Relaxed))
    }

    /// Takes the bars away.
    pub fn end(&self) {
        if let Display::Bars { overall, .. } = &self.display {
            overall.finish_and_clear();
        }
    }

    fn say_counts(&self, overall: &ProgressBar) {
        overall.set_message(self.counts());
    }

    fn counts(&self) -> String {
        let (failed, cached) = (self.failed.load(Relaxed), self.cached.load(Relaxed));
        let mut counts = String::new();
        if failed > 0 {
            counts += &format!(" · {failed} not ok");
        }
        if cached > 0 {
            counts += &format!(" · {cached} from the store");
        }
        counts
    }
}

/// The cell as people know it.
fn title(cell: &PlannedCell) -> String {
    printable(&format!("{}: {}", cell.figure, cell.title())).into_owned()
}

/// How much time is left; nothing before a cell is done, by which it could be judged.
fn left(state: &ProgressState, text: &mut dyn std::fmt::Write) {
    if !state.eta().is_zero() {
        let _ = write!(text, " · {:#} left", HumanDuration(state.eta()));
    }
}

fn template(text: &str) -> indicatif::ProgressStyle {
    indicatif::ProgressStyle::with_template(text).expect("templates are fixed texts of this file")
}
