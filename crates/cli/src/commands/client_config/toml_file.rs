//! Entries in a file that is TOML, as Codex has it.
//!
//! A text and an entry in, the new text out. Invariant: everything else stays as it is written, comments and layout too.

use super::merge::MergeRefusal;
use serde_json::{Map, Value as Json};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value};

/// The entry alone, as a person would paste it.
pub fn snippet(key: &str, name: &str, members: &Map<String, Json>) -> String {
    let mut document = DocumentMut::new();
    // An empty document has room for both.
    drop(put(&mut document, key, name, members));
    document.to_string()
}

/// The text with the entry in it.
pub fn merge(old: &[u8], key: &str, name: &str, members: &Map<String, Json>) -> Result<String, MergeRefusal> {
    let mut document = read(old)?;
    put(&mut document, key, name, members)?;
    Ok(document.to_string())
}

/// Reads a file.
pub fn read(bytes: &[u8]) -> Result<DocumentMut, MergeRefusal> {
    let text = std::str::from_utf8(bytes).map_err(|_| MergeRefusal::NotToml("it is not UTF-8".to_owned()))?;
    let first_line =
        |error: toml_edit::TomlError| error.message().lines().next().unwrap_or_default().to_owned();
    text.trim_start_matches('\u{feff}').parse().map_err(|error| MergeRefusal::NotToml(first_line(error)))
}

/// The table of servers, made when there is none.
pub fn servers<'a>(document: &'a mut DocumentMut, key: &str) -> Result<&'a mut Table, MergeRefusal> {
    let item = document.entry(key).or_insert_with(|| {
        let mut table = Table::new();
        // Its header would say nothing.
        table.set_implicit(true);
        Item::Table(table)
    });
    item.as_table_mut().ok_or_else(|| MergeRefusal::Form(format!("under '{key}'")))
}

/// Puts an entry into a document.
pub fn put(
    document: &mut DocumentMut,
    key: &str,
    name: &str,
    members: &Map<String, Json>,
) -> Result<(), MergeRefusal> {
    let servers = servers(document, key)?;
    let item = servers.entry(name).or_insert_with(|| Item::Table(Table::new()));
    let server = item.as_table_mut().ok_or_else(|| MergeRefusal::Form(format!("under '{key}.{name}'")))?;
    for (key, value) in members {
        let Some(new) = value_of(value) else { continue };
        match (server.get_mut(key).and_then(Item::as_value_mut), value) {
            // What is there stays as it is laid out; variables that the person has added stay too.
            (Some(old), value) if json_of(old) == *value => {}
            (Some(Value::Array(old)), Json::Array(_)) if key == "env_vars" => {
                let known = |name: &Value| old.iter().any(|each| each.as_str() == name.as_str());
                let more: Vec<Value> =
                    new.as_array().into_iter().flatten().filter(|name| !known(name)).cloned().collect();
                more.into_iter().for_each(|name| old.push(name));
            }
            _ => drop(server.insert(key, Item::Value(new))),
        }
    }
    Ok(())
}

/// A value of JSON in TOML, which has no null.
fn value_of(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(flag) => (*flag).into(),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64()?.into(),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(elements) => Value::Array(elements.iter().filter_map(value_of).collect::<Array>()),
        Json::Object(members) => {
            let pairs = members.iter().filter_map(|(key, value)| Some((key.as_str(), value_of(value)?)));
            Value::InlineTable(pairs.collect::<InlineTable>())
        }
    })
}

/// A value of TOML in JSON; times as their text.
pub fn json_of(value: &Value) -> Json {
    match value {
        Value::String(text) => text.value().as_str().into(),
        Value::Integer(number) => (*number.value()).into(),
        Value::Float(number) => (*number.value()).into(),
        Value::Boolean(flag) => (*flag.value()).into(),
        Value::Datetime(time) => time.value().to_string().into(),
        Value::Array(elements) => elements.iter().map(json_of).collect(),
        Value::InlineTable(table) => {
            Json::Object(table.iter().map(|(key, value)| (key.to_owned(), json_of(value))).collect())
        }
    }
}

/// A table, however it is written, in JSON.
pub fn object_of(item: &Item) -> Option<Map<String, Json>> {
    let table = item.as_table_like()?;
    let member = |(key, item): (&str, &Item)| {
        let value = match item.as_value() {
            Some(value) => json_of(value),
            None => Json::Object(object_of(item)?),
        };
        Some((key.to_owned(), value))
    };
    Some(table.iter().filter_map(member).collect())
}

#[cfg(test)]
mod tests;
