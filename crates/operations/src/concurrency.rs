//! How many calls of one source may overlap (core specification, section 9.3.1). Declared here, held in dispatch.
//!
//! A name in, one of four behaviours out; of several the strictest is what a server may promise.

use serde::Serialize;

/// A source's declared concurrency behaviour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Concurrency {
    /// Everything may overlap.
    #[default]
    FullyConcurrent,
    /// READ calls overlap; any other call runs alone.
    ReadConcurrent,
    /// Calls on one resource run one after the other, calls on different resources in parallel.
    ResourceLocked,
    /// One call at a time, in order of arrival.
    Serialized,
}

impl Concurrency {
    /// Every category, in the order shown in messages.
    pub const ALL: [Concurrency; 4] = [
        Concurrency::FullyConcurrent,
        Concurrency::ReadConcurrent,
        Concurrency::ResourceLocked,
        Concurrency::Serialized,
    ];

    /// The name used in files and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Concurrency::FullyConcurrent => "fully-concurrent",
            Concurrency::ReadConcurrent => "read-concurrent",
            Concurrency::ResourceLocked => "resource-locked",
            Concurrency::Serialized => "serialized",
        }
    }

    /// Reads one of the four names.
    pub fn parse(text: &str) -> Option<Concurrency> {
        Concurrency::ALL.into_iter().find(|c| c.name() == text)
    }

    /// The stricter of two: what a server with both can promise.
    pub fn stricter(self, other: Concurrency) -> Concurrency {
        let rank = |c: Concurrency| Concurrency::ALL.iter().position(|each| *each == c);
        if rank(self) >= rank(other) { self } else { other }
    }
}
