//! Finding an operation among many: what each one is about, which ones belong together, and which one a request means.
//!
//! A catalog in; nouns, groups, neighbours and matches out. `resource` finds the noun of an operation and its place in the
//! tree of paths, `groups` counts them, `neighbours` finds what is done with the same thing.

mod groups;
mod neighbours;
mod resource;

pub(crate) use groups::{as_json as groups_as_json, groups};
pub(crate) use neighbours::neighbours;
pub(crate) use resource::Resources;

#[cfg(test)]
mod tests;
