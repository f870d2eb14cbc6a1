//! Tests of `outline`.

use super::{Outline, OutlineReader};
use crate::resolver::{DocumentPart, SchemaDocuments};
use serde_json::{Value, json};
use std::sync::Arc;

fn outline(schema: Value) -> Outline<DocumentPart> {
    let mut documents = SchemaDocuments::default();
    let schema = Arc::new(schema);
    let root = documents.add(Arc::clone(&schema));
    OutlineReader::default().of(&documents, &schema, &root)
}

#[test]
fn types_in_short() {
    for (schema, kind) in [
        (json!({"type": "string"}), "string"),
        (json!({"type": ["integer", "null"]}), "integer"),
        (json!({"type": "array", "items": {"type": "number"}}), "number[]"),
        (json!({"properties": {"a": {}}}), "object"),
        (json!({"enum": ["a", "b"]}), "string"),
        (json!({"const": 3}), "integer"),
        (json!({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}), "string | integer"),
        (json!({"allOf": [{"description": "x"}, {"type": "boolean"}]}), "boolean"),
        (json!({}), "string | number | boolean | array | object"),
        (json!(true), "string | number | boolean | array | object"),
    ] {
        assert_eq!(outline(schema.clone()).shape.kind.to_string(), kind, "{schema}");
    }
}

/// It is exact only where nothing of the schema is lost.
#[test]
fn what_is_lost_is_known() {
    let found = outline(json!({"type": "string", "minLength": 2, "maxLength": 5}));
    assert_eq!((found.shape.min_length, found.shape.max_length), (Some(2), Some(5)));
    assert!(found.is_exact);
    assert!(!outline(json!({"type": "string", "not": {"const": "x"}})).is_exact);
    assert!(!outline(json!({"type": "object", "properties": {"a": {"type": "string"}}})).is_exact);
}

#[test]
fn references_are_followed_and_circles_end() {
    let definitions = json!({
        "Name": {"type": "string", "description": "of the definition"},
        "Tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Tree"}}},
        "Loop": {"anyOf": [{"$ref": "#/$defs/Loop"}, {"type": "string"}]},
    });
    let of = |reference: &str, description: Option<&str>| {
        let mut schema = json!({"$ref": reference, "$defs": definitions});
        if let Some(text) = description {
            schema["description"] = json!(text);
        }
        outline(schema)
    };
    let name = of("#/$defs/Name", None);
    assert_eq!(
        (name.shape.kind.to_string().as_str(), name.description.as_deref()),
        ("string", Some("of the definition"))
    );
    assert_eq!(of("#/$defs/Name", Some("here")).description.as_deref(), Some("here"));
    assert!(of("#/$defs/Tree", None).object.is_some());
    of("#/$defs/Loop", None);
    assert_eq!(of("#/$defs/Nowhere", None).shape.kind, outline(json!(true)).shape.kind);
}
