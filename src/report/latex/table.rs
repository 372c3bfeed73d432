//! Tables for LaTeX, with booktabs: figures, claims, comparisons.

use super::text::{comment, text};
use crate::report::claims::Verdict;
use crate::report::claims_table::{ClaimRow, ClaimsTable, SeedVerdicts};
use crate::report::contest::ContestSheet;
use crate::report::figure::{FigureTable, TableCell, TableHead};
use std::fmt::Write;

/// How the cells of a column are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnStyle {
    Left,
    Right,
    /// Prose that breaks into lines; with the space beside it as wide as this share of a line, in hundredths.
    Prose(usize),
}

/// A table whose cells are LaTeX already.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tabular {
    /// What it is, for a comment above it.
    pub what: String,
    pub columns: Vec<ColumnStyle>,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Set in a smaller type with its columns close together, where it has many.
    pub is_dense: bool,
    /// Lines below it, as plain text.
    pub notes: Vec<String>,
}

/// Opens a box that is no wider than the line.
pub(super) const FITTED: &str = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n";

const DENSE: &str = "{\\footnotesize\\setlength{\\tabcolsep}{2.5pt}%\n";

/// A table with more rows goes over several pages; of prose a row has several lines.
const MOST_ROWS: usize = 35;
const MOST_ROWS_OF_PROSE: usize = 8;

impl Tabular {
    /// A table wider than the line is made as wide as it, unless it has prose, which breaks, or is longer than a page.
    pub fn tex(&self) -> String {
        let columns: String = self.columns.iter().map(|column| column.code()).collect();
        let (open, close) = if self.is_dense { (DENSE, "}%\n") } else { ("", "") };
        let most = if self.has_prose() { MOST_ROWS_OF_PROSE } else { MOST_ROWS };
        let table = if self.rows.len() > most { self.long(&columns) } else { self.short(&columns) };
        format!("{open}{table}{close}{}", self.below())
    }

    fn has_prose(&self) -> bool {
        self.columns.iter().any(|column| matches!(column, ColumnStyle::Prose(_)))
    }

    /// Narrow prose is set ragged, in which `\\` would break a line of the cell.
    fn line(&self, row: &[String]) -> String {
        let cells = row.iter().zip(&self.columns).map(|(cell, column)| match column {
            ColumnStyle::Prose(_) => format!("\\raggedright {cell}"),
            _ => cell.clone(),
        });
        let end = if self.has_prose() { "\\tabularnewline" } else { "\\\\" };
        format!("  {} {end}\n", cells.collect::<Vec<_>>().join(" & "))
    }

    /// Rows of several lines are set apart.
    fn body(&self) -> String {
        let between = if self.has_prose() { "  \\addlinespace[2pt]\n" } else { "" };
        self.rows.iter().map(|row| self.line(row)).collect::<Vec<_>>().join(between)
    }

    fn short(&self, columns: &str) -> String {
        // As a paragraph of its own it is not indented: one that is as wide as the line would stick out.
        let mut tex = format!("% {}\n% needs \\usepackage{{booktabs,graphicx}}\n\\noindent\n", comment(&self.what));
        let fits = self.has_prose();
        if !fits {
            tex += FITTED;
        }
        let _ = writeln!(tex, "\\begin{{tabular}}{{@{{}}{columns}@{{}}}}\n  \\toprule");
        tex += &self.line(&self.head);
        tex += "  \\midrule\n";
        tex += &self.body();
        tex += "  \\bottomrule\n\\end{tabular}";
        tex + if fits { "%\n" } else { "}%\n" }
    }

    fn long(&self, columns: &str) -> String {
        let mut tex = format!("% {}\n% needs \\usepackage{{booktabs,graphicx,longtable}}\n", comment(&self.what));
        let _ = writeln!(tex, "\\begin{{longtable}}{{@{{}}{columns}@{{}}}}\n  \\toprule");
        tex += &self.line(&self.head);
        tex += "  \\midrule\n  \\endhead\n  \\bottomrule\n  \\endfoot\n";
        tex += &self.body();
        tex + "\\end{longtable}\n"
    }

    fn below(&self) -> String {
        self.notes.iter().map(|line| format!("\\par\\smallskip{}", note(line))).collect()
    }
}

impl ColumnStyle {
    fn code(self) -> String {
        match self {
            Self::Left => "l".to_string(),
            Self::Right => "r".to_string(),
            Self::Prose(share) => format!("p{{\\dimexpr 0.{share:02}\\linewidth-2\\tabcolsep\\relax}}"),
        }
    }
}

/// A line below a table. Code in it does not break, so that its lines are set loosely.
fn note(line: &str) -> String {
    format!("\\noindent{{\\footnotesize\\sloppy {}\\par}}\n", text(line))
}

