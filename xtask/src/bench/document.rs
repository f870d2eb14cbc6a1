//! An OpenAPI document of any size, the same for everybody who is measured.
//! A number of operations in, a document out.

use serde_json::{Map, Value, json};

/// The operation that is called, and as many others as there are to be.
pub fn openapi(operations: usize, base_url: &str) -> Value {
    let mut paths = Map::new();
    paths.insert("/pet/{petId}".to_owned(), json!({"get": get("getPetById", "Get one pet", "petId")}));
    for number in 1..operations {
        let path = format!("/shelf{number}/{{itemId}}");
        let about = format!("Get an item of shelf {number}");
        paths.insert(path, json!({"get": get(&format!("getShelf{number}Item"), &about, "itemId")}));
    }
    json!({
        "openapi": "3.0.3",
        "info": {"title": "pets", "version": "1.0.0"},
        "servers": [{"url": base_url}],
        "paths": paths,
    })
}

fn get(name: &str, about: &str, parameter: &str) -> Value {
    json!({
        "operationId": name,
        "description": about,
        "parameters": [{"name": parameter, "in": "path", "required": true, "schema": {"type": "integer"}}],
        "responses": {"200": {
            "description": "What is there",
            "content": {"application/json": {"schema": {"type": "object"}}},
        }},
    })
}

#[cfg(test)]
mod tests;
