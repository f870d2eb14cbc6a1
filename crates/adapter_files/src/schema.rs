//! The JSON Schema of the front matter, for editors: made from the same table of keys that files are checked against.
//!
//! Nothing in; a JSON Schema (2020-12) out, in which every block is closed and every key is described. `rules` adds what
//! the table does not say, so that an editor and `validate` agree wherever JSON Schema has the words.

mod rules;

use super::keys::ADAPTER;
use aqueduct_documents::keys::{KeyBlock, KeyPresence, KeySpec, ValueForm, takes_null};
use serde_json::{Map, Value, json};

/// The JSON Schema (2020-12) of an adapter file's front matter.
pub fn json_schema() -> Value {
    let mut definitions = Map::new();
    let mut schema = block_schema(&ADAPTER, &mut definitions);
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!("Aqueduct adapter file"));
    schema.insert("$defs".to_owned(), Value::Object(definitions));
    Value::Object(schema)
}

fn block_schema(block: &'static KeyBlock, definitions: &mut Map<String, Value>) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in block.keys {
        properties.insert(key.name.to_owned(), key_schema(key, definitions));
        if matches!(key.presence, KeyPresence::Required(_)) {
            required.push(key.name);
        }
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("description".to_owned(), json!(block.about));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("additionalProperties".to_owned(), json!(false));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    let rules = rules::of(block.name);
    if !rules.is_empty() {
        schema.insert("allOf".to_owned(), Value::Array(rules));
    }
    schema
}

fn key_schema(key: &'static KeySpec, definitions: &mut Map<String, Value>) -> Value {
    // What is not applied refuses no file, whatever it holds.
    let mut schema = if key.applied { form_schema(&key.form, definitions) } else { Map::new() };
    // A key with nothing after it is an empty list or map, unless it must be there.
    if matches!(key.presence, KeyPresence::Optional) && takes_null(&key.form) && !schema.is_empty() {
        schema = Map::from_iter([("anyOf".to_owned(), json!([schema, {"type": "null"}]))]);
    }
    let about = if key.applied {
        key.about.to_owned()
    } else {
        format!("{} (not applied by this version)", key.about)
    };
    schema.insert("description".to_owned(), json!(about));
    Value::Object(schema)
}

fn form_schema(form: &'static ValueForm, definitions: &mut Map<String, Value>) -> Map<String, Value> {
    let schema = match form {
        ValueForm::Any => json!({}),
        ValueForm::Text => json!({"type": "string"}),
        ValueForm::Filled => json!({"type": "string", "pattern": "\\S"}),
        ValueForm::Like(pattern) => json!({"type": "string", "pattern": pattern}),
        ValueForm::OneOf(words) | ValueForm::Plugin(words) => json!({"type": "string", "enum": words}),
        ValueForm::Flag => json!({"type": "boolean"}),
        ValueForm::Whole(least, i64::MAX) => json!({"type": "integer", "minimum": least}),
        ValueForm::Whole(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
        ValueForm::Number => json!({"type": "number"}),
        ValueForm::List(element) => {
            json!({"type": "array", "items": form_schema(element, definitions)})
        }
        ValueForm::Map(value) => {
            json!({"type": "object", "additionalProperties": form_schema(value, definitions)})
        }
        ValueForm::Block(block) => {
            if !definitions.contains_key(block.name) {
                // Put in before its keys are followed, because a block may hold itself.
                definitions.insert(block.name.to_owned(), Value::Null);
                let schema = block_schema(block, definitions);
                definitions.insert(block.name.to_owned(), Value::Object(schema));
            }
            json!({"$ref": format!("#/$defs/{}", block.name)})
        }
        ValueForm::Either(forms) => {
            let alternatives: Vec<Value> =
                forms.iter().map(|each| Value::Object(form_schema(each, definitions))).collect();
            json!({"anyOf": alternatives})
        }
    };
    schema.as_object().cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests;
