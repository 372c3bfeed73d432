//! A change of a spec at a path: `--set fig8a.l=4`. Whatever changes specs goes through here: the command line, the
//! options of a reading, the axes of a sweep that set a part of a dataset.
//!
//! A path is keys with dots between them, as they stand in the spec: `limits.time`, `algorithms.mine.parameters.c`,
//! `figures.fig8a.repetitions`. Three abbreviations:
//! - `fig8a.…` is `figures.fig8a.…`;
//! - what follows a figure and is none of its keys is an axis, and the value is all that the axis runs over: `fig8a.l`;
//! - what follows a dataset and is none of its keys is a step of its `derive`: `datasets.adult.first`.
//!
//! Where a figure's `quick` has its own value at the path, it changes too.

use super::model::{Figure, SpecFile};
use super::tree::YamlNode;
use super::{Spec, SpecError};
use crate::lab::did_you_mean;
use crate::measures::measures;
use crate::publish::publishers;
use crate::sources::DatasetDefinition;
use crate::sources::definition::Step;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    path: String,
    value: YamlNode,
}

/// Why a change cannot be made.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Refusal {
    /// The path leads nowhere in this spec; in another it may.
    Nowhere(String),
    Wrong(String),
}

impl Refusal {
    fn message(&self) -> &str {
        match self {
            Self::Nowhere(message) | Self::Wrong(message) => message,
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.path, self.value.text())
    }
}

impl Setting {
    /// PATH=YAML, as on the command line.
    pub fn argument(text: &str) -> Result<Self, String> {
        let (path, value) = text
            .split_once('=')
            .filter(|(path, _)| !path.is_empty() && path.split('.').all(|part| !part.is_empty()))
            .ok_or_else(|| format!("`{text}` is not of the form PATH=VALUE, as in `fig8a.l=4`"))?;
        let value = YamlNode::parse(value).map_err(|error| format!("`{text}`: {error}"))?;
        Ok(Self { path: path.to_string(), value })
    }

    fn error(&self, spec: &Spec, message: &str) -> SpecError {
        SpecError::new(&spec.path, None, format!("--set {self}: {message}"))
    }

    /// Changes the tree of a spec.
    fn apply(&self, tree: &mut YamlNode) -> Result<(), Refusal> {
        let path = absolute(&self.path, tree)?;
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        match parts.as_slice() {
            ["figures", id, rest @ ..] if !rest.is_empty() => self.apply_to_figure(tree, id, rest),
            ["datasets", name, rest @ ..] if !rest.is_empty() => {
                let dataset = tree.get_mut("datasets").and_then(|datasets| datasets.get_mut(name));
                let dataset = dataset.ok_or_else(|| Refusal::Nowhere(format!("there is no dataset `{name}`")))?;
                set_below_dataset(dataset, rest, &self.value).map_err(Refusal::Wrong)
            }
            path => set(tree, path, &self.value).map_err(Refusal::Wrong),
        }
    }

    fn apply_to_figure(&self, tree: &mut YamlNode, id: &str, rest: &[&str]) -> Result<(), Refusal> {
        let figure = tree.get_mut("figures").and_then(|figures| figures.get_mut(id));
        let figure = figure.ok_or_else(|| Refusal::Nowhere(format!("there is no figure `{id}`")))?;
        if keys_of::<Figure>().iter().any(|key| key == rest[0]) {
            if let Some(quick) = figure.get_mut("quick").filter(|quick| has(quick, rest)) {
                set(quick, rest, &self.value).map_err(Refusal::Wrong)?;
            }
            return set(figure, rest, &self.value).map_err(Refusal::Wrong);
        }
        let axis = rest.join(".");
        if let Some(quick) = figure.get_mut("quick").filter(|quick| quick.get("sweep").is_some()) {
            set_axis(quick, &axis, &self.value).map_err(Refusal::Wrong)?;
        }
        set_axis(figure, &axis, &self.value).map_err(Refusal::Wrong)
    }
}

