//! Tests of `language`.

use super::{JsonSchema, SchemaLanguage};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// `{"name": "string", "age": "integer?"}`: a type for each name, optional with a question mark.
struct Shorthand;

impl SchemaLanguage for Shorthand {
    fn name(&self) -> &str {
        "shorthand"
    }

    fn json_schema<'d>(&self, definition: &'d Value) -> Cow<'d, Value> {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (name, kind) in definition.as_object().into_iter().flatten() {
            let kind = kind.as_str().unwrap_or_default();
            if !kind.ends_with('?') {
                required.push(name.clone());
            }
            properties.insert(name.clone(), json!({"type": kind.trim_end_matches('?')}));
        }
        Cow::Owned(json!({"type": "object", "properties": properties, "required": required}))
    }
}

/// S-schema-21: a second language checks and normalises like the first.
#[test]
fn another_language_plugs_in() {
    let languages: [(&dyn SchemaLanguage, Value); 2] = [
        (&Shorthand, json!({"name": "string", "age": "integer?"})),
        (
            &JsonSchema,
            json!({
                "type": "object",
                "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
                "required": ["name"]
            }),
        ),
    ];
    for (language, definition) in languages {
        let schema = language.compile(&definition);
        assert!(schema.accepts(&json!({"name": "a"})), "{}", language.name());
        assert!(!schema.accepts(&json!({"name": "a", "age": 1.5})), "{}", language.name());
        assert!(!schema.accepts(&json!({"age": 1})), "{}", language.name());
        assert_eq!(schema.normalise(&json!({"name": "a", "x": 1})).value, json!({"name": "a"}));
    }
}
