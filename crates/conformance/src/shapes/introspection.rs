//! The answers of `introspect`: the four closed kinds of data, and the closed failure.
//!
//! `_protocol`, its capabilities, and what stands for values are the only open places.

use super::{Kind, Shape, ShapeProblem, object, shape_problem, shape_problems};
use serde_json::Value;

const CATEGORIES: &[&str] = &["CREATE", "READ", "UPDATE", "DELETE", "EXECUTE"];
const KINDS: &[&str] = &["enum", "object", "scalar", "union"];

static OPERATIONS: Shape = Shape {
    rule: "X-intro-1",
    required: &[("success", Kind::Is(true)), ("data", Kind::Object(&OPERATIONS_DATA))],
    optional: &[],
    is_open: false,
};
static OPERATIONS_DATA: Shape = Shape {
    rule: "X-intro-4",
    required: &[("operations", Kind::Each(&INFO))],
    optional: &[("_protocol", Kind::Object(&PROTOCOL))],
    is_open: false,
};

static TYPES: Shape = Shape {
    rule: "X-intro-1",
    required: &[("success", Kind::Is(true)), ("data", Kind::Object(&TYPES_DATA))],
    optional: &[],
    is_open: false,
};
static TYPES_DATA: Shape = Shape {
    rule: "X-intro-4",
    required: &[("types", Kind::Each(&TYPE_INFO))],
    optional: &[],
    is_open: false,
};

static OPERATION: Shape = Shape {
    rule: "X-intro-1",
    required: &[("success", Kind::Is(true)), ("data", Kind::Object(&OPERATION_DATA))],
    optional: &[],
    is_open: false,
};
static OPERATION_DATA: Shape = Shape {
    rule: "X-intro-4",
    required: &[("operation", Kind::Object(&DETAILS))],
    optional: &[],
    is_open: false,
};

static TYPE: Shape = Shape {
    rule: "X-intro-1",
    required: &[("success", Kind::Is(true)), ("data", Kind::Object(&TYPE_DATA))],
    optional: &[],
    is_open: false,
};
static TYPE_DATA: Shape = Shape {
    rule: "X-intro-4",
    required: &[("type", Kind::Checked(type_detail))],
    optional: &[],
    is_open: false,
};

static FAILURE: Shape = Shape {
    rule: "X-intro-2",
    required: &[("success", Kind::Is(false)), ("error", Kind::Object(&ERROR))],
    optional: &[],
    is_open: false,
};

static ERROR: Shape = Shape {
    rule: "X-intro-2",
    required: &[("code", Kind::Text), ("message", Kind::Words)],
    optional: &[],
    is_open: false,
};

static INFO: Shape = Shape {
    rule: "X-intro-5",
    required: &[
        ("name", Kind::Words),
        ("semantic_category", Kind::OneOf(CATEGORIES)),
        ("endpoint", Kind::Words),
        ("description", Kind::Text),
    ],
    optional: &[],
    is_open: false,
};

static PROTOCOL: Shape = Shape {
    rule: "X-intro-20",
    required: &[],
    optional: &[
        ("version", Kind::Form(is_version, "a version such as 1.0.0-draft")),
        ("conformance", Kind::OneOf(&["level-1", "level-2"])),
        ("mode", Kind::OneOf(&["semantic", "single", "all"])),
        ("capabilities", Kind::Open),
    ],
    is_open: true,
};

static DETAILS: Shape = Shape {
    rule: "X-intro-7",
    required: &[
        ("name", Kind::Words),
        ("semantic_category", Kind::OneOf(CATEGORIES)),
        ("endpoint", Kind::Words),
        ("mcpTool", Kind::Words),
        ("description", Kind::Text),
        ("permissions", Kind::Object(&PERMISSIONS)),
        ("parameters", Kind::Each(&PARAMETER)),
        ("returns", Kind::Object(&TYPE_INFO)),
    ],
    optional: &[
        ("examples", Kind::Each(&EXAMPLE)),
        ("computed_fields", Kind::Any),
        ("aggregation_support", Kind::Any),
        ("relationship_capabilities", Kind::Any),
        ("lifecycle", Kind::Object(&LIFECYCLE)),
    ],
    is_open: false,
};