/// The path with its abbreviation spelled out, split where keys end: a key may have dots of its own.
fn absolute(path: &str, tree: &YamlNode) -> Result<Vec<String>, Refusal> {
    let words: Vec<&str> = path.split('.').collect();
    let (mut parts, mut rest) = (Vec::new(), words.as_slice());
    let top = keys_of::<SpecFile>();
    let figures = tree.get("figures");
    if !top.iter().any(|key| key == words[0]) {
        match figures.and_then(|figures| longest_key(figures, rest)) {
            Some(_) => parts.push("figures".to_string()),
            None => {
                let known =
                    figures.map(YamlNode::keys).unwrap_or_default().into_iter().chain(top.iter().map(String::as_str));
                let hint = did_you_mean(words[0], known)
                    .unwrap_or_else(|| format!("a path begins with a figure or one of {}", top.join(", ")));
                return Err(Refusal::Nowhere(format!("there is no figure and no key `{}`; {hint}", words[0])));
            }
        }
    } else {
        parts.push(words[0].to_string());
        rest = &rest[1..];
    }
    let mut node = tree.get(&parts[0]);
    // Names that the rest of the spec uses: a new one would change nothing.
    if !rest.is_empty()
        && let Some((what, built_in)) = match parts[0].as_str() {
            "figures" => Some(("figure", Vec::new())),
            "datasets" => Some(("dataset", Vec::new())),
            "algorithms" => Some(("algorithm", publishers().iter().map(|publisher| publisher.name()).collect())),
            "measures" => Some(("measure", measures().iter().map(|measure| measure.name()).collect())),
            _ => None,
        }
    {
        let known: Vec<&str> = node.map(YamlNode::keys).unwrap_or_default().into_iter().chain(built_in).collect();
        let found = node.and_then(|node| longest_key(node, rest)).is_some() || known.contains(&rest[0]);
        if !found {
            return Err(Refusal::Nowhere(super::error::unknown(what, rest[0], &known, "anonlab algorithms list")));
        }
    }
    while !rest.is_empty() {
        let count = node.and_then(|node| longest_key(node, rest)).unwrap_or(1);
        let key = rest[..count].join(".");
        node = node.and_then(|node| node.get(&key));
        parts.push(key);
        rest = &rest[count..];
    }
    Ok(parts)
}

/// How many words of `rest` make the longest key of `node`.
fn longest_key(node: &YamlNode, rest: &[&str]) -> Option<usize> {
    (1..=rest.len()).rev().find(|&count| node.get(&rest[..count].join(".")).is_some())
}

/// Whether something stands at a path.
fn has(node: &YamlNode, path: &[&str]) -> bool {
    path.iter().try_fold(node, |node, part| node.get(part)).is_some()
}

fn set(node: &mut YamlNode, path: &[&str], value: &YamlNode) -> Result<(), String> {
    let mut place = node;
    for (i, part) in path.iter().enumerate() {
        let above = path[..i].join(".");
        let below = place.below(part);
        place = below.ok_or_else(|| format!("`{}` leads nowhere: `{above}` has no `{part}`", path.join(".")))?;
    }
    *place = value.clone();
    Ok(())
}

/// A key of a dataset, or a step of its `derive`.
fn set_below_dataset(dataset: &mut YamlNode, path: &[&str], value: &YamlNode) -> Result<(), String> {
    if dataset.get(path[0]).is_none()
        && let Some(steps) = dataset.get_mut("derive")
        && let YamlNode::List(list) = &*steps
        && list.iter().any(|step| step.get(path[0]).is_some())
    {
        return set(steps, path, value);
    }
    let step = path[0];
    if keys_of_variants::<Step>().iter().any(|key| key == step) {
        return Err(format!("`derive` has no step `{step}`; set all of its steps, as in `derive=[{{{step}: …}}]`"));
    }
    set(dataset, path, value)
}

