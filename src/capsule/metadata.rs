//! ro-crate-metadata.json: RO-Crate 1.1 with the profiles Workflow RO-Crate 1.0 and Workflow Run Crate 0.5.
//!
//! The spec is the workflow, the run an action with the data as its objects and the results as what it gave. Every file of the
//! capsule has its SHA-256; data that may not travel is a remote file with its own.

use super::digests::{encoded, file_sha256};
use super::{CapsuleError, MANIFEST, METADATA, README, RESULTS, SPECS, STORE};
use crate::report::Provenance;
use crate::spec::{Author, Sharing};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;

const PROFILES: [(&str, &str, &str); 3] = [
    ("https://w3id.org/ro/wfrun/process/0.5", "Process Run Crate", "0.5"),
    ("https://w3id.org/ro/wfrun/workflow/0.5", "Workflow Run Crate", "0.5"),
    ("https://w3id.org/workflowhub/workflow-ro-crate/1.0", "Workflow RO-Crate", "1.0"),
];
/// A term of the Workflow Run profile that the context of RO-Crate 1.1 lacks.
const SHA256: &str = "https://w3id.org/ro/terms/workflow-run#sha256";
const LANGUAGE: &str = "#anonlab-spec";
const PROGRAM: &str = "#anonlab";
const NO_LICENCE: &str = "#no-licence";

/// What the metadata is about.
pub struct CrateMetadata<'a> {
    pub runs: Vec<Performed<'a>>,
}

/// One spec as it was run.
pub struct Performed<'a> {
    pub id: &'a str,
    pub title: &'a str,
    pub about: &'a str,
    pub sharing: &'a Sharing,
    pub provenance: &'a Provenance,
    pub data: Vec<DataFile>,
}

/// A file of data that a run read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFile {
    pub name: String,
    pub sha256: String,
    pub licence: String,
    pub citation: String,
    pub place: DataPlace,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataPlace {
    /// Its name in the capsule.
    Carried(String),
    /// Where it can be had, if it has an address, and how in words.
    Elsewhere { address: Option<String>, obtain: String },
}

