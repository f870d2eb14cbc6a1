//! Finding an operation among many: what each one is about, which ones belong together, and which one a request means.
//!
//! A catalog in; nouns, groups, related operations and matches out. `resource` finds the noun of an operation and its place
//! in the tree of paths, `groups` counts them, `related_operations` finds what is done with the same thing. `documents` and
//! `operation_index` are what is searched, `exact_names` finds what a request calls by name, `search` is who finds what, `source_names` knows which source a request names,
//! `mentioned_params` finds the parameters that a request speaks of, `stated_values` the values that it gives for them, `sample_request`
//! shows how to ask, and `task_sent` finds what was asked in another way.

mod documents;
mod exact_names;
mod groups;
mod mentioned_params;
mod operation_index;
mod related_operations;
mod resource;
mod sample_request;
mod search;
mod source_names;
mod stated_values;
mod task_sent;

pub use documents::document;
pub use groups::NounGroup;
pub(crate) use groups::{as_json as groups_as_json, by_turns, groups, near_groups, topics};
pub(crate) use mentioned_params::mentioned_params;
pub use operation_index::{OperationIndex, SearchOutcome};
pub(crate) use related_operations::related_operations;
pub(crate) use resource::Resources;
pub(crate) use sample_request::{request_of_name, sample_request, sample_request_for};
pub(crate) use search::search;
pub(crate) use stated_values::stated_values;
pub(crate) use task_sent::{is_about_looking, task_sent};

#[cfg(test)]
mod tests;
