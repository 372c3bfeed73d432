use super::GeneralizedTable;
use crate::data::Microdata;
use crate::lab::LabError;
use crate::release::Release;

impl GeneralizedTable {
    /// The generalized table that a measure was given, with the shape of `microdata`.
    pub fn of_release<'a>(microdata: &Microdata, release: Option<&'a Release>) -> Result<&'a Self, LabError> {
        match release {
            Some(Release::GeneralizedTable(table)) => table.check_shape(microdata).map(|()| table),
            _ => Err(LabError::input("a generalized table is needed")),
        }
    }
}
