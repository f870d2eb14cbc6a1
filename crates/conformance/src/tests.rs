//! Tests of the pure parts.