/// The table of a figure, a wide one in parts below each other: values with their intervals, statuses of cells without an answer, what the paper printed.
pub fn figure_table(title: &str, table: &FigureTable, caveats: &[String]) -> String {
    let beside = |main: &str, note: &str| match (main.is_empty(), note.is_empty()) {
        (_, true) => text(main),
        (true, false) => format!("{{\\footnotesize {}}}", text(note)),
        (false, false) => format!("{} {{\\footnotesize {}}}", text(main), text(note)),
    };
    let head = |head: &TableHead| match head.note.is_empty() {
        true => text(&head.text),
        false => format!(
            "\\begin{{tabular}}{{@{{}}{}@{{}}}}{} \\\\ {{\\footnotesize {}}}\\end{{tabular}}",
            if head.numeric { "r" } else { "l" },
            text(&head.text),
            text(&head.note)
        ),
    };
    let cell = |cell: &TableCell| beside(&cell.text, &cell.note);
    let parts = table.parts();
    let last = parts.len().saturating_sub(1);
    let part = |(index, columns): (usize, Vec<usize>)| {
        let heads = || columns.iter().map(|&column| &table.heads[column]);
        let tex = Tabular {
            what: title.to_string(),
            columns: heads().map(|head| if head.numeric { ColumnStyle::Right } else { ColumnStyle::Left }).collect(),
            head: heads().map(head).collect(),
            rows: table.rows.iter().map(|row| columns.iter().map(|&column| cell(&row[column])).collect()).collect(),
            is_dense: false,
            notes: if index == last { data_note(caveats) } else { Vec::new() },
        };
        tex.tex()
    };
    // A wide table would be scaled down until nobody can read it.
    parts.into_iter().enumerate().map(part).collect::<Vec<_>>().join("\\par\\medskip\n")
}

fn data_note(caveats: &[String]) -> Vec<String> {
    if caveats.is_empty() { Vec::new() } else { vec![format!("Data: {}", caveats.join(", "))] }
}

/// The claims of an experiment under every reading. However many readings and seeds there are, it is as wide as the line: the
/// other readings share a column, where those that say something else than the default are named.
pub fn claims(table: &ClaimsTable, caveats: &[String]) -> String {
    let has_others = table.readings.len() > 1;
    let mut head = vec!["statement", "claim", "standing", "verdict"];
    let mut shares = vec![13, 55, 18, 14];
    if has_others {
        head.push("under other readings");
        shares = vec![12, 31, 13, 11, 33];
    }
    let row = |row: &ClaimRow| {
        let default = row.marks[0].map_or(String::new(), |mark| mark.shown(sign));
        let claim = format!("{} ({})", row.claim, row.figure);
        let mut cells = vec![row.statement.clone(), claim, row.standing(), default];
        cells.extend(has_others.then(|| under_others(row, &table.readings)));
        // A reading without a label breaks behind its name.
        cells.iter().map(|cell| text(cell).replace('=', "=\\allowbreak{}")).collect()
    };
    let told = "+ holds, - fails, ? inconclusive; n/N: in so many of the seeds; ! against expectation";
    let mut notes = vec![told.to_string()];
    notes.extend(data_note(caveats));
    Tabular {
        what: format!("{}: claims and their verdicts under each reading", table.experiment),
        columns: shares.into_iter().map(ColumnStyle::Prose).collect(),
        head: head.into_iter().map(text).collect(),
        rows: table.rows.iter().map(row).collect(),
        is_dense: true,
        notes,
    }
    .tex()
}

fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "+",
        Verdict::Fails => "-",
        Verdict::Inconclusive => "?",
    }
}

/// "- 9/10: frequent items first; + in 3 more".
fn under_others(row: &ClaimRow, readings: &[String]) -> String {
    let verdict = |mark: SeedVerdicts| mark.most().0;
    let default = row.marks[0].map(verdict);
    let others = || row.marks.iter().zip(readings).skip(1).filter_map(|(mark, reading)| Some(((*mark)?, reading)));
    let same = others().filter(|(mark, _)| Some(verdict(*mark)) == default).count();
    let mut parts: Vec<String> = others()
        .filter(|(mark, _)| Some(verdict(*mark)) != default)
        .map(|(mark, reading)| format!("{}: {reading}", mark.shown(sign).replace(' ', "\u{a0}")))
        .collect();
    if let Some(default) = default.filter(|_| same > 0) {
        let among = match (parts.is_empty(), same) {
            (true, 1) => "the other".to_string(),
            (true, 2) => "both others".to_string(),
            (true, _) => format!("all {same} others"),
            (false, _) => format!("{same} more"),
        };
        parts.push(format!("{}\u{a0}in {among}", sign(default)));
    }
    parts.join("; ")
}

