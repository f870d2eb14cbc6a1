//! References of every kind: nested, circular, escaped, through files and URLs, to names.
//!
//! One document or several in, what a reference leads to out. A reference that leads nowhere is named and never a
//! hang.

use super::{find, open_value, open_with, path, schema_of};
use serde_json::json;

/// S-openapi-3: chains are followed to their end; the last name and what stands beside the reference are kept.
#[test]
fn chains_are_followed() {
    let library = open_value(&json!({"openapi": "3.1.0", "components": {"parameters": {
        "A": {"$ref": "#/components/parameters/B", "description": "of A"},
        "B": {"$ref": "#/components/parameters/C", "description": "of B"},
        "C": {"name": "c", "in": "query", "description": "of C"}
    }}}))
    .library;
    let node = library.component("parameters", "A").unwrap();
    let reference = json!({"$ref": "#/components/parameters/A"});
    let found = library.resolve(&reference, &node).unwrap();
    assert_eq!(*found.value, json!({"name": "c", "in": "query", "description": "of A"}));
    assert_eq!(found.name.as_deref(), Some("C"));
    let plain = json!({"name": "d"});
    let found = library.resolve(&plain, &node).unwrap();
    assert_eq!((found.value.as_ref(), found.name), (&plain, None));
}

/// S-openapi-4: a chain that bites its tail is a problem, not a hang.
#[test]
fn circles_of_references_end() {
    let opened = open_value(
        &json!({"openapi": "3.0.0", "paths": {"/a": {"$ref": "#/paths/~1b"}, "/b": {"$ref": "#/paths/~1a"}},
        "components": {"schemas": {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"},
            "C": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A"}}},
            "D": {"$ref": "#/components/schemas/D/properties/x"}}}}),
    );
    let library = opened.library;
    let node = library.component("schemas", "A").unwrap();
    let problem = library.resolve(&json!({"$ref": "#/components/schemas/A"}), &node).map(|_| ()).unwrap_err();
    assert!(problem.to_string().contains("refers back to itself"), "{problem}");
    assert!(library.path_item(&path(&library, "/a")).is_err());
    assert!(library.resolve(&json!({"$ref": "#/components/schemas/D"}), &node).is_err());
    assert_eq!(schema_of(&library, "C"), json!({"type": "object", "properties": {"a": true}}));
}

/// S-openapi-3: pointers with escapes, into lists, through other references, and names with odd characters.
#[test]
fn pointers_of_every_kind() {
    let library = open_value(&json!({"openapi": "3.0.0",
        "paths": {"/a/{id}": {"get": {"parameters": [{"name": "x"}, {"name": "y"}]}}},
        "components": {"schemas": {"a b": {"title": "space"}, "t~1": {"title": "tilde"}, "50%": {"title": "percent"},
            "Köln": {"title": "umlaut"}, "Via": {"$ref": "#/components/schemas/Deep"},
            "Deep": {"properties": {"inner": {"title": "inner"}}}}}}))
    .library;
    let from = path(&library, "/a/{id}");
    for (reference, key, expected) in [
        ("#/paths/~1a~1{id}/get/parameters/1", "name", "y"),
        ("#/paths/~1a~1%7Bid%7D/get/parameters/0", "name", "x"),
        ("#/components/schemas/a%20b", "title", "space"),
        ("#/components/schemas/a b", "title", "space"),
        ("#/components/schemas/t~01", "title", "tilde"),
        ("#/components/schemas/50%25", "title", "percent"),
        ("#/components/schemas/50%", "title", "percent"),
        ("#/components/schemas/K%C3%B6ln", "title", "umlaut"),
        ("#/components/schemas/Via/properties/inner", "title", "inner"),
        ("api.json#/components/schemas/Deep/properties/inner", "title", "inner"),
    ] {
        let value = json!({ "$ref": reference });
        let found = library.resolve(&value, &from).unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(found.value[key], expected, "{reference}");
    }
}

/// S-openapi-3: documents in several files, each reference relative to the file it stands in; whole files too.
#[test]
fn through_several_files() {
    let opened = open_with(
        "v1/api.yaml",
        &[
            (
                "v1/api.yaml",
                "openapi: 3.0.0\npaths:\n  /a: {$ref: paths/a.yaml}\n  /b: {$ref: 'paths/all.yaml#/b'}\n",
            ),
            (
                "v1/paths/a.yaml",
                "get:\n  parameters: [{$ref: '../common.json#/p'}]\n  requestBody: {$ref: ../bodies/pet.yaml}\n",
            ),
            ("v1/paths/all.yaml", "b:\n  get: {operationId: b}\n"),
            (
                "v1/common.json",
                r##"{"p": {"name": "p", "in": "query", "schema": {"$ref": "#/s"}}, "s": {"type": "integer"}}"##,
            ),
            ("v1/bodies/pet.yaml", "content: {application/json: {schema: {$ref: pet.schema.json}}}\n"),
            (
                "v1/bodies/pet.schema.json",
                r##"{"type": "object", "properties": {"parent": {"$ref": "#"}, "size": {"$ref": "../common.json#/s"}}}"##,
            ),
        ],
        &[],
    );
    assert_eq!(opened.warnings, Vec::<String>::new());
    let library = opened.library;
    assert_eq!(library.places().count(), 6);
    let item = library.path_item(&path(&library, "/a")).unwrap();
    assert_eq!(library.documents[item.location.document as usize].place.key(), "v1/paths/a.yaml");
    let parameter = library.resolve(&item.value["get"]["parameters"][0], &item.location).unwrap();
    assert_eq!(parameter.value["name"], "p");
    assert_eq!(
        library.schema(&parameter.value["schema"], &parameter.location),
        json!({"$ref": "#/$defs/s", "$defs": {"s": {"type": "integer"}}})
    );
    let tokens = ["get", "requestBody", "content", "application/json", "schema"];
    let body = find(&library, "/a", &tokens).unwrap();
    assert_eq!(body.name.as_deref(), Some("pet"));
    assert_eq!(
        library.schema(&body.value, &body.location),
        json!({"type": "object", "properties": {"parent": {"$ref": "#/$defs/pet"}, "size": {"$ref": "#/$defs/s"}},
            "$defs": {"pet": {"type": "object", "properties": {"parent": {"$ref": "#/$defs/pet"}, "size": {"$ref": "#/$defs/s"}}},
                "s": {"type": "integer"}}})
    );
    assert_eq!(library.path_item(&path(&library, "/b")).unwrap().value["get"]["operationId"], "b");
}

