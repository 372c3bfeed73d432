use serde::{Deserialize, Serialize};
use std::fs;

/// What a machine is, as far as costs depend on it. No host name: it tells nothing and names people's machines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    pub processor: String,
    pub cores: usize,
    pub memory_bytes: u64,
    pub system: String,
}

impl Machine {
    pub fn this() -> Self {
        let line = |file: &str, key: &str| {
            let text = fs::read_to_string(file).unwrap_or_default();
            let found = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
            found.trim_start_matches([' ', '\t', ':']).trim().to_string()
        };
        let memory = line("/proc/meminfo", "MemTotal");
        let kilobytes: u64 = memory.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        let processor = line("/proc/cpuinfo", "model name");
        Self {
            processor: if processor.is_empty() { std::env::consts::ARCH.to_string() } else { processor },
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: kilobytes * 1024,
            system: format!("{} {}", std::env::consts::OS, line("/proc/sys/kernel/osrelease", "")),
        }
    }

    /// A short name for cost rows: timings with different fingerprints are not compared.
    pub fn fingerprint(&self) -> String {
        let description = format!("{} {} {}", self.processor, self.cores, self.memory_bytes >> 30);
        blake3::hash(description.as_bytes()).to_hex()[..8].to_string()
    }
}
