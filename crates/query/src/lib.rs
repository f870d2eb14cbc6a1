//! The query language over JSON text: what to keep of a response, in which order, and what to count in it.
//!
//! Pure functions: text and a question in, text out. Nothing here knows where a response came from.

pub mod aggregate;
pub mod compute;
pub mod error;
pub mod filter;
mod instant;
pub mod item;
pub mod measure;
pub mod merge;
mod number;
mod order;
pub mod peek;
mod scan;
pub mod search;
pub mod select;
pub mod sort;
#[cfg(test)]
mod test_support;
