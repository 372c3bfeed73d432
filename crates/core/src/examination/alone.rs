//! A release without its original: the release itself is read as if it were one, each of its cells and nodes a value. What
//! depends on the release alone (its classes, their sizes, their sensitive values, the supports of itemsets) is then what it is, and
//! distances are from the distribution of the release itself.

use super::foreign::{delimiter, wrong_width};
use super::found::FoundRelease;
use super::take::Taken;
use crate::data::{
    Column, ColumnBuilder, Content, Dataset, HierarchyBuilder, Microdata, NodeId, Origin, SensitivePart, Table,
    Transactions, combined,
};
use crate::lab::{LabError, counted, did_you_mean};
use crate::release::generalized_table::{CellColumn, GeneralizedCell, GeneralizedTable};
use crate::release::{
    Beside, Buckets, Cut, GeneralizedTransactions, GroupIds, Release, ReleaseKind, SuppressedTransactions,
};
use crate::sources::{DataError, SourceText, for_each_record, read_regular_file};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// Which columns or items are what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roles {
    /// Columns that an adversary may know.
    pub quasi_identifiers: Vec<String>,
    /// The columns to protect, each alone.
    pub sensitive: Vec<String>,
    /// Protect the combination of several instead.
    pub combine_sensitive: bool,
    /// Items to protect.
    pub private: Vec<String>,
}

/// Reads the files of `found` alone.
pub fn alone(found: &FoundRelease, roles: &Roles) -> Result<Taken, LabError> {
    match found.kind {
        ReleaseKind::GeneralizedTable => table(&found.files[0], roles),
        ReleaseKind::Buckets => buckets(found, roles),
        ReleaseKind::GeneralizedTransactions | ReleaseKind::SuppressedTransactions => transactions(found, roles),
        ReleaseKind::Rules => Err(LabError::input(format!(
            "{}: what rules reveal cannot be said without the original: give it with --original",
            found.files[0].display()
        ))),
    }
}

const STAR: &str = "*";

fn text_of(path: &Path) -> Result<SourceText, LabError> {
    Ok(SourceText::new(path.display().to_string(), read_regular_file(path)?)?)
}

/// Every record of a CSV file, the header first; fields without blanks around them.
fn records(source: &SourceText) -> Result<Vec<(usize, Vec<String>)>, DataError> {
    records_and(source, b',', |_, _, _| {})
}

/// The same; `padded` is told of every field that has blanks around it, by its record and place.
fn records_and(
    source: &SourceText,
    delimiter: u8,
    mut padded: impl FnMut(usize, usize, &str),
) -> Result<Vec<(usize, Vec<String>)>, DataError> {
    let mut all: Vec<(usize, Vec<String>)> = Vec::new();
    for_each_record(source, delimiter, |line, fields| {
        if let Some((_, header)) = all.first()
            && header.len() != fields.len()
        {
            return Err(source.error(line, wrong_width(fields.len(), header.len(), delimiter)));
        }
        for (place, field) in fields.iter().enumerate().filter(|(_, field)| field.trim().len() < field.len()) {
            padded(all.len(), place, field);
        }
        all.push((line, fields.iter().map(|field| field.trim().to_string()).collect()));
        Ok(())
    })?;
    let Some((_, header)) = all.first() else {
        return Err(source.error(1, "it is empty; its first line must name the columns"));
    };
    if let Some(twice) = header.iter().enumerate().find(|(i, name)| header[..*i].contains(name)) {
        return Err(source.error(1, format!("two columns are called `{}`", twice.1)));
    }
    if all.len() == 1 {
        return Err(source.error(2, "it has no rows"));
    }
    Ok(all)
}

fn place(source: &SourceText, header: &[String], name: &str) -> Result<usize, DataError> {
    header.iter().position(|known| known == name).ok_or_else(|| {
        let hint = did_you_mean(name, header).unwrap_or_else(|| format!("it has {}", header.join(", ")));
        source.error(1, format!("the release has no column `{name}`; {hint}"))
    })
}

