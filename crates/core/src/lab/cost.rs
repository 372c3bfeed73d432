//! What running costs: the one table of names, units and words. Less of every cost is better.

/// Something that running an algorithm or a measure costs. A cost of a part (a phase of the algorithm, or a measure) has the
/// name of the part behind a dot: `seconds.mining`, `peak_heap_bytes.queries`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cost {
    /// Wall-clock time.
    Seconds,
    /// Processor time of all threads.
    CpuSeconds,
    /// The most heap that was live at once.
    PeakHeapBytes,
    /// The most memory that the process had resident.
    PeakRssBytes,
    /// Calls of the allocator.
    Allocations,
    /// The bytes of all allocations together.
    AllocatedBytes,
    /// Instructions that the processor retired, where it counts them.
    Instructions,
    /// Misses of the last-level cache, where the processor counts them.
    CacheMisses,
}

/// A row of the table.
struct CostDescription {
    name: &'static str,
    unit: &'static str,
    noisy: bool,
    title: &'static str,
    about: &'static str,
}

impl Cost {
    /// In the order of columns.
    pub const ALL: [Self; 8] = [
        Self::Seconds,
        Self::CpuSeconds,
        Self::PeakHeapBytes,
        Self::PeakRssBytes,
        Self::Allocations,
        Self::AllocatedBytes,
        Self::Instructions,
        Self::CacheMisses,
    ];

    const fn description(self) -> CostDescription {
        match self {
            Self::Seconds => CostDescription {
                name: "seconds",
                unit: "s",
                noisy: true,
                title: "time",
                about: "wall-clock time of the algorithm alone",
            },
            Self::CpuSeconds => CostDescription {
                name: "cpu_seconds",
                unit: "s",
                noisy: true,
                title: "processor time",
                about: "processor time of the algorithm alone",
            },
            Self::PeakHeapBytes => CostDescription {
                name: "peak_heap_bytes",
                unit: "bytes",
                noisy: false,
                title: "peak heap",
                about: "most bytes the algorithm had allocated at once",
            },
            Self::PeakRssBytes => CostDescription {
                name: "peak_rss_bytes",
                unit: "bytes",
                noisy: true,
                title: "peak resident memory",
                about: "most resident memory of the worker process",
            },
            Self::Allocations => CostDescription {
                name: "allocations",
                unit: "",
                noisy: false,
                title: "allocations",
                about: "allocations the algorithm made",
            },
            Self::AllocatedBytes => CostDescription {
                name: "allocated_bytes",
                unit: "bytes",
                noisy: false,
                title: "bytes allocated",
                about: "bytes of all allocations of the algorithm together",
            },
            Self::Instructions => CostDescription {
                name: "instructions",
                unit: "",
                noisy: true,
                title: "instructions",
                about: "instructions of the algorithm, counted by the processor where the kernel gives its counters",
            },
            Self::CacheMisses => CostDescription {
                name: "cache_misses",
                unit: "",
                noisy: true,
                title: "cache misses",
                about: "cache misses of the algorithm, counted by the processor where the kernel gives its counters",
            },
        }
    }

    /// As it stands in specs and CSV.
    pub const fn name(self) -> &'static str {
        self.description().name
    }

    /// For axes; empty when it has none.
    pub const fn unit(self) -> &'static str {
        self.description().unit
    }

    /// Whether it differs from run to run. Bytes and allocations repeat.
    pub const fn is_noisy(self) -> bool {
        self.description().noisy
    }

    /// Whether it is told from a careful run with nothing beside it only: other cells on the machine would disturb it, or
    /// nobody counts it otherwise.
    pub const fn is_timed(self) -> bool {
        matches!(self, Self::Seconds | Self::CpuSeconds | Self::Instructions | Self::CacheMisses)
    }

    /// As it stands on an axis.
    pub const fn title(self) -> &'static str {
        self.description().title
    }

    /// The cost that a metric is, with the part it is of; None where the metric is none.
    pub fn of(metric: &str) -> Option<(Self, Option<&str>)> {
        let (name, part) = match metric.split_once('.') {
            Some((name, part)) => (name, Some(part)),
            None => (metric, None),
        };
        Self::ALL.into_iter().find(|cost| cost.name() == name).map(|cost| (cost, part))
    }

    /// The name of this cost of a phase or measure.
    pub fn of_part(self, part: &str) -> String {
        format!("{}.{part}", self.name())
    }

    /// What it is, in a sentence without a full stop.
    pub fn about(self, part: Option<&str>) -> String {
        let about = self.description().about;
        match (self, part) {
            (_, None) => about.to_string(),
            (Self::Seconds, Some(part)) => format!("wall-clock time of “{part}”"),
            (Self::PeakHeapBytes, Some(part)) => format!("most bytes that “{part}” had allocated at once"),
            (_, Some(part)) => format!("{about}, of “{part}”"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_known_by_their_names_and_those_of_their_parts() {
        for cost in Cost::ALL {
            assert_eq!(Cost::of(cost.name()), Some((cost, None)));
            assert_eq!(Cost::of(&cost.of_part("a.b")), Some((cost, Some("a.b"))));
        }
        for other in ["", "second", "seconds_", "ncp", "mean.seconds"] {
            assert_eq!(Cost::of(other), None, "{other}");
        }
    }
}