/// What an axis runs over. One value pins it: it takes no more part in a zip or a variation.
fn set_axis(figure: &mut YamlNode, axis: &str, value: &YamlNode) -> Result<(), String> {
    let values = match value {
        YamlNode::List(_) => value.clone(),
        YamlNode::Map(_) if value.get("from").is_some() => value.clone(),
        one => YamlNode::List(vec![one.clone()]),
    };
    let pinned = matches!(&values, YamlNode::List(list) if list.len() == 1);
    let groups = ["zip", "vary"];
    let group = groups.into_iter().find(|group| has(figure, &["sweep", group, axis])).unwrap_or("product");
    if pinned && group != "product" {
        if let Some(axes) = figure.get_mut("sweep").and_then(|sweep| sweep.get_mut(group)) {
            axes.remove(axis);
        }
        return set(figure, &["sweep", "product", axis], &values);
    }
    set(figure, &["sweep", group, axis], &values)
}

/// The keys that a part of a spec may have.
fn keys_of<T: JsonSchema>() -> Vec<String> {
    let schema = schema_for!(T).to_value();
    schema["properties"].as_object().map(|keys| keys.keys().cloned().collect()).unwrap_or_default()
}

/// The keys by which the variants of an enum are told apart.
fn keys_of_variants<T: JsonSchema>() -> Vec<String> {
    let schema = schema_for!(T).to_value();
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    let keys = variants.filter_map(|variant| variant["properties"].as_object()).flat_map(|keys| keys.keys());
    keys.cloned().collect()
}

/// `definition` with `value` at `path`: the step of that name if there is one, else the key.
pub fn set_in_dataset<S: AsRef<str>>(
    definition: &DatasetDefinition,
    path: &[S],
    value: &Value,
) -> Result<DatasetDefinition, String> {
    let path: Vec<&str> = path.iter().map(AsRef::as_ref).collect();
    let place = |tree: &mut YamlNode, value: &YamlNode| match path.is_empty() {
        true => set(tree, &[], value),
        false => set_below_dataset(tree, &path, value),
    };
    changed(definition, value, place).map_err(|error| {
        let name = format!("dataset.{}", path.join("."));
        format!("`{name}` cannot be {value}: {error}; it names a step of `derive` or a key of the dataset")
    })
}

/// An entry of a spec with `value` at the path below it.
pub(super) fn set_in_entry<T: Serialize + DeserializeOwned>(
    entry: &T,
    path: &[&str],
    value: &Value,
) -> Result<T, String> {
    changed(entry, value, |tree, value| set(tree, path, value))
}

fn changed<T: Serialize + DeserializeOwned>(
    entry: &T,
    value: &Value,
    place: impl FnOnce(&mut YamlNode, &YamlNode) -> Result<(), String>,
) -> Result<T, String> {
    let mut tree = YamlNode::parse(&serde_json::to_string(entry).map_err(|error| error.to_string())?)?;
    place(&mut tree, &YamlNode::parse(&value.to_string())?)?;
    serde_yaml::from_str(&tree.text()).map_err(|error| SpecError::from_yaml("".as_ref(), &error).message)
}

impl Spec {
    /// What the command line set.
    pub fn arguments(&self) -> Vec<String> {
        self.set.iter().map(ToString::to_string).collect()
    }

