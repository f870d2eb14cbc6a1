//! Flags, environment and file, resolved once into a builder.
//!
//! `raw` is the file's form, `file` reads it with `profiles`, `policy`, `sources`, `synonyms` and `http`, `resolve` decides
//! what holds, `per_source` reads options that name a source, `store` where the store is, `operator` where the operator's
//! page is.

mod executions;
mod file;
mod http;
mod operator;
mod per_source;
mod policy;
mod profiles;
mod raw;
mod resolve;
mod safety;
mod sources;
mod store;
mod synonyms;

pub use operator::OperatorListen;
pub use per_source::as_given;
pub use resolve::{
    DEFAULT_FILE, ResolvedConfig, WithoutStore, builder, challenge_ttl, gate_settings, resolve,
    store_settings, with_state, with_store,
};
