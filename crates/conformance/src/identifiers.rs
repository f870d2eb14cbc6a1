//! Identifiers out of answers, for operations that want one: what a list holds is what a get may ask for.
//!
//! The data of an answer in; the value for a parameter such as `book_id` out, taken from an item's `book_id`, `id` or the like.

use serde_json::Value;

/// The items of a collection, however it is wrapped; an object that is no collection is its own item.
pub(crate) fn items(data: &Value) -> Vec<&Value> {
    match data {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => {
            let lists: Vec<&Vec<Value>> = members.values().filter_map(Value::as_array).collect();
            match (members.get("items").and_then(Value::as_array), lists.as_slice()) {
                (Some(items), _) => items.iter().collect(),
                (None, [only]) if only.iter().all(Value::is_object) && !only.is_empty() => {
                    only.iter().collect()
                }
                (None, _) => vec![data],
            }
        }
        _ => Vec::new(),
    }
}

/// True when an answer is a list with its page.
pub(crate) fn is_collection(data: &Value) -> bool {
    data["items"].is_array() && data["pageInfo"].is_object()
}

/// True when data is a thing of its own: a preview has no identifier.
pub(crate) fn has_identifier(data: &Value) -> bool {
    data.as_object().is_some_and(|members| members.keys().any(|name| name == "id" || name.ends_with("_id")))
}

/// The value that an item has for an identifying parameter of a resource.
pub(crate) fn identifier(item: &Value, parameter: &str, noun: &str) -> Option<Value> {
    let own =
        [parameter.to_owned(), format!("{noun}_id"), "id".to_owned(), "name".to_owned(), "key".to_owned()];
    // A name or a key is an identifier of its own resource only where nothing better is there.
    let is_of_noun = parameter.strip_suffix("_id").is_none_or(|of| of == noun || noun.ends_with(of));
    let candidates = if is_of_noun { &own[..] } else { &own[..1] };
    candidates
        .iter()
        .find_map(|key| item.get(key.as_str()))
        .filter(|value| value.is_string() || value.is_number())
        .cloned()
}
