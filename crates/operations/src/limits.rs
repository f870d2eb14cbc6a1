//! The payload limits in force (core specification, section 4.7.5): defaults, the ranges a setting may take, and the
//! form in which introspection publishes them.

use aqueduct_schema::work::USUAL_STEPS;
use serde::Serialize;
use std::ops::RangeInclusive;

/// The most events of one response of an operation that gives events.
pub const MOST_EVENTS: usize = 100;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * 1024;

/// Every limit, as published in `_protocol.limits` and as enforced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Bytes of a whole request.
    pub max_request_size: u64,
    /// Bytes of an upstream response.
    pub max_response_size: u64,
    /// Bytes of one string.
    pub max_string_length: u64,
    /// Elements of one array.
    pub max_array_elements: u64,
    /// Nested objects and arrays, the root being level 1.
    pub max_nesting_depth: u64,
    /// Estimated tokens of a response.
    pub max_response_tokens: u64,
    /// Operations in a batch.
    pub max_batch_items: u64,
    /// Items of a collection that one call looks through.
    pub max_gathered_items: u64,
    /// Milliseconds after which a call is reported as slow.
    pub slow_call_ms: u64,
    /// Steps of work that one call may take here: values checked, patterns run, items looked through.
    pub max_work_steps: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_request_size: MIB,
            max_response_size: 10 * MIB,
            max_string_length: MIB,
            max_array_elements: 10_000,
            max_nesting_depth: 32,
            max_response_tokens: 25_000,
            max_batch_items: 100,
            max_gathered_items: 10_000,
            slow_call_ms: 5_000,
            max_work_steps: USUAL_STEPS,
        }
    }
}

/// A limit set outside the range that the specification allows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} must be between {} and {}, found {found}", range.start(), range.end())]
pub struct OutOfRange {
    /// The limit's name.
    pub name: &'static str,
    /// What it may be.
    pub range: RangeInclusive<u64>,
    /// What it was set to.
    pub found: u64,
}

impl Limits {
    /// The allowed range of each limit.
    pub fn ranges() -> [(&'static str, RangeInclusive<u64>); 10] {
        [
            ("max_request_size", 64 * KIB..=10 * MIB),
            ("max_response_size", MIB..=100 * MIB),
            ("max_string_length", 64 * KIB..=10 * MIB),
            ("max_array_elements", 100..=100_000),
            ("max_nesting_depth", 8..=64),
            ("max_response_tokens", 500..=1_000_000),
            ("max_batch_items", 1..=1_000),
            ("max_gathered_items", 100..=100_000),
            ("slow_call_ms", 1..=600_000),
            ("max_work_steps", 1_000_000..=10_000_000_000),
        ]
    }

    /// Changes one limit by name; an unknown name gives `None`.
    pub fn set(&mut self, name: &str, value: u64) -> Option<Result<(), OutOfRange>> {
        let (name, range) = Limits::ranges().into_iter().find(|(each, _)| *each == name)?;
        if !range.contains(&value) {
            return Some(Err(OutOfRange { name, range, found: value }));
        }
        let slot = match name {
            "max_request_size" => &mut self.max_request_size,
            "max_response_size" => &mut self.max_response_size,
            "max_string_length" => &mut self.max_string_length,
            "max_array_elements" => &mut self.max_array_elements,
            "max_nesting_depth" => &mut self.max_nesting_depth,
            "max_response_tokens" => &mut self.max_response_tokens,
            "max_batch_items" => &mut self.max_batch_items,
            "max_gathered_items" => &mut self.max_gathered_items,
            "slow_call_ms" => &mut self.slow_call_ms,
            _ => &mut self.max_work_steps,
        };
        *slot = value;
        Some(Ok(()))
    }
}

#[cfg(test)]
mod tests;
