//! The verifier of generalized tables. It sees cells, covers and counts alone. What it shares with publishers is what words mean,
//! not what they decide: which values a cell covers ([`Domain`]), what the sensitive attributes are, decimals. Classes are formed,
//! and thresholds held against them, by code that no publisher uses.
//!
//! Cost. One pass over the cells, one hash lookup a row for the classes, then each class times the sensitive values.

use super::reached::{
    alpha_of, beta_of, closeness_of, delta_of, enhanced_beta_of, entropy_diversity, entropy_reaches, recursive_c_of,
};
use super::{
    ClassGroup, ClassWitnesses, Classes, Cover, Domain, Fraction, GeneralizedTable, Overall, Requirement,
    TableGuarantee,
};
use crate::data::{Microdata, SensitiveAttribute};
use crate::lab::{Decimal, LabError, Witness, counted};
use crate::release::kind::NAMED_FAULTS;
use std::cmp::Ordering;

/// The ways in which `table` is no release of `microdata`, or breaks `guarantee`.
pub(super) fn table_faults(
    microdata: &Microdata,
    table: &GeneralizedTable,
    guarantee: &TableGuarantee,
) -> Result<Vec<Witness>, LabError> {
    if let Err(error) = table.check_shape(microdata) {
        return Ok(vec![Witness::of(Witness::TRUTH, error.to_string())]);
    }
    let mut faults = untrue_cells(microdata, table);
    if !faults.is_empty() {
        return Ok(faults);
    }
    let TableGuarantee { requirements, conventions } = guarantee;
    let classes = Classes::new(microdata, table, conventions.suppressed_if);
    faults.extend(over_suppression(microdata, &classes, conventions.suppression)?);
    let groups = classes.groups(&table.sensitive, *conventions);
    let cases = ClassWitnesses { microdata, table, classes: &classes, conventions: *conventions };
    let attributes = microdata.sensitive_attributes();
    let of_attributes: Vec<_> = (attributes.iter())
        .map(|attribute| {
            let own = ClassGroup::of_attribute(&groups, attribute);
            (attribute, own, Overall::of_original(microdata, attribute))
        })
        .collect();
    for requirement in requirements {
        // How many rows a class has is the same for every attribute.
        let of_attributes = if requirement.is_about_values() { &of_attributes } else { &of_attributes[..1] };
        for (attribute, groups, overall) in of_attributes {
            let named = attribute.is_one_of_several() && requirement.is_about_values();
            let (before, of) = match named {
                true => (format!("`{}`: ", attribute.name), attribute.in_words()),
                false => (String::new(), String::new()),
            };
            for group in groups.iter() {
                if let Some(Shortfall { says, reached, wanted }) = shortfall(requirement, group, overall)? {
                    let says = format!("{before}the class of row {} {says}", group.first_row + 1);
                    let witness = Witness::of(format!("{requirement}{of}"), says).number(reached).against(wanted);
                    faults.push(cases.of(attribute, group, witness));
                    if faults.len() >= NAMED_FAULTS {
                        return Ok(faults);
                    }
                }
            }
        }
    }
    Ok(faults)
}

