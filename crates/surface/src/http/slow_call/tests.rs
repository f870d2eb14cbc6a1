//! Tests of `slow_call`.
