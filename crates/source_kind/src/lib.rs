//! What every kind of source shares: the trait, its settings and its report, and the ways from names and schemas to operations.
//!
//! Facts in, parts of operations out. A kind is a folder elsewhere that implements `kind::SourceKind`; nothing here knows
//! any of them, and nothing here does IO but `disk_reader`.

pub mod allow_refs;
pub mod autonomy;
pub mod base_url;
pub mod category_names;
pub mod connection;
pub mod credential_headers;
pub mod disk_reader;
pub mod document_location;
pub mod handler_operations;
pub mod input_schema;
pub mod kind;
pub mod linked_content;
pub mod named_connection;
pub mod operation_manifest;
pub mod operation_names;
pub mod operator_rules;
pub mod plain_text;
pub mod pruning;
pub mod public_names;
pub mod report;
pub mod schema_reader;
pub mod settings;
pub mod side_by_side;
pub mod unusable_patterns;
pub mod wire_names;
