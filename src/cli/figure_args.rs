//! Which figures of a spec a command is about.

use crate::spec::PlanOptions;

#[derive(Debug, Clone, Default, clap::Args)]
pub struct FigureArgs {
    /// Take only these figures of the spec, separated by commas
    #[arg(long, value_name = "FIGURE", value_delimiter = ',')]
    pub only: Vec<String>,
}

impl FigureArgs {
    pub fn of(&self, options: PlanOptions) -> PlanOptions {
        PlanOptions { only: self.only.clone(), ..options }
    }

    /// The words of a command line that ask for the same.
    pub fn words(&self) -> Vec<String> {
        match self.only.is_empty() {
            true => Vec::new(),
            false => vec!["--only".to_string(), self.only.join(",")],
        }
    }
}
