//! What every command that plans specs takes.

use super::Failure;
use crate::external::Jail;
use crate::sources::DataLocations;
use crate::spec::{MOST_CELLS, PlanOptions, Setting, Spec};
use std::path::PathBuf;

#[derive(Debug, Clone, clap::Args)]
pub struct PlanArgs {
    /// Run the small variant of each sweep
    #[arg(long)]
    pub quick: bool,
    /// The first seed; overrides the spec's `seed`
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Change the spec at a path, e.g. fig8a.l=4 or limits.time=5m; may be given several times
    #[arg(long, value_name = "PATH=YAML", value_parser = Setting::argument)]
    pub set: Vec<Setting>,
    /// Let the spec run programs of its own, without which it is refused. Planning runs them too, for their version
    #[arg(long)]
    pub allow_external: bool,
    /// Whether programs of a spec must run in a jail (Landlock): required, best-effort or off
    #[arg(long, value_name = "HOW", default_value_t = Jail::default())]
    pub jail: Jail,
    /// Refuse a plan of more cells than this
    #[arg(long, value_name = "N", default_value_t = MOST_CELLS)]
    pub max_cells: u64,
}

impl PlanArgs {
    /// With every figure of a spec.
    pub fn options(&self, locations: &DataLocations) -> PlanOptions {
        PlanOptions {
            quick: self.quick,
            seed: self.seed,
            allow_external: self.allow_external,
            jail: self.jail,
            max_cells: self.max_cells,
            ..PlanOptions::of(locations)
        }
    }

    /// The specs, changed as asked.
    pub fn read(&self, paths: &[PathBuf]) -> Result<Vec<Spec>, Failure> {
        read_specs(paths, &self.set)
    }

    /// The words of a command line that ask for the same.
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        if let Some(seed) = self.seed {
            words.extend(["--seed".to_string(), seed.to_string()]);
        }
        for setting in &self.set {
            words.extend(["--set".to_string(), setting.to_string()]);
        }
        words.extend(self.quick.then(|| "--quick".to_string()));
        words.extend(self.allow_external.then(|| "--allow-external".to_string()));
        if self.jail != Jail::default() {
            words.extend(["--jail".to_string(), self.jail.to_string()]);
        }
        if self.max_cells != MOST_CELLS {
            words.extend(["--max-cells".to_string(), self.max_cells.to_string()]);
        }
        words
    }
}

/// Reads every spec and changes it as `--set` says; tells all faults of all of them at once.
pub fn read_specs(paths: &[PathBuf], set: &[Setting]) -> Result<Vec<Spec>, Failure> {
    let (mut specs, mut faults) = (Vec::<Spec>::new(), Vec::new());
    for path in paths {
        match Spec::read(path) {
            Ok(spec) => specs.push(spec),
            Err(errors) => faults.extend(errors),
        }
    }
    if !faults.is_empty() {
        return Err(faults.into());
    }
    let specs = Spec::all_with(specs, set)?;
    for (i, spec) in specs.iter().enumerate() {
        if let Some(other) = specs[..i].iter().find(|other| other.id == spec.id) {
            let (a, b) = (other.path.display(), spec.path.display());
            return Err(Failure::new(format!("{a} and {b} would both write to the folder `{}`; rename one", spec.id)));
        }
    }
    Ok(specs)
}
