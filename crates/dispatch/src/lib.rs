//! One call, end to end.
//!
//! Start with `pipeline`: it reads like a table of contents of the `stages`. `catalog` is what a call sees of the
//! registry, `introspect` answers questions about it, `failure_map` turns every stage's error into the one wire shape.

mod batch;
mod built_in;
mod call_log;
pub mod catalog;
mod catalog_view;
mod collection;
mod concurrency_limiter;
mod content_blocks;
mod context;
pub mod cursor;
mod discovery;
mod dispatcher;
mod events;
mod executions;
mod failure_map;
mod handler_call;
mod introspect;
mod object_fields;
pub mod observe;
mod output;
mod pipeline;
mod policy_trial;
mod preview;
mod question_limiter;
mod stages;
#[cfg(test)]
mod test_server;
mod update;
mod update_companion;
mod upstream_log;
mod warnings;
mod worker_pool;

pub use aqueduct_query::measure::tokens as estimated_tokens;
pub use aqueduct_search::{Explanation, Parts};
pub use catalog::Catalog;
pub use catalog_view::CatalogView;
pub use discovery::{NounGroup, OperationIndex, SearchOutcome, document as search_document};
pub use dispatcher::{BatchMode, DispatchSettings, Dispatcher};
pub use executions::Executions;
pub use policy_trial::take_pushed;
pub use preview::in_words as request_in_words;
