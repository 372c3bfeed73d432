use super::format::{OutputFormat, print_json};
use super::list::{aligned, counted};
use super::{Exit, Failure};
use crate::cli::output::{out, outln};
use crate::lab::{CACHE_SIZE, Cache, CacheEntry};
use crate::sources::DataLocations;
use clap::Subcommand;
use serde_json::json;
use std::time::SystemTime;

/// Show or clear what was computed once and serves every run: large datasets in columns, true counts of query workloads
///
/// An entry is named by all it depends on (files, definition, code) and carries a checksum; what is damaged is computed anew.
/// `ANONLAB_CACHE_SIZE` says how large the cache may become (8GB unless it is set; 0 turns it off).
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab cache\n  anonlab cache --format json\n  anonlab cache clear\n  ANONLAB_CACHE_SIZE=2GB anonlab run experiments/injector.yaml"
)]
pub struct Args {
    /// The output format
    #[arg(long, default_value = "text")]
    format: OutputFormat,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Remove everything; the next run computes what it needs again
    #[command(after_help = "Example:\n  anonlab cache clear")]
    Clear,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let Some(cache) = Cache::in_directory(&locations.cache_dir) else {
        outln!("the cache is turned off: {CACHE_SIZE} is 0")?;
        return Ok(Exit::AllWell);
    };
    match args.action {
        Some(Action::Clear) => {
            let (files, bytes) = cache.clear().map_err(|error| Failure::new(error.to_string()))?;
            match args.format {
                OutputFormat::Json => print_json(&json!({"removed": files, "bytes": bytes}))?,
                OutputFormat::Text => outln!("removed {}, {}", counted(files, "entry"), size(bytes))?,
            }
        }
        None => show(&cache, args.format)?,
    }
    Ok(Exit::AllWell)
}

fn show(cache: &Cache, format: OutputFormat) -> Result<(), Failure> {
    let entries = cache.entries();
    let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    match format {
        OutputFormat::Json => {
            let entry = |entry: &CacheEntry| {
                let used = entry.used.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
                json!({"name": entry.name, "what": entry.what, "bytes": entry.bytes, "used": used})
            };
            let entries: Vec<_> = entries.iter().map(entry).collect();
            print_json(&json!({
                "directory": cache.directory(), "limit": cache.limit(), "bytes": bytes, "entries": entries,
            }))
        }
        OutputFormat::Text => {
            let row = |entry: &CacheEntry| {
                let damaged = "damaged: will be computed anew".to_string();
                vec![
                    entry.name[..12.min(entry.name.len())].to_string(),
                    size(entry.bytes),
                    entry.what.clone().unwrap_or(damaged),
                ]
            };
            out!("{}", aligned(&entries.iter().map(row).collect::<Vec<_>>()))?;
            let (number, directory) = (counted(entries.len(), "entry"), cache.directory().display());
            outln!("{number}, {} of at most {}, in {directory}", size(bytes), size(cache.limit()))?;
            Ok(())
        }
    }
}

/// In the largest unit that leaves a whole part.
fn size(bytes: u64) -> String {
    match bytes {
        0..0x400 => format!("{bytes} bytes"),
        0x400..0x10_0000 => format!("{:.1} KB", bytes as f64 / 1024.0),
        0x10_0000..0x4000_0000 => format!("{:.1} MB", bytes as f64 / 1048576.0),
        _ => format!("{:.1} GB", bytes as f64 / 1073741824.0),
    }
}
