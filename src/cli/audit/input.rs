//! The original that the options of `audit` mean, in its roles.

use super::Args;
use crate::cli::{Failure, publish};
use crate::examination::Roles;
use crate::lab::Seed;
use crate::sources::definition::HierarchyDefinition;
use crate::sources::{DataLocations, DatasetDefinition, Loaded, built_in_hierarchies, entry, load};
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

pub struct Original {
    pub definition: DatasetDefinition,
    pub loaded: Loaded,
}

impl Original {
    pub fn rows_may_be_shown(&self) -> bool {
        self.definition.rows_may_be_shown(self.loaded.dataset.origin)
    }
}

/// Loads the original; None where there is none.
pub fn original(args: &Args, locations: &DataLocations) -> Result<Option<Original>, Failure> {
    let (mut definition, mut locations) = match (&args.original, &args.dataset) {
        (None, None) => match roles_file(args)?.filter(|roles| roles.contains_key("source")) {
            None => return Ok(None),
            Some(roles) => (roles, locations.beside(roles_directory(args))),
        },
        (None, Some(dataset)) => {
            let (_, definition, locations) = publish::dataset(dataset, &args.set, locations)?;
            (object(json!(definition)), locations)
        }
        (Some(original), _) => (source(original, args)?, locations.beside(".")),
    };
    if let (Some(roles), true) = (roles_file(args)?, args.original.is_some() || args.dataset.is_some()) {
        locations = locations.beside(roles_directory(args));
        for (key, value) in roles.into_iter().filter(|(key, _)| key != "source") {
            definition.insert(key, value);
        }
    }
    set_roles(&mut definition, args)?;
    let definition: DatasetDefinition = serde_json::from_value(Value::Object(definition))
        .map_err(|error| Failure::new(format!("the roles of the original are not sound: {error}")))?;
    let loaded = load(&definition, &locations, Seed(args.seed)).map_err(|error| {
        let of = args.original.as_deref().or(args.dataset.as_deref()).unwrap_or("the original");
        let message = error.to_string();
        if message.contains(of) { Failure::new(message) } else { Failure::new(format!("{of}: {message}")) }
    })?;
    Ok(Some(Original { definition, loaded }))
}

/// The roles of a release that comes alone.
pub fn roles(args: &Args) -> Result<Roles, Failure> {
    let mut definition = roles_file(args)?.unwrap_or_default();
    set_roles(&mut definition, args)?;
    let texts = |value: Option<&Value>| match value {
        Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).map(String::from).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    };
    Ok(Roles {
        quasi_identifiers: texts(definition.get("quasi_identifiers")),
        sensitive: texts(definition.get("sensitive")),
        combine_sensitive: definition.get("combine_sensitive").and_then(Value::as_bool).unwrap_or(false),
        private: texts(definition.get("private").and_then(|private| private.get("items"))),
    })
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn roles_file(args: &Args) -> Result<Option<Map<String, Value>>, Failure> {
    let Some(path) = &args.roles else { return Ok(None) };
    let bytes = crate::sources::read_regular_file(path)?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::new(format!("{}: not UTF-8 text", path.display())))?;
    let roles: Value =
        serde_yaml::from_str(&text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    match roles {
        Value::Object(roles) => Ok(Some(roles)),
        _ => Err(Failure::new(format!(
            "{}: roles are a structure with `quasi_identifiers`, `sensitive`, `hierarchies` and the like",
            path.display()
        ))),
    }
}

/// What paths in the roles are relative to.
fn roles_directory(args: &Args) -> PathBuf {
    let parent = args.roles.as_deref().and_then(Path::parent).filter(|parent| parent.as_os_str() != "");
    parent.unwrap_or(Path::new(".")).to_path_buf()
}

