//! The answer to a batch, as closed as the batch document has it.
//!
//! Plain batches satisfy this and the shape of operation results; only halted ones go beyond the latter. One that a budget cut
//! short names what is pending, and may say so and give the request that goes on (ruling W16).

use super::operation_result::WARNING;
use super::{Kind, Shape, ShapeProblem, object, shape_problem, shape_problems};
use serde_json::Value;

static BATCH: Shape = Shape {
    rule: "X-conf-13",
    required: &[
        ("success", Kind::Is(true)),
        ("data", Kind::Null),
        ("results", Kind::Each(&ITEM)),
        ("summary", Kind::Object(&SUMMARY)),
    ],
    optional: &[("halted_at", Kind::Object(&HALTED)), ("pending_operations", Kind::Each(&PENDING))],
    is_open: false,
};

static CUT: Shape = Shape {
    rule: "X-conf-13",
    required: &[
        ("success", Kind::Is(true)),
        ("data", Kind::Null),
        ("results", Kind::Each(&ITEM)),
        ("pending_operations", Kind::Each(&PENDING)),
        ("summary", Kind::Object(&SUMMARY)),
    ],
    optional: &[("next_request", Kind::Open), ("warnings", Kind::Each(&WARNING))],
    is_open: false,
};

static ITEM: Shape = Shape {
    rule: "X-conf-14",
    required: &[("index", Kind::Count), ("operation", Kind::Text), ("result", Kind::Checked(item_result))],
    optional: &[("status", Kind::OneOf(&["completed", "pending_confirmation"]))],
    is_open: false,
};

static HALTED: Shape = Shape {
    rule: "X-conf-16",
    required: &[("index", Kind::Count), ("operation", Kind::Text), ("result", Kind::Checked(item_result))],
    optional: &[],
    is_open: false,
};

static PENDING: Shape = Shape {
    rule: "X-conf-16",
    required: &[("index", Kind::Count), ("operation", Kind::Text)],
    optional: &[("params", Kind::Open)],
    is_open: false,
};

static SUMMARY: Shape = Shape {
    rule: "X-conf-16",
    required: &[("total", Kind::Count), ("succeeded", Kind::Count), ("failed", Kind::Count)],
    optional: &[("halted", Kind::Count), ("pending", Kind::Count), ("pending_confirmation", Kind::Count)],
    is_open: false,
};

static ITEM_SUCCESS: Shape = Shape {
    rule: "X-conf-15",
    required: &[("success", Kind::Is(true)), ("data", Kind::Any)],
    optional: &[],
    is_open: false,
};

static ITEM_FAILURE: Shape = Shape {
    rule: "X-conf-15",
    required: &[("success", Kind::Is(false)), ("error", Kind::Object(&ITEM_ERROR))],
    optional: &[],
    is_open: false,
};

static ITEM_ERROR: Shape = Shape {
    rule: "X-conf-15",
    required: &[("code", Kind::Text), ("message", Kind::Words)],
    optional: &[("details", Kind::Open)],
    is_open: true,
};

static FAILURE: Shape = Shape {
    rule: "X-conf-17",
    required: &[("success", Kind::Is(false)), ("error", Kind::Object(&FAILURE_ERROR))],
    optional: &[],
    is_open: false,
};

static FAILURE_ERROR: Shape = Shape {
    rule: "X-conf-17",
    required: &[("code", Kind::Text), ("message", Kind::Words)],
    optional: &[],
    is_open: false,
};

fn item_result(value: &Value, place: &str, found: &mut Vec<ShapeProblem>) {
    match value["success"].as_bool() {
        Some(true) => object(value, place, &ITEM_SUCCESS, found),
        Some(false) => object(value, place, &ITEM_FAILURE, found),
        None => found.push(shape_problem("X-conf-15", place, "has no 'success' that is true or false")),
    }
}

/// Every way in which a value is no answer to a batch that was processed.
pub(crate) fn batch(value: &Value) -> Vec<ShapeProblem> {
    shape_problems(value, if is_cut_short(value) { &CUT } else { &BATCH })
}

/// A batch that ended before its last operation, though none of them halted it.
pub(crate) fn is_cut_short(value: &Value) -> bool {
    value.get("halted_at").is_none()
        && value["pending_operations"].as_array().is_some_and(|pending| !pending.is_empty())
}

/// Every way in which a value is no refusal of a whole batch.
pub(crate) fn refusal(value: &Value) -> Vec<ShapeProblem> {
    shape_problems(value, &FAILURE)
}