/// A path item may say more than the one it refers to; both are there, each with its own references.
#[test]
fn path_items_are_merged_with_what_they_refer_to() {
    let opened = open_with(
        "api.json",
        &[
            (
                "api.json",
                r##"{"openapi": "3.1.0", "paths": {"/a": {"$ref": "other.json#/item", "get": {"requestBody": {"$ref": "#/mine"}}}},
                "mine": {"description": "mine"}}"##,
            ),
            (
                "other.json",
                r##"{"item": {"get": {}, "put": {"requestBody": {"$ref": "#/mine"}}}, "mine": {"description": "other"}}"##,
            ),
        ],
        &[],
    );
    let item = opened.library.path_item(&path(&opened.library, "/a")).unwrap();
    let description = |method: &str| {
        let body = &item.value[method]["requestBody"];
        opened.library.resolve(body, &item.location).unwrap().value["description"].clone()
    };
    assert_eq!((description("get"), description("put")), (json!("mine"), json!("other")));
}

/// Other places are read only under the allow rule; what is refused or missing is named and accepts anything.
#[test]
fn refused_and_missing_documents_are_named() {
    let api = r##"{"openapi": "3.0.0", "components": {"schemas": {
        "A": {"properties": {"far": {"$ref": "https://b.example/s.json#/S"}, "gone": {"$ref": "gone.json"},
            "file": {"$ref": "file:///etc/passwd"}, "lost": {"$ref": "#/components/schemas/Lost"},
            "near": {"$ref": "/near.json#/N"}}}}}}"##;
    let far = ("https://b.example/s.json", r#"{"S": {"type": "string"}}"#);
    let near = ("https://a.example/near.json", r#"{"N": {"type": "null"}}"#);
    let root = "https://a.example/v1/api.json";
    let opened = open_with(root, &[(root, api), far, near, ("/etc/passwd", "{}")], &[]);
    let expected = json!({"properties": {"far": true, "gone": true, "file": true, "lost": true,
        "near": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"type": "null"}}});
    assert_eq!(schema_of(&opened.library, "A"), expected);
    for words in [
        "'https://b.example/s.json' is referred to but is outside",
        "gone.json' is referred to but could not be read",
        "'/etc/passwd' is referred to but is outside",
        "'#/components/schemas/Lost' leads nowhere",
    ] {
        assert!(
            opened.warnings.iter().any(|warning| warning.contains(words)),
            "{words}: {:?}",
            opened.warnings
        );
    }
    let opened = open_with(root, &[(root, api), far, near], &["https://b.example/*"]);
    assert_eq!(schema_of(&opened.library, "A")["$defs"]["S"], json!({"type": "string"}));
}

/// Names that schemas of 3.1 give themselves.
#[test]
fn ids_and_anchors() {
    let opened = open_value(&json!({"openapi": "3.1.0", "components": {"schemas": {
        "Uses": {"properties": {
            "by_id": {"$ref": "https://ids.example/pet"}, "by_anchor": {"$ref": "#age"},
            "inside": {"$ref": "https://ids.example/pet#/$defs/tag"}, "named_inside": {"$ref": "https://ids.example/pet#nick"},
            "tree": {"$dynamicRef": "#node"}}},
        "Pet": {"$id": "https://ids.example/pet", "properties": {"tag": {"$ref": "#/$defs/tag"}, "owner": {"$ref": "owner"}},
            "$defs": {"tag": {"type": "string"}, "nick": {"$anchor": "nick", "type": "number"}}},
        "Owner": {"$id": "https://ids.example/owner", "type": "boolean"},
        "Age": {"$anchor": "age", "type": "integer"},
        "Node": {"$dynamicAnchor": "node", "type": "object"}
    }}}));
    assert_eq!(opened.warnings, Vec::<String>::new());
    assert_eq!(
        schema_of(&opened.library, "Uses"),
        json!({"properties": {"by_id": {"$ref": "#/$defs/pet"}, "by_anchor": {"$ref": "#/$defs/age"},
            "inside": {"$ref": "#/$defs/tag"}, "named_inside": {"$ref": "#/$defs/nick"}, "tree": {"$ref": "#/$defs/node"}},
            "$defs": {"pet": {"properties": {"tag": {"$ref": "#/$defs/tag"}, "owner": {"$ref": "#/$defs/owner"}}},
                "age": {"type": "integer"}, "tag": {"type": "string"}, "nick": {"type": "number"}, "node": {"type": "object"},
                "owner": {"type": "boolean"}}})
    );
}
