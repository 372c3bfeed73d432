//! The claims of an experiment with their verdicts under every reading, from the files that its report left: what
//! `anonlab claims` prints and the page of a paper shows.

use super::ReportError;
use super::claims::Verdict;
use crate::spec::DEFAULT_READING;
use crate::spec::expectation::Standing;
use csv::StringRecord;
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClaimsTable {
    /// The folder's name.
    pub experiment: String,
    /// All readings that some claim goes through, the default first.
    pub readings: Vec<String>,
    /// What depends on the reading first, then what depends on chance, what is open, what is robust.
    pub rows: Vec<ClaimRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClaimRow {
    pub statement: String,
    pub figure: String,
    pub claim: String,
    pub standing: String,
    pub verdict: String,
    /// What the standing rests on, in a sentence.
    pub told: String,
    pub expected: String,
    pub surprise: String,
    /// The numbers that decided, as the spec stands.
    pub detail: String,
    /// Why it is expected to fail.
    pub because: String,
    /// Whether it asks for values that the paper printed.
    pub printed: bool,
    /// The verdicts of the seeds, for each of the table's readings; None where the claim does not go through it.
    pub marks: Vec<Option<SeedVerdicts>>,
}

/// The seeds of one reading by their verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SeedVerdicts {
    pub holds: usize,
    pub fails: usize,
    pub inconclusive: usize,
}

impl SeedVerdicts {
    /// The verdict most seeds give, how many do, and of how many.
    pub fn most(self) -> (Verdict, usize, usize) {
        let counts =
            [(Verdict::Holds, self.holds), (Verdict::Fails, self.fails), (Verdict::Inconclusive, self.inconclusive)];
        let total = counts.iter().map(|(_, count)| count).sum();
        let (verdict, most) = counts.into_iter().rev().max_by_key(|(_, count)| *count).unwrap_or((Verdict::Holds, 0));
        (verdict, most, total)
    }

    /// "✓", "✗ 8/10".
    pub fn shown(self, symbol: fn(Verdict) -> &'static str) -> String {
        match self.most() {
            (verdict, _, 1) => symbol(verdict).to_string(),
            (verdict, most, total) => format!("{} {most}/{total}", symbol(verdict)),
        }
    }

    /// Whether some hold and some fail.
    pub fn disagree(self) -> bool {
        self.holds > 0 && self.fails > 0
    }

