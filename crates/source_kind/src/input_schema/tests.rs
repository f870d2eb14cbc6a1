//! Input schemas as tools have them, into parameters.
//!
//! A tool's schema in; parameters, what they accept, declared types and the arguments that a handler gets out.

use super::{SchemaArguments, argument_reader, arguments, wired};
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError, SealedHandler};
use aqueduct_operations::types::{TypeBody, TypeDef};
use serde_json::{Map, Value, json};
use std::sync::Arc;

fn read(schema: Value) -> (SchemaArguments, Vec<TypeDef>) {
    let mut reader = argument_reader();
    let found = arguments(&Arc::new(schema), "do_it", &mut reader);
    (found, reader.finish())
}

fn shown(schema: Value) -> Vec<String> {
    let (found, _) = read(schema);
    let mark = |required| if required { "!" } else { "" };
    found.params.iter().map(|p| format!("{}{}: {}", p.name, mark(p.required), p.shape.shown_type())).collect()
}

/// S-mcp-11: each property is a parameter, with its type and whether it must be there.
#[test]
fn properties_are_parameters() {
    let found = shown(json!({"type": "object", "required": ["a", "d"], "properties": {
        "a": {"type": "string"}, "b": {"type": ["integer", "null"]}, "c": {"type": "array", "items": {"type": "number"}},
        "d": {"type": "boolean", "default": true}, "e": {"enum": ["x", "y"]}, "f": {}, "g": true,
        "h": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        "i": {"allOf": [{"description": "x"}, {"type": "integer"}]}, "j": {"const": 3},
    }}));
    assert_eq!(
        found,
        [
            "a!: string",
            "b: integer",
            "c: number[]",
            "d: boolean",
            "e: string",
            "f: string | number | boolean | array | object",
            "g: string | number | boolean | array | object",
            "h: string | string[]",
            "i: integer",
            "j: integer"
        ]
    );
}

/// S-mcp-11: constraints, defaults and descriptions are shown.
#[test]
fn constraints_are_shown() {
    let (found, _) = read(json!({"type": "object", "properties": {
        "n": {"type": "integer", "minimum": 1, "maximum": 9, "default": 5, "description": "How\n many."},
        "s": {"type": "string", "minLength": 2, "pattern": "^a", "format": "date", "default": null},
        "p": {"type": "string", "format": "password"}, "l": {"type": "array", "items": {"enum": ["a", "b"]}},
        "w": {"type": "string", "default": 7},
    }}));
    let [n, s, p, l, w] = found.params.as_slice() else { panic!() };
    assert_eq!((n.shape.minimum, n.shape.maximum, n.default.clone()), (Some(1.0), Some(9.0), Some(json!(5))));
    assert_eq!(n.description.as_deref(), Some("How many."));
    assert_eq!((s.shape.min_length, s.shape.pattern.is_some(), s.default.clone()), (Some(2), true, None));
    assert!(p.sensitive && !s.sensitive);
    assert_eq!(l.shape.items.as_ref().unwrap().allowed, Some(vec![json!("a"), json!("b")]));
    assert_eq!(w.default, None, "a default of the wrong type is nobody's value");
}

/// S-mcp-11 (PEERS 3): a property is checked by its own piece of the schema, with everything that it refers to.
#[test]
fn every_value_is_checked_by_the_schema() {
    let schema = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {
        "plain": {"type": "string", "minLength": 2},
        "node": {"$ref": "#/$defs/Node"},
        "old": {"$ref": "#/definitions/Old"},
        "whole": {"type": "array", "items": {"$ref": "#/properties/plain"}},
        "me": {"$ref": "#"},
    }, "additionalProperties": false, "$defs": {
        "Node": {"type": "object", "properties": {"id": {"$ref": "#/$defs/Id"}, "next": {"$ref": "#/$defs/Node"}},
                 "required": ["id"]},
        "Id": {"type": "integer"}, "Unused": {"type": "null"}}, "definitions": {"Old": {"type": "boolean"}}});
    let (found, _) = read(schema);
    let accepts = |name: &str, value: Value| {
        found.params.iter().find(|p| p.name == name).unwrap().schema.as_ref().unwrap().get().accepts(&value)
    };
    for (name, good, bad) in [
        ("plain", json!("ab"), json!("a")),
        ("node", json!({"id": 1, "next": {"id": 2}}), json!({"id": 1, "next": {"id": "x"}})),
        ("old", json!(true), json!(1)),
        ("whole", json!(["ab"]), json!(["a"])),
        ("me", json!({"plain": "ab"}), json!({"plain": "a"})),
    ] {
        assert!(accepts(name, good), "{name}");
        assert!(!accepts(name, bad), "{name}");
    }
    let (lost, _) = read(json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/Nowhere"}}}));
    assert!(
        lost.params[0].schema.as_ref().unwrap().get().accepts(&json!(1)),
        "what cannot be known is not refused"
    );
    let document = found.params[1].schema.as_ref().unwrap().document();
    assert!(document["$defs"].get("Unused").is_none() && document["$defs"].get("Id").is_some(), "{document}");
}