    /// The spec as it is with these changes, after those it has already. A change that cannot be made is told at its
    /// argument; a fault that the changes bring about is told with them.
    pub fn with(self, settings: &[Setting]) -> Result<Self, Vec<SpecError>> {
        if settings.is_empty() {
            return Ok(self);
        }
        let settings = [self.set.as_slice(), settings].concat();
        let mut tree = YamlNode::parse(&self.text).map_err(|message| vec![self.error::<&str>(&[], message)])?;
        let mut file = self.file.clone();
        for setting in &settings {
            let refused = |message: &str| vec![setting.error(&self, message)];
            setting.apply(&mut tree).map_err(|refusal| refused(refusal.message()))?;
            file = serde_yaml::from_str(&tree.text())
                .map_err(|error| refused(&SpecError::from_yaml(&self.path, &error).message))?;
        }
        file.complete(&self.path).map_err(|error| vec![error])?;
        let spec = Self { file, set: settings, ..self };
        let mut faults = spec.faults();
        let changes: Vec<String> = spec.set.iter().map(|setting| format!("`{setting}`")).collect();
        for fault in &mut faults {
            fault.message += &format!(" (with {} set)", changes.join(" and "));
        }
        if faults.is_empty() { Ok(spec) } else { Err(faults) }
    }

