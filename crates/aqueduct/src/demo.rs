//! The sample adapter that `aqueduct demo` serves.

/// The file's name, as shown in messages.
pub const FILE: &str = "bookshop-adapter.md";

/// The file.
pub const TEXT: &str = include_str!("demo/bookshop-adapter.md");
