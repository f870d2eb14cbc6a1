//! What the table of keys does not say but JSON Schema can: which keys belong together, and what texts look like.
//!
//! The name of a block in; schemas that its values must meet as well, out. `check` says the same in better words.

mod rate_limits;
mod response;

use crate::check::auth::KEYS as AUTH_KEYS;
use crate::check::types::CONTENT;
use aqueduct_operations::category::Category;
use aqueduct_operations::naming::{ENVELOPE_KEYS, MAX_OPERATION_NAME, RESERVED};
use aqueduct_operations::params::ValueKind;
use aqueduct_operations::params::format::Format;
use aqueduct_operations::target::Method;
use aqueduct_source_kind::wire_names::CLIENT_HEADERS;
use response::presets;
use serde_json::{Value, json};

/// The rules of a block.
pub(super) fn of(block: &str) -> Vec<Value> {
    match block {
        "adapter" => vec![adapter()],
        "target" => target(),
        "auth" => auth(),
        "operations" => Category::ALL.into_iter().map(list).collect(),
        "operation" => operation(),
        "param" => param(),
        "items" => shape(),
        "danger" => vec![json!({"properties": {"confirmation_message": {"pattern": SLOTTED}}})],
        "body" => vec![json!({"properties": {"content_type": {
            "pattern": r"^\s*(json|form|multipart|text|octet-stream|[!-.0-~][ -.0-~]*/[ -.0-~]+)\s*$",
        }}})],
        "validation_report" => {
            vec![json!({"properties": {"coverage_percent": {"minimum": 0, "maximum": 100}}})]
        }
        "certification" => vec![json!({"properties": {"signature": {"minLength": 1}}})],
        "example" => vec![json!({"not": {"required": ["params", "request"]}})],
        "type" => CONTENT.iter().map(|(name, key)| kind(name, key)).chain([presets()]).collect(),
        other => [response::of(other), rate_limits::of(other)].concat(),
    }
}

/// Text with `{slots}` in it, none of them left open.
const SLOTTED: &str = r"^([^{]|\{[^}]*\})*$";

/// `string`, `string[]`, `string | integer[]`.
fn kinds() -> String {
    let one = r"\s*(string|integer|number|boolean|array|object)(\[\])*\s*";
    format!(r"^{one}(\|{one})*$")
}

/// A word in any letter case.
fn any_case(word: &str) -> String {
    word.chars().map(|c| format!("[{}{}]", c.to_ascii_uppercase(), c.to_ascii_lowercase())).collect()
}

fn adapter() -> Value {
    let single = json!({"not": {"required": ["$ref"]}});
    let member = json!({"required": ["name"], "not": {"required": ["$ref"]}});
    json!({"properties": {
        "name": {"minLength": 2, "maxLength": 64},
        "shared_parameters": {"additionalProperties": {
            "if": {"type": "object"}, "then": single, "else": {"items": member},
        }},
        "types": {"propertyNames": {
            "pattern": "^[A-Za-z][A-Za-z0-9_]*$",
            "maxLength": 128,
            "not": {"enum": ValueKind::NAMES},
        }},
        "error_mapping": {"propertyNames": {"pattern": "^[45][0-9][0-9]$"}},
    }})
}

/// An API has a base URL; an MCP server has one too, or is a program.
fn target() -> Vec<Value> {
    let is = |key: &str, word: &str| json!({"properties": {key: {"const": word}}, "required": [key]});
    let none_of = |keys: &[&str]| {
        let any: Vec<Value> = keys.iter().map(|key| json!({"required": [key]})).collect();
        json!({"not": {"anyOf": any}})
    };
    let program = ["command", "args", "env", "cwd"];
    let endpoint = json!({
        "required": ["base_url"],
        "properties": {"base_url": {"pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#@]+(/[^\s?#]*)?(\?[^\s#]*)?$"}},
        "allOf": [none_of(&program)],
    });
    let started = json!({
        "required": ["command"],
        "properties": {"env": {"propertyNames": {"pattern": "^[^=]+$"}}},
        "allOf": [none_of(&["base_url", "headers"])],
    });
    vec![
        json!({"properties": {"headers": {
            "propertyNames": header_name(),
            "additionalProperties": {"pattern": "^[\t -~]*$"},
        }}}),
        json!({
            "if": is("protocol", "mcp"),
            "then": {"if": is("transport", "stdio"), "then": started, "else": endpoint},
            "else": {
                "required": ["base_url", "serialization"],
                "properties": {
                    "base_url": {"pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#@]+(/[^\s?#]*)?$"},
                    "transport": {"const": "http"},
                },
                "allOf": [none_of(&program)],
            },
        }),
    ]
}

fn header_name() -> Value {
    let set_by_client = CLIENT_HEADERS.iter().map(|name| any_case(name)).collect::<Vec<_>>().join("|");
    json!({
        "pattern": "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
        "not": {"pattern": format!("^({set_by_client})$")},
    })
}

