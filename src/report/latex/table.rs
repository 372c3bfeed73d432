//! Tables for LaTeX, with booktabs: figures, claims, comparisons.

use super::text::{comment, text};
use crate::report::claims::Verdict;
use crate::report::claims_table::ClaimsTable;
use crate::report::contest::ContestSheet;
use crate::report::figure::{FigureTable, TableCell, TableHead};
use std::fmt::Write;

/// How the cells of a column are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnStyle {
    Left,
    Right,
    Centre,
    /// Prose that breaks into lines, as wide as this share of a line, in hundredths.
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

/// A table with more rows goes over several pages.
const MOST_ROWS: usize = 35;

impl Tabular {
    /// A table wider than the line is made as wide as it, unless it has prose, which breaks, or is longer than a page.
    pub fn tex(&self) -> String {
        let columns: String = self.columns.iter().map(|column| column.code()).collect();
        let (open, close) = if self.is_dense { (DENSE, "}%\n") } else { ("", "") };
        let table = if self.rows.len() > MOST_ROWS { self.long(&columns) } else { self.short(&columns) };
        format!("{open}{table}{close}{}", self.below())
    }

    fn short(&self, columns: &str) -> String {
        let line = |row: &[String]| format!("  {} \\\\\n", row.join(" & "));
        // As a paragraph of its own it is not indented: one that is as wide as the line would stick out.
        let mut tex = format!("% {}\n% needs \\usepackage{{booktabs,graphicx}}\n\\noindent\n", comment(&self.what));
        let fits = self.columns.iter().any(|column| matches!(column, ColumnStyle::Prose(_)));
        if !fits {
            tex += FITTED;
        }
        let _ = writeln!(tex, "\\begin{{tabular}}{{@{{}}{columns}@{{}}}}\n  \\toprule");
        tex += &line(&self.head);
        tex += "  \\midrule\n";
        self.rows.iter().for_each(|row| tex += &line(row));
        tex += "  \\bottomrule\n\\end{tabular}";
        tex + if fits { "%\n" } else { "}%\n" }
    }

    fn long(&self, columns: &str) -> String {
        let line = |row: &[String]| format!("  {} \\\\\n", row.join(" & "));
        let mut tex = format!("% {}\n% needs \\usepackage{{booktabs,graphicx,longtable}}\n", comment(&self.what));
        let _ = writeln!(tex, "\\begin{{longtable}}{{@{{}}{columns}@{{}}}}\n  \\toprule");
        tex += &line(&self.head);
        tex += "  \\midrule\n  \\endhead\n  \\bottomrule\n  \\endfoot\n";
        self.rows.iter().for_each(|row| tex += &line(row));
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
            Self::Centre => "c".to_string(),
            Self::Prose(share) => format!("p{{0.{share:02}\\linewidth}}"),
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

/// The claims of an experiment under every reading.
pub fn claims(table: &ClaimsTable, caveats: &[String]) -> String {
    let sign = |verdict: Verdict| match verdict {
        Verdict::Holds => "+",
        Verdict::Fails => "-",
        Verdict::Inconclusive => "?",
    };
    let mut cells = table.cells(sign).into_iter();
    // The claim, with its figure, stands first: a table of many readings is wide.
    let set = |row: Vec<String>, mark: &dyn Fn(&str) -> String| match row.as_slice() {
        [statement, figure, standing, marks @ .., claim] => {
            let mut set = vec![text(statement), format!("{} ({})", text(claim), text(figure)), text(standing)];
            set.extend(marks.iter().map(|cell| mark(cell)));
            set
        }
        short => short.iter().map(|cell| text(cell)).collect(),
    };
    let upright = |reading: &str| format!("\\rotatebox{{90}}{{{}}}", text(reading));
    let mut columns = vec![ColumnStyle::Left, ColumnStyle::Prose(35), ColumnStyle::Prose(13)];
    columns.extend(vec![ColumnStyle::Centre; table.readings.len()]);
    let mut notes = vec!["+ holds, - fails, ? inconclusive; n/N of the seeds; ! against expectation".to_string()];
    notes.extend(data_note(caveats));
    Tabular {
        what: format!("{}: claims and their verdicts under each reading", table.experiment),
        columns,
        head: cells.next().map(|head| set(head, &upright)).unwrap_or_default(),
        rows: cells.map(|row| set(row, &text)).collect(),
        is_dense: true,
        notes,
    }
    .tex()
}

/// A comparison: heading, table and notes of each of its sheets.
pub fn sheets(sheets: &[ContestSheet], caveats: &[String]) -> String {
    let mut tex = String::new();
    for sheet in sheets {
        let style = if sheet.level == 1 { "\\bfseries" } else { "\\itshape" };
        // No page ends within a heading.
        let _ = writeln!(
            tex,
            "\\par\\medskip\\noindent{{\\interlinepenalty10000{style} {}\\par}}\\nopagebreak\\smallskip",
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
