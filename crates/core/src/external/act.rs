//! `anonlab` in the part of a program: any built-in publisher behind the protocol.

use super::input;
use super::request::{PROTOCOL, ProgramRequest};
use crate::lab::{LabError, Seed, Workbench};
use crate::publish::{AnyPublisher, guarantee_parameters};
use serde_json::json;
use std::fs;
use std::io::{self, Read, Write};

/// Serves one request. A publisher that has no answer refuses, which is a good end of a program, too.
pub fn act(publisher: &dyn AnyPublisher, mut request: impl Read, mut messages: impl Write) -> io::Result<()> {
    let mut text = String::new();
    request.read_to_string(&mut text)?;
    let request: ProgramRequest = serde_json::from_str(&text)?;
    match answer(publisher, &request) {
        Ok(bench) => {
            for phase in bench.phases() {
                writeln!(messages, "{}", json!({"phase": phase.name, "seconds": phase.elapsed.as_secs_f64()}))?;
            }
            for (counter, value) in bench.counters() {
                writeln!(messages, "{}", json!({"counter": counter, "value": value}))?;
            }
        }
        Err(error) => writeln!(messages, "{}", json!({"refuse": error.to_string()}))?,
    }
    messages.flush()
}

fn answer(publisher: &dyn AnyPublisher, request: &ProgramRequest) -> Result<Workbench, LabError> {
    if request.protocol != PROTOCOL {
        return Err(LabError::input(format!("protocol {} is not known; this is {PROTOCOL}", request.protocol)));
    }
    let about = publisher.about();
    if about.release != request.release {
        let name = publisher.name();
        return Err(LabError::input(format!("{name} gives {}, not {}", about.release, request.release)));
    }
    let dataset = input::read(&request.input)?;
    let mut bench = Workbench::new(Seed(request.seed), "external");
    // A guarantee may have parameters that are its verifier's alone, such as how stars are read.
    let mut parameters = request.parameters.clone();
    let is_known = |name: &str| publisher.parameters().iter().any(|parameter| parameter.name == name);
    parameters.retain(|name, _| is_known(name) || !guarantee_parameters().contains(name.as_str()));
    let release = publisher.publish(&dataset, &parameters, &mut bench)?;
    for file in release.files(&dataset)? {
        let path = request.output.join(file.name);
        fs::write(&path, &file.bytes)
            .map_err(|error| LabError::no_answer(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(bench)
}
