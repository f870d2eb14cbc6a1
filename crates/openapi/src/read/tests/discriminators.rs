//! Types that a property chooses between.
//!
//! Documents with a `discriminator` in; values are held against what their property says they are, and fitted to it.

use super::{open_value, schema_of};
use aqueduct_schema::from_schema;
use serde_json::{Value, json};

fn pets() -> Value {
    json!({
        "Pet": {"type": "object", "required": ["petType"], "discriminator": {"propertyName": "petType", "mapping": {"hound": "Dog"}},
            "properties": {"petType": {"type": "string"}, "name": {"type": "string"}}},
        "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"},
            {"type": "object", "required": ["hunting"], "properties": {"hunting": {"enum": ["lazy", "keen"]}}}]},
        "Lion": {"allOf": [{"$ref": "#/components/schemas/Cat"}, {"properties": {"mane": {"type": "boolean", "default": true}}}]},
        "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"bark": {"type": "integer"}}}]},
        "Owner": {"type": "object", "properties": {"pet": {"$ref": "#/components/schemas/Pet"}, "cat": {"$ref": "#/components/schemas/Cat"}}},
    })
}

fn schema(schemas: &Value, name: &str) -> aqueduct_schema::Schema {
    let document = json!({"openapi": "3.0.3", "components": {"schemas": schemas}});
    from_schema(&schema_of(&open_value(&document).library, name))
}

/// A base stands for the types that are put together from it: their fields are kept, and what they demand is demanded.
#[test]
fn a_base_stands_for_its_subtypes() {
    let owner = schema(&pets(), "Owner");
    let of = |pet: Value| json!({ "pet": pet });
    for (pet, is_right) in [
        (json!({"petType": "Cat", "hunting": "lazy"}), true),
        (json!({"petType": "Cat"}), false),
        (json!({"petType": "Cat", "hunting": "never"}), false),
        (json!({"petType": "Lion", "hunting": "keen", "mane": true}), true),
        (json!({"petType": "Lion", "mane": true}), false),
        (json!({"petType": "hound", "bark": 1}), true),
        (json!({"petType": "hound", "bark": "loud"}), false),
        (json!({"petType": "Fish", "name": "n"}), true),
        (json!({"petType": "Fish", "name": 1}), false),
        (json!({"name": "n"}), false),
    ] {
        assert_eq!(owner.accepts(&of(pet.clone())), is_right, "{pet}");
    }
    let problems = owner.problems(&of(json!({"petType": "Cat"})));
    assert_eq!((problems.len(), problems[0].place.as_str()), (1, "pet.hunting"), "{problems:?}");
    let cat = json!({"petType": "Cat", "name": "n", "hunting": "lazy", "more": 1});
    let fitted =
        owner.normalise(&json!({"pet": cat, "cat": {"petType": "Lion", "hunting": "keen", "mane": false}}));
    assert_eq!(fitted.dropped, ["pet.more"]);
    assert_eq!(fitted.value["cat"]["mane"], false, "a subtype has subtypes");
    assert_eq!(fitted.value["pet"].get("mane"), None, "only the chosen type fills its defaults");
    assert!(fitted.mismatches.is_empty(), "{:?}", fitted.mismatches);
    let sample = owner.sample("x").unwrap();
    assert_eq!(sample, json!({}));
    for name in ["Pet", "Cat"] {
        let schema = schema(&pets(), name);
        assert!(
            schema.normalise(&json!({"petType": "Lion", "hunting": "keen", "mane": true})).dropped.is_empty(),
            "{name}"
        );
    }
    let sample = schema(&pets(), "Pet").sample("x").unwrap();
    assert_eq!(sample, json!({"petType": "Cat", "hunting": "lazy"}));
}