static PERMISSIONS: Shape = Shape {
    rule: "X-intro-8",
    required: &[("readOnly", Kind::Bool), ("destructive", Kind::Bool)],
    optional: &[],
    is_open: false,
};

static PARAMETER: Shape = Shape {
    rule: "X-intro-9",
    required: &[("name", Kind::Words), ("type", Kind::Words), ("required", Kind::Bool)],
    optional: &[
        ("description", Kind::Text),
        ("default", Kind::Any),
        ("enum", Kind::List),
        ("minimum", Kind::Number),
        ("maximum", Kind::Number),
        ("minLength", Kind::Count),
        ("maxLength", Kind::Count),
        ("pattern", Kind::Text),
        ("format", Kind::Text),
        ("items", Kind::Open),
        ("sensitive", Kind::Bool),
    ],
    is_open: false,
};

static EXAMPLE: Shape = Shape {
    rule: "X-intro-14",
    required: &[("request", Kind::Open)],
    optional: &[("description", Kind::Text)],
    is_open: false,
};

static LIFECYCLE: Shape = Shape {
    rule: "X-intro-15",
    required: &[("states", Kind::Texts)],
    optional: &[
        ("supports_cancel", Kind::Bool),
        ("supports_retry", Kind::Bool),
        ("progress_reporting", Kind::Bool),
    ],
    is_open: false,
};

static TYPE_INFO: Shape = Shape {
    rule: "X-intro-16",
    required: &[("name", Kind::Words), ("kind", Kind::OneOf(KINDS))],
    optional: &[("description", Kind::Text)],
    is_open: false,
};

static ENUM_TYPE: Shape = detail(&[("name", Kind::Words), ("kind", Kind::Text), ("values", Kind::Texts)]);
static OBJECT_TYPE: Shape =
    detail(&[("name", Kind::Words), ("kind", Kind::Text), ("fields", Kind::Each(&PARAMETER))]);
static UNION_TYPE: Shape = detail(&[("name", Kind::Words), ("kind", Kind::Text), ("members", Kind::Texts)]);
static SCALAR_TYPE: Shape = detail(&[("name", Kind::Words), ("kind", Kind::Text)]);

const fn detail(required: &'static [(&'static str, Kind)]) -> Shape {
    Shape { rule: "X-intro-17", required, optional: &[("description", Kind::Text)], is_open: false }
}

fn type_detail(value: &Value, place: &str, found: &mut Vec<ShapeProblem>) {
    match value["kind"].as_str() {
        Some("enum") => object(value, place, &ENUM_TYPE, found),
        Some("object") => object(value, place, &OBJECT_TYPE, found),
        Some("union") => object(value, place, &UNION_TYPE, found),
        Some("scalar") => object(value, place, &SCALAR_TYPE, found),
        _ => found.push(shape_problem("X-intro-17", place, "has no 'kind' of enum, object, scalar or union")),
    }
}

fn is_version(text: &str) -> bool {
    let (numbers, rest) = text.split_once('-').map_or((text, None), |(numbers, rest)| (numbers, Some(rest)));
    let parts: Vec<&str> = numbers.split('.').collect();
    let is_number = |part: &&str| !part.is_empty() && part.chars().all(|each| each.is_ascii_digit());
    let is_rest = |rest: &str| {
        !rest.is_empty() && rest.chars().all(|each| each.is_ascii_alphanumeric() || matches!(each, '.' | '-'))
    };
    parts.len() == 3 && parts.iter().all(is_number) && rest.is_none_or(is_rest)
}

/// Every way in which a value is no list of operations.
pub(crate) fn operations(value: &Value) -> Vec<ShapeProblem> {
    shape_problems(value, &OPERATIONS)
}

/// Every way in which a value is no list of types.
pub(crate) fn types(value: &Value) -> Vec<ShapeProblem> {
    shape_problems(value, &TYPES)
}

/// Every way in which a value is not the details of an operation.
pub(crate) fn operation(value: &Value) -> Vec<ShapeProblem> {
    shape_problems(value, &OPERATION)
}

/// Every way in which a value is not the details of a type.
pub(crate) fn type_details(value: &Value) -> Vec<ShapeProblem> {
    shape_problems(value, &TYPE)
}

/// Every way in which a value is no failure of introspection.
pub(crate) fn failure(value: &Value) -> Vec<ShapeProblem> {
    shape_problems(value, &FAILURE)
}
