//! Tests of `schema`.

use super::json_schema;
use crate::tests::{SHOP, changed, load_text};
use aqueduct_documents::yaml;
use serde_json::Value;

fn front_matter(text: &str) -> Value {
    let end = text.find("\n---\n").unwrap();
    yaml::parse(&text[..=end]).unwrap().root.to_json()
}

/// What the schema says of a file is what loading says.
#[test]
fn schema_and_loader_agree() {
    let schema = json_schema();
    jsonschema::meta::validate(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let adding = |block: &str| changed("operations:", &format!("{block}\noperations:"));
    for text in [
        SHOP.to_owned(),
        adding("auth: {type: bearer, token_env: T}"),
        adding("shared_parameters: {a: {type: string}, b: [{name: c, type: integer}]}"),
        adding("types: {A: {kind: object, fields: {x: {type: string}}}}\ncache: {ttl_seconds: 5}"),
        changed("      params:", "      danger: safe\n      pagination: {style: page}\n      params:"),
        changed("type: integer", "type: array, items: {type: array, items: {type: string}}"),
        changed("  read:", "  create:\n  read:"),
    ] {
        let loads = load_text(&text).loaded.is_some();
        let problems: Vec<String> =
            validator.iter_errors(&front_matter(&text)).map(|error| error.to_string()).collect();
        assert!(loads && problems.is_empty(), "{problems:?} {text}");
    }
    for text in [
        changed("name: shop\n", ""),
        changed("name: shop", "name: My Shop"),
        changed("type: adapter", "type: x"),
        changed("\"1.0.0\"", "1.0"),
        changed("  transport: http\n", ""),
        changed("required: true", "requird: true"),
        changed("required: true", "required: yes"),
        changed("name: get_item", "name: getItem"),
        changed("  read:", "  reed: []\n  read:"),
        adding("auth: {type: digest}"),
        adding("trust: {level: root}"),
        adding("cache: {ttl: 5}"),
        changed("  transport:", "  retries: 9\n  transport:"),
    ] {
        let refuses = load_text(&text).loaded.is_none();
        assert!(refuses && !validator.is_valid(&front_matter(&text)), "{text}");
    }
}

/// Every key is described, and no map of ours takes keys that are not.
#[test]
fn every_key_is_described() {
    fn walk(schema: &Value) {
        if let Some(properties) = schema["properties"].as_object() {
            assert_eq!(schema["additionalProperties"], false);
            for (name, property) in properties {
                assert!(property["description"].as_str().is_some_and(|text| text.len() > 3), "{name}");
            }
        }
    }
    let schema = json_schema();
    walk(&schema);
    let definitions = schema["$defs"].as_object().unwrap();
    assert!(definitions.len() > 20);
    definitions.values().for_each(walk);
}