/// Cells that do not cover the original's, and sensitive values that are not the original's.
fn untrue_cells(microdata: &Microdata, table: &GeneralizedTable) -> Vec<Witness> {
    let mut faults = Vec::new();
    for (i, (column, domain)) in table.columns.iter().zip(Domain::all(microdata)).enumerate() {
        // What the attribute does not have covers nothing.
        let cover_of = |cell| domain.has(cell).then(|| domain.cover(cell));
        let covers: Vec<Option<Cover>> = column.cells.iter().map(cover_of).collect();
        for (row, (&cell, &code)) in column.of_row.iter().zip(microdata.quasi_codes(i)).enumerate() {
            let cover = covers.get(cell as usize).and_then(Option::as_ref);
            if !cover.is_some_and(|cover| cover.contains(code)) {
                let (row, name, truth) = (row + 1, &domain.column.name, &domain.column.values[code as usize]);
                let known = column.cells.get(cell as usize).filter(|cell| domain.has(cell));
                let text = known.map_or_else(|| "?".to_string(), |cell| domain.text(cell));
                let is = format!("`{name}` is `{text}`");
                faults.push(
                    Witness::of(
                        Witness::TRUTH,
                        format!("row {row}: {is}, which does not cover the original's `{truth}`"),
                    )
                    .or_by_number(format!("row {row}: {is}, which does not cover the original's value"))
                    .row(row - 1)
                    .by([is]),
                );
                if faults.len() >= NAMED_FAULTS {
                    return faults;
                }
            }
        }
    }
    let stars = Classes::new(microdata, table, super::SuppressedIf::QuasiIdentifiers);
    let sensitive = &microdata.table.columns[microdata.sensitive];
    for (row, (value, &truth)) in table.sensitive.iter().zip(microdata.sensitive_codes()).enumerate() {
        let (name, truth_text) = (&sensitive.name, &sensitive.values[truth as usize]);
        let number = row + 1;
        let fault = match value {
            Some(value) if *value == truth => continue,
            None if stars.of_row(row).is_none() => continue,
            None => {
                let says = format!("row {number}: `{name}` is `*`, but the row is not suppressed: it has other cells");
                Witness::of(Witness::TRUTH, says).by([format!("`{name}` is `*`")])
            }
            Some(value) => {
                let text = sensitive.values.get(*value as usize).map_or("?", String::as_str);
                let is = format!("`{name}` is `{text}`");
                Witness::of(Witness::TRUTH, format!("row {number}: {is}, in the original `{truth_text}`"))
                    .or_by_number(format!("row {number}: {is}, which is not the original's value"))
                    .by([is])
            }
        };
        faults.push(fault.row(row));
        if faults.len() >= NAMED_FAULTS {
            break;
        }
    }
    faults
}

fn over_suppression(microdata: &Microdata, classes: &Classes, limit: f64) -> Result<Option<Witness>, LabError> {
    let share = Decimal::share(limit)
        .ok_or_else(|| LabError::input(format!("`suppression` must be from 0 to 1, not {limit}")))?;
    let (found, rows) = (classes.suppressed.len(), microdata.rows());
    let allowed = share.floor_of(rows as u64);
    Ok((found as u64 > allowed).then(|| {
        let says = format!(
            "{found} of {} suppressed, more than the {allowed} that `suppression: {limit}` allows",
            counted(rows, "row")
        );
        Witness::of("suppression", says)
            .among(classes.suppressed.iter().map(|&row| row as usize))
            .number(found as f64)
            .against(allowed as f64)
    }))
}

/// In which way the whole table in one class would fail `requirement` about `attribute`, in words that follow "the whole table";
/// None when it would not.
pub(in crate::release) fn shortfall_of_whole(
    microdata: &Microdata,
    attribute: &SensitiveAttribute<'_>,
    requirement: &Requirement,
) -> Result<Option<String>, LabError> {
    let overall = Overall::of_original(microdata, attribute);
    let values = (0..).zip(overall.counts.iter().map(|&count| count as u32)).filter(|&(_, count)| count > 0).collect();
    let whole = ClassGroup { rows: microdata.rows() as u32, values, first_row: 0 };
    Ok(shortfall(requirement, &whole, &overall)?.map(|shortfall| shortfall.says))
}

/// How a class fails a requirement.
struct Shortfall {
    /// In words that follow "the class of row 7".
    says: String,
    reached: f64,
    wanted: f64,
}

impl Shortfall {
    fn of(reached: f64, wanted: f64, says: String) -> Self {
        Self { says, reached, wanted }
    }
}

