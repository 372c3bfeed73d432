//! What a worker writes to its standard output: lines that say where it is, then its answer as JSON.

use super::Answer;
use anonlab_core::worker::TELLS;
use std::io::{BufRead, BufReader, Read};

/// All of `source`, but at most one byte more than `limit`. Lines in front that say where the worker is are told, and are no part of
/// the answer.
pub fn read_answer(source: impl Read, limit: usize, told: &dyn Fn(&str)) -> Vec<u8> {
    let mut source = BufReader::new(source.take(limit as u64 + 1));
    let mut bytes = Vec::new();
    while let Ok(1..) = source.read_until(b'\n', &mut bytes) {
        match bytes.strip_prefix(TELLS.as_bytes()) {
            Some(place) => told(String::from_utf8_lossy(place).trim_end()),
            // What was read before an error is all there is to judge by.
            None => {
                let _ = source.read_to_end(&mut bytes);
                break;
            }
        }
        bytes.clear();
    }
    bytes
}

/// The answer that was read.
pub fn parse_answer(bytes: &[u8]) -> serde_json::Result<Answer> {
    serde_json::from_slice(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_worker_tells_is_no_part_of_its_answer() {
        let told = std::sync::Mutex::new(Vec::new());
        let tell = |place: &str| told.lock().unwrap().push(place.to_string());
        let output = "# loading\n# measuring queries 640/1,000\n{\"status\":\n# no line of its own\n}";
        let answer = read_answer(output.as_bytes(), 1000, &tell);
        assert_eq!(String::from_utf8(answer).unwrap(), "{\"status\":\n# no line of its own\n}");
        assert_eq!(*told.lock().unwrap(), ["loading", "measuring queries 640/1,000"]);
        assert_eq!(read_answer("xxxx".as_bytes(), 2, &tell).len(), 3, "one more than the limit");
    }
}
