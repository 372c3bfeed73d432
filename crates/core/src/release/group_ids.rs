/// What the files of a release call its groups. Inside, groups are numbered from 0; whoever reads about one looks for its id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupIds(
    /// Empty where ids are the numbers.
    Vec<String>,
);

impl GroupIds {
    /// The id of each group.
    pub fn new<I: ToString>(ids: impl IntoIterator<Item = I>) -> Self {
        let ids: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
        let are_numbers = ids.iter().enumerate().all(|(number, id)| *id == number.to_string());
        Self(if are_numbers { Vec::new() } else { ids })
    }

    /// "group 7"
    pub fn name(&self, group: usize) -> String {
        match self.0.get(group) {
            Some(id) => format!("group {id}"),
            None => format!("group {group}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_called_as_in_the_files() {
        assert_eq!(GroupIds::new([5, 7]).name(1), "group 7");
        assert_eq!(GroupIds::new(["a", "b"]).name(0), "group a");
        assert_eq!((GroupIds::new([0, 1]), GroupIds::default().name(3)), (GroupIds::default(), "group 3".to_string()));
    }
}