/// How `group` fails `requirement`; None when it does not.
fn shortfall(
    requirement: &Requirement,
    group: &ClassGroup,
    overall: &Overall<'_>,
) -> Result<Option<Shortfall>, LabError> {
    // Rows whose sensitive value was suppressed, too, break no promise about it.
    if group.values.is_empty() && requirement.is_about_values() {
        return Ok(None);
    }
    let exceeds =
        |reached: Fraction, most: f64| Ok::<_, LabError>(reached.compare(decimal(most)?) == Ordering::Greater);
    let values = group.values.len();
    let too_few_values = |l: usize| {
        Shortfall::of(
            values as f64,
            l as f64,
            match values {
                1 => format!("has a single sensitive value, fewer than {l}"),
                _ => format!("has {}, fewer than {l}", counted(values, "different sensitive value")),
            },
        )
    };
    Ok(match requirement {
        Requirement::KAnonymity { k } => ((group.rows as usize) < *k).then(|| {
            Shortfall::of(group.rows.into(), *k as f64, format!("has {}, fewer than {k}", counted(group.rows, "row")))
        }),
        Requirement::DistinctDiversity { l } => (values < *l).then(|| too_few_values(*l)),
        Requirement::FrequencyDiversity { l } => {
            let share = alpha_of(group);
            (share > Fraction::new(1, *l as u128)).then(|| {
                let Fraction { numerator, denominator } = share;
                let says = format!(
                    "has a sensitive value in {numerator} of its {}, more than 1 in {l}",
                    counted(denominator, "row")
                );
                Shortfall::of(share.as_f64(), 1.0 / *l as f64, says)
            })
        }
        Requirement::EntropyDiversity { l } => (!entropy_reaches(group, decimal(*l)?)).then(|| {
            let reached = entropy_diversity(std::slice::from_ref(group)).unwrap_or(0.0);
            let says = format!("has the entropy of {reached:.4} equally frequent sensitive values, fewer than {l}");
            Shortfall::of(reached, *l, says)
        }),
        Requirement::RecursiveDiversity { c, l } => match recursive_c_of(group, *l) {
            Some(least) if least.compare(decimal(*c)?) == Ordering::Less => None,
            Some(least) => {
                let Fraction { numerator, denominator } = least;
                let says = format!(
                    "has its most frequent sensitive value {} and those from number {l} on {}: {numerator} is not below \
                     {c} · {denominator}",
                    counted(numerator, "time"),
                    counted(denominator, "time")
                );
                Some(Shortfall::of(least.as_f64(), *c, says))
            }
            None => Some(too_few_values(*l)),
        },
        Requirement::Alpha { alpha } => {
            let share = alpha_of(group);
            exceeds(share, *alpha)?.then(|| {
                let Fraction { numerator, denominator } = share;
                let says = format!(
                    "has a sensitive value in {numerator} of its {}, more than {alpha} of them",
                    counted(denominator, "row")
                );
                Shortfall::of(share.as_f64(), *alpha, says)
            })
        }
        Requirement::TCloseness { t, distance } => {
            let reached = closeness_of(group, overall, *distance)?;
            exceeds(reached, *t)?.then(|| {
                let reached = reached.as_f64();
                let says = format!("is {reached:.6} from the distribution of the whole table, more than {t}");
                Shortfall::of(reached, *t, says)
            })
        }
        Requirement::BetaLikeness { beta } => {
            let reached = beta_of(group, overall);
            exceeds(reached, *beta)?.then(|| {
                let reached = reached.as_f64();
                let says = format!("has a sensitive value with (q − p) / p = {reached:.6}, more than {beta}");
                Shortfall::of(reached, *beta, says)
            })
        }
        Requirement::EnhancedBetaLikeness { beta } => {
            let bounded = enhanced_beta_of(group, overall).is_finite();
            let reached = beta_of(group, overall);
            (!bounded || exceeds(reached, *beta)?).then(|| {
                let reached = reached.as_f64();
                let says =
                    format!("has a sensitive value with (q − p) / p up to {reached:.6}, more than {beta} or its −ln p");
                Shortfall::of(reached, *beta, says)
            })
        }
        Requirement::DeltaDisclosure { delta } => {
            decimal(*delta)?;
            let reached = delta_of(group, overall);
            (reached >= *delta).then(|| {
                let says = format!("has |ln(q / p)| = {reached:.6} for a sensitive value, not below {delta}");
                Shortfall::of(reached, *delta, says)
            })
        }
    })
}

fn decimal(threshold: f64) -> Result<Decimal, LabError> {
    Decimal::of(threshold)
        .ok_or_else(|| LabError::input(format!("a threshold must be a number from 0 to 10^15, not {threshold}")))
}
