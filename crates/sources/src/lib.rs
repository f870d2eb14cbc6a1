//! Text in, operations and diagnostics out. No async, no network.
//!
//! Every kind of source has the same anatomy: read the text into a tree that knows its places, check all of it, lower it
//! to operations. Only `disk` touches the file system.

pub mod adapter_file;
pub mod disk;
pub mod document;
pub mod filter;
pub mod kind;
pub mod mcp_server;
pub mod native;
pub mod openapi;
pub mod operation_file;
pub mod overrides;
pub mod report;
pub mod scan;
pub mod write;

mod credentials;
mod fitting_defaults;
mod handled;
mod handler_factory;
mod input_schema;
mod judged_names;
mod markup;
mod one_sentence;
mod operator_rules;
mod plain_texts;
mod pruning;
mod public_names;
mod schema_reader;
mod settings;
mod unusable_patterns;
mod wire_names;

pub use credentials::scan as scan_for_credentials;
pub use handler_factory::HandlerFactory;
pub use settings::{LoadOutcome, SourceSettings};
pub use unusable_patterns::UNUSABLE_PATTERN;
