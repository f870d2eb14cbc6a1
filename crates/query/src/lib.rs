//! The query language over JSON text: what to keep of an answer, in which order, and what to count in it.
//!
//! Pure functions: text and a question in, text out. Nothing here knows where an answer came from.
