//! Schemas made to multiply, for anyone who throws them.

use crate::outside::harness::{Place, Server};
use serde_json::{Map, Value, json};

/// Serves a file of this name, with this configuration.
pub async fn served(name: &str, text: String, config: &str) -> Server {
    let place = Place::new();
    let file = place.write(name, text);
    place.write("aqueduct.toml", config);
    let mut server = Server::start_in(place, &[&file], &[]);
    server.open().await;
    server
}

/// Sixty definitions, each made of the next one by `of`, the last an object with a text `a`; the first is `d0`. References
/// begin with `root`.
pub fn chain(root: &str, of: impl Fn(Value) -> Value) -> Map<String, Value> {
    let mut definitions = Map::new();
    for number in 0..60 {
        definitions.insert(format!("d{number}"), of(json!({"$ref": format!("{root}/d{}", number + 1)})));
    }
    let last = json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}});
    definitions.insert("d60".to_owned(), last);
    definitions
}

/// A list of which every item is held against so many schemas.
pub fn wide(schemas: usize) -> Value {
    let rules: Vec<Value> =
        (0..schemas).map(|n| json!({"items": {"not": {"const": format!("no {n}")}}})).collect();
    json!({"type": "array", "allOf": rules})
}
