//! OpenAPI 3.0's `nullable`: a schema that also takes null.
//!
//! The keywords of a schema in, keywords that take null as well out. Where the type says it all, null joins the types;
//! where other schemas have a say, null becomes an alternative to all of them.

use serde_json::{Map, Value, json};

/// The keywords that can refuse null.
const REFUSING: [&str; 9] = ["$ref", "allOf", "anyOf", "oneOf", "not", "const", "if", "then", "else"];

/// Makes null acceptable.
pub(super) fn admit(mut schema: Map<String, Value>) -> Map<String, Value> {
    if REFUSING.iter().any(|keyword| schema.contains_key(*keyword)) {
        let mut wrapped = Map::new();
        wrapped.insert("anyOf".to_owned(), json!([{"type": "null"}, schema]));
        return wrapped;
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
    schema
}