fn table(path: &Path, roles: &Roles) -> Result<Taken, LabError> {
    let source = text_of(path)?;
    let mut padded: Vec<(usize, usize, String)> = Vec::new();
    let wanted: Vec<&str> = roles.quasi_identifiers.iter().chain(&roles.sensitive).map(String::as_str).collect();
    let between = delimiter(&source, &wanted);
    let records = records_and(&source, between, |record, place, text| padded.push((record, place, text.to_string())))?;
    let ((_, header), rows) = records.split_first().ok_or_else(|| source.error(1, "it is empty"))?;
    if roles.sensitive.is_empty() {
        return Err(LabError::input(format!(
            "{}: name the column to protect with --sensitive; it has {}",
            path.display(),
            header.join(", ")
        )));
    }
    if roles.quasi_identifiers.is_empty() {
        return Err(LabError::input(format!(
            "{}: name the columns an adversary may know with --quasi-identifiers; it has {}",
            path.display(),
            header.join(", ")
        )));
    }
    let names = roles.quasi_identifiers.iter().chain(&roles.sensitive);
    let places = names.map(|name| place(&source, header, name)).collect::<Result<Vec<_>, _>>()?;
    let is_suppressed = |row: &Vec<String>| places.iter().all(|&place| row[place] == STAR);
    let (suppressed, shown): (Vec<_>, Vec<_>) = (1..).zip(rows).partition(|(_, (_, row))| is_suppressed(row));
    let mut notes = vec![
        "there is no original: cells are compared by their text, and distances are from the release's own distribution"
            .to_string(),
    ];
    if !suppressed.is_empty() {
        notes.push(format!("set aside: {} that are `*` throughout", counted(suppressed.len(), "row")));
    }
    let mut columns: Vec<Column> = places
        .iter()
        .map(|&place| {
            let mut builder = ColumnBuilder::default();
            shown.iter().for_each(|(_, (_, row))| builder.push(Cow::Borrowed(&row[place])));
            builder.finish(header[place].as_str())
        })
        .collect();
    let mut sensitive_parts = Vec::new();
    if roles.sensitive.len() > 1 {
        let parts = columns.split_off(roles.quasi_identifiers.len());
        let combined = combined(&parts).map_err(|message| LabError::input(format!("{}: {message}", path.display())))?;
        if !roles.combine_sensitive {
            sensitive_parts.extend(parts.iter().map(|part| SensitivePart::new(part, &combined, None)));
        }
        columns.push(combined);
    }
    let dataset = microdata(Table::new(columns), sensitive_parts);
    let microdata = dataset.microdata()?;
    let cells = |i: usize| {
        let column = &microdata.table.columns[i];
        let cell = |(code, text): (u32, &String)| {
            if text == STAR { GeneralizedCell::Any } else { GeneralizedCell::Value(code) }
        };
        CellColumn { cells: (0..).zip(&column.values).map(cell).collect(), of_row: column.codes.clone() }
    };
    let release = GeneralizedTable {
        columns: (0..microdata.quasi_identifiers.len()).map(cells).collect(),
        sensitive: microdata.sensitive_codes().iter().copied().map(Some).collect(),
    };
    // A cell with blanks around it says the same and looks different.
    let mut written = release.clone();
    let mut looks: BTreeMap<(usize, &String), u32> = BTreeMap::new();
    for (row, (record, _)) in shown.iter().enumerate() {
        let first = padded.partition_point(|(of, ..)| of < record);
        for (_, place, text) in padded[first..].iter().take_while(|(of, ..)| of == record) {
            let Some(column) = places.iter().position(|at| at == place).and_then(|i| written.columns.get_mut(i)) else {
                continue;
            };
            let cell = column.cells[column.of_row[row] as usize].clone();
            let next = column.cells.len() as u32;
            column.of_row[row] = *looks.entry((*place, text)).or_insert_with(|| {
                column.cells.push(cell);
                next
            });
        }
    }
    let form = Release::GeneralizedTable(written).form_faults(Beside::Itself(&dataset), &[])?;
    Ok(Taken { dataset, release: Release::GeneralizedTable(release), notes, rows: None, form })
}

/// A table whose last column is the sensitive one and whose others are quasi-identifiers.
fn microdata(table: Table, sensitive_parts: Vec<SensitivePart>) -> Dataset {
    let quasi = table.columns.len() - 1;
    let content = Content::Table(Microdata {
        table,
        quasi_identifiers: (0..quasi).collect(),
        sensitive: quasi,
        hierarchies: vec![None; quasi],
        sensitive_hierarchy: None,
        sensitive_parts,
    });
    Dataset { name: "release".to_string(), origin: Origin::Real, content }
}

