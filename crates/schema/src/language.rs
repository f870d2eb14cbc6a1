//! Other languages than JSON Schema for the inputs and outputs of operations.
//!
//! A language turns its definitions into JSON Schema; everything else, from the tree to checking and normalising, is
//! then the same for all of them.

use crate::Schema;
use serde_json::Value;
use std::borrow::Cow;

/// A language in which schemas are written.
pub trait SchemaLanguage {
    /// The name people know it by.
    fn name(&self) -> &str;

    /// The definition as a JSON Schema. What the language cannot say in it accepts everything: this does not fail.
    fn json_schema<'d>(&self, definition: &'d Value) -> Cow<'d, Value>;

    /// Compiles a definition.
    fn compile(&self, definition: &Value) -> Schema {
        match self.json_schema(definition) {
            Cow::Borrowed(document) => Schema::of(document),
            Cow::Owned(document) => Schema::owning(document),
        }
    }
}

/// JSON Schema in all its drafts, and the dialects of OpenAPI.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonSchema;

impl SchemaLanguage for JsonSchema {
    fn name(&self) -> &str {
        "JSON Schema"
    }

    fn json_schema<'d>(&self, definition: &'d Value) -> Cow<'d, Value> {
        Cow::Borrowed(definition)
    }
}

#[cfg(test)]
mod tests {
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
}
