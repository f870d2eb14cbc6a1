//! Tests of the hook.
