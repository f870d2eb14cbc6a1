//! What is dropped, what is filled, and what stays.
//!
//! A document and a value in, the fitted value and what was noted compared. Always: fitting twice is fitting once.

use crate::work::Meter;
use crate::{Normalised, from_schema};
use proptest::prelude::{Just, Strategy, prop_oneof};
use proptest::{collection, proptest};
use serde_json::{Value, json};

fn normalise(document: &Value, value: Value) -> Normalised {
    from_schema(document).normalise(&value)
}

fn fitted(document: Value, value: Value) -> Value {
    normalise(&document, value).value
}

/// Only what an object refuses goes, at any depth; defaults and everything else stay as they came.
#[test]
fn only_what_is_refused_goes() {
    let inner = json!({"type": "object", "properties": {"a": {"type": "integer", "default": 1}}, "additionalProperties": false});
    let open = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    for (document, value, left, gone) in [
        (inner.clone(), json!({"x": 1, "b": 2}), json!({}), vec!["x", "b"]),
        (open.clone(), json!({"x": 1}), json!({"x": 1}), vec![]),
        (
            json!({"type": "array", "items": inner}),
            json!([{"a": 1, "x": 2}]),
            json!([{"a": 1}]),
            vec!["[0].x"],
        ),
        (
            json!({"properties": {"in": inner}}),
            json!({"in": {"x": 1}, "y": 1}),
            json!({"in": {}, "y": 1}),
            vec!["in.x"],
        ),
        // One of the alternatives does not refuse it.
        (json!({"anyOf": [inner, open]}), json!({"x": 1}), json!({"x": 1}), vec![]),
        (
            json!({"oneOf": [inner, {"type": "object", "properties": {"b": {}}, "additionalProperties": false}]}),
            json!({"b": 1, "x": 1}),
            json!({"b": 1}),
            vec!["x"],
        ),
        (
            json!({"additionalProperties": false, "patternProperties": {"^x-": true}, "properties": {"a": {}}}),
            json!({"x-1": 1, "y": 2}),
            json!({"x-1": 1, "y": 2}),
            vec![],
        ),
        (inner.clone(), json!("text"), json!("text"), vec![]),
    ] {
        assert_eq!(
            from_schema(&document).without_refused(&value, &Meter::default()),
            Ok((left, gone.into_iter().map(str::to_owned).collect())),
            "{document}"
        );
    }
}

/// S-schema-22 S-openapi-20: undeclared properties go, defaults come, and the result fits.
#[test]
fn undeclared_properties_go_and_defaults_come() {
    let document = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "state": {"type": "string", "default": "open"},
            "labels": {"type": "array", "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "color": {"default": "red"}},
                "additionalProperties": false
            }}
        },
        "required": ["name", "state"]
    });
    let value = json!({"name": "a", "x": 1, "labels": [{"name": "l", "url": 2}, {"color": "blue"}, 3]});
    let Normalised { value, dropped, mismatches } = normalise(&document, value);
    let expected = json!({
        "name": "a",
        "labels": [{"name": "l", "color": "red"}, {"color": "blue"}, 3],
        "state": "open"
    });
    assert_eq!(value, expected);
    assert_eq!(dropped, ["x", "labels[0].url"]);
    let places: Vec<_> = mismatches.iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(places, ["labels[2]"]);
}

/// Decision 24: a value of the wrong type stays as it is, and is reported.
#[test]
fn nothing_is_invented() {
    let document = json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}, "o": {"type": "object", "properties": {"a": {"default": 1}}}},
        "required": ["n", "missing"]
    });
    for value in [json!({"n": "7", "o": "x"}), json!([1]), json!("text"), json!(null)] {
        let fitted = normalise(&document, value.clone());
        assert_eq!(fitted.value, value);
        assert!(!fitted.mismatches.is_empty());
    }
}

#[test]
fn all_branches_declare() {
    let document = json!({
        "properties": {"a": true},
        "allOf": [{"properties": {"b": true}}, {"$ref": "#/$defs/c"}],
        "anyOf": [{"properties": {"d": {"type": "string"}}}, {"properties": {"e": true}}],
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
        "if": {"properties": {"f": true}, "required": ["f"]}, "then": {"properties": {"g": true}},
        "dependentSchemas": {"a": {"properties": {"h": true}}},
        "$defs": {"c": {"properties": {"c": true}}}
    });
    let value = json!({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8, "z": 9});
    let Normalised { value, dropped, .. } = normalise(&document, value);
    assert_eq!(value.as_object().map(serde_json::Map::len), Some(8));
    assert_eq!(dropped, ["z"]);
}

