//! The tree that each schema becomes.
//!
//! A document in, the kind of its root node compared: one test for each group of keywords.

use crate::{NodeKind, SchemaNode, from_schema};
use serde_json::{Value, json};

fn kind(document: Value) -> NodeKind {
    from_schema(&document).node().kind.clone()
}

fn kinds(nodes: &[SchemaNode]) -> Vec<&NodeKind> {
    nodes.iter().map(|node| &node.kind).collect()
}

/// S-schema-12 S-schema-13 S-schema-14 S-schema-15 S-schema-16: types become scalars and keep their other keywords.
#[test]
fn scalars_keep_their_keywords() {
    for (name, expected) in [
        ("string", NodeKind::String),
        ("number", NodeKind::Number),
        ("integer", NodeKind::Integer),
        ("boolean", NodeKind::Boolean),
        ("null", NodeKind::Null),
    ] {
        let schema = from_schema(&json!({"type": name, "minLength": 2, "maximum": 3, "default": null}));
        assert_eq!(schema.node().kind, expected);
        let annotations = Value::Object(schema.node().annotations.clone());
        assert_eq!(annotations, json!({"minLength": 2, "maximum": 3, "default": null}));
    }
}

/// S-schema-3 S-schema-4 S-schema-5: combinations become intersections and unions, beside what else is said.
#[test]
fn combinations() {
    let branches = json!([{"type": "string"}, {"type": "null"}]);
    let NodeKind::Intersection(all) = kind(json!({"allOf": branches})) else { panic!("an intersection") };
    assert_eq!(kinds(&all), [&NodeKind::String, &NodeKind::Null]);
    for keyword in ["anyOf", "oneOf"] {
        let NodeKind::Union(any) = kind(json!({keyword: branches})) else { panic!("a union") };
        assert_eq!(kinds(&any), [&NodeKind::String, &NodeKind::Null]);
    }
    let both =
        kind(json!({"type": "object", "properties": {"a": true}, "oneOf": branches, "allOf": branches}));
    let NodeKind::Intersection(parts) = both else { panic!("an intersection") };
    assert!(
        matches!(
            kinds(&parts)[..],
            [NodeKind::Object(_), NodeKind::Union(_), NodeKind::String, NodeKind::Null]
        ),
        "{parts:?}"
    );
}

/// S-schema-6 S-schema-10: enumerations are unions of literals, constants are literals.
#[test]
fn literals() {
    let NodeKind::Union(options) = kind(json!({"type": "string", "enum": ["a", 1]})) else {
        panic!("a union")
    };
    assert_eq!(kinds(&options), [&NodeKind::Literal(json!("a")), &NodeKind::Literal(json!(1))]);
    assert_eq!(kind(json!({"const": null})), NodeKind::Literal(Value::Null));
}

/// S-schema-7: the names in `required` are mandatory, others are not.
#[test]
fn objects() {
    let document = json!({
        "type": "object",
        "properties": {"b": {"type": "string"}, "a": {}},
        "required": ["b"],
        "additionalProperties": false
    });
    let NodeKind::Object(object) = kind(document) else { panic!("an object") };
    assert_eq!(object.properties.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(object.property("b").map(|node| &node.kind), Some(&NodeKind::String));
    assert_eq!(object.required, ["b"]);
    assert_eq!(object.additional.map(|node| node.kind), Some(NodeKind::Never));
    assert!(matches!(kind(json!({"required": ["a"]})), NodeKind::Object(_)));
}

/// S-schema-8 S-schema-9: a list under `items` is a tuple, a schema an array.
#[test]
fn arrays_and_tuples() {
    let NodeKind::Array(item) = kind(json!({"type": "array", "items": {"type": "string"}})) else {
        panic!("an array")
    };
    assert_eq!(item.kind, NodeKind::String);
    for document in [
        json!({"type": "array", "items": [{"type": "string"}, {}], "additionalItems": false}),
        json!({"type": "array", "prefixItems": [{"type": "string"}, {}], "items": false}),
    ] {
        let NodeKind::Tuple { items, rest } = kind(document) else { panic!("a tuple") };
        assert_eq!(kinds(&items), [&NodeKind::String, &NodeKind::Any]);
        assert_eq!(rest.map(|node| node.kind), Some(NodeKind::Never));
    }
}

/// S-schema-11 S-schema-19: a reference stays a reference, with its path; what it means can be asked for.
#[test]
fn references_stay_unresolved() {
    let document = json!({
        "properties": {"self": {"$ref": "#"}, "far": {"$ref": "other.json#/x", "description": "d"}},
    });
    let schema = from_schema(&document);
    let NodeKind::Object(object) = &schema.node().kind else { panic!("an object") };
    let far = object.property("far").expect("declared");
    assert_eq!(far.kind, NodeKind::Reference("other.json#/x".to_owned()));
    assert_eq!(far.annotations["description"], "d");
    assert_eq!(schema.target("#"), Some(schema.node()));
    assert_eq!(schema.target("other.json#/x"), None);
}

/// S-schema-18: whatever the kind, description and the like stay with the node.
#[test]
fn annotations_stay_with_every_kind() {
    for shape in [
        json!({"type": "string"}),
        json!({"type": "object", "properties": {"a": {}}}),
        json!({"type": "array", "items": {}}),
        json!({"items": [{}]}),
        json!({"enum": [1]}),
        json!({"const": 1}),
        json!({"anyOf": [{}]}),
        json!({"oneOf": [{}]}),
        json!({"allOf": [{}]}),
        json!({"$ref": "#/x"}),
        json!({"type": ["string", "null"]}),
        json!({"type": "string", "nullable": true}),
        json!({}),
    ] {
        let mut document = shape.clone();
        document["description"] = json!("said");
        document["x-mine"] = json!(1);
        let schema = from_schema(&document);
        assert_eq!(schema.node().annotations["description"], "said", "{shape}");
        assert_eq!(schema.node().annotations["x-mine"], 1, "{shape}");
    }
}

/// S-schema-17: what is not known is any value.
#[test]
fn the_unknown_is_any() {
    for document in [
        json!({"type": "file"}),
        json!({"type": 1}),
        json!({"type": ["string", "file"]}),
        json!(3),
        json!("x"),
        json!([1]),
        json!({}),
        json!(true),
    ] {
        assert_eq!(kind(document.clone()), NodeKind::Any, "{document}");
    }
    assert_eq!(kind(json!(false)), NodeKind::Never);
    assert_eq!(kind(json!({"properties": 1, "type": "object"})), NodeKind::Object(Box::default()));
}

#[test]
fn lists_of_types_and_nullable_are_unions() {
    for document in [json!({"type": ["string", "null"]}), json!({"type": "string", "nullable": true})] {
        let NodeKind::Union(branches) = kind(document) else { panic!("a union") };
        assert_eq!(kinds(&branches), [&NodeKind::String, &NodeKind::Null]);
    }
}
