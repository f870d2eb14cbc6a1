//! How many calls of one source may overlap (core specification, section 9.3.1). Declared here, held in dispatch.
//!
//! A name in, one of four behaviours out; of several the strictest is what a server may promise.

use crate::named_enum::named_enum;
use serde::Serialize;

named_enum! {
    /// A source's declared concurrency behaviour.
    #[derive(Default, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Concurrency {
        /// Everything may overlap.
        #[default]
        FullyConcurrent = "fully-concurrent",
        /// READ calls overlap; any other call runs alone.
        ReadConcurrent = "read-concurrent",
        /// Calls on one resource run one after the other, calls on different resources in parallel.
        ResourceLocked = "resource-locked",
        /// One call at a time, in order of arrival.
        Serialized = "serialized",
    }
}

impl Concurrency {
    /// The stricter of two: what a server with both can promise.
    pub fn stricter(self, other: Concurrency) -> Concurrency {
        let rank = |c: Concurrency| Concurrency::ALL.iter().position(|each| *each == c);
        if rank(self) >= rank(other) { self } else { other }
    }
}
