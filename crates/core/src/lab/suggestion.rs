//! What was probably meant where a name is unknown.

/// The known name closest to `word`, if one is close enough to be what was meant.
pub(crate) fn nearest<T: AsRef<str>>(word: &str, known: impl IntoIterator<Item = T>) -> Option<T> {
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate.as_ref()), candidate))
        .filter(|(distance, candidate)| is_near(*distance, word, candidate.as_ref()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn is_near(distance: usize, word: &str, candidate: &str) -> bool {
    distance <= 1 + candidate.chars().count().max(word.chars().count()) / 3
}

/// "did you mean `y`?", if a known name is close enough.
pub fn did_you_mean<T: AsRef<str>>(word: &str, known: impl IntoIterator<Item = T>) -> Option<String> {
    nearest(word, known).map(|near| format!("did you mean `{}`?", near.as_ref()))
}

/// "did you mean `y`?", else "there are x, y, z".
pub fn did_you_mean_or_list<T: AsRef<str>>(word: &str, known: &[T]) -> String {
    did_you_mean(word, known).unwrap_or_else(|| format!("there are {}", listed(known)))
}

/// "; did you mean `y`?", or nothing: the end of a sentence that is complete without it.
pub(crate) fn did_you_mean_if_near<T: AsRef<str>>(word: &str, known: impl IntoIterator<Item = T>) -> String {
    did_you_mean(word, known).map_or(String::new(), |hint| format!("; {hint}"))
}

/// "x, y, z"
fn listed<T: AsRef<str>>(known: &[T]) -> String {
    known.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_answered_with_the_list() {
        let known = ["anatomy", "injector"];
        assert_eq!(did_you_mean_or_list("anatomi", &known), "did you mean `anatomy`?");
        assert_eq!(did_you_mean_or_list("k", &known), "there are anatomy, injector");
        assert_eq!(did_you_mean_if_near("injecter", known), "; did you mean `injector`?");
        assert_eq!(did_you_mean_if_near("k", known), "");
        assert_eq!(did_you_mean("k", known), None);
    }
}
