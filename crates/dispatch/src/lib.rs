//! One call, end to end.
//!
//! Start with `pipeline`: it reads like a table of contents of the `stages`. `catalog` is what a call sees of the
//! registry, `introspect` answers questions about it, `failure_map` turns every stage's error into the one wire shape.

mod batch;
mod built_in;
pub mod catalog;
mod collection;
mod companion;
pub mod cursor;
mod errand;
mod events;
mod failure_map;
mod handled;
mod heavy;
mod introspect;
pub mod observe;
mod output;
mod pipeline;
mod preview;
mod questions;
mod remarks;
mod stages;
#[cfg(test)]
mod test_server;
mod turns;
mod update;
mod upstream_log;

pub use catalog::Catalog;
pub use pipeline::{BatchMode, DispatchSettings, Dispatcher};
