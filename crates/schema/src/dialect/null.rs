//! OpenAPI 3.0's `nullable`: a schema that also takes null.
//!
//! Rewritten keywords in, keywords that take null as well out. Where the type says it all, null joins the types. Where
//! other schemas decide, null becomes an alternative to them: for checks to all of them at once, for documents that
//! people read to each in its place.

use super::SchemaDialect;
use serde_json::{Map, Value, json};

/// Keywords that can refuse null.
const REFUSING: [&str; 9] = ["$ref", "allOf", "anyOf", "oneOf", "not", "const", "if", "then", "else"];

/// True where null is taken besides: `nullable: true` of OpenAPI 3.0, and its forerunner `x-nullable`.
pub fn is_nullable(schema: &Map<String, Value>) -> bool {
    ["nullable", "x-nullable"].iter().any(|keyword| schema.get(*keyword) == Some(&Value::Bool(true)))
}

/// Makes null acceptable.
pub fn admit_null(dialect: SchemaDialect, mut schema: Map<String, Value>) -> Map<String, Value> {
    if dialect == SchemaDialect::JsonSchema && REFUSING.iter().any(|keyword| schema.contains_key(*keyword)) {
        return Map::from_iter([("anyOf".to_owned(), json!([{"type": "null"}, schema]))]);
    }
    match schema.get_mut("type") {
        Some(Value::Array(types)) if !types.contains(&json!("null")) => types.push(json!("null")),
        Some(one @ Value::String(_)) if *one != "null" => *one = json!([one.take(), "null"]),
        _ => {}
    }
    if let Some(Value::Array(options)) = schema.get_mut("enum")
        && !options.contains(&Value::Null)
    {
        options.push(Value::Null);
    }
    admit_in_branches(&mut schema);
    schema
}

/// Branches know nothing of the null around them.
fn admit_in_branches(schema: &mut Map<String, Value>) {
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = schema.get_mut(keyword) {
            branches.push(json!({"type": "null"}));
            if keyword == "oneOf" && branches.iter().any(may_be_null) {
                let branches = schema.remove("oneOf").unwrap_or_default();
                schema.insert("anyOf".to_owned(), branches);
            }
        }
    }
    if let Some(all) = schema.remove("allOf") {
        schema.insert("anyOf".to_owned(), json!([{ "allOf": all }, {"type": "null"}]));
    }
}

/// True for branches other than the null itself that may be null.
fn may_be_null(branch: &Value) -> bool {
    let Some(keywords) = branch.as_object() else { return true };
    match keywords.get("type") {
        Some(Value::Array(types)) => types.contains(&json!("null")),
        Some(_) => false,
        None => true,
    }
}
