//! One call, end to end.
//!
//! Start with `pipeline`: it reads like a table of contents of the `stages`. `catalog` is what a call sees of the
//! registry, `introspect` answers questions about it, `failure_map` turns every stage's error into the one wire shape.

pub mod catalog;
mod failure_map;
mod introspect;
pub mod observe;
mod pipeline;
mod stages;
#[cfg(test)]
mod test_server;
mod turns;

pub use catalog::Catalog;
pub use pipeline::{DispatchSettings, Dispatcher};
