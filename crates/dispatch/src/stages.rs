//! The stages of a call, in order. Each takes what the one before gave, so none can be skipped.

pub mod call;
pub mod envelope;
pub mod gatekeep;
pub mod meter;
pub mod query_options;
pub mod route;
pub mod shape;
pub mod validate;