/// A comparison: heading, table and notes of each of its sheets.
pub fn sheets(sheets: &[ContestSheet], caveats: &[String]) -> String {
    let mut tex = String::new();
    for sheet in sheets {
        let style = if sheet.level == 1 { "\\bfseries" } else { "\\itshape" };
        // No page ends within a heading, and names of metrics do not break.
        let _ = writeln!(
            tex,
            "\\par\\medskip\\noindent{{\\interlinepenalty10000\\raggedright{style} {}\\par}}\\nopagebreak\\smallskip",
            text(&sheet.heading)
        );
        let mut rows = sheet.table.iter();
        let Some(head) = rows.next() else {
            sheet.notes.iter().for_each(|line| tex += &note(line));
            continue;
        };
        let column = |index: usize| match sheet.table.iter().skip(1).all(|row| is_number(&row[index])) {
            true => ColumnStyle::Right,
            false => ColumnStyle::Left,
        };
        let set = |row: &Vec<String>| row.iter().map(|cell| text(cell)).collect::<Vec<_>>();
        tex += &Tabular {
            what: sheet.heading.clone(),
            columns: (0..head.len()).map(column).collect(),
            head: set(head),
            rows: rows.map(set).collect(),
            is_dense: false,
            notes: sheet.notes.clone(),
        }
        .tex();
    }
    data_note(caveats).iter().for_each(|line| tex += &format!("\\par\\smallskip{}", note(line)));
    tex
}

fn is_number(cell: &str) -> bool {
    cell.chars().all(|character| !character.is_alphabetic() && character != '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_table_goes_over_pages() {
        let rows = |count: usize| Tabular {
            columns: vec![ColumnStyle::Left],
            rows: vec![vec!["a".into()]; count],
            ..Tabular::default()
        };
        assert!(rows(MOST_ROWS).tex().contains("\\begin{tabular}"));
        assert!(rows(MOST_ROWS + 1).tex().contains("\\endhead"));
    }

    #[test]
    fn claims_have_five_columns_whatever_the_number_of_readings() {
        let readings = |count: usize| ["default".to_string()].into_iter().chain((1..count).map(|i| format!("o=r{i}")));
        let mark = |holds, fails| Some(SeedVerdicts { holds, fails, inconclusive: 0 });
        let table = |marks: Vec<Option<SeedVerdicts>>| ClaimsTable {
            experiment: "e".into(),
            readings: readings(marks.len()).collect(),
            rows: vec![ClaimRow {
                statement: "S-1".into(),
                figure: "f".into(),
                claim: "It is so".into(),
                standing: "depends_on_reading".into(),
                verdict: "holds".into(),
                told: String::new(),
                expected: String::new(),
                surprise: String::new(),
                detail: String::new(),
                because: String::new(),
                printed: false,
                marks,
            }],
        };
        let row = |marks: Vec<Option<SeedVerdicts>>| {
            let tex = claims(&table(marks), &[]);
            assert!(tex.contains("\\linewidth-2\\tabcolsep"), "{tex}");
            let row = tex.lines().find(|line| line.contains("S-1")).unwrap().replace("\\raggedright ", "");
            row.trim().trim_end_matches(" \\tabularnewline").to_string()
        };
        let first = "S-1 & It is so (f) & depends on reading & ";
        assert_eq!(row(vec![mark(1, 0)]), format!("{first}+"));
        assert_eq!(row(vec![mark(10, 0), mark(9, 1)]), format!("{first}+ 10/10 & +~in the other"));
        let many: Vec<_> = (0..12).map(|i| if i == 3 { mark(1, 9) } else { mark(10, 0) }).chain([None]).collect();
        assert_eq!(row(many), format!("{first}+ 10/10 & -~9/10: o=\\allowbreak{{}}r3; +~in 10 more"));
        assert_eq!(row(vec![mark(8, 2); 3]), format!("{first}+ 8/10 & +~in both others"));
    }

    #[test]
    fn rows_are_rows_whatever_is_in_them() {
        let sheet = ContestSheet {
            level: 2,
            heading: "100 % & more".to_string(),
            table: vec![vec!["".into(), "who".into(), "value".into()], vec!["*".into(), "a_b".into(), "−1.5".into()]],
            notes: vec!["a \\\\ b".to_string()],
        };
        let tex = sheets(&[sheet], &["adult (stand-in)".to_string()]);
        assert!(tex.contains("\\itshape 100 \\% \\& more\\par}"), "{tex}");
        assert!(tex.contains("\\begin{tabular}{@{}llr@{}}\n  \\toprule\n   & who & value \\\\\n"), "{tex}");
        assert!(tex.contains("  {*} & a\\_b & \\ensuremath{-}1.5 \\\\\n"), "{tex}");
        assert!(tex.contains("a \\textbackslash{}\\textbackslash{} b"), "{tex}");
        assert!(tex.contains("Data: adult (stand-in)"), "{tex}");
    }
}