/// Each type of authentication takes its own keys.
fn auth() -> Vec<Value> {
    let authorization = json!({"pattern": format!("^{}$", any_case("Authorization"))});
    let places = ["header_name", "header", "query_name", "cookie_name"];
    let one_place: Vec<Value> = places.iter().map(|place| json!({"required": [place]})).collect();
    let more = |name: &str| match name {
        "oauth2" => json!({
            "required": ["token_url", "client_id_env", "client_secret_env"],
            "properties": {"token_url": {"pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#@]+([/?#]\S*)?$"}},
        }),
        "bearer" => json!({
            "required": ["token_env"],
            "properties": {"header": authorization, "header_name": authorization},
        }),
        "basic" => json!({"required": ["username_env", "password_env"]}),
        "api_key" => json!({
            "required": ["key_env"],
            "oneOf": one_place,
            "properties": {"header_name": header_name(), "header": header_name()},
        }),
        _ => json!({}),
    };
    let mut rules = vec![
        json!({"properties": {"prefix": {"maxLength": 40}, "any_of": {"minItems": 1}, "all": {"minItems": 1}}}),
        json!({"oneOf": [{"required": ["type"]}, {"required": ["any_of"]}, {"required": ["all"]}]}),
        json!({"if": {"required": ["any_of"]}, "then": {"maxProperties": 1}}),
        json!({"if": {"required": ["all"]}, "then": {"maxProperties": 1}}),
    ];
    rules.extend(AUTH_KEYS.iter().map(|(name, keys)| {
        let keys: Vec<&str> = keys.iter().copied().chain(["type"]).collect();
        let then = json!({"propertyNames": {"enum": keys}, "allOf": [more(name)]});
        json!({"if": {"properties": {"type": {"const": name}}, "required": ["type"]}, "then": then})
    }));
    rules
}

/// What says the category again agrees with the list, and introspection is a READ.
fn list(category: Category) -> Value {
    let same = json!({"pattern": format!("^{}$", any_case(category.lower()))});
    let name = if category == Category::Read { json!({}) } else { json!({"not": {"const": "introspect"}}) };
    let keys = json!({"semantic_category": same, "endpoint": same, "name": name});
    json!({"properties": {category.lower(): {"items": {"properties": keys}}}})
}

fn operation() -> Vec<Value> {
    let methods = Method::ALL.map(|method| any_case(method.name())).join("|");
    let path = r"/([^{}?#\\\u0000-\u001f]|\{[A-Za-z0-9_]+\})*(\?[^{}#\\\u0000-\u001f]*)?";
    let tool = any_case("tool");
    let mapping = format!(r"^(({methods}) {path}|{tool}( +|: *)[^\s\u0000-\u001f][^\u0000-\u001f]*)$");
    // Segments that climb, and placeholders as other tools write them.
    let refused = r"^[^?]*/(((\.|%2[Ee]){1,2}(/|\?|$))|:[A-Za-z]|\$\{)";
    let names = json!({
        "pattern": "^[a-z][a-z0-9_]*$",
        "maxLength": 128,
        "not": {"enum": ENVELOPE_KEYS},
    });
    vec![
        json!({"properties": {
            "name": {"maxLength": MAX_OPERATION_NAME},
            "default_fields": {"minItems": 1},
            "base_url": {"pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#@]+(/[^\s?#]*)?$"},
            "params": {
                "propertyNames": names,
                "items": {"anyOf": [{"required": ["name"]}, {"required": ["$ref"]}]},
            },
        }}),
        json!({
            "if": {"properties": {"name": {"enum": RESERVED}}, "required": ["name"]},
            "then": {"properties": {
                "name": {"const": "introspect"},
                "maps_to": {"pattern": format!("^{}$", any_case("internal"))},
            }},
            "else": {"properties": {"maps_to": {"pattern": mapping, "not": {"pattern": refused}}}},
        }),
    ]
}

/// Defaults and allowed values have the type; lists and unions are for the loader.
fn same_kind(kind: &str) -> Value {
    json!({
        "if": {"properties": {"type": {"const": kind}}, "required": ["type"]},
        "then": {"properties": {"default": {"type": kind}, "enum": {"items": {"type": kind}}}},
    })
}

/// What holds for a type wherever it is written: in a parameter and in the elements of a list.
fn shape() -> Vec<Value> {
    let of_kinds = |kinds: &[&str], then: Value| json!({"if": {"properties": {"type": {"enum": kinds}}, "required": ["type"]}, "then": then});
    let without = |kinds: &[&str], keys: &[&str]| {
        let any: Vec<Value> = keys.iter().map(|key| json!({"required": [key]})).collect();
        of_kinds(kinds, json!({"not": {"anyOf": any}}))
    };
    let formats = json!({"properties": {"format": {"not": {"enum": Format::CHECKED_NAMES}}}});
    let mut rules = vec![
        json!({"properties": {"type": {"pattern": kinds()}, "enum": {"minItems": 1}}}),
        without(&["string", "boolean", "array", "object"], &["minimum", "maximum"]),
        without(&["integer", "number", "boolean", "array", "object"], &["minLength", "maxLength", "pattern"]),
        without(&["string", "integer", "number", "boolean", "object"], &["items"]),
        of_kinds(&["integer", "number", "boolean", "array", "object"], formats),
    ];
    rules.extend(ValueKind::NAMES.map(same_kind));
    rules
}

/// A schema is checked instead of the type, which then only says in short what it is.
fn param() -> Vec<Value> {
    let mut rules = vec![
        json!({"if": {"required": ["schema"]}, "else": {"allOf": shape()}}),
        json!({"properties": {"type": {"pattern": kinds()}}}),
    ];
    let typed = json!({"anyOf": [{"required": ["type"]}, {"required": ["schema"]}]});
    rules.push(json!({"if": {"required": ["$ref"]}, "then": {"maxProperties": 1}, "else": typed}));
    rules.push(json!({"properties": {
        "name": {"maxLength": 128, "not": {"enum": ENVELOPE_KEYS}},
        "sources": {"items": {"pattern": r"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$"}},
    }}));
    rules
}

/// A kind of type has its own key, which no other kind has.
fn kind(name: &str, key: &str) -> Value {
    // An object may have no fields; a word or a type there must be.
    let filled = json!({"required": [key], "properties": {key: {"minItems": 1}}});
    json!({
        "if": {"properties": {"kind": {"const": name}}, "required": ["kind"]},
        "then": filled,
        "else": {"not": {"required": [key]}},
    })
}
