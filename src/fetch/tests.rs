//! Against a server of our own on the loopback interface: no network.

use super::*;
use flate2::{Compression, write::GzEncoder};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

/// Serves `pages` by path until the test ends; returns its address.
fn serve(pages: BTreeMap<String, Vec<u8>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let request = lines.next().unwrap_or_default();
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let (status, body) = match pages.get(request.split(' ').nth(1).unwrap_or_default()) {
                Some(body) => ("200 OK", body.as_slice()),
                None => ("404 Not Found", &b"no"[..]),
            };
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = (&stream).write_all(head.as_bytes()).and_then(|()| (&stream).write_all(body));
        }
    });
    address
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn sdist(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    gzip(&builder.into_inner().unwrap())
}

/// Past any proxy of the environment.
fn web() -> Web {
    Web { agent: ureq::Agent::config_builder().proxy(None).build().new_agent() }
}

#[test]
fn files_are_gunzipped_and_held_to_their_checksum() {
    let address = serve(BTreeMap::from([("/x.dat.gz".to_string(), gzip(b"1 2\n"))]));
    let route = Route::Https(format!("{address}/x.dat.gz"));
    assert_eq!(bring(&route, Some(&sha256(b"1 2\n")), &web()).unwrap(), b"1 2\n");
    let error = bring(&route, Some(&sha256(b"other")), &web()).unwrap_err();
    assert!(error.starts_with("wrong checksum: sha256"), "{error}");
    let error = bring(&Route::Https(format!("{address}/y")), None, &web()).unwrap_err();
    assert!(error.contains("404"), "{error}");
    assert_eq!(web().get(&format!("{address}/x.dat.gz"), 3).unwrap_err(), "more than 3 bytes");
}

#[test]
fn members_of_source_distributions_are_found_through_the_index() {
    let archive = sdist(&[("pkg-1.0/README", b"no"), ("pkg-1.0/tests/x.csv", b"a,b\n1,2\n")]);
    let member = SdistMember {
        package: "Pkg".to_string(),
        file: "pkg-1.0.tar.gz".to_string(),
        sha256: sha256(&archive),
        member: "pkg-1.0/tests/x.csv".to_string(),
        convert: None,
    };
    let index = "<a href=\"pkg-0.9.tar.gz\">old</a><a href=\"../../files/pkg-1.0.tar.gz#sha256=0\">new</a>";
    let address = serve(BTreeMap::from([
        ("/simple/pkg/".to_string(), index.into()),
        ("/files/pkg-1.0.tar.gz".to_string(), archive.clone()),
    ]));
    let index = format!("{address}/simple");
    assert_eq!(pypi::download(&member, &index, &web()).unwrap(), archive);
    assert_eq!(member_of(&archive, &member.member).unwrap(), b"a,b\n1,2\n");
    assert_eq!(member_of(&archive, "x").unwrap_err(), "the archive has no x");
    let other = SdistMember { file: "pkg-2.0.tar.gz".to_string(), ..member };
    assert!(pypi::download(&other, &index, &web()).unwrap_err().ends_with("/simple/pkg/ has no pkg-2.0.tar.gz"));
}

#[test]
fn adult_gets_its_original_form_back() {
    let csv = b"age,salary\n39,<=50K\n50,>50K\n";
    assert_eq!(adult::original(csv, "", "").unwrap(), b"39, <=50K\n50, >50K\n\n");
    // The package's CSV, made from the embedded copy, and back.
    for (name, first_line, row_end) in [("adult.data", "", ""), ("adult.test", "|1x3 Cross validator\n", ".")] {
        let embedded = crate::sources::embedded(name).unwrap();
        let original = decompress(embedded, LARGEST_UNPACKED).unwrap();
        let rows = std::str::from_utf8(&original).unwrap().strip_prefix(first_line).unwrap().trim_end();
        let rows = rows.lines().map(|row| row.strip_suffix(row_end).unwrap().replace(", ", ",") + "\n");
        let csv = "header\n".to_string() + &rows.collect::<String>();
        assert_eq!(adult::original(csv.as_bytes(), first_line, row_end).unwrap(), *original);
    }
}

fn below(dir: &std::path::Path) -> DataLocations {
    DataLocations {
        data_dir: dir.join("data"),
        cache_dir: dir.join("cache"),
        spec_dir: dir.to_path_buf(),
        ..DataLocations::new(None)
    }
}

#[test]
fn what_is_here_is_not_fetched_and_what_cannot_be_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let locations = below(dir.path());
    assert_eq!(fetch("adult-train", &locations).unwrap(), [Fetched::Embedded { file: "adult.data".to_string() }]);
    let error = fetch("bms-pos", &locations).unwrap_err().to_string();
    assert!(error.starts_with("bms-pos cannot be fetched. Get it from the KDD Cup 2000 archive"), "{error}");
    std::fs::create_dir_all(&locations.cache_dir).unwrap();
    let path = locations.cache_dir.join("chess.dat.gz");
    std::fs::write(&path, "").unwrap();
    assert_eq!(fetch("chess", &locations).unwrap(), [Fetched::Present { file: "chess.dat".to_string(), path }]);
}

#[test]
fn german_credit_gets_its_original_form_back() {
    assert_eq!(without_header(b"a,b\nA11,6\nA12,48\n").unwrap(), b"A11 6\nA12 48\n");
    assert!(without_header(b"a,b").is_err());
}

/// What the catalogue has no checksum of is held to its statistics, then to the first bytes that had them.
#[test]
fn the_first_bytes_seen_are_locked() {
    let dir = tempfile::tempdir().unwrap();
    let locations = below(dir.path());
    std::fs::create_dir_all(&locations.data_dir).unwrap();
    let path = locations.data_dir.join("anonymous-msweb.data");
    let visitors = |area: u32, n: u32| (0..n).map(|i| format!("C,\"{i}\",{i}\nV,{area},1\n")).collect::<String>();
    std::fs::write(&path, visitors(1000, 10)).unwrap();
    let error = fetch("msweb", &locations).unwrap_err().to_string();
    assert!(error.contains("32,711 records are expected"), "{error}");
    std::fs::write(&path, visitors(1000, 32711)).unwrap();
    let files = fetch("msweb", &locations).unwrap();
    let [Fetched::Present { .. }, Fetched::Locked { sha256: first, lock, .. }] = &files[..] else {
        panic!("{files:?}")
    };
    // It is for sharing: no place on this machine is in it.
    assert!(!std::fs::read_to_string(lock).unwrap().contains(dir.path().to_str().unwrap()));
    assert_eq!(*first, sha256(visitors(1000, 32711).as_bytes()));
    let definition = serde_json::from_value(serde_json::json!({"source": "msweb"})).unwrap();
    let note = crate::sources::resolve(&definition, &locations).unwrap().note;
    assert_eq!(note, "anonymous-msweb.data from the data directory, held to datasets.lock");
    std::fs::write(&path, visitors(1001, 32711)).unwrap();
    let error = crate::sources::resolve(&definition, &locations).unwrap_err().to_string();
    assert!(error.contains("datasets.lock has the checksum of the bytes first seen"), "{error}");
}