impl CrateMetadata<'_> {
    /// The text, of a capsule whose other files lie in `directory`.
    pub fn json(&self, directory: &Path, files: &[String]) -> Result<String, CapsuleError> {
        let mut graph = vec![json!({
            "@id": METADATA,
            "@type": "CreativeWork",
            "about": reference("./"),
            "conformsTo": [reference("https://w3id.org/ro/crate/1.1"), reference(PROFILES[2].0)],
        })];
        graph.push(self.root(files));
        for (id, name, version) in PROFILES {
            graph.push(json!({"@id": id, "@type": "CreativeWork", "name": name, "version": version}));
        }
        graph.push(json!({
            "@id": LANGUAGE, "@type": "ComputerLanguage", "name": "anonlab spec", "alternateName": "anonlab",
            "description": "YAML that declares data sets, algorithms, sweeps, figures and claims", "version": "1",
            "url": reference("https://yaml.org/"),
        }));
        graph.push(json!({"@id": "https://yaml.org/", "@type": "WebSite", "name": "YAML"}));
        let version = self.runs.first().map_or("", |run| &run.provenance.version);
        graph.push(json!({
            "@id": PROGRAM, "@type": "SoftwareApplication", "name": "anonlab", "softwareVersion": version, "version": version,
            "description": "Declarative, reproducible experiments for data anonymization",
            "url": "https://crates.io/crates/anonlab",
        }));
        graph.extend(self.people());
        graph.extend(self.licences());
        for run in &self.runs {
            graph.push(run.action(files));
        }
        for file in files.iter().filter(|name| *name != METADATA) {
            graph.push(self.file(directory, file)?);
        }
        let mut told = BTreeSet::new();
        for data in self.runs.iter().flat_map(|run| &run.data) {
            if told.insert(data.id()) && matches!(data.place, DataPlace::Elsewhere { .. }) {
                graph.push(data.remote());
            }
        }
        let crate_ =
            json!({"@context": ["https://w3id.org/ro/crate/1.1/context", {"sha256": SHA256}], "@graph": graph});
        let text = serde_json::to_string_pretty(&crate_).map_err(|error| CapsuleError::refused(error.to_string()))?;
        Ok(text + "\n")
    }

    fn root(&self, files: &[String]) -> Value {
        let titles: Vec<&str> = self.runs.iter().map(|run| run.title).collect();
        let mut parts: Vec<Value> =
            files.iter().filter(|name| *name != METADATA).map(|name| reference(&encoded(name))).collect();
        let remote: BTreeSet<String> = self
            .runs
            .iter()
            .flat_map(|run| &run.data)
            .filter(|data| matches!(data.place, DataPlace::Elsewhere { .. }))
            .map(DataFile::id)
            .collect();
        parts.extend(remote.iter().map(|id| reference(id)));
        let mut root = json!({
            "@id": "./",
            "@type": "Dataset",
            "name": format!("{}: results with all that checking them needs", titles.join(" · ")),
            "description": format!(
                "Measurements, claims with their verdicts, stored cells, specs, programs and data of {} experiment(s) run by \
                 anonlab. `anonlab recheck` computes a sample of the cells again and judges every claim again; {README} says how.",
                self.runs.len()
            ),
            "datePublished": self.runs.iter().map(|run| run.provenance.finished.as_str()).max().unwrap_or_default(),
            "license": reference(&self.licence()),
            "conformsTo": PROFILES.map(|(id, _, _)| reference(id)),
            "mainEntity": reference(&workflow(self.runs.first().map_or("", |run| run.id))),
            "mentions": self.runs.iter().map(|run| reference(&run.action_id())).collect::<Vec<_>>(),
            "hasPart": parts,
        });
        let authors: Vec<Value> = self.authors().iter().map(|author| reference(&author_id(author))).collect();
        if !authors.is_empty() {
            root["author"] = Value::from(authors);
        }
        root
    }

    /// Everybody, each once.
    fn authors(&self) -> Vec<&Author> {
        let mut authors: Vec<&Author> = Vec::new();
        for author in self.runs.iter().flat_map(|run| &run.sharing.authors) {
            if !authors.iter().any(|known| author_id(known) == author_id(author)) {
                authors.push(author);
            }
        }
        authors
    }

    fn people(&self) -> Vec<Value> {
        let person = |author: &&Author| {
            let mut person = json!({"@id": author_id(author), "@type": "Person", "name": author.name});
            if let Some(affiliation) = &author.affiliation {
                person["affiliation"] = json!(affiliation);
            }
            person
        };
        self.authors().iter().map(person).collect()
    }

    /// That of the results: of the first run that states one.
    fn licence(&self) -> String {
        self.runs.iter().find_map(|run| run.sharing.licence_address()).unwrap_or_else(|| NO_LICENCE.to_string())
    }

    fn licences(&self) -> Vec<Value> {
        let mut licences = Vec::new();
        let stated: BTreeSet<String> = self.runs.iter().filter_map(|run| run.sharing.licence_address()).collect();
        for address in &stated {
            let name = address.rsplit('/').find(|part| !part.is_empty()).unwrap_or(address);
            licences.push(json!({
                "@id": address, "@type": "CreativeWork", "name": name, "description": format!("The licence of the results: {name}"),
            }));
        }
        if self.runs.iter().any(|run| run.sharing.licence.is_none()) {
            licences.push(json!({
                "@id": NO_LICENCE, "@type": "CreativeWork", "name": "No licence is stated",
                "description": "The spec states no licence of its results: whoever wants to reuse them asks the authors.",
            }));
        }
        licences
    }

    fn file(&self, directory: &Path, name: &str) -> Result<Value, CapsuleError> {
        let path = directory.join(name);
        let mut entity = json!({
            "@id": encoded(name),
            "@type": "File",
            "name": name,
            "contentSize": fs_err::metadata(&path)?.len().to_string(),
            "sha256": file_sha256(&path)?,
        });
        if let Some(format) = media_type(name) {
            entity["encodingFormat"] = json!(format);
        }
        if let Some(about) = about(name) {
            entity["description"] = json!(about);
        }
        let carried = DataPlace::Carried(name.to_string());
        if let Some(data) = self.runs.iter().flat_map(|run| &run.data).find(|data| data.place == carried) {
            entity["description"] = json!(data.described());
        }
        if let Some(run) = self.runs.iter().find(|run| spec_file(run.id) == name) {
            entity["@type"] = json!(["File", "SoftwareSourceCode", "ComputationalWorkflow"]);
            entity["name"] = json!(run.title);
            if !run.about.trim().is_empty() {
                entity["description"] = json!(run.about.trim());
            }
            entity["programmingLanguage"] = reference(LANGUAGE);
            entity["version"] = json!(run.provenance.spec_digest);
            entity["license"] = reference(&run.sharing.licence_address().unwrap_or_else(|| NO_LICENCE.to_string()));
            let creators: Vec<Value> = run.sharing.authors.iter().map(|author| reference(&author_id(author))).collect();
            if !creators.is_empty() {
                entity["creator"] = Value::from(creators);
            }
        }
        Ok(entity)
    }
}

