//! What a machine is like for timings: each fact, and what is wrong with it if anything is.

use super::{Disturbance, Machine};
use anonlab_core::worker::counters;
use serde::Serialize;
use std::fs;

/// One fact about the machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fact {
    pub name: &'static str,
    pub value: String,
    /// What it means for timings, where it is not what one would wish for.
    pub warning: Option<String>,
}

/// Reads files of the system; a test reads its own.
pub type SystemReader<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The facts about this machine.
pub fn examine() -> Vec<Fact> {
    let read = |path: &str| fs::read_to_string(path).ok().map(|text| text.trim().to_string());
    facts(&Machine::this(), &read, counters::probe())
}

/// What is wrong with this machine for timings and does not pass: what each sample met is in its own disturbance.
pub fn lasting_faults() -> Vec<&'static str> {
    const PASSING: [&str; 2] = ["load", "free memory"];
    let faults = examine().into_iter().filter(|fact| fact.warning.is_some()).map(|fact| fact.name);
    faults.filter(|name| !PASSING.contains(name)).collect()
}

/// The facts that these files tell, and whether hardware counters could be had. What the system does not tell is said to be
/// unknown.
pub fn facts(machine: &Machine, read: SystemReader, counted: Result<(), String>) -> Vec<Fact> {
    let fact = |name, value: Option<String>, warning: Option<&str>| Fact {
        name,
        value: value.unwrap_or_else(|| "unknown".to_string()),
        warning: warning.map(String::from),
    };
    let cpuinfo = read("/proc/cpuinfo").unwrap_or_default();
    let smt = read("/sys/devices/system/cpu/smt/active");
    let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    let turbo =
        match (read("/sys/devices/system/cpu/intel_pstate/no_turbo"), read("/sys/devices/system/cpu/cpufreq/boost")) {
            (Some(off), _) => Some(off == "0"),
            (None, Some(on)) => Some(on == "1"),
            (None, None) => None,
        };
    let virtual_ =
        cpuinfo.lines().any(|line| line.starts_with("flags") && line.split_whitespace().any(|f| f == "hypervisor"));
    let load: Option<f64> = read("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok());
    let kilobytes = read("/proc/meminfo").and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?.trim().to_string();
        line.split(' ').next()?.parse::<u64>().ok()
    });
    let quota = read("/sys/fs/cgroup/cpu.max");
    let memory_limit = read("/sys/fs/cgroup/memory.max");
    let clock = read("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    let paranoid = read("/proc/sys/kernel/perf_event_paranoid");
    let counters = match (counted, paranoid) {
        (Ok(()), _) => "instructions, cache misses".to_string(),
        (Err(why), None) => format!("absent ({why})"),
        (Err(why), Some(level)) => format!("absent ({why}; perf_event_paranoid is {level})"),
    };
    let on_off = |on: bool| if on { "on" } else { "off" }.to_string();
    let busy = load.filter(|load| *load > 0.5);
    let scarce = kilobytes.filter(|free| *free < machine.memory_bytes / 1024 / 10);
    vec![
        fact("processor", Some(machine.processor.clone()), None),
        fact("cores", Some(machine.cores.to_string()), (machine.cores < 2).then_some("the run itself and the timed worker share the only core")),
        fact("SMT", smt.as_ref().map(|active| on_off(active == "1")), (smt.as_deref() == Some("1")).then_some("two threads share a core: what runs on the other one slows a timing; --pin helps only if its sibling is idle")),
        fact("governor", governor.clone(), governor.as_deref().filter(|name| *name != "performance").map(|_| "the clock rate follows the load, so that the first calls are slower; `performance` keeps it")),
        fact("turbo", turbo.map(on_off), turbo.filter(|on| *on).map(|_| "the clock rate depends on temperature and on what the other cores do")),
        fact("virtualization", Some(if virtual_ { "yes" } else { "none seen" }.to_string()), virtual_.then_some("other machines on the host take time (steal), and hardware counters are mostly absent")),
        fact("load", load.map(|load| load.to_string()), busy.map(|_| "something else runs: timings take turns with it")),
        fact("free memory", kilobytes.map(|free| format!("{} MB", free / 1024)), scarce.map(|_| "less than a tenth is free: a cell may wait for the disk")),
        fact("CPU quota", quota.clone(), quota.as_deref().filter(|quota| !quota.starts_with("max")).map(|_| "this process is paused whenever its share is used up: a pause looks like a slow algorithm")),
        fact("memory limit", memory_limit.clone(), None),
        fact("clock", clock.clone(), clock.as_deref().filter(|name| !["tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page"].contains(name)).map(|_| "reading this clock is slow: times below a millisecond have its cost in them")),
        fact("hardware counters", Some(counters), None),
        fact(
            "samples taken again",
            Some(format!("beyond {} % steal or {} involuntary switches a second", Disturbance::MOST_STEAL * 100.0, Disturbance::MOST_SWITCHES)),
            None,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine { processor: "a".into(), cores: 4, memory_bytes: 8 << 30, system: "linux".into() }
    }

    fn warned(files: &[(&str, &str)]) -> Vec<&'static str> {
        let read = |path: &str| files.iter().find(|file| file.0 == path).map(|file| file.1.to_string());
        facts(&machine(), &read, Ok(()))
            .into_iter()
            .filter(|fact| fact.warning.is_some())
            .map(|fact| fact.name)
            .collect()
    }

    #[test]
    fn a_quiet_machine_has_nothing_to_warn_of_and_what_is_not_told_is_unknown() {
        let quiet = [
            ("/sys/devices/system/cpu/smt/active", "0"),
            ("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance"),
            ("/sys/devices/system/cpu/intel_pstate/no_turbo", "1"),
            ("/proc/loadavg", "0.03 0.1 0.1 1/200 7"),
            ("/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 6000000 kB"),
            ("/sys/fs/cgroup/cpu.max", "max 100000"),
            ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc"),
        ];
        assert!(warned(&quiet).is_empty(), "{:?}", warned(&quiet));
        assert!(warned(&[]).is_empty());
        let value = |name: &str, counted| {
            let facts = facts(&machine(), &|_| None, counted);
            facts.into_iter().find(|fact| fact.name == name).unwrap().value
        };
        assert_eq!(value("governor", Ok(())), "unknown");
        assert_eq!(value("hardware counters", Ok(())), "instructions, cache misses");
        assert_eq!(value("hardware counters", Err("not supported".to_string())), "absent (not supported)");
    }

    #[test]
    fn what_is_wrong_is_told() {
        let found = warned(&[
            ("/sys/devices/system/cpu/smt/active", "1"),
            ("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave"),
            ("/sys/devices/system/cpu/cpufreq/boost", "1"),
            ("/proc/cpuinfo", "flags\t\t: fpu hypervisor lahf"),
            ("/proc/loadavg", "3.5 1 1 2/200 7"),
            ("/proc/meminfo", "MemAvailable: 1000 kB"),
            ("/sys/fs/cgroup/cpu.max", "50000 100000"),
            ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet"),
        ]);
        assert_eq!(found, ["SMT", "governor", "turbo", "virtualization", "load", "free memory", "CPU quota", "clock"]);
    }
}