/// Of alternatives the property chooses one; that a value would fit another does not help.
#[test]
fn a_property_chooses_the_alternative() {
    let mut schemas = json!({
        "Cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "meow": {"type": "boolean"}}},
        "Dog": {"type": "object", "required": ["kind", "bark"], "properties": {"kind": {"type": "string"}, "bark": {"type": "boolean"}}},
    });
    let both = json!([{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]);
    schemas["Pet"] = json!({"oneOf": both, "discriminator": {"propertyName": "kind", "mapping": {"dog": "#/components/schemas/Dog"}}});
    schemas["List"] =
        json!({"type": "array", "items": {"anyOf": both, "discriminator": {"propertyName": "kind"}}});
    let pet = schema(&schemas, "Pet");
    assert!(!pet.accepts(&json!({"kind": "dog", "meow": true})));
    assert!(pet.accepts(&json!({"kind": "dog", "bark": true})));
    assert!(pet.accepts(&json!({"kind": "Cat", "bark": true})), "fits both, and says which one it is");
    assert!(pet.accepts(&json!({"kind": "other", "meow": true})));
    assert!(!pet.accepts(&json!({"meow": true})));
    assert_eq!(pet.sample("x").unwrap(), json!({"kind": "Cat"}));
    let list = schema(&schemas, "List");
    assert!(!list.accepts(&json!([{"kind": "Dog", "meow": true}])));
    assert!(list.accepts(&json!([{"kind": "Dog", "bark": true}, {"kind": "Cat"}])));
}

/// Swagger 2.0 has the bare name, and Microsoft's documents say the value themselves.
#[test]
fn the_words_of_older_documents() {
    let document = json!({"swagger": "2.0", "definitions": {
        "Disk": {"discriminator": "kind", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
        "Managed": {"x-ms-discriminator-value": "#Managed", "allOf": [{"$ref": "#/definitions/Disk"}],
            "required": ["id"], "properties": {"id": {"type": "string"}}},
        "Const": {"allOf": [{"$ref": "#/definitions/Disk"}, {"properties": {"kind": {"enum": ["const"]}, "size": {"type": "integer"}}}]},
    }});
    let disk = from_schema(&schema_of(&open_value(&document).library, "Disk"));
    assert!(!disk.accepts(&json!({"kind": "#Managed"})));
    assert!(disk.accepts(&json!({"kind": "#Managed", "id": "a"})));
    assert!(!disk.accepts(&json!({"kind": "const", "size": "big"})));
}

/// A base that lists those that are put together from it goes in no circle, and hundreds of subtypes cost little.
#[test]
fn circles_and_many_subtypes() {
    let mut schemas = pets();
    schemas["Pet"]["oneOf"] =
        json!([{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]);
    let library = open_value(&json!({"openapi": "3.0.3", "components": {"schemas": schemas}})).library;
    let node = library.component("schemas", "Owner").unwrap();
    let told = library.schema_with_notes(&library.value(&node), &node);
    assert!(told.warnings.is_empty(), "{:?}", told.warnings);
    let owner = from_schema(&told.schema);
    assert!(owner.accepts(&json!({"pet": {"petType": "Cat", "hunting": "lazy"}})));
    assert!(!owner.accepts(&json!({"pet": {"petType": "Cat"}})));

    let mut many = json!({"Base": {"type": "object", "discriminator": {"propertyName": "k"}, "properties": {"k": {"type": "string"}}},
        "Top": {"type": "object", "properties": {"base": {"$ref": "#/components/schemas/Base"}}}});
    for number in 0..400 {
        many[format!("S{number}")] = json!({"allOf": [{"$ref": "#/components/schemas/Base"}], "properties":
            {format!("f{number}"): {"type": "string"}, "next": {"$ref": "#/components/schemas/Base"}}});
    }
    let library = open_value(&json!({"openapi": "3.0.3", "components": {"schemas": many}})).library;
    let rewritten = schema_of(&library, "Top");
    assert!(rewritten.to_string().len() < 5_000);
    let value = json!({"base": {"k": "S7", "f7": "x", "next": {"k": "S8", "f8": 1}}});
    assert_eq!(from_schema(&rewritten).normalise(&value).value, value);
}
