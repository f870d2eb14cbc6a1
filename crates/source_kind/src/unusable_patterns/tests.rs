//! Tests of `unusable_patterns`.

use super::{PatternChecker, in_schema, in_text};
use serde_json::{Value, json};

fn sample() -> Value {
    let large = "a".repeat(20_000);
    json!({
        "properties": {
            "pattern": {"type": "string", "pattern": large},
            "a b": {"items": [{"pattern": "("}, {"pattern": "^a$"}]},
        },
        "patternProperties": {"(": {"pattern": "x"}},
        "example": {"pattern": "*.txt"},
        "enum": [{"pattern": "*.txt"}],
        "required": ["pattern"],
        "description": "a \"pattern\": \"(\" of words",
    })
}

/// Patterns are found where they are patterns, and not where they are names or data.
#[test]
fn of_a_schema() {
    let found = in_schema(&sample(), &mut PatternChecker::default());
    let places: Vec<&str> = found.iter().map(|each| each.place.as_str()).collect();
    let expected = ["properties.pattern.pattern", "properties.a b.items[0].pattern", "patternProperties"];
    assert_eq!(places, expected);
}

/// The same in the text of a document, however it is laid out.
#[test]
fn of_a_text() {
    let document = json!({"paths": {"/x": [1, {"y": 2}]}, "components": {"schemas": {"A": sample()}}});
    let (mut expected, under) =
        (in_schema(&sample(), &mut PatternChecker::default()), "components.schemas.A");
    expected.iter_mut().for_each(|each| each.place = format!("{under}.{}", each.place));
    for text in [document.to_string(), format!("{document:#}")] {
        assert_eq!(in_text(&text, &mut PatternChecker::default()), expected);
    }
    assert_eq!(
        in_text("{\"pattern\" : \"(\"", &mut PatternChecker::default()).len(),
        1,
        "a text that breaks off"
    );
}
