//! Bodies and types that a property chooses between.
//!
//! Documents with a `discriminator` in; the fields of all subtypes, and the values that choose them, out.

use super::{accepts, document, import, names, param};
use aqueduct_operations::example::minimal_params;
use aqueduct_operations::types::TypeBody;
use serde_json::{Value, json};

fn pets() -> Value {
    let body = |schema: Value| json!({"requestBody": {"required": true, "content": {"application/json": {"schema": schema}}}});
    let pet = json!({"$ref": "#/components/schemas/Pet"});
    let mut wanted = document(json!({
        "/pets": {"post": body(pet.clone())},
        "/wrapped": {"post": body(json!({"type": "object", "required": ["pet"], "properties": {"pet": pet}}))},
        "/either": {"post": body(json!({"$ref": "#/components/schemas/Either"}))},
    }));
    wanted["components"] = json!({"schemas": {
        "Pet": {"type": "object", "required": ["petType"], "discriminator": {"propertyName": "petType"},
            "properties": {"petType": {"type": "string"}, "name": {"type": "string"}}},
        "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"},
            {"type": "object", "required": ["hunting"], "properties": {"hunting": {"type": "string", "enum": ["lazy", "keen"]}}}]},
        "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"bark": {"type": "integer"}}}]},
        "Either": {"oneOf": [{"$ref": "#/components/schemas/Round"}, {"$ref": "#/components/schemas/Square"}],
            "discriminator": {"propertyName": "form", "mapping": {"o": "Round"}}},
        "Round": {"type": "object", "required": ["form", "radius"], "properties": {"form": {"type": "string"}, "radius": {"type": "number"}}},
        "Square": {"type": "object", "required": ["form", "side"], "properties": {"form": {"type": "string"}, "side": {"type": "number"}}},
    }});
    wanted
}

/// The fields of all subtypes are parameters, with the values that they go with; an example is of a real type.
#[test]
fn fields_of_subtypes_are_parameters() {
    let loaded = import(&pets()).loaded.unwrap();
    let [add, wrap, either] = &loaded.operations[..] else { panic!("{:?}", loaded.operations) };
    assert_eq!(names(add), ["pet_type", "name", "hunting", "bark"]);
    let chosen = param(add, "pet_type");
    assert_eq!(chosen.shape.allowed, Some(vec![json!("Cat"), json!("Dog")]));
    assert!(accepts(chosen, &json!("Fish")), "the values are told, and not all that there may be");
    assert_eq!(param(add, "hunting").description.as_deref(), Some("Required with petType: Cat"));
    assert_eq!(param(add, "bark").description.as_deref(), Some("With petType: Dog"));
    assert!(!param(add, "hunting").required && chosen.required);
    assert_eq!(Value::Object(minimal_params(add)), json!({"pet_type": "Cat"}));
    let pet = param(wrap, "pet");
    assert!(!accepts(pet, &json!({"petType": "Cat"})) && accepts(pet, &json!({"petType": "Dog", "bark": 1})));
    assert_eq!(Value::Object(minimal_params(wrap)), json!({"pet": {"petType": "Cat", "hunting": "lazy"}}));
    assert_eq!(names(either), ["body"]);
    assert_eq!(Value::Object(minimal_params(either)), json!({"body": {"form": "o", "radius": 1}}));
    assert!(!accepts(&either.params[0], &json!({"form": "Square", "radius": 1})));
}

/// Introspection of types names the values.
#[test]
fn types_name_the_values() {
    let types = import(&pets()).loaded.unwrap().source.types;
    let values = |type_name: &str, field: &str| {
        let def = types.iter().find(|each| each.name == type_name).unwrap();
        let TypeBody::Object(fields) = &def.body else { panic!("{def:?}") };
        fields.iter().find(|each| each.name == field).unwrap().shape.allowed.clone().unwrap_or_default()
    };
    assert_eq!(values("Pet", "petType"), ["Cat", "Dog"]);
    assert_eq!(values("Round", "form"), ["o"]);
    assert_eq!(values("Square", "form"), ["Square"]);
}

/// So many subtypes are no list of fields.
#[test]
fn many_subtypes_are_one_value() {
    let mut wanted = pets();
    for number in 0..100 {
        wanted["components"]["schemas"][format!("S{number}")] = json!({"allOf": [{"$ref": "#/components/schemas/Pet"}], "properties": {format!("f{number}"): {}}});
    }
    let loaded = import(&wanted).loaded.unwrap();
    assert_eq!(names(&loaded.operations[0]), ["body"]);
}
