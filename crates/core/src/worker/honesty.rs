//! What says that it draws nothing must not draw.

#![forbid(unsafe_code)]

use crate::lab::{LabError, Workbench};

/// What says that it draws nothing is planned once for all seeds, so it must not draw.
pub(super) fn holds_to_its_word(name: &str, draws: bool, bench: &Workbench) -> Result<(), LabError> {
    match bench.drew() && !draws {
        true => Err(LabError::no_answer(format!("`{name}` is registered as drawing nothing, and drew random numbers"))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_that_it_draws_nothing_must_not_draw() {
        let bench = Workbench::new(crate::lab::Seed(1), ());
        assert!(holds_to_its_word("quiet", false, &bench).is_ok());
        let _ = bench.rng("queries");
        assert!(holds_to_its_word("open", true, &bench).is_ok());
        let error = holds_to_its_word("sly", false, &bench).unwrap_err();
        assert_eq!(error.to_string(), "`sly` is registered as drawing nothing, and drew random numbers");
    }
}