    /// Specs with the changes that lead somewhere in them. One that leads nowhere in any of them is an error.
    pub fn all_with(specs: Vec<Self>, settings: &[Setting]) -> Result<Vec<Self>, Vec<SpecError>> {
        let fits = |spec: &Self, setting: &Setting| match YamlNode::parse(&spec.text) {
            Ok(mut tree) => !matches!(setting.apply(&mut tree), Err(Refusal::Nowhere(_))),
            Err(_) => true,
        };
        let lost: Vec<&Setting> =
            settings.iter().filter(|setting| !specs.iter().any(|spec| fits(spec, setting))).collect();
        let (mut changed, mut faults) = (Vec::new(), Vec::new());
        for spec in specs {
            let meant = |setting: &&Setting| lost.contains(setting) || fits(&spec, setting);
            let ours: Vec<Setting> = settings.iter().filter(meant).cloned().collect();
            match spec.with(&ours) {
                Ok(spec) => changed.push(spec),
                Err(errors) => faults.extend(errors),
            }
        }
        if faults.is_empty() { Ok(changed) } else { Err(faults) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "anonlab: 1
title: T
datasets:
  d: &d
    source: {format: csv, inline: \"zip,s\\n02138,a\\n02139,b\\n\"}
    quasi_identifiers: [zip]
    sensitive: s
    derive: [{first: 2}]
    hierarchies: {zip: {tree: {\"*\": [02138, 02139]}}}
  e: {<<: *d, derive: [{sample: 1}]}
figures:
  a.1:
    title: A
    datasets: [d]
    algorithms: [anatomy]
    sweep: {zip: {l: [2, 3], dataset.first: [1, 2]}}
    quick: {sweep: {product: {l: [2]}}, repetitions: 2}
    repetitions: 9
    draw: {x: l, y: groups}
";

    fn with(settings: &[&str]) -> Result<Spec, String> {
        let settings: Vec<Setting> = settings.iter().map(|text| Setting::argument(text)).collect::<Result<_, _>>()?;
        let spec = Spec::parse("p.yaml".as_ref(), SPEC).unwrap();
        spec.with(&settings).map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn what_is_not_changed_stays_as_it_was_written() {
        let (before, after) = (with(&[]).unwrap(), with(&["title=T"]).unwrap());
        assert_eq!(format!("{:?}", before.file), format!("{:?}", after.file));
        for entry in std::fs::read_dir("experiments").unwrap().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending == "yaml") {
                let before = Spec::read(&path).unwrap();
                let file = format!("{:?}", before.file);
                let seed = Setting::argument(&format!("seed={}", before.file.seed)).unwrap();
                assert_eq!(file, format!("{:?}", before.with(&[seed]).unwrap().file), "{}", path.display());
            }
        }
    }

    #[test]
    fn paths_and_their_abbreviations() {
        let spec =
            with(&["a.1.repetitions=3", "limits.time=7s", "datasets.e.sample=2", "datasets.d.derive.first=1"]).unwrap();
        assert_eq!((spec.file.figures["a.1"].repetitions, spec.file.figures["a.1"].quick().repetitions), (3, 3));
        assert_eq!(spec.file.limits.time.to_string(), "7s");
        assert_eq!(serde_json::to_string(&spec.file.datasets["e"].derive).unwrap(), "[{\"sample\":2}]");
        assert_eq!(serde_json::to_string(&spec.file.datasets["d"].derive).unwrap(), "[{\"first\":1}]");
        let spec = with(&["algorithms.anatomy.parameters.l=2", "figures.a.1.sweep.zip.dataset.first=[2, 1]"]).unwrap();
        assert_eq!(spec.file.algorithms["anatomy"].parameters["l"], 2);
        assert_eq!(spec.file.figures["a.1"].sweep.zip["dataset.first"].expand().unwrap(), [2, 1]);
    }

    #[test]
    fn an_axis_takes_a_list_or_is_pinned_in_both_variants() {
        let figure = &with(&["a.1.l=2"]).unwrap().file.figures["a.1"];
        assert_eq!(figure.sweep.points().unwrap().len(), 2);
        assert!(figure.sweep.points().unwrap().iter().all(|point| point["l"] == 2));
        assert_eq!(figure.quick().sweep.product["l"].expand().unwrap(), [2]);
        let figure = &with(&["a.1.l=[5, 6]"]).unwrap().file.figures["a.1"];
        assert_eq!(figure.sweep.zip["l"].expand().unwrap(), [5, 6]);
        assert_eq!(figure.quick().sweep.product["l"].expand().unwrap(), [5, 6]);
    }

    #[test]
    fn what_cannot_be_set_says_so_and_what_would_be_right() {
        let refused = |setting: &str| with(&[setting]).unwrap_err();
        assert_eq!(refused("a.2.l=4"), "p.yaml: --set a.2.l=4: there is no figure and no key `a`; did you mean `a.1`?");
        assert_eq!(
            refused("datasets.dd.first=4"),
            "p.yaml: --set datasets.dd.first=4: there is no dataset `dd`; did you mean `d`?"
        );
        assert_eq!(
            refused("a.1.ll=4").lines().next().unwrap_or_default(),
            "p.yaml:16:5: no algorithm or measure of this figure has a parameter `ll`; did you mean `l`? (with `a.1.ll=4` set)"
        );
        assert!(refused("a.1.repetitions=many").starts_with("p.yaml: --set a.1.repetitions=many: "));
        assert_eq!(
            refused("limits.tim=1s"),
            "p.yaml: --set limits.tim=1s: there is no key `tim` here; did you mean `time`?"
        );
        assert_eq!(
            refused("title.of.it=1"),
            "p.yaml: --set title.of.it=1: `title.of.it` leads nowhere: `title` has no `of`"
        );
        assert_eq!(
            refused("datasets.e.first=4"),
            "p.yaml: --set datasets.e.first=4: `derive` has no step `first`; set all of its steps, as in `derive=[{first: …}]`"
        );
        assert!(Setting::argument("a.1.l").unwrap_err().contains("PATH=VALUE"));
        assert!(Setting::argument("a.1.l=[").unwrap_err().contains("no YAML"));
    }

    #[test]
    fn a_change_may_be_meant_for_another_spec() {
        let specs = || {
            let other = SPEC.replace("a.1", "b");
            vec![Spec::parse("p.yaml".as_ref(), SPEC).unwrap(), Spec::parse("q.yaml".as_ref(), &other).unwrap()]
        };
        let set = |text| vec![Setting::argument(text).unwrap()];
        let changed = Spec::all_with(specs(), &set("b.repetitions=4")).unwrap();
        assert_eq!(changed[0].file.figures["a.1"].repetitions, 9);
        assert_eq!(changed[1].file.figures["b"].repetitions, 4);
        assert_eq!(changed[0].set.len() + changed[1].set.len(), 1);
        assert_eq!(Spec::all_with(specs(), &set("c.repetitions=4")).unwrap_err().len(), 2);
    }
}
