//! What the keywords of the 2020-12 draft, and the older ones that it still knows, are written with.
//!
//! Nothing in; a schema of schemas out.

use crate::keywords::{Keyword, KeywordKind, TYPES};
use serde_json::{Map, Value, json};

/// The schema.
pub(super) fn schema() -> Value {
    let rules =
        Keyword::all().iter().filter_map(|keyword| Some((keyword.name.to_owned(), rule(keyword.kind)?)));
    json!({"type": ["object", "boolean"], "properties": rules.collect::<Map<String, Value>>()})
}

/// What the value of a keyword must be; nothing when it may be anything.
fn rule(kind: KeywordKind) -> Option<Value> {
    let any = json!({"$ref": "#"});
    let names = json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true});
    Some(match kind {
        KeywordKind::Schema | KeywordKind::Items => any,
        KeywordKind::SchemaList => json!({"type": "array", "minItems": 1, "items": any}),
        KeywordKind::SchemaMap => json!({"type": "object", "additionalProperties": any}),
        KeywordKind::Text => json!({"type": "string"}),
        KeywordKind::Anchor => json!({"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"}),
        KeywordKind::Identifier => json!({"type": "string", "pattern": "^[^#]*#?$"}),
        KeywordKind::FlagMap => json!({"type": "object", "additionalProperties": {"type": "boolean"}}),
        KeywordKind::Flag => json!({"type": "boolean"}),
        KeywordKind::Values => json!({"type": "array"}),
        KeywordKind::Number | KeywordKind::ExclusiveLimit => json!({"type": "number"}),
        KeywordKind::Divisor => json!({"type": "number", "exclusiveMinimum": 0}),
        KeywordKind::Count => json!({"type": "integer", "minimum": 0}),
        KeywordKind::Names => names,
        KeywordKind::NamesMap => json!({"type": "object", "additionalProperties": names}),
        KeywordKind::Dependencies => {
            json!({"type": "object", "additionalProperties": {"anyOf": [any, names]}})
        }
        KeywordKind::Type => {
            let one = json!({"enum": TYPES});
            let several = json!({"type": "array", "minItems": 1, "uniqueItems": true, "items": one});
            json!({"anyOf": [one, several]})
        }
        KeywordKind::Data | KeywordKind::Hint | KeywordKind::AdditionalItems => return None,
    })
}
