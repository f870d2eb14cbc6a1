//! The result of an operation: the two closed arms of the union.
//!
//! Which arm a value is held against is told by `success` alone.

use super::{Kind, Shape, ShapeProblem, is_code, is_time, shape_problem, shape_problems};
use serde_json::Value;

static SUCCESS: Shape = Shape {
    rule: "X-conf-6",
    required: &[("success", Kind::Is(true)), ("data", Kind::Any)],
    optional: &[
        ("warnings", Kind::Each(&WARNING)),
        ("_meta", Kind::Object(&META)),
        ("results", Kind::Each(&RESULT)),
        ("summary", Kind::Object(&SUMMARY)),
    ],
    is_open: false,
};

pub(super) static WARNING: Shape = Shape {
    rule: "X-warn-2",
    required: &[("code", Kind::Form(is_code, "a code in capitals")), ("message", Kind::Text)],
    optional: &[("details", Kind::Open), ("severity", Kind::OneOf(&["low", "medium", "high"]))],
    is_open: false,
};

static META: Shape = Shape {
    rule: "X-conf-9",
    required: &[],
    optional: &[("request_id", Kind::Text), ("duration_ms", Kind::Amount)],
    is_open: true,
};

static RESULT: Shape = Shape {
    rule: "X-conf-11",
    required: &[("index", Kind::Count), ("operation", Kind::Text), ("result", Kind::Open)],
    optional: &[],
    is_open: true,
};

static SUMMARY: Shape = Shape {
    rule: "X-conf-11",
    required: &[("total", Kind::Count), ("succeeded", Kind::Count), ("failed", Kind::Count)],
    optional: &[],
    is_open: true,
};

static FAILURE: Shape = Shape {
    rule: "X-conf-7",
    required: &[("success", Kind::Is(false)), ("error", Kind::Object(&ERROR))],
    optional: &[
        ("confirmation", Kind::Object(&CONFIRMATION)),
        ("deprecated", Kind::Bool),
        ("deprecationMessage", Kind::Text),
        ("deprecatedSince", Kind::Text),
        ("removalVersion", Kind::Text),
    ],
    is_open: false,
};

static ERROR: Shape = Shape {
    rule: "X-conf-8",
    required: &[("code", Kind::Form(is_code, "a code in capitals")), ("message", Kind::Words)],
    optional: &[("details", Kind::Open)],
    is_open: false,
};

static CONFIRMATION: Shape = Shape {
    rule: "X-conf-10",
    required: &[("token", Kind::Text), ("expires_at", Kind::Form(is_time, "a time"))],
    optional: &[("message", Kind::Text), ("reasons", Kind::Texts)],
    is_open: true,
};

/// Every way in which a value is no result of an operation.
pub(crate) fn result(value: &Value) -> Vec<ShapeProblem> {
    match value["success"].as_bool() {
        Some(true) => shape_problems(value, &SUCCESS),
        Some(false) => shape_problems(value, &FAILURE),
        None => {
            vec![shape_problem("C5.1-1", "success", &format!("is {}, not true or false", value["success"]))]
        }
    }
}