/// N1: names that are no public names are rewritten, and given back when the handler is called.
#[test]
fn names_there_and_back() {
    let (found, _) = read(json!({"type": "object", "properties": {
        "userId": {"type": "string"}, "user_id": {"type": "string"}, "X-Id": {"type": "string"},
        "operation": {"type": "string"}, "日本": {"type": "string"}, "dryRun": {"type": "boolean"}}}));
    let names: Vec<_> = found.params.iter().map(|p| (p.name.as_str(), p.upstream_name.as_str())).collect();
    assert_eq!(
        names,
        [
            ("user_id_2", "userId"),
            ("user_id", "user_id"),
            ("x_id", "X-Id"),
            ("operation_argument", "operation"),
            ("argument", "日本"),
            ("dry_run", "dryRun")
        ]
    );
    assert_eq!(found.renamed.len(), 5);
    let values = json!({"user_id_2": 1, "user_id": 2, "x_id": 3, "argument": 5});
    let handler = wired(SealedHandler::new(Echo), found.wiring);
    assert_eq!(
        handler.preview(values.as_object().unwrap()),
        json!({"userId": 1, "user_id": 2, "X-Id": 3, "日本": 5})
    );
}

#[test]
fn a_handler_whose_names_are_public_stays_as_it_is() {
    let (found, _) = read(json!({"type": "object", "properties": {"a": {}}}));
    let handler = wired(SealedHandler::new(Echo), found.wiring);
    assert_eq!(format!("{handler:?}"), "SealedHandler(Echo)");
}

/// S-mcp-11: a schema that asks for more than it names gets a parameter for the rest; one that says nothing is closed.
#[test]
fn arguments_without_a_name() {
    for open in [json!({"additionalProperties": true}), json!({"additionalProperties": {"type": "integer"}})]
    {
        let mut schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        schema.as_object_mut().unwrap().extend(open.as_object().unwrap().clone());
        let typed = schema["additionalProperties"].is_object();
        let (found, _) = read(schema);
        assert_eq!(found.params[1].name, "arguments");
        assert_eq!(found.params[1].schema.as_ref().unwrap().get().accepts(&json!({"z": "x"})), !typed);
        assert_eq!(found.warnings.len(), 1);
        let handler = wired(SealedHandler::new(Echo), found.wiring);
        let values = json!({"a": "own", "arguments": {"z": 1, "a": "other"}});
        assert_eq!(handler.preview(values.as_object().unwrap()), json!({"z": 1, "a": "own"}));
    }
    for closed in [
        json!({"type": "object"}),
        json!({"type": "object", "properties": {}, "additionalProperties": false}),
    ] {
        assert!(shown(closed).is_empty());
    }
}

/// S-mcp-11: what is no plain object is one parameter, checked as a whole.
#[test]
fn odd_schemas_are_one_parameter() {
    for odd in [
        json!({}),
        json!(null),
        json!(true),
        json!({"type": "string"}),
        json!({"anyOf": [{"type": "object", "properties": {"a": {}}}, {"type": "object"}]}),
        json!({"type": "object", "oneOf": [{"required": ["a"]}]}),
        json!({"$ref": "#/$defs/Round", "$defs": {"Round": {"$ref": "#/$defs/Round"}}}),
    ] {
        let (found, _) = read(odd.clone());
        assert_eq!(found.params.len(), 1, "{odd}");
        assert_eq!((found.params[0].name.as_str(), found.params[0].required), ("arguments", false));
        assert_eq!(found.warnings.len(), 1);
        let handler = wired(SealedHandler::new(Echo), found.wiring);
        assert_eq!(handler.preview(json!({"arguments": {"x": 1}}).as_object().unwrap()), json!({"x": 1}));
    }
    let (found, _) = read(json!({"anyOf": [{"type": "object", "required": ["a"]}]}));
    assert!(!found.params[0].schema.as_ref().unwrap().get().accepts(&json!({})));
}

#[test]
fn references_and_all_of_are_followed() {
    let found = shown(json!({"$ref": "#/$defs/In", "$defs": {
        "In": {"allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"b": {"type": "string"}}, "required": ["b"]}]},
        "Base": {"type": "object", "properties": {"a": {"type": "integer"}}}}}));
    assert_eq!(found, ["a: integer", "b!: string"]);
    let (found, _) = read(json!({"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}]}));
    assert!(found.warnings[0].contains("anyOf"), "{:?}", found.warnings);
}

/// Objects inside have named types, so that a reader can ask for their fields; circles end.
#[test]
fn nested_objects_have_types() {
    let (found, types) = read(json!({"type": "object", "properties": {
        "where": {"type": "object", "properties": {"city": {"type": "string"}, "geo": {"type": "object",
            "properties": {"lat": {"type": "number"}}}}, "required": ["city"]},
        "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}}},
        "$defs": {"Item": {"type": "object", "properties": {"parent": {"$ref": "#/$defs/Item"}}}}}));
    let shown: Vec<_> = found.params.iter().map(|p| p.shape.shown_type()).collect();
    assert_eq!(shown, ["DoItWhere", "DoItItems[]"]);
    let names: Vec<_> = types.iter().map(|each| each.name.as_str()).collect();
    assert!(names.contains(&"DoItWhereGeo") && names.len() < 12, "{names:?}");
    let place = types.iter().find(|each| each.name == "DoItWhere").unwrap();
    let TypeBody::Object(fields) = &place.body else { panic!() };
    assert_eq!((fields[0].name.as_str(), fields[0].required, fields[1].required), ("city", true, false));
}

/// Shows the arguments that it would be called with.
#[derive(Debug)]
struct Echo;

impl Handler for Echo {
    fn run<'a>(&'a self, _: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async { Err(HandlerError::Unavailable { message: "it only shows".to_owned() }) })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        Value::Object(values.clone())
    }
}