    /// "holds in 7 of 10 seeds, fails in 2, gives no verdict in 1"; None where one verdict is all there is.
    pub fn told(self) -> Option<String> {
        let total = self.holds + self.fails + self.inconclusive;
        let kinds = [(self.holds, "holds"), (self.fails, "fails"), (self.inconclusive, "gives no verdict")];
        let kinds: Vec<(usize, &str)> = kinds.into_iter().filter(|(count, _)| *count > 0).collect();
        match kinds.as_slice() {
            _ if total < 2 => None,
            [(_, word)] => Some(format!("{word} in {} seeds", crate::report::number::all(total))),
            kinds => {
                let part = |(place, (count, word)): (usize, &(usize, &str))| match place {
                    0 => format!("{word} in {count} of {total} seeds"),
                    _ => format!("{word} in {count}"),
                };
                Some(kinds.iter().enumerate().map(part).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl ClaimRow {
    /// "depends on reading", with a mark where it is not as expected.
    pub fn standing(&self) -> String {
        let known = if self.surprise.is_empty() { "" } else { " !" };
        format!("{}{known}", self.standing.replace('_', " "))
    }
}

impl ClaimsTable {
    /// Reads `claims.csv` and `standings.csv` of an experiment's folder.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        let (standings, claims) = (CsvRecords::read(folder, "standings.csv")?, CsvRecords::read(folder, "claims.csv")?);
        let mut readings: Vec<String> = vec![DEFAULT_READING.to_string()];
        let groups = claims.groups(["figure", "claim"], ["reading", "seed"])?;
        let reading = claims.column("reading")?;
        for row in groups.iter().flatten() {
            if !readings.iter().any(|known| *known == row[reading]) {
                readings.push(row[reading].to_string());
            }
        }
        let verdict = claims.column("verdict")?;
        let mut rows = Vec::new();
        for (row, group) in standings.rows.iter().zip(groups) {
            let mut marks: Vec<Option<SeedVerdicts>> = vec![None; readings.len()];
            for claim in group {
                let place = readings.iter().position(|known| *known == claim[reading]).unwrap_or(0);
                let mark = marks[place].get_or_insert_default();
                match &claim[verdict] {
                    "holds" => mark.holds += 1,
                    "fails" => mark.fails += 1,
                    _ => mark.inconclusive += 1,
                }
            }
            let field = |name: &str| -> Result<String, ReportError> { Ok(row[standings.column(name)?].to_string()) };
            // Reports of earlier versions do not have these.
            let later = |name: &str| field(name).unwrap_or_default();
            rows.push(ClaimRow {
                statement: field("statement")?,
                figure: field("figure")?,
                claim: field("claim")?,
                standing: field("standing")?,
                verdict: field("verdict")?,
                told: field("told")?,
                expected: field("expected")?,
                surprise: field("surprise")?,
                detail: later("detail"),
                because: later("because"),
                printed: later("printed") == "true",
                marks,
            });
        }
        let order = [Standing::DependsOnReading, Standing::DependsOnChance, Standing::Open, Standing::Robust];
        rows.sort_by_key(|row| order.iter().position(|standing| standing.name() == row.standing));
        let experiment = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Self { experiment, readings, rows })
    }

    /// Only the claims about one statement, and the readings that they go through.
    pub fn about(mut self, statement: &str) -> Self {
        self.rows.retain(|row| row.statement == statement);
        let used: Vec<bool> =
            (0..self.readings.len()).map(|i| i == 0 || self.rows.iter().any(|row| row.marks[i].is_some())).collect();
        for row in &mut self.rows {
            let mut used = used.iter();
            row.marks.retain(|_| *used.next().unwrap_or(&true));
        }
        let mut used = used.iter();
        self.readings.retain(|_| *used.next().unwrap_or(&true));
        self
    }

    /// Heads and rows: statement, figure, standing, a column for each reading, the claim.
    pub fn cells(&self, symbol: fn(Verdict) -> &'static str) -> Vec<Vec<String>> {
        let mut heads: Vec<String> = ["statement", "figure", "standing"].map(String::from).to_vec();
        heads.extend(self.readings.iter().cloned());
        heads.push("claim".to_string());
        let mut rows = vec![heads];
        for row in &self.rows {
            let mut cells = vec![row.statement.clone(), row.figure.clone(), row.standing()];
            // Nothing where the claim does not go through the reading.
            cells.extend(row.marks.iter().map(|mark| mark.map_or(String::new(), |mark| mark.shown(symbol))));
            cells.push(row.claim.clone());
            rows.push(cells);
        }
        rows
    }
}

/// A CSV file as it was read.
pub(super) struct CsvRecords {
    path: PathBuf,
    heads: StringRecord,
    pub rows: Vec<StringRecord>,
}

impl CsvRecords {
    pub fn read(folder: &Path, name: &str) -> Result<Self, ReportError> {
        let path = folder.join(name);
        let named = |error: csv::Error| ReportError::Input(format!("cannot read {}: {error}", path.display()));
        let mut reader = csv::Reader::from_path(&path).map_err(named)?;
        let heads = reader.headers().map_err(named)?.clone();
        let rows = reader.records().collect::<Result<_, _>>().map_err(named)?;
        Ok(Self { path, heads, rows })
    }

    pub fn column(&self, name: &str) -> Result<usize, ReportError> {
        let found = self.heads.iter().position(|head| head == name);
        found.ok_or_else(|| ReportError::Input(format!("{} has no column `{name}`", self.path.display())))
    }

    /// Neighbouring rows that agree in `same` and differ in `apart`: two claims with the same words are two.
    fn groups(&self, same: [&str; 2], apart: [&str; 2]) -> Result<Vec<Vec<&StringRecord>>, ReportError> {
        let same = [self.column(same[0])?, self.column(same[1])?];
        let apart = [self.column(apart[0])?, self.column(apart[1])?];
        let mut groups: Vec<Vec<&StringRecord>> = Vec::new();
        for row in &self.rows {
            let fits = |group: &&mut Vec<&StringRecord>| {
                same.iter().all(|&i| group[0][i] == row[i])
                    && !group.iter().any(|other| apart.iter().all(|&i| other[i] == row[i]))
            };
            match groups.last_mut().filter(fits) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
        }
        Ok(groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_from_the_files_of_a_report() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write(
            "claims.csv",
            "figure,claim,statement,reading,seed,verdict\n\
             f,same,A-1,default,,holds\n\
             f,same,A-2,default,,fails\n\
             f,other,A-1,default,1,holds\nf,other,A-1,default,2,fails\nf,other,A-1,o=b,,fails\n",
        );
        write(
            "standings.csv",
            "figure,claim,statement,standing,verdict,told,expected,surprise\n\
             f,same,A-1,robust,holds,holds,holds,\nf,same,A-2,robust,fails,fails,fails,\n\
             f,other,A-1,depends_on_reading,holds,t,holds,\n",
        );
        let table = ClaimsTable::read(folder.path()).unwrap();
        assert_eq!(table.readings, ["default", "o=b"]);
        let shown: Vec<(&str, &str, Option<SeedVerdicts>)> =
            table.rows.iter().map(|row| (row.claim.as_str(), row.statement.as_str(), row.marks[0])).collect();
        let mark = |holds, fails| Some(SeedVerdicts { holds, fails, inconclusive: 0 });
        assert_eq!(
            shown,
            [("other", "A-1", mark(1, 1)), ("same", "A-1", mark(1, 0)), ("same", "A-2", mark(0, 1))],
            "what depends on the reading comes first"
        );
        assert_eq!(table.rows[0].marks[1].unwrap().most(), (Verdict::Fails, 1, 1));
        let one = table.about("A-2");
        assert_eq!((one.rows.len(), one.readings.len(), one.rows[0].marks.len()), (1, 1, 1));
        assert!(ClaimsTable::read(Path::new("nowhere")).unwrap_err().to_string().contains("standings.csv"));
    }

    #[test]
    fn marks_tell_seeds_where_there_are_several() {
        let sign = |verdict: Verdict| if verdict == Verdict::Holds { "+" } else { "-" };
        let shown = |holds, fails, inconclusive| SeedVerdicts { holds, fails, inconclusive }.shown(sign);
        assert_eq!(shown(1, 0, 0), "+");
        assert_eq!(shown(2, 8, 0), "- 8/10");
        assert_eq!(shown(0, 0, 1), "-");
    }
}