#[test]
fn what_is_open_keeps_everything() {
    let value = json!({"a": 1, "z": 2});
    for document in [
        json!({}),
        json!({"type": "object"}),
        json!({"type": "object", "properties": {}}),
        json!({"type": "object", "additionalProperties": true, "properties": {"a": {}}}),
        json!({"additionalProperties": {"type": "integer"}, "properties": {"a": {}}}),
        json!({"patternProperties": {"^x": {}}, "properties": {"a": {}}}),
        json!({"properties": {"a": {}}, "unevaluatedProperties": true}),
        json!({"oneOf": [{"properties": {"a": {}}}, {"type": "object"}]}),
        json!({"oneOf": [{"properties": {"a": {}}}, {"$ref": "#/$defs/free"}], "$defs": {"free": {"type": "object"}}}),
        json!({"properties": {"a": {}}, "allOf": [{"$ref": "elsewhere.json"}]}),
        json!({"anyOf": [{"required": ["a"]}, {"required": ["z"]}]}),
    ] {
        assert_eq!(fitted(document.clone(), value.clone()), value, "{document}");
    }
    for document in [
        json!({"properties": {"a": {}}, "additionalProperties": false}),
        json!({"type": ["object", "null"], "allOf": [{"properties": {"a": {}}}]}),
        json!({"properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"required": ["z"]}]}),
        json!({"properties": {"a": {}}, "oneOf": [{"not": {"required": ["q"]}}]}),
        json!({"allOf": [{"type": "object"}, {"properties": {"a": {}}}]}),
    ] {
        assert_eq!(fitted(document.clone(), value.clone()), json!({"a": 1}), "{document}");
    }
    let inner = json!({"additionalProperties": {"properties": {"b": {"default": 1}}}});
    assert_eq!(fitted(inner, json!({"x": {"c": 2}})), json!({"x": {"b": 1}}));
}

#[test]
fn of_a_union_only_the_branch_that_fits_fills() {
    let branch = |kind: &str, more: &str, limit: u32| {
        json!({
            "properties": {"kind": {"const": kind}, more: {"default": limit}, "n": {"maximum": limit}},
            "required": ["kind"]
        })
    };
    let document = json!({"oneOf": [branch("a", "x", 5), branch("b", "y", 6)]});
    assert_eq!(fitted(document.clone(), json!({"kind": "a"})), json!({"kind": "a", "x": 5}));
    assert_eq!(fitted(document.clone(), json!({"kind": "b"})), json!({"kind": "b", "y": 6}));
    assert_eq!(fitted(document.clone(), json!({"kind": "c"})), json!({"kind": "c"}));
    assert_eq!(fitted(document, json!({"kind": "a", "n": 6})), json!({"kind": "a", "n": 6}));
    let conditional = json!({
        "if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
        "then": {"properties": {"x": {"default": 1}}},
        "else": {"properties": {"y": {"default": 2}}}
    });
    assert_eq!(fitted(conditional.clone(), json!({"kind": "a"})), json!({"kind": "a", "x": 1}));
    assert_eq!(fitted(conditional, json!({"kind": "b"})), json!({"kind": "b", "y": 2}));
}

#[test]
fn defaults_are_found_through_references_and_are_fitted_themselves() {
    let document = json!({
        "properties": {
            "a": {"$ref": "#/$defs/level"},
            "b": {"allOf": [{"$ref": "#/$defs/level"}], "default": 9},
            "c": {"default": {"junk": 1}, "properties": {"d": {"default": 2}}}
        },
        "$defs": {"level": {"type": "integer", "default": 3}}
    });
    let fitted = normalise(&document, json!({}));
    assert_eq!(fitted.value, json!({"a": 3, "b": 9, "c": {"d": 2}}));
    assert_eq!(fitted.dropped, Vec::<String>::new());
    // Present, even as null, is not absent.
    assert_eq!(normalise(&document, json!({"a": null})).value["a"], Value::Null);
}

#[test]
fn a_default_that_does_not_fit_is_not_used() {
    let document = json!({"properties": {"a": {"type": "integer", "default": "none"}, "b": {"default": 1}}});
    assert_eq!(fitted(document, json!({})), json!({"b": 1}));
    let together = json!({"properties": {"a": {"default": 1}, "b": true}, "not": {"required": ["a", "b"]}});
    let spoiled = normalise(&together, json!({"b": 1}));
    assert_eq!((spoiled.value, spoiled.mismatches), (json!({"b": 1}), Vec::new()));
}

/// Decision 23: cycles end, in values and in defaults that contain themselves.
#[test]
fn cycles_end() {
    let tree = json!({
        "properties": {"name": {"default": "n"}, "children": {"type": "array", "items": {"$ref": "#"}}}
    });
    let value = json!({"x": 1, "children": [{"children": [{"x": 2}]}]});
    let expected = json!({"children": [{"children": [{"name": "n"}], "name": "n"}], "name": "n"});
    assert_eq!(fitted(tree, value), expected);
    let endless = json!({"properties": {"a": {"$ref": "#", "default": {}}, "b": {"default": 1}}});
    assert_eq!(fitted(endless.clone(), json!({})), json!({"b": 1}));
    assert_eq!(fitted(endless, json!({"a": {}})), json!({"a": {"b": 1}, "b": 1}));
    let two = json!({
        "properties": {"p": {"$ref": "#/$defs/q", "default": {}}},
        "$defs": {"q": {"properties": {"q": {"$ref": "#", "default": {}}}}}
    });
    assert_eq!(fitted(two, json!({})), json!({}));
}

#[test]
fn tuples_are_fitted_by_position() {
    let item = |name: &str| json!({"properties": {name: {"default": 1}}});
    let document = json!({"prefixItems": [item("a"), item("b")], "items": item("c")});
    assert_eq!(
        fitted(document, json!([{}, {"x": 1}, {}, {}])),
        json!([{"a": 1}, {"b": 1}, {"c": 1}, {"c": 1}])
    );
}

/// Schemas of objects with unions, references, defaults and closed branches, over few names.
fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "integer", "default": 1})),
        Just(json!({"type": "string", "default": "s"})),
        Just(json!({"type": "string"})),
        Just(json!({"const": 1})),
        Just(json!({"default": {"a": 1, "q": 2}})),
        Just(json!({"$ref": "#"})),
        Just(json!({"$ref": "#", "default": {}})),
        Just(json!({"required": ["a"]})),
        Just(json!({"type": "object"})),
    ];
    leaf.prop_recursive(3, 24, 3, |inner| {
        let name = proptest::sample::select(vec!["a", "b", "c"]);
        let object = (collection::btree_map(name, inner.clone(), 0..3), proptest::bool::ANY).prop_map(
            |(properties, closed)| json!({"properties": properties, "additionalProperties": !closed}),
        );
        let plain = collection::btree_map(proptest::sample::select(vec!["a", "b"]), inner.clone(), 1..3)
            .prop_map(|properties| json!({"type": "object", "properties": properties}));
        let several = collection::vec(inner.clone(), 1..3);
        let combined = (proptest::sample::select(vec!["allOf", "anyOf", "oneOf"]), several)
            .prop_map(|(keyword, branches)| json!({keyword: branches}));
        prop_oneof![object, plain, combined, inner.prop_map(|items| json!({"type": "array", "items": items}))]
    })
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!(1)), Just(json!("s")), Just(json!(null)), Just(json!({}))];
    leaf.prop_recursive(3, 24, 3, |inner| {
        let name = proptest::sample::select(vec!["a", "b", "c", "z"]);
        prop_oneof![
            collection::btree_map(name, inner.clone(), 0..4).prop_map(|map| json!(map)),
            collection::vec(inner, 0..3).prop_map(|items| json!(items)),
        ]
    })
}

proptest! {
    /// S-schema-22: fitting what was fitted changes nothing; a value that fits still fits, up to what was dropped.
    #[test]
    fn fitting_twice_is_fitting_once(document in schemas(), value in values()) {
        let schema = from_schema(&document);
        let once = schema.normalise(&value);
        let twice = schema.normalise(&once.value);
        assert_eq!(&twice.value, &once.value, "{document} {value}");
        assert!(twice.dropped.is_empty());
        if schema.accepts(&value) && once.dropped.is_empty() {
            assert!(once.mismatches.is_empty(), "{document} {value} {once:?}");
        }
    }
}
