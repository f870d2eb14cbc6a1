//! Flags, environment and file, resolved once into a builder.
//!
//! `raw` is the file's form, `resolve` decides what holds, `per_source` reads options that name a source.

mod per_source;
mod raw;
mod resolve;

pub use resolve::builder;
