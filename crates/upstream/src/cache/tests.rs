//! Tests of `cache`.

mod calls;
mod interleavings;