const GROUP: &str = "group_id";

/// An original that the buckets may come from: each group's values in some order.
fn buckets(found: &FoundRelease, roles: &Roles) -> Result<Taken, LabError> {
    let (qit, st) = (text_of(&found.files[0])?, text_of(&found.files[1])?);
    let (people, values) = (records(&qit)?, records(&st)?);
    let (group_at, value_group_at) = (place(&qit, &people[0].1, GROUP)?, place(&st, &values[0].1, GROUP)?);
    let count_at = place(&st, &values[0].1, "count")?;
    let value_at = (0..values[0].1.len()).find(|&at| at != value_group_at && at != count_at);
    let value_at = value_at.ok_or_else(|| st.error(1, "it has no column of sensitive values"))?;
    // Values with the number of rows they are left for: listed one by one, those of a hostile file would fill the memory.
    let mut left: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
    for (line, record) in &values[1..] {
        let count: usize = record[count_at]
            .parse()
            .map_err(|_| st.error(*line, format!("`count` must be a whole number, not `{}`", record[count_at])))?;
        if count > people.len() {
            return Err(st
                .error(
                    *line,
                    format!("{} in a release of {}", counted(count, "value"), counted(people.len() - 1, "row")),
                )
                .into());
        }
        let of_group = left.entry(&record[value_group_at]).or_default();
        of_group.extend((count > 0).then_some((record[value_at].as_str(), count)));
    }
    let quasi: Vec<usize> = match roles.quasi_identifiers.as_slice() {
        [] => (0..people[0].1.len()).filter(|&at| at != group_at).collect(),
        names => names.iter().map(|name| place(&qit, &people[0].1, name)).collect::<Result<_, _>>()?,
    };
    let mut builders: Vec<ColumnBuilder<'_>> = (0..=quasi.len()).map(|_| ColumnBuilder::default()).collect();
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let mut group_of = Vec::with_capacity(people.len() - 1);
    for (line, record) in &people[1..] {
        let group = record[group_at].as_str();
        let value = left.get_mut(group).and_then(|of_group| {
            let (value, count) = of_group.pop()?;
            of_group.extend((count > 1).then_some((value, count - 1)));
            Some(value)
        });
        let value = value
            .ok_or_else(|| qit.error(*line, format!("group {group} has more rows here than values in {}", st.name)))?;
        for (builder, text) in builders.iter_mut().zip(quasi.iter().map(|&at| record[at].as_str()).chain([value])) {
            builder.push(Cow::Borrowed(text));
        }
        let next = numbers.len() as u32;
        group_of.push(*numbers.entry(group).or_insert(next));
    }
    if let Some((group, _)) = left.iter().find(|(_, values)| !values.is_empty()) {
        return Err(LabError::input(format!("{}: group {group} has more values than rows in {}", st.name, qit.name)));
    }
    let names = quasi.iter().map(|&at| people[0].1[at].as_str()).chain([values[0].1[value_at].as_str()]);
    let columns = builders.into_iter().zip(names).map(|(builder, name)| builder.finish(name)).collect();
    let dataset = microdata(Table::new(columns), Vec::new());
    let mut ids: Vec<(u32, &str)> = numbers.into_iter().map(|(id, number)| (number, id)).collect();
    ids.sort_unstable();
    let ids = GroupIds::new(ids.into_iter().map(|(_, id)| id));
    let release = Release::Buckets(Buckets { ids, ..Buckets::from_groups(dataset.microdata()?, group_of) });
    let notes = vec!["there is no original: distances are from the release's own distribution".to_string()];
    let form = release.form_faults(Beside::Itself(&dataset), &[qit.body().as_bytes(), st.body().as_bytes()])?;
    Ok(Taken { dataset, release, notes, rows: None, form })
}

