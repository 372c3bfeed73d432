//! No pictures: the program was built without what draws them.

use crate::report::ReportError;

const REMEDY: &str = "this anonlab was built without PDF and PNG: build it without `--no-default-features`, take the one of \
                      `pip install anonlab`, or export `--format svg`";

pub fn pdf(_svg: &str, _title: &str) -> Result<Vec<u8>, ReportError> {
    Err(ReportError::Input(REMEDY.to_string()))
}

pub fn png(_svg: &str) -> Result<Vec<u8>, ReportError> {
    Err(ReportError::Input(REMEDY.to_string()))
}
