//! Capsules: made, checked, and every way of forging one found out.

use crate::external::has;
use crate::lab::{Lab, PATIENTS};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

const AUTHORS: &str = "
results:
  authors: [{name: Ada Lovelace, orcid: 0000-0002-1825-0097}]
  licence: CC-BY-4.0
datasets:
  patients:";

/// A run of patients, with a claim, in a capsule.
fn bundled() -> Lab {
    let lab = Lab::with("p.yaml", &PATIENTS.replace("\ndatasets:\n  patients:", AUTHORS));
    lab.run(&["run", "p.yaml", "--out", "out", "--quiet"]);
    lab.run(&["bundle", "out", "-o", "a.zip"]).expect(0);
    lab
}

fn unzip(lab: &Lab, name: &str) -> BTreeMap<String, Vec<u8>> {
    let mut zip = ZipArchive::new(File::open(lab.path(name)).unwrap()).unwrap();
    let mut files = BTreeMap::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).unwrap();
        if entry.is_file() {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            files.insert(entry.name().unwrap().to_string(), bytes);
        }
    }
    files
}

fn zip(lab: &Lab, name: &str, files: &BTreeMap<String, Vec<u8>>) {
    let mut zip = ZipWriter::new(File::create(lab.path(name)).unwrap());
    for (name, bytes) in files {
        zip.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    assert!(text.contains(from), "`{from}` is not in\n{text}");
    text.replacen(from, to, 1).into_bytes()
}

/// States the digests that the files have now, as a forger would.
fn restate(files: &mut BTreeMap<String, Vec<u8>>) {
    let mut metadata: serde_json::Value = serde_json::from_slice(&files["ro-crate-metadata.json"]).unwrap();
    for entity in metadata["@graph"].as_array_mut().unwrap() {
        if let Some(bytes) =
            entity["@id"].as_str().and_then(|id| files.get(id)).filter(|_| entity["sha256"].is_string())
        {
            let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            entity["sha256"] = digest.into();
        }
    }
    files.insert("ro-crate-metadata.json".to_string(), metadata.to_string().into_bytes());
}

/// The value of the first measured observation of a store entry, changed, with its checksum made right.
fn forge_entry(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let (_, body) = text.split_once('\n').unwrap();
    let mut entry: serde_json::Value = serde_json::from_str(body).unwrap();
    entry["answer"]["observations"][0]["value"] = 123.456.into();
    let body = entry.to_string();
    format!("{}\n{body}", blake3::hash(body.as_bytes()).to_hex()).into_bytes()
}

#[test]
fn the_same_results_make_the_same_bytes_and_agree_when_checked() {
    let lab = bundled();
    lab.run(&["bundle", "out/p", "-o", "b.zip"]).expect(0);
    assert_eq!(std::fs::read(lab.path("a.zip")).unwrap(), std::fs::read(lab.path("b.zip")).unwrap());
    let files = unzip(&lab, "a.zip");
    for name in ["README.md", "capsule.json", "specs/p.yaml", "results/p/measurements.csv", "results/index.html"] {
        assert!(files.contains_key(name), "{name}");
    }
    assert_eq!(files.keys().filter(|name| name.starts_with("store/")).count(), 15);
    assert_eq!(files["results/p/measurements.csv"], std::fs::read(lab.path("out/p/measurements.csv")).unwrap());
    let here = lab.path("").display().to_string();
    for (name, bytes) in &files {
        assert!(!String::from_utf8_lossy(bytes).contains(&here), "{name} names a path of this machine");
    }
    // On another machine: no run, no spec.
    let other = Lab::new();
    std::fs::copy(lab.path("a.zip"), other.path("a.zip")).unwrap();
    let said = other.run(&["recheck", "a.zip", "--all"]).expect(0);
    assert!(said.out.contains("15 of 15 cells"), "{}", said.out);
    assert!(said.out.contains("15 agree to the last bit, 0 differ"), "{}", said.out);
    assert!(said.out.contains("by Ada Lovelace; the same code as this build"), "{}", said.out);
    let page = other.read("recheck/index.html");
    for words in ["Available", "Functional", "Reproduced", "everything that was checked agrees", "CC-BY-4.0"] {
        assert!(page.contains(words), "{words}");
    }
    let drawn =
        |seed: &str| other.run(&["recheck", "a.zip", "--cells", "3", "--seed", seed, "--out", seed]).expect(0).out;
    assert!(drawn("1").contains("3 of 15 cells that can be checked here computed again (seed 1)"));
    // C(14,3)/C(15,3) = 12/15
    assert!(drawn("2").contains("(1) were forged, this sample would have missed every one with probability 0.8000"));
    let metadata: serde_json::Value = serde_json::from_slice(&files["ro-crate-metadata.json"]).unwrap();
    let graph = metadata["@graph"].as_array().unwrap();
    let entity = |id: &str| graph.iter().find(|entity| entity["@id"] == id).unwrap_or_else(|| panic!("{id}"));
    assert_eq!(entity("./")["mainEntity"]["@id"], "specs/p.yaml");
    assert_eq!(entity("./")["license"]["@id"], "https://spdx.org/licenses/CC-BY-4.0");
    assert_eq!(entity("#run-p")["agent"][0]["@id"], "https://orcid.org/0000-0002-1825-0097");
    assert_eq!(entity("https://orcid.org/0000-0002-1825-0097")["name"], "Ada Lovelace");
}

#[test]
fn an_altered_byte_a_missing_file_and_an_added_one_are_refused() {
    let lab = bundled();
    let sound = unzip(&lab, "a.zip");
    let refused = |files: &BTreeMap<String, Vec<u8>>, words: &str| {
        zip(&lab, "forged.zip", files);
        let said = lab.run(&["recheck", "forged.zip"]).expect(2);
        assert!(said.err.contains("forged.zip is refused") && said.err.contains(words), "{words}: {}", said.err);
    };
    for name in ["README.md", "capsule.json", "specs/p.yaml", "results/p/claims.csv", "results/p/index.html"] {
        let mut files = sound.clone();
        files.get_mut(name).unwrap()[0] ^= 1;
        refused(&files, &format!("`{name}` is not the file that the metadata has a digest of"));
    }
    let mut files = sound.clone();
    files.remove("results/p/claims.csv");
    refused(&files, "`results/p/claims.csv` is in the metadata and not in the capsule");
    let mut files = sound.clone();
    files.insert("specs/evil.sh".to_string(), b"rm".to_vec());
    refused(&files, "`specs/evil.sh` is not in the metadata");
    let mut files = sound.clone();
    files.remove("ro-crate-metadata.json");
    refused(&files, "`ro-crate-metadata.json`: it is missing");
    for (name, words) in
        [("../out", "no name of a spec"), ("a/b", "no name of a spec"), ("\\u001b[2J", "no name of a spec")]
    {
        let mut files = sound.clone();
        let manifest = replaced(&files["capsule.json"], "\"id\": \"p\"", &format!("\"id\": \"{name}\""));
        files.insert("capsule.json".to_string(), manifest);
        restate(&mut files);
        refused(&files, words);
    }
    std::fs::write(lab.path("forged.zip"), "no zip").unwrap();
    let said = lab.run(&["recheck", "forged.zip"]).expect(2);
    assert!(said.err.contains("no sound zip file"), "{}", said.err);
    assert!(!lab.path("recheck").exists(), "nothing is written for what is refused");
}

/// With digests that are right again, what differs is found all the same.
#[test]
fn forgeries_behind_right_digests_are_found_out() {
    let lab = bundled();
    let sound = unzip(&lab, "a.zip");
    let found = |files: &mut BTreeMap<String, Vec<u8>>, words: &[&str]| {
        restate(files);
        zip(&lab, "forged.zip", files);
        let said = lab.run(&["recheck", "forged.zip", "--all"]).expect(1);
        for words in words {
            assert!(said.out.contains(words), "{words}:\n{}", said.out);
        }
        assert!(lab.read("recheck/index.html").contains("not everything agrees"));
    };
    let mut files = sound.clone();
    let measurements = String::from_utf8(files["results/p/measurements.csv"].clone()).unwrap();
    let line = measurements.lines().nth(1).unwrap();
    files.insert("results/p/measurements.csv".into(), measurements.replacen(line, &format!("{line}9"), 1).into_bytes());
    found(
        &mut files,
        &["differs      p: measurements: measurements.csv, line 2, is not what the stored cells come to"],
    );

    let mut files = sound.clone();
    let claims = String::from_utf8(files["results/p/claims.csv"].clone()).unwrap();
    let altered = if claims.contains("holds") { claims.replacen("holds", "fails", 1) } else { claims + "x\n" };
    files.insert("results/p/claims.csv".into(), altered.into_bytes());
    found(&mut files, &["differs      p: claims: claims.csv"]);

    let mut files = sound.clone();
    let page = replaced(&files["results/p/index.html"], "Patients", "Patience");
    files.insert("results/p/index.html".into(), page);
    found(&mut files, &["differs      p: pages and figures: index.html"]);

    let mut files = sound.clone();
    let spec = replaced(&files["specs/p.yaml"], "title: Patients", "title: Patience");
    files.insert("specs/p.yaml".into(), spec);
    found(&mut files, &["differs      p: spec: it is another than the provenance names"]);

    let mut files = sound.clone();
    let manifest = replaced(&files["capsule.json"], "\"seed\": null", "\"seed\": 77");
    files.insert("capsule.json".into(), manifest);
    found(&mut files, &["have no stored answer", "it has one of another seed", "that no spec asks for"]);

    let mut files = sound.clone();
    let key = files.keys().find(|name| name.starts_with("store/")).unwrap().clone();
    files.get_mut(&key).unwrap().push(b' ');
    found(&mut files, &["is damaged"]);

    let mut files = sound.clone();
    let (a, b) = {
        let mut keys = files.keys().filter(|name| name.starts_with("store/"));
        (keys.next().unwrap().clone(), keys.next().unwrap().clone())
    };
    files.insert(a, files[&b].clone());
    found(&mut files, &["holds the answer of another cell"]);

    // Everything is forged together: store, measurements, pages. Only computing the cell again finds it.
    let mut files = sound.clone();
    let forged = forge_entry(&files[&key]);
    files.insert(key, forged);
    found(&mut files, &["with the same code, data and seed", "14 agree to the last bit, 1 differ", "123.456 there"]);
}

#[test]
fn programs_travel_run_only_when_allowed_and_an_altered_one_is_found() {
    if !has("python3") {
        return;
    }
    let lab = Lab::new();
    lab.run(&["algorithms", "new", "--lang", "python", "mine"]).expect(0);
    lab.run(&["run", "mine.yaml", "--allow-external", "--quiet", "--out", "out", "--quick"]).expect(0);
    lab.run(&["bundle", "out", "-o", "a.zip", "--allow-external"]).expect(0);
    let files = unzip(&lab, "a.zip");
    let program = files.keys().find(|name| name.ends_with(".py")).expect("the program travels").clone();
    let said = lab.run(&["recheck", "a.zip", "--cells", "2", "--seed", "1"]);
    assert!(said.out.contains("their programs run only under --allow-external"), "{}{}", said.out, said.err);
    let said = lab.run(&["recheck", "a.zip", "--cells", "2", "--seed", "1", "--allow-external"]).expect(0);
    assert!(said.out.contains("2 agree to the last bit, 0 differ"), "{}", said.out);
    let mut forged = files.clone();
    forged.get_mut(&program).unwrap().extend(b"\n# better now\n");
    restate(&mut forged);
    zip(&lab, "forged.zip", &forged);
    let said = lab.run(&["recheck", "forged.zip", "--cells", "1"]).expect(1);
    assert!(said.out.contains("is not what the stored cells were computed with"), "{}", said.out);
}

#[test]
fn data_travels_where_it_may_and_else_by_its_digest() {
    let spec = |more: &str| {
        format!(
            "anonlab: 1\ntitle: Own data\n{more}datasets:\n  own: {{source: {{file: own.csv, format: csv}}, quasi_identifiers: [age], sensitive: disease}}\n\
             figures:\n  f:\n    title: F\n    datasets: [own]\n    algorithms: [anatomy]\n    measures: [query-error]\n    \
             sweep: {{product: {{l: [2], dim: [1]}}}}\n    draw: {{x: l, y: median_relative_error}}\n"
        )
    };
    let rows: String = (0..40).map(|i| format!("{},d{}\n", 20 + i, i % 5)).collect();
    let lab = Lab::with("own.csv", &format!("age,disease\n{rows}"));
    for (name, more) in [("secret.yaml", ""), ("open.yaml", "results: {pass_on: [own.csv]}\n")] {
        lab.write(name, &spec(more));
        let out = format!("out-of-{name}");
        lab.run(&["run", name, "--out", &out, "--quiet"]).expect(0);
        lab.run(&["bundle", &out, "-o", &format!("{name}.zip")]).expect(0);
    }
    let (secret, open) = (unzip(&lab, "secret.yaml.zip"), unzip(&lab, "open.yaml.zip"));
    assert!(!secret.contains_key("specs/own.csv") && open.contains_key("specs/own.csv"));
    let metadata = String::from_utf8(secret["ro-crate-metadata.json"].clone()).unwrap();
    assert!(metadata.contains("urn:sha256:") && metadata.contains("Ask the authors"), "{metadata}");
    let other = Lab::new();
    for name in ["secret.yaml.zip", "open.yaml.zip"] {
        std::fs::copy(lab.path(name), other.path(name)).unwrap();
    }
    other.run(&["recheck", "open.yaml.zip", "--all"]).expect(0);
    let said = other.run(&["recheck", "secret.yaml.zip", "--all"]).expect(2);
    assert!(said.err.contains("there is no file `own.csv`"), "{}", said.err);
    other.write("data/own.csv", &lab.read("own.csv"));
    other.run(&["recheck", "secret.yaml.zip", "--all"]).expect(0);
}

#[test]
fn what_is_not_as_it_was_run_makes_no_capsule() {
    let lab = bundled();
    let said = lab.run(&["bundle", "nowhere"]).expect(2);
    assert!(said.err.contains("nowhere"), "{}", said.err);
    let sound = lab.read("out/p/measurements.csv");
    lab.write("out/p/measurements.csv", &sound.replacen("ok", "OK", 1));
    let said = lab.run(&["bundle", "out"]).expect(2);
    assert!(said.err.contains("is not what the store has of the last run"), "{}", said.err);
    lab.write("out/p/measurements.csv", &sound);
    // The spec may be edited meanwhile: the capsule has it as it was.
    lab.write("p.yaml", "edited");
    lab.run(&["bundle", "out", "-o", "b.zip"]).expect(0);
    assert_eq!(std::fs::read(lab.path("a.zip")).unwrap(), std::fs::read(lab.path("b.zip")).unwrap());
    std::fs::remove_file(&lab.stored("out")[0]).unwrap();
    let said = lab.run(&["bundle", "out"]).expect(2);
    assert!(said.err.contains("1 of 15 cells are not in its store"), "{}", said.err);
}

#[test]
fn results_of_several_people_stand_side_by_side() {
    let lab = bundled();
    let (ada, grace) = ("Ada Lovelace, orcid: 0000-0002-1825-0097", "Grace Hopper");
    let spec = lab.read("p.yaml");
    assert!(spec.contains(ada));
    lab.write("p.yaml", &spec.replace(ada, grace));
    lab.run(&["run", "p.yaml", "--out", "other", "--quiet"]);
    lab.run(&["bundle", "other", "-o", "b.zip"]).expect(0);
    let said = lab.run(&["compare", "a.zip", "b.zip", "out/p"]).expect(0);
    for words in ["[Ada Lovelace] a.zip: code ", "[Grace Hopper] b.zip", "[out] out/p", "Their specs differ"] {
        assert!(said.err.contains(words), "{words}: {}", said.err);
    }
    assert!(said.out.contains("anatomy [Ada Lovelace]") && said.out.contains("anatomy [out]"), "{}", said.out);
    let twice = lab.run(&["compare", "a.zip", "a.zip"]).expect(0);
    assert!(twice.out.contains("anatomy [Ada Lovelace 2]"), "{}", twice.out);
    lab.run(&["report", "--from", "a.zip", "--from", "b.zip", "--out", "board"]).expect(0);
    let page = lab.read("board/p.leaderboard.html");
    assert!(page.contains("anatomy [Grace Hopper]") && page.contains("CC-BY-4.0"), "{page}");
    assert!(lab.read("board/index.html").contains("p.leaderboard.html"));
    lab.run(&["compare", "a.zip", "--experiment", "q"]).expect(2);
}

#[test]
fn a_capsule_is_a_baseline() {
    let lab = bundled();
    let check = |against: &str| {
        lab.run(&["track", "check", "--spec", "p.yaml", "--against", against, "--out", "tracked", "--quiet"])
    };
    check("a.zip").expect(0);
    let mut files = unzip(&lab, "a.zip");
    let keys: Vec<String> = files.keys().filter(|name| name.starts_with("store/")).cloned().collect();
    for key in keys {
        let forged = forge_entry(&files[&key]);
        files.insert(key, forged);
    }
    restate(&mut files);
    zip(&lab, "forged.zip", &files);
    let said = check("forged.zip");
    assert!(said.out.contains("123.456") || said.out.contains("123.5"), "{}{}", said.out, said.err);
}
