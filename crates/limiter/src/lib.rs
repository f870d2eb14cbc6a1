//! Holds requests to the limits and quotas of their sources (companion document on rate limits; ruling S9).
//!
//! `limiters` has one `source_limiter` for each source. A request asks by its `meter`: first for its turn under the API limits
//! (`turns`, `fair_queue`, served by `pump` when units are short), then for units of the `quotas`. Units in hand are a `counter`'s; they
//! come from a `Ledger`, in memory (`memory`) or in a store, which is told when their requests have ended (`settling`). What responses
//! say of limits is read by `headers` and understood by `learning`. How far all of it is used is `standing`.
//! `fair_lock` gives places to callers in turn, for sources that run few calls at a time.

mod counter;
mod fair_lock;
mod fair_queue;
mod headers;
mod learning;
mod limiters;
mod memory;
mod meter;
mod pump;
mod quotas;
mod settling;
mod source_limiter;
mod standing;
mod tally;
mod turns;

pub use fair_lock::{FairLock, FairPlace};
pub use limiters::Limiters;
pub use memory::MemoryLedger;
pub use meter::MeterOwner;
pub use tally::SourceTally;

#[cfg(test)]
mod tests;
