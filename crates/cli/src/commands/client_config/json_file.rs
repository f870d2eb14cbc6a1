//! Entries in a file that is JSON, with comments where its client allows them.
//!
//! Bytes in; objects to read and change, and the new text, out. Invariant: everything else stays as it is written: comments,
//! layout, and the digits of numbers.

use super::Client;
use super::merge::MergeRefusal;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstContainerNode, CstInputValue, CstLeafNode, CstNode, CstObject, CstRootNode};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

/// A value of JSON whose numbers have the digits that they were written with.
pub type JsonValue = CstInputValue;

/// Whatever this allows, and nothing else, is more than JSON.
const COMMENTS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A file.
#[derive(Debug)]
pub struct JsonFile {
    root: CstRootNode,
    object: CstObject,
}

impl JsonFile {
    /// Reads a file, which may have comments or not. An empty one is as good as one with an empty object.
    pub fn read(bytes: &[u8], allows_comments: bool) -> Result<JsonFile, MergeRefusal> {
        let not_json = |error: &dyn std::fmt::Display| MergeRefusal::NotJson(error.to_string());
        let text = std::str::from_utf8(bytes).map_err(|_| not_json(&"it is not UTF-8"))?;
        let text = text.trim_start_matches('\u{feff}');
        let text = if text.trim().is_empty() { "{}" } else { text };
        if !allows_comments {
            serde_json::from_str::<IgnoredAny>(text).map_err(|error| not_json(&error))?;
        }
        let root = CstRootNode::parse(text, &COMMENTS).map_err(|error| not_json(&error))?;
        let object = root.object_value().ok_or_else(|| MergeRefusal::Form("as a whole".to_owned()))?;
        Ok(JsonFile { root, object })
    }

    /// The object of the whole file.
    pub fn object(&self) -> &CstObject {
        &self.object
    }

    /// The servers of a client by name, as they stand there.
    pub fn servers(&self, client: Client) -> Vec<(String, JsonValue)> {
        let servers = self.object.object_value(client.key());
        servers.map(|servers| members_of(&servers)).unwrap_or_default()
    }

    /// Puts an entry under a name. What the person has filled in stays.
    pub fn put(&self, client: Client, name: &str, members: Map<String, Value>) -> Result<(), MergeRefusal> {
        let server = self.server(client, name)?;
        for (key, value) in members {
            let Some(known) = server.get(&key) else {
                server.append(&key, json_value(&value));
                continue;
            };
            match (known.object_value(), value) {
                (Some(filled), Value::Object(new)) => add_missing(&filled, new),
                (_, value) if known.to_serde_value().as_ref() == Some(&value) => {}
                (_, value) => known.set_value(json_value(&value)),
            }
        }
        Ok(())
    }

    /// Adds variables to an entry that has not got them; those that it has keep their values.
    pub fn add_variables(
        &self,
        client: Client,
        name: &str,
        variables: Map<String, Value>,
    ) -> Result<(), MergeRefusal> {
        let env = object(&self.server(client, name)?, "env", || format!("under 'env' of '{name}'"))?;
        add_missing(&env, variables);
        Ok(())
    }

    fn server(&self, client: Client, name: &str) -> Result<CstObject, MergeRefusal> {
        let key = client.key();
        let servers = object(&self.object, key, || format!("under '{key}'"))?;
        object(&servers, name, || format!("under '{key}.{name}'"))
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let text = self.root.to_string();
        if text.ends_with('\n') { text } else { text + "\n" }
    }
}

/// The object under a key, made when there is none.
pub fn object(
    parent: &CstObject,
    key: &str,
    place: impl FnOnce() -> String,
) -> Result<CstObject, MergeRefusal> {
    parent.object_value_or_create(key).ok_or_else(|| MergeRefusal::Form(place()))
}

fn add_missing(object: &CstObject, members: Map<String, Value>) {
    for (key, value) in members {
        if object.get(&key).is_none() {
            object.append(&key, json_value(&value));
        }
    }
}

/// The value under a key of an object.
pub fn member<'v>(value: &'v JsonValue, key: &str) -> Option<&'v JsonValue> {
    let JsonValue::Object(members) = value else { return None };
    members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// The text under a key of an object.
pub fn text_of<'v>(value: &'v JsonValue, key: &str) -> Option<&'v str> {
    match member(value, key)? {
        JsonValue::String(text) => Some(text),
        _ => None,
    }
}

/// A value as a file holds it.
pub fn json_value(value: &Value) -> JsonValue {
    match value {
        Value::Null => JsonValue::Null,
        Value::Bool(flag) => JsonValue::Bool(*flag),
        Value::Number(number) => JsonValue::Number(number.to_string()),
        Value::String(text) => JsonValue::String(text.clone()),
        Value::Array(elements) => JsonValue::Array(elements.iter().map(json_value).collect()),
        Value::Object(members) => {
            JsonValue::Object(members.iter().map(|(key, value)| (key.clone(), json_value(value))).collect())
        }
    }
}

/// What stands in a file, without its comments.
fn value_of(node: &CstNode) -> JsonValue {
    match node {
        CstNode::Container(CstContainerNode::Object(object)) => JsonValue::Object(members_of(object)),
        CstNode::Container(CstContainerNode::Array(array)) => {
            JsonValue::Array(array.elements().iter().map(value_of).collect())
        }
        CstNode::Leaf(CstLeafNode::BooleanLit(flag)) => JsonValue::Bool(flag.value()),
        CstNode::Leaf(CstLeafNode::NumberLit(number)) => JsonValue::Number(number.to_string()),
        CstNode::Leaf(CstLeafNode::StringLit(text)) => {
            JsonValue::String(text.decoded_value().unwrap_or_default())
        }
        _ => JsonValue::Null,
    }
}

fn members_of(object: &CstObject) -> Vec<(String, JsonValue)> {
    let member = |property: jsonc_parser::cst::CstObjectProp| {
        Some((property.decoded_name()?, value_of(&property.value()?)))
    };
    object.properties().into_iter().filter_map(member).collect()
}