/// A definition with the source that `--original` names: a file, or else a catalogue entry in its usual roles.
fn source(original: &str, args: &Args) -> Result<Map<String, Value>, Failure> {
    let path = Path::new(original);
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            Err(Failure::new(format!("{original}: it is a directory; the original is one file")))
        }
        Ok(metadata) if !metadata.is_file() => {
            Err(Failure::new(format!("{original}: it is no regular file (a pipe, a socket or a device)")))
        }
        Ok(_) => {
            let given = roles_file(args)?.and_then(|mut roles| roles.remove("source"));
            let mut source = given.map(object).unwrap_or_default();
            // Hierarchies of a roles file lie beside it; the original lies where the command line says.
            let file = match &args.roles {
                Some(_) => std::path::absolute(path)?.to_string_lossy().into_owned(),
                None => original.to_string(),
            };
            source.insert("file".to_string(), Value::from(file));
            for (key, value) in layout(path)? {
                source.entry(key).or_insert(value);
            }
            Ok(Map::from_iter([("source".to_string(), Value::Object(source))]))
        }
        Err(error) => match entry(original) {
            Ok(entry) => {
                let mut definition = entry.roles.clone();
                definition.insert("source".to_string(), Value::from(original));
                Ok(definition)
            }
            Err(_) => Err(Failure::new(format!(
                "{original}: {error}; nor is it a catalogue entry (`anonlab data list` shows these)"
            ))),
        },
    }
}

/// How a file is written, by its name and its first line.
fn layout(path: &Path) -> Result<Vec<(String, Value)>, Failure> {
    let name = path.to_string_lossy().to_lowercase();
    let name = name.trim_end_matches(".gz");
    let told = |format: &str| vec![("format".to_string(), Value::from(format))];
    if [".dat", ".fimi"].iter().any(|ending| name.ends_with(ending)) {
        return Ok(told("fimi"));
    }
    if name.ends_with(".spmf") {
        return Ok(told("spmf"));
    }
    let mut layout = told("csv");
    // A gzipped file's first line is not looked for: it has commas, or a roles file says what it has.
    if !path.to_string_lossy().ends_with(".gz") {
        let mut first = Vec::new();
        // No header is longer than this.
        let mut reader = BufReader::new(std::io::Read::take(fs_err::File::open(path)?, 1 << 20));
        reader.read_until(b'\n', &mut first)?;
        let has = |byte: u8| first.contains(&byte);
        let delimiter = [b';', b'\t', b'|'].into_iter().find(|&other| has(other) && !has(b','));
        layout.extend(delimiter.map(|byte| ("delimiter".to_string(), Value::from(char::from(byte).to_string()))));
    }
    Ok(layout)
}

/// Puts the roles of the command line over those that are there.
fn set_roles(definition: &mut Map<String, Value>, args: &Args) -> Result<(), Failure> {
    if !args.quasi_identifiers.is_empty() {
        definition.insert("quasi_identifiers".to_string(), json!(args.quasi_identifiers));
        // Hierarchies of columns that are no quasi-identifiers any more mean nothing.
        if let Some(Value::Object(trees)) = definition.get_mut("hierarchies") {
            trees.retain(|column, _| args.quasi_identifiers.contains(column) || args.sensitive.contains(column));
        }
    }
    if !args.sensitive.is_empty() {
        definition.insert("sensitive".to_string(), json!(args.sensitive));
    }
    if args.combine_sensitive {
        definition.insert("combine_sensitive".to_string(), Value::from(true));
    }
    if !args.private.is_empty() {
        definition.insert("private".to_string(), json!({"items": args.private}));
    }
    for given in &args.hierarchies {
        match given.split_once('=').filter(|(column, _)| !column.trim_start().starts_with('{')) {
            Some((column, tree)) => {
                let trees = definition.entry("hierarchies").or_insert_with(|| json!({}));
                if let Value::Object(trees) = trees {
                    trees.insert(column.to_string(), hierarchy(tree)?);
                }
            }
            None => {
                definition.insert("hierarchy".to_string(), hierarchy(given)?);
            }
        }
    }
    Ok(())
}

/// A hierarchy as YAML, the name of a built-in one, or a file.
fn hierarchy(text: &str) -> Result<Value, Failure> {
    let value = match text.trim_start().starts_with('{') {
        true => serde_yaml::from_str(text)
            .map_err(|error| Failure::new(format!("--hierarchies {text}: it is not YAML: {error}")))?,
        false if built_in_hierarchies().any(|known| known == text) => Value::from(text),
        // Beside a roles file other directories are looked into, so the path is made whole.
        false => json!({"file": std::path::absolute(text)?.to_string_lossy()}),
    };
    let sound: Result<HierarchyDefinition, _> = serde_json::from_value(value.clone());
    sound.map_err(|error| Failure::new(format!("--hierarchies {text}: {error}")))?;
    Ok(value)
}
