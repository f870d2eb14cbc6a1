//! A parameter of Swagger 2.0: its type words become a schema, `collectionFormat` a style.
//!
//! A parameter as the old document has it in, the same in the words of OpenAPI 3 out; extension keys stay.

use serde_json::{Map, Value, json};

/// The words of a parameter that are not about its type.
const OWN: [&str; 7] =
    ["name", "in", "description", "required", "allowEmptyValue", "collectionFormat", "schema"];

/// The schema that the type words of a parameter or a header say.
pub(super) fn schema(parameter: &Map<String, Value>) -> Value {
    if let Some(schema) = parameter.get("schema") {
        return schema.clone();
    }
    let typed = parameter.iter().filter(|(key, _)| !OWN.contains(&key.as_str()) && !key.starts_with("x-"));
    let mut schema: Map<String, Value> = typed.map(|(key, value)| (key.clone(), value.clone())).collect();
    if schema.get("type").and_then(Value::as_str) == Some("file") {
        schema.insert("type".to_owned(), json!("string"));
        schema.insert("format".to_owned(), json!("binary"));
    }
    Value::Object(schema)
}

/// A parameter in path, query or header.
pub(super) fn plain(parameter: &Map<String, Value>) -> Value {
    let mut out = Map::new();
    for (key, value) in parameter {
        let kept = ["name", "in", "description", "required", "allowEmptyValue", "deprecated"];
        if kept.contains(&key.as_str()) || key.starts_with("x-") {
            out.insert(key.clone(), value.clone());
        }
    }
    if let Some((style, explode)) = style(parameter) {
        out.insert("style".to_owned(), json!(style));
        out.insert("explode".to_owned(), json!(explode));
    }
    out.insert("schema".to_owned(), schema(parameter));
    Value::Object(out)
}

/// How a list is written: joined with commas unless `collectionFormat` says otherwise.
pub(super) fn style(parameter: &Map<String, Value>) -> Option<(&'static str, bool)> {
    let text = |key: &str| parameter.get(key).and_then(Value::as_str);
    if text("type") != Some("array") {
        return None;
    }
    let joined = if matches!(text("in"), Some("path" | "header")) { "simple" } else { "form" };
    Some(match text("collectionFormat") {
        Some("multi") => ("form", true),
        Some("ssv") => ("spaceDelimited", false),
        Some("tsv") => ("tabDelimited", false),
        Some("pipes") => ("pipeDelimited", false),
        _ => (joined, false),
    })
}
