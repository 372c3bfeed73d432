use super::format::{OutputFormat, print_json};
use super::{Exit, Failure, jail};
use crate::cli::output::{out, outln};
use crate::external::Jail;
use crate::lab::{Seed, did_you_mean};
use crate::publish::{AnyPublisher, publisher, publishers};
use crate::release::{Guarantee, ReleaseKind};
use crate::run::tell;
use crate::run::{
    AlgorithmCell, Cell, Executor, Interrupt, Limits, ProcessExecutor, Status, Timing, WorkOrder, write_atomically,
};
use crate::sources::{DataLocations, DatasetDefinition, load};
use crate::spec::{NamedPublisher, Spec, set_in_dataset};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Anonymize once, outside any experiment: write the release files an outsider would get, and the verifier's verdict
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab publish --dataset adult --algorithm anatomy -p l=4 --out release/\n  anonlab publish --dataset experiments/anatomy.yaml:adult --algorithm anatomy --out release/\n  anonlab publish --dataset retail --set 'hierarchy={degree: 5}' --algorithm aa -p k=5 -p m=3 --out release/\n\nExit codes: 0 the release is private · 1 it is not, or there is none · 2 bad input · 3 it was killed from outside · 130 interrupted"
)]
pub struct Args {
    /// A catalogue entry, or a dataset of a spec: SPEC:NAME
    #[arg(long, value_name = "D")]
    dataset: String,
    /// Say more of the dataset, as a spec would: a key, a path below it or a step that its `derive` has, e.g. derive=[{first: 1000}]
    #[arg(long = "set", value_name = "KEY=YAML")]
    set: Vec<String>,
    /// A publisher (`anonlab algorithms list`), or an algorithm of a spec: SPEC:NAME
    #[arg(long, value_name = "A")]
    algorithm: String,
    /// Let the spec run a program of its own; without this it is refused
    #[arg(long)]
    allow_external: bool,
    /// Whether the program must run in a jail (Landlock): required, best-effort or off
    #[arg(long, value_name = "HOW", default_value_t = Jail::default())]
    jail: Jail,
    /// A parameter: NAME=VALUE
    #[arg(short = 'p', long = "parameter", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    /// Where the release goes
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The root of all randomness
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How long it may take, e.g. 10m
    #[arg(long, value_name = "TIME", default_value = "1h")]
    time: crate::run::TimeLimit,
    /// How much memory it may hold, e.g. 8GB
    #[arg(long, value_name = "MEMORY", default_value = "16GB")]
    memory: crate::run::MemoryLimit,
    /// The output format
    #[arg(long, default_value = "text")]
    format: OutputFormat,
}

pub fn run(args: Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let (dataset_name, dataset, locations) = dataset(&args.dataset, &args.set, locations)?;
    let (algorithm, guarantee) = algorithm(&args)?;
    jail::tell_of(algorithm.external.iter());
    let data = load(&dataset, &locations, Seed(args.seed))?.describe(&dataset);
    let parameters = algorithm.parameters.clone();
    let cell = Cell {
        dataset_name,
        dataset: dataset.into(),
        algorithm: Some(std::sync::Arc::new(algorithm)),
        measures: Default::default(),
        repetition: 0,
        workloads: 1,
        seed: Some(args.seed),
    };
    let limits = Limits { time: args.time, memory: args.memory };
    let order = WorkOrder {
        cell,
        data: None,
        locations,
        limits,
        keep: Some(args.out.clone()),
        timing: Timing::default(),
        tell: false,
        threads: 1,
    };
    let interrupt = Interrupt::on_signals()?;
    clear(&args.out)?;
    let answer =
        ProcessExecutor::this_binary()?.execute(&order, &interrupt).ok_or_else(|| match interrupt.is_set() {
            true => Failure::interrupted("interrupted; nothing was published"),
            false => Failure::unfinished("its worker or program was killed from outside; nothing was published"),
        })?;
    let verdict = json!({
        "algorithm": args.algorithm,
        "parameters": parameters,
        "seed": args.seed,
        "status": answer.status,
        "reason": answer.reason,
        "guarantee": guarantee,
        "private": answer.status == Status::Ok,
        "data": {"name": args.dataset, "origin": data.origin, "rows_used": data.rows_used, "rows_read": data.rows_read},
    });
    let exit = if answer.status == Status::Ok { Exit::AllWell } else { Exit::NotAllWell };
    let mut files = Vec::new();
    if matches!(answer.status, Status::Ok | Status::Invalid) {
        write_atomically(&args.out.join(VERDICT), format!("{verdict:#}\n").as_bytes())?;
        files = written(&args.out);
    }
    if args.format == OutputFormat::Json {
        // What the data is goes to whoever publishes, not beside the release: the counts are those of the original.
        print_json(&json!({"verdict": verdict, "data": data, "files": files}))?;
        return Ok(exit);
    }
    out!("{data}")?;
    match answer.status {
        Status::Ok => outln!("verified: the release keeps {guarantee}")?,
        Status::Invalid => outln!("REFUSED by the verifier: {}", answer.reason)?,
        other => tell!("no release ({}): {}", other.name(), answer.reason),
    }
    if !files.is_empty() {
        outln!("wrote {}", files.join(", "))?;
    }
    Ok(exit)
}

