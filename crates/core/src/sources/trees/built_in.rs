//! The hierarchies that come with the program.

const BUILT_IN: [(&str, &str); 7] = [
    ("adult/age", include_str!("../../../datasets/hierarchies/adult/age.yaml")),
    ("adult/age-5", include_str!("../../../datasets/hierarchies/adult/age-5.yaml")),
    ("adult/workclass", include_str!("../../../datasets/hierarchies/adult/workclass.yaml")),
    ("adult/education", include_str!("../../../datasets/hierarchies/adult/education.yaml")),
    ("adult/marital_status", include_str!("../../../datasets/hierarchies/adult/marital_status.yaml")),
    ("adult/race", include_str!("../../../datasets/hierarchies/adult/race.yaml")),
    ("adult/sex", include_str!("../../../datasets/hierarchies/adult/sex.yaml")),
];

/// The names of the hierarchies that come with the project.
pub fn built_in_hierarchies() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|(name, _)| *name)
}

/// The text of a built-in hierarchy.
pub(in crate::sources) fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
