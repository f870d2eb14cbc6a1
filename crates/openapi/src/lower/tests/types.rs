//! Declared types: what can be asked about the objects of requests and answers.
//!
//! Paths and component schemas in, the declared types and their fields out. Names are unique, and circles end.

use super::{document, import, param};
use aqueduct_operations::types::{TypeBody, TypeDef};
use serde_json::{Value, json};

fn types(paths: Value, schemas: Value) -> Vec<TypeDef> {
    let mut wanted = document(paths);
    wanted["components"] = json!({"schemas": schemas});
    import(&wanted).loaded.unwrap().source.types
}

fn fields(types: &[TypeDef], name: &str) -> Vec<String> {
    let names: Vec<&str> = types.iter().map(|each| each.name.as_str()).collect();
    let def =
        types.iter().find(|each| each.name == name).unwrap_or_else(|| panic!("no {name} among {names:?}"));
    match &def.body {
        TypeBody::Object(fields) => {
            fields.iter().map(|field| format!("{}: {}", field.name, field.shape.shown_type())).collect()
        }
        TypeBody::Union(members) => members.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn requests_are_described_all_the_way() {
    let paths = json!({"/a": {"post": {"operationId": "makeA", "requestBody": {"content": {"application/json": {"schema": {
        "type": "object", "properties": {
            "owner": {"$ref": "#/components/schemas/simple-user"},
            "options": {"type": "object", "properties": {"deep": {"type": "object", "properties": {"x": {"type": "integer"}}}}},
            "shape": {"oneOf": [{"$ref": "#/components/schemas/Circle"}, {"$ref": "#/components/schemas/Square"}]},
        },
    }}}}}}});
    let schemas = json!({
        "simple-user": {"type": "object", "required": ["login"], "properties": {
            "login": {"type": "string"},
            "plan": {"$ref": "#/components/schemas/Plan"},
            "boss": {"$ref": "#/components/schemas/simple-user"},
        }},
        "Plan": {"type": "object", "properties": {"price": {"type": "number"}}},
        "Circle": {"type": "object", "properties": {"r": {"type": "number"}}},
        "Square": {"type": "object", "properties": {"a": {"type": "number"}}},
        "Unused": {"type": "object", "properties": {"a": {}}},
    });
    let mut wanted = document(paths.clone());
    wanted["components"] = json!({"schemas": schemas.clone()});
    let loaded = import(&wanted).loaded.unwrap();
    let operation = &loaded.operations[0];
    assert_eq!(param(operation, "owner").shape.shown_type(), "SimpleUser");
    assert_eq!(param(operation, "options").shape.shown_type(), "MakeAOptions");
    let types = types(paths, schemas);
    assert_eq!(fields(&types, "SimpleUser"), ["login: string", "plan: Plan", "boss: SimpleUser"]);
    assert_eq!(fields(&types, "Plan"), ["price: number"]);
    assert_eq!(fields(&types, "MakeAOptions"), ["deep: MakeAOptionsDeep"]);
    assert_eq!(fields(&types, "MakeAOptionsDeep"), ["x: integer"]);
    assert_eq!(fields(&types, "MakeAShape"), ["Circle", "Square"]);
    assert!(!types.iter().any(|each| each.name == "Unused"));
}

/// Every name that a type uses is declared.
#[test]
fn answers_are_described_one_level_deep() {
    let answer =
        json!({"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}});
    let types = types(
        json!({"/a": {"get": {"responses": answer}}}),
        json!({
            "Pet": {"allOf": [{"$ref": "#/components/schemas/Animal"}, {"properties": {"owner": {"$ref": "#/components/schemas/Owner"}}}]},
            "Animal": {"type": "object", "properties": {"legs": {"type": "integer"}}},
            "Owner": {"type": "object", "properties": {"name": {"type": "string"}}},
        }),
    );
    assert_eq!(types.len(), 1);
    assert_eq!(fields(&types, "Pet"), ["legs: integer", "owner: object"]);
}

#[test]
fn names_are_unique() {
    let answer = |name: &str| json!({"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}}}}}});
    let object = |field: &str| json!({"type": "object", "properties": {field: {}}});
    let types = types(
        json!({"/a": answer("my-pet"), "/b": answer("MyPet"), "/c": answer("my-pet")}),
        json!({"my-pet": object("a"), "MyPet": object("b")}),
    );
    let names: Vec<&str> = types.iter().map(|each| each.name.as_str()).collect();
    assert_eq!(names, ["MyPet", "MyPet2"]);
}

/// A reference in `allOf` with words beside it is still that type, and circles of types without names end.
#[test]
fn circles_of_types() {
    let body = |name: &str| {
        json!({"post": {"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {
            "a": {"$ref": format!("#/components/schemas/{name}")},
        }}}}}}})
    };
    let described = types(
        json!({"/a": body("Slot")}),
        json!({"Slot": {"type": "object", "properties": {
            "sub": {"allOf": [{"$ref": "#/components/schemas/Slot"}, {"description": "Below it", "xml": {}}]},
        }}}),
    );
    assert_eq!(described.len(), 1);
    assert_eq!(fields(&described, "Slot"), ["sub: Slot"]);
    let merged = types(
        json!({"/a": body("Slot")}),
        json!({"Slot": {"type": "object", "properties": {
            "sub": {"allOf": [{"$ref": "#/components/schemas/Slot"}, {"properties": {"more": {"type": "string"}}}]},
        }}}),
    );
    assert!(merged.len() < 10, "{}", merged.len());
}
