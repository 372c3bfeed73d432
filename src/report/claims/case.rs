use crate::report::figure::FigureNames;
use crate::report::observations::Observations;
use crate::run::Limits;
use crate::spec::reference::ReferenceValue;

/// Everything a claim is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    pub observations: &'a Observations,
    pub reference: &'a [ReferenceValue],
    pub limits: Limits,
    /// What things are called; and how the figure is drawn, for the statistic and the column that printed values' `x`
    /// stands for.
    pub names: FigureNames<'a>,
}