impl Performed<'_> {
    fn action_id(&self) -> String {
        format!("#run-{}", encoded(self.id))
    }

    fn action(&self, files: &[String]) -> Value {
        let Provenance { started, finished, seed, seeds, readings, code_digest, machine, .. } = self.provenance;
        let own = format!("{RESULTS}/{}/", self.id);
        let results: Vec<Value> =
            files.iter().filter(|name| name.starts_with(&own)).map(|name| reference(&encoded(name))).collect();
        let agents: Vec<Value> = self.sharing.authors.iter().map(|author| reference(&author_id(author))).collect();
        let mut action = Map::from_iter([
            ("@id".to_string(), json!(self.action_id())),
            ("@type".to_string(), json!("CreateAction")),
            ("name".to_string(), json!(format!("Run of {}", spec_file(self.id)))),
            (
                "description".to_string(),
                json!(format!(
                    "seed {seed}, {seeds} seed(s), readings: {readings}; code {code_digest}; {} with {} cores, {}",
                    machine.processor, machine.cores, machine.system
                )),
            ),
            ("instrument".to_string(), reference(&workflow(self.id))),
            ("startTime".to_string(), json!(started)),
            ("endTime".to_string(), json!(finished)),
            ("actionStatus".to_string(), reference("http://schema.org/CompletedActionStatus")),
            ("object".to_string(), Value::from(self.data.iter().map(|data| reference(&data.id())).collect::<Vec<_>>())),
            ("result".to_string(), Value::from(results)),
        ]);
        if !agents.is_empty() {
            action.insert("agent".to_string(), Value::from(agents));
        }
        Value::Object(action)
    }
}

impl DataFile {
    /// Its address in the metadata.
    fn id(&self) -> String {
        match &self.place {
            DataPlace::Carried(name) => encoded(name),
            DataPlace::Elsewhere { address: Some(address), .. } => address.clone(),
            DataPlace::Elsewhere { address: None, .. } => format!("urn:sha256:{}", self.sha256),
        }
    }

    fn described(&self) -> String {
        let parts = [&self.citation, &self.licence].map(|part| part.trim());
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" Licence: ")
    }

    fn remote(&self) -> Value {
        let obtain = match &self.place {
            DataPlace::Elsewhere { obtain, .. } => obtain.trim(),
            DataPlace::Carried(_) => "",
        };
        json!({
            "@id": self.id(),
            "@type": "File",
            "name": self.name,
            "sha256": self.sha256,
            "description": format!(
                "{} It may not travel with the results. {obtain} The digest is of the uncompressed bytes.",
                self.described()
            ).trim(),
        })
    }
}

fn reference(id: &str) -> Value {
    json!({"@id": id})
}

fn author_id(author: &Author) -> String {
    author.orcid_address().unwrap_or_else(|| format!("#author-{}", encoded(&author.name)))
}

fn spec_file(id: &str) -> String {
    format!("{SPECS}/{id}.yaml")
}

fn workflow(id: &str) -> String {
    encoded(&spec_file(id))
}

fn media_type(name: &str) -> Option<&'static str> {
    Some(match name.rsplit('.').next()? {
        "csv" => "text/csv",
        "json" => "application/json",
        "html" => "text/html",
        "svg" => "image/svg+xml",
        "yaml" | "yml" => "application/yaml",
        "md" => "text/markdown",
        "py" => "text/x-python",
        _ => return None,
    })
}

fn about(name: &str) -> Option<&'static str> {
    Some(match name.rsplit('/').next()? {
        _ if name == MANIFEST => "Which runs the capsule holds, and what planning them again needs besides the specs",
        _ if name == README => "For the reviewer: what is claimed, and the command that checks it",
        _ if name.starts_with(&format!("{STORE}/")) => "The answer of one cell, with its key and a checksum",
        "measurements.csv" => "What every cell measured; repeats to the byte",
        "costs.csv" => "What every cell cost, and on which machine",
        "witnesses.csv" => "Cases behind the numbers, to check by hand",
        "claims.csv" => "The verdict of each claim under each reading and seed",
        "standings.csv" => "What the verdicts of each claim come to",
        "provenance.json" => "Spec, seed, code, data, machine and times of the run",
        _ => return None,
    })
}