const VERDICT: &str = "verdict.json";

/// What a publication may leave in `directory`: the files of any kind of release, and the verdict.
fn own_files(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let names: BTreeSet<&str> =
        ReleaseKind::ALL.iter().flat_map(|kind| kind.about().files).copied().chain([VERDICT]).collect();
    names.into_iter().map(|name| directory.join(name))
}

/// Removes what an earlier publication left: an old verdict must not stand beside a new release, or beside none.
fn clear(directory: &Path) -> Result<(), Failure> {
    for path in own_files(directory) {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Failure::new(format!("cannot remove {}: {error}", path.display())));
            }
            _ => {}
        }
    }
    Ok(())
}

/// What this publication left.
fn written(directory: &Path) -> Vec<String> {
    own_files(directory).filter(|path| path.is_file()).map(|path| path.display().to_string()).collect()
}

/// The algorithm that `--algorithm` and `-p` mean, and what its release must keep.
fn algorithm(args: &Args) -> Result<(AlgorithmCell, Guarantee), Failure> {
    let given = assignments(&args.parameters, "-p")?;
    let (named, directory) = match spec_and_name(&args.algorithm) {
        Some((path, name)) => {
            let spec = Spec::read(Path::new(path))?;
            (spec.algorithm(name).map_err(|error| vec![error])?, spec.directory().to_path_buf())
        }
        None => (NamedPublisher::built_in(known_publisher(&args.algorithm)?), PathBuf::from(".")),
    };
    let failure = |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", args.algorithm));
    let mut all = named.given.clone();
    all.extend(given);
    let parameters = named.complete(&all).map_err(|error| failure(&error))?;
    let guarantee = named.guarantee(&parameters)?;
    let outside = named.outside(&directory, args.allow_external, args.jail).map_err(|(_, error)| failure(&error))?;
    Ok((named.cell(parameters, outside), guarantee))
}

/// `experiments/anatomy.yaml:adult` in its parts.
fn spec_and_name(text: &str) -> Option<(&str, &str)> {
    text.rsplit_once(':').filter(|(path, _)| path.ends_with(".yaml") || path.ends_with(".yml"))
}

/// The built-in publisher of that name, or the nearest one in words.
pub fn known_publisher(name: &str) -> Result<&'static dyn AnyPublisher, Failure> {
    publisher(name).ok_or_else(|| {
        let hint = did_you_mean(name, publishers().iter().map(|publisher| publisher.name()));
        let hint = hint.unwrap_or_else(|| "`anonlab algorithms list` shows what there is".to_string());
        Failure::new(format!("there is no publisher `{name}`; {hint}"))
    })
}

/// The definition that `--dataset` and `--set` mean, its name, and where its data is looked for.
pub fn dataset(
    dataset: &str,
    set: &[String],
    locations: &DataLocations,
) -> Result<(String, DatasetDefinition, DataLocations), Failure> {
    let (name, definition, locations) = match spec_and_name(dataset) {
        Some((path, name)) => {
            let spec = Spec::read(Path::new(path))?;
            let definition = spec.file.datasets.get(name).ok_or_else(|| {
                let known: Vec<&str> = spec.file.datasets.keys().map(String::as_str).collect();
                Failure::new(format!("{path} has no dataset `{name}`; it has {}", known.join(", ")))
            })?;
            let json = serde_json::to_value(definition).map_err(|error| Failure::new(error.to_string()))?;
            (name.to_string(), json, locations.for_spec_in(spec.directory()))
        }
        None => (dataset.to_string(), in_usual_roles(dataset)?, locations.clone()),
    };
    let mut definition: DatasetDefinition = serde_json::from_value(definition)
        .map_err(|error| Failure::new(format!("the dataset is not defined soundly: {error}")))?;
    for (key, value) in assignments(set, "--set")? {
        let path: Vec<&str> = key.split('.').collect();
        definition = set_in_dataset(&definition, &path, &value)
            .map_err(|error| Failure::new(format!("--set {key}={value}: {error}")))?;
    }
    let faults = crate::sources::check(&definition, &locations);
    if !faults.is_empty() {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        return Err(Failure::new(format!("dataset `{name}`: {}", faults.join("\n"))));
    }
    Ok((name, definition, locations))
}

/// A catalogue entry in the roles it usually has.
fn in_usual_roles(name: &str) -> Result<Value, Failure> {
    let mut definition = crate::sources::entry(name)?.roles.clone();
    definition.insert("source".to_string(), json!(name));
    Ok(Value::Object(definition))
}

/// NAME=YAML pairs.
pub fn assignments(pairs: &[String], option: &str) -> Result<Map<String, Value>, Failure> {
    pairs
        .iter()
        .map(|pair| {
            let (name, text) = pair
                .split_once('=')
                .ok_or_else(|| Failure::new(format!("`{option} {pair}` is not of the form NAME=VALUE")))?;
            let value = serde_yaml::from_str(text)
                .map_err(|error| Failure::new(format!("`{option} {pair}`: the value is not YAML: {error}")))?;
            Ok((name.to_string(), value))
        })
        .collect()
}
