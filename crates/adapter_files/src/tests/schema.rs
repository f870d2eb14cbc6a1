//! The JSON Schema and the loader agree about every text that any test loads: what loads is valid, and what has a mistake
//! of form is not, wherever JSON Schema has words for it.

use crate::front_matter;
use crate::schema::json_schema;
use aqueduct_documents::yaml;
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_source_kind::settings::LoadOutcome;
use jsonschema::Validator;
use serde_json::Value;
use std::sync::LazyLock;

static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| jsonschema::validator_for(&json_schema()).unwrap());

/// Mistakes that JSON Schema has words for.
const SAYABLE: &[&str] = &[
    "UNKNOWN_KEY",
    "MISSING_KEY",
    "WRONG_TYPE",
    "INVALID_VALUE",
    "INVALID_NAME",
    "RESERVED_NAME",
    "PLUGIN_NOT_FOUND",
    "NOT_YET_SUPPORTED",
    "CATEGORY_MISMATCH",
    "BAD_MAPPING",
    "BAD_CONSTRAINT",
];

/// True for a mistake that depends on other values, or on more than a pattern can tell.
fn is_beyond_words(found: &Diagnostic) -> bool {
    const BEYOND: &[&str] = &[
        "is greater than",
        "The type says that elements are",
        "The parameter has two names",
        "In an UPDATE 'input'",
        "This is the metadata service",
        "The placeholder '{a}' is there twice",
        "There is no such day",
        "The thresholds are not in their order",
    ];
    let in_values = found.path.contains(".examples[");
    let constrained = found.code == "INVALID_VALUE"
        && (found.path.ends_with(".default")
            || found.path.contains(".enum[")
            || found.path.ends_with(".pattern"));
    let named_type = found.path.contains(".fields.") && found.path.ends_with(".type");
    // Which keys go together depends on what the operation is, and on numbers that are compared.
    let in_lifecycle = found.path.contains(".lifecycle");
    let is_beyond = BEYOND.iter().any(|part| found.message.contains(part));
    in_values || constrained || named_type || in_lifecycle || is_beyond
}

/// Holds the schema against what loading said of a text.
pub(super) fn agrees(text: &str, outcome: &LoadOutcome) {
    if text.len() > 100_000 {
        return;
    }
    let Some(parsed) = front_matter::split(text).ok().and_then(|parts| yaml::parse(parts.yaml).ok()) else {
        return;
    };
    let json: Value = parsed.root.to_json();
    let problems: Vec<String> = VALIDATOR.iter_errors(&json).map(|error| error.to_string()).collect();
    if outcome.loaded.is_some() {
        assert!(problems.is_empty(), "the schema refuses what loads: {problems:?}\n{text}");
    }
    let mut sayable =
        outcome.errors().filter(|found| SAYABLE.contains(&found.code) && !is_beyond_words(found));
    if let Some(found) = sayable.next() {
        assert!(!problems.is_empty(), "the schema allows what does not load: {found}\n{text}");
    }
}