fn transactions(found: &FoundRelease, roles: &Roles) -> Result<Taken, LabError> {
    let source = text_of(&found.files[0])?;
    let generalized = found.kind == ReleaseKind::GeneralizedTransactions;
    let mut node_of: BTreeMap<String, String> = BTreeMap::new();
    // The list of suppressed items may be missing, and says nothing by its form.
    let cut = generalized.then(|| text_of(&found.files[1])).transpose()?;
    if let Some(cut) = &cut {
        let records = records(cut)?;
        let (id_at, node_at) = (place(cut, &records[0].1, "id")?, place(cut, &records[0].1, "node")?);
        let mut id_of: BTreeMap<&str, &str> = BTreeMap::new();
        for (line, record) in &records[1..] {
            let (id, node) = (record[id_at].as_str(), record[node_at].as_str());
            let known = node_of.entry(id.to_string()).or_insert_with(|| node.to_string());
            if known.as_str() != node {
                return Err(cut.error(*line, format!("id {id} is `{known}` elsewhere, not `{node}`")).into());
            }
            // Read as one, they would be in more transactions than either is.
            let known = *id_of.entry(node).or_insert(id);
            if known != id {
                return Err(cut.error(*line, format!("`{node}` is published as {known} and as {id}")).into());
            }
        }
    }
    let mut rows: Vec<Vec<&str>> = Vec::new();
    // Empty lines are transactions of which nothing is left, also at the end of the file.
    for (line, text) in (1..).zip(source.body().lines()) {
        let label = |id| match node_of.get(id) {
            Some(node) => Ok(node.as_str()),
            None if generalized => Err(source.error(line, format!("`{id}` is no id of cut.csv"))),
            None => Ok(id),
        };
        rows.push(text.split_ascii_whitespace().map(label).collect::<Result<_, _>>()?);
    }
    let transactions = Transactions::from_labels(&rows);
    let mut private = Vec::new();
    for name in &roles.private {
        let item = transactions.labels.iter().position(|label| label == name);
        private
            .push(item.ok_or_else(|| LabError::input(format!("no transaction has the private item `{name}`")))? as u32);
    }
    let notes = vec!["there is no original: items are those that the release has".to_string()];
    let files = [source.body().as_bytes(), cut.as_ref().map_or(&[][..], |cut| cut.body().as_bytes())];
    let taken = |dataset: Dataset, release: Release| -> Result<Taken, LabError> {
        let form = release.form_faults(Beside::Itself(&dataset), &files)?;
        Ok(Taken { dataset, release, notes, rows: None, form })
    };
    if !generalized {
        let release = SuppressedTransactions::suppressing(&transactions, []);
        let dataset = Dataset::of_transactions(transactions, None, &private);
        return taken(dataset, Release::SuppressedTransactions(release));
    }
    let mut builder = HierarchyBuilder::new(transactions.labels.clone());
    let leaves: Vec<NodeId> = (0..transactions.items() as NodeId).collect();
    builder.group("everything", &leaves);
    let hierarchy = builder.finish()?;
    let release = GeneralizedTransactions::through(&Cut::bottom(&hierarchy), &hierarchy, &transactions);
    let dataset = Dataset::of_transactions(transactions, Some(hierarchy), &private);
    taken(dataset, Release::GeneralizedTransactions(release))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: ReleaseKind, files: &[(&str, &str)], roles: &Roles) -> Result<Taken, LabError> {
        let directory = tempfile::tempdir().unwrap();
        let write = |(name, text): &(&str, &str)| {
            let path = directory.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let found = FoundRelease { kind, files: files.iter().map(write).collect(), why: String::new() };
        alone(&found, roles)
    }

    /// What the form of these files says, alone.
    fn form(kind: ReleaseKind, files: &[(&str, &str)], roles: &Roles) -> Vec<(bool, String)> {
        let taken = read(kind, files, roles).unwrap();
        taken.form.into_iter().map(|fault| (fault.leaks, fault.says)).collect()
    }

    /// Two numbers that stand for one node tell apart what one would not: taken for the node, both would be in more transactions.
    #[test]
    fn a_cut_that_contradicts_itself_is_refused() {
        let said = |cut: &str| {
            let cut = format!("item,id,node\n{cut}");
            let files = [("transactions.dat", "0 1\n0 1\n"), ("cut.csv", cut.as_str())];
            let error = read(ReleaseKind::GeneralizedTransactions, &files, &Roles::default()).unwrap_err().to_string();
            error.rsplit_once('/').unwrap().1.to_string()
        };
        assert_eq!(said("a,0,A\nb,1,A\n"), "cut.csv, line 3: `A` is published as 0 and as 1");
        assert_eq!(said("a,0,A\nb,0,B\nc,1,c\n"), "cut.csv, line 3: id 0 is `A` elsewhere, not `B`");
    }

    #[test]
    fn transactions_without_items_count_wherever_they_stand() {
        let taken = |lines: &str| {
            read(ReleaseKind::SuppressedTransactions, &[("transactions.dat", lines)], &Roles::default()).unwrap()
        };
        for lines in ["a b\n\n\n", "\na b\n\n", "\r\n\r\na b"] {
            assert_eq!(taken(lines).dataset.baskets().unwrap().transactions.len(), 3, "{lines:?}");
        }
    }

    /// Values are given out from the last line of a group on, whether they are counted or stand one by one.
    #[test]
    fn buckets_are_given_the_values_of_their_groups() {
        let qit = "age,group_id\n20,a\n30,a\n40,a\n50,b\n";
        let taken = |st: &str| {
            let st = format!("count,group_id,ill\n{st}");
            read(ReleaseKind::Buckets, &[("qit.csv", qit), ("st.csv", &st)], &Roles::default())
        };
        let values = |st: &str| {
            let dataset = taken(st).unwrap().dataset;
            let column = &dataset.microdata().unwrap().table.columns[1];
            (0..4).map(|row| column.text(row).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(values("1,a,cold\n2,a,flu\n1,b,gout\n"), ["flu", "flu", "cold", "gout"]);
        for (st, says) in [
            ("2,a,cold\n1,b,flu\n", "group a has more rows here than values in "),
            ("3,a,cold\n0,a,flu\n2,b,flu\n", "group b has more values than rows in "),
        ] {
            let error = taken(st).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_cell_that_is_written_like_no_other_is_a_leak() {
        let roles = Roles { quasi_identifiers: vec!["age".into()], sensitive: vec!["ill".into()], ..Roles::default() };
        let table = "age,ill\n[20-30],flu\n[20-30],cold\n[20-30],gout\n40,flu\n40,cold\n";
        let found = |text: &str| form(ReleaseKind::GeneralizedTable, &[("r.csv", text)], &roles);
        assert_eq!(found(table), []);
        let marked = found(&table.replace("[20-30],gout", "[20-30] ,gout"));
        let [(true, says)] = marked.as_slice() else { panic!("{marked:?}") };
        assert!(says.starts_with("row 3: no other row is written like this one"), "{says}");
    }

    #[test]
    fn values_of_groups_in_an_odd_order_are_worth_a_look_and_no_proof() {
        let qit = "age,group_id\n20,b\n30,b\n40,a\n50,a\n";
        let found = |st: &str| {
            let st = format!("count,group_id,ill\n{st}");
            form(ReleaseKind::Buckets, &[("qit.csv", qit), ("st.csv", &st)], &Roles::default())
        };
        assert_eq!(found("1,a,cold\n1,a,flu\n1,b,cold\n1,b,flu\n"), []);
        // Beside the original, either could be the order of the rows.
        for st in ["1,a,cold\n1,a,flu\n1,b,flu\n1,b,cold\n", "1,a,flu\n1,a,cold\n1,b,cold\n1,b,flu\n"] {
            let odd = found(st);
            let [(false, says)] = odd.as_slice() else { panic!("{odd:?}") };
            assert!(says.contains("in no order that everybody knows"), "{says}");
        }
    }

    #[test]
    fn a_number_that_stands_twice_is_a_leak() {
        let cut = "item,id,node\na1,2,A\na2,2,A\nb,0,b\nc,1,c\n";
        let found = |lines: &str| {
            form(
                ReleaseKind::GeneralizedTransactions,
                &[("transactions.dat", lines), ("cut.csv", cut)],
                &Roles::default(),
            )
        };
        assert_eq!(found("0 1 2\n0 1 2\n"), []);
        let twice = found("0 1 2 2\n0 1 2\n");
        let [(true, says)] = twice.as_slice() else { panic!("{twice:?}") };
        assert!(says.contains("`2` stands there more than once"), "{says}");
        let items =
            form(ReleaseKind::SuppressedTransactions, &[("transactions.dat", "9 10\n10 9\n")], &Roles::default());
        let [(false, says)] = items.as_slice() else { panic!("{items:?}") };
        assert!(says.contains("in no order that everybody knows"), "{says}");
    }
}
