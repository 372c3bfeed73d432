//! What every kind of release is described by: one implementation of [`Kind`] in each folder of `release/`, and one line in
//! the table of `kinds.rs`.

use super::conclusions::Conclusions;
use super::conformance::Case;
use super::form::{Beside, FormFault};
use super::guarantee::Guarantee;
use crate::data::Dataset;
use crate::lab::{LabError, Witness, counted};

/// How many faults a verifier names before it stops looking: enough to see a pattern, not a page.
pub(super) const NAMED_FAULTS: usize = 5;

/// A kind of release: its files, its reader, its verifier, what can be concluded from it, and what authors of programs are
/// given to start from.
pub(super) trait Kind: Conclusions + Sized {
    const ABOUT: About;

    /// The files an outsider would get, named and ordered as in [`About::files`].
    fn files(&self, original: &Dataset) -> Result<Vec<ReleaseFile>, LabError>;

    /// Reads what [`Kind::files`] writes; `files` are the bytes of [`About::files`], in that order. Whether they keep a
    /// promise, or are a release of `original` at all, is for the verifier to say.
    fn read(original: &Dataset, files: &[&[u8]]) -> Result<Self, LabError>;

    /// The first few ways in which `files` say by their form what they do not say by their content; `read` is what they say.
    fn form_faults(beside: Beside<'_>, files: &[&[u8]], read: &Self) -> Result<Vec<FormFault>, LabError>;

    /// The first few ways in which this is no release of `original`, or breaks `guarantee`. `None`: releases of this kind
    /// cannot be held to such a guarantee.
    fn faults(&self, original: &Dataset, guarantee: &Guarantee) -> Option<Result<Vec<Witness>, LabError>>;

    /// Small and nasty inputs for programs that are held to the guarantee of that name, one of [`About::guarantees`].
    fn cases(guarantee: &str) -> Result<Vec<Case>, LabError>;
}

/// What there is to know of a kind of release before there is one.
#[derive(Debug)]
pub struct About {
    /// As it stands in specs: kebab-case.
    pub name: &'static str,
    /// The files that a release of this kind consists of.
    pub files: &'static [&'static str],
    /// What an external program can be held to; the first is meant where a spec names none.
    pub guarantees: &'static [KindGuarantee],
    /// Programs to start from.
    pub skeletons: &'static [Skeleton],
    /// The spec beside such a program: it compares it with the built-in publishers of this kind.
    pub skeleton_spec: &'static str,
}

impl About {
    /// For readers that were given another number of files than they take.
    pub(super) fn wrong_number_of_files(&self, given: usize) -> LabError {
        let files = self.files.join(" and ");
        LabError::input(format!("{} are {files}; what was given is {}", self.name, counted(given, "file")))
    }
}

/// A guarantee that releases of a kind can be held to. Its parameters are those of a built-in publisher that keeps the same
/// guarantee, so that both are compared under the same values, bounds and defaults.
#[derive(Debug)]
pub struct KindGuarantee {
    /// As it stands under `guarantee` in specs.
    pub name: &'static str,
    /// The built-in publisher.
    pub like: &'static str,
    /// Those of its parameters that the guarantee depends on; all when empty.
    pub of: &'static [&'static str],
}

/// A program to start from. `@NAME@` in its text stands for the name that its author gives it.
#[derive(Debug)]
pub struct Skeleton {
    /// The ending of its file: `py`, `rs`, `R`.
    pub ending: &'static str,
    /// The program.
    pub text: &'static str,
}

/// A file of a release, as an outsider would get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFile {
    /// As in [`About::files`].
    pub name: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}
