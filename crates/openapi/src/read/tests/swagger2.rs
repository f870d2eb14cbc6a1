//! Swagger 2.0 in the words of OpenAPI 3.
//!
//! A 2.0 document in; servers, security schemes, parameters, bodies and responses of its translation compared.

use super::{find, open_value, open_with, path};
use serde_json::{Value, json};

fn servers(document: &Value) -> Value {
    open_value(document).library.root()["servers"].clone()
}

#[test]
fn servers_from_host_base_path_and_schemes() {
    let of = |extra: Value| {
        let mut document = json!({"swagger": "2.0"});
        document.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        servers(&document)
    };
    assert_eq!(
        of(json!({"host": "a.example", "basePath": "/v1/", "schemes": ["http", "wss", "https"]})),
        json!([{"url": "https://a.example/v1"}, {"url": "http://a.example/v1"}])
    );
    assert_eq!(of(json!({"host": "a.example:8080"})), json!([{"url": "https://a.example:8080"}]));
    assert_eq!(of(json!({"basePath": "v1"})), json!([{"url": "/v1"}]));
    assert_eq!(of(json!({})), json!([{"url": "/"}]));
}

#[test]
fn security_schemes() {
    let library = open_value(&json!({"swagger": "2.0", "securityDefinitions": {
        "b": {"type": "basic", "description": "d"}, "k": {"type": "apiKey", "in": "header", "name": "X"},
        "o": {"type": "oauth2", "flow": "accessCode", "authorizationUrl": "https://a/auth", "tokenUrl": "https://a/token", "scopes": {"r": "read"}},
        "c": {"type": "oauth2", "flow": "application", "tokenUrl": "https://a/token"}}}))
    .library;
    let scheme = |name: &str| library.value(&library.component("securitySchemes", name).unwrap());
    assert_eq!(scheme("b"), json!({"type": "http", "scheme": "basic", "description": "d"}));
    assert_eq!(scheme("k"), json!({"type": "apiKey", "in": "header", "name": "X"}));
    assert_eq!(
        scheme("o"),
        json!({"type": "oauth2", "flows": {"authorizationCode":
            {"authorizationUrl": "https://a/auth", "tokenUrl": "https://a/token", "scopes": {"r": "read"}}}})
    );
    assert_eq!(scheme("c")["flows"], json!({"clientCredentials": {"tokenUrl": "https://a/token"}}));
    assert_eq!(library.component_names("securitySchemes").count(), 4);
}

fn item(document: &Value) -> Value {
    let library = open_value(document).library;
    library.path_item(&path(&library, "/a")).unwrap().value.into_owned()
}

#[test]
fn parameters_and_their_styles() {
    let list = |kind: &str, format: &str| json!({"name": "x", "in": kind, "type": "array", "items": {"type": "string"}, "collectionFormat": format});
    let item = item(&json!({"swagger": "2.0", "paths": {"/a": {
        "parameters": [{"name": "id", "in": "path", "required": true, "type": "integer", "format": "int64", "maximum": 9}],
        "get": {"parameters": [list("query", "multi"), list("query", "csv"), list("query", "ssv"), list("query", "tsv"),
            list("query", "pipes"), list("header", "csv")]}}}}));
    assert_eq!(
        item["parameters"][0],
        json!({"name": "id", "in": "path", "required": true, "schema": {"type": "integer", "format": "int64", "maximum": 9}})
    );
    let styles: Vec<_> = item["get"]["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| (each["style"].as_str().unwrap(), each["explode"].as_bool().unwrap()))
        .collect();
    assert_eq!(
        styles,
        [
            ("form", true),
            ("form", false),
            ("spaceDelimited", false),
            ("tabDelimited", false),
            ("pipeDelimited", false),
            ("simple", false)
        ]
    );
    assert_eq!(item["get"]["parameters"][0]["schema"], json!({"type": "array", "items": {"type": "string"}}));
}

#[test]
fn bodies_and_responses() {
    let item = item(
        &json!({"swagger": "2.0", "consumes": ["application/json", "application/xml"], "produces": ["text/csv"],
        "parameters": {"Body": {"name": "b", "in": "body", "required": true, "description": "d", "schema": {"$ref": "#/definitions/Pet"}}},
        "responses": {"Gone": {"description": "gone"}},
        "definitions": {"Pet": {"type": "object"}},
        "paths": {"/a": {
            "post": {"operationId": "p", "parameters": [{"$ref": "#/parameters/Body"}],
                "responses": {"200": {"description": "ok", "schema": {"$ref": "#/definitions/Pet"}, "headers": {"X-A": {"type": "integer", "description": "h"}}},
                    "410": {"$ref": "#/responses/Gone"}}},
            "get": {"produces": ["image/png"], "responses": {"200": {"description": "ok", "schema": {"type": "file"}}}}}}}),
    );
    assert_eq!(
        item["post"],
        json!({"operationId": "p", "parameters": [],
            "responses": {"200": {"description": "ok", "headers": {"X-A": {"schema": {"type": "integer"}, "description": "h"}},
                "content": {"text/csv": {"schema": {"$ref": "#/definitions/Pet"}}}}, "410": {"description": "gone"}},
            "requestBody": {"description": "d", "required": true, "content": {
                "application/json": {"schema": {"$ref": "#/definitions/Pet"}}, "application/xml": {"schema": {"$ref": "#/definitions/Pet"}}}}})
    );
    assert_eq!(
        item["get"]["responses"]["200"]["content"],
        json!({"image/png": {"schema": {"type": "string", "format": "binary"}}})
    );
}

/// Without a word on media types a file is bytes, and everything else JSON.
#[test]
fn responses_of_no_stated_type() {
    let item = item(&json!({"swagger": "2.0", "paths": {"/a": {
        "get": {"responses": {"200": {"description": "ok", "schema": {"type": "file"}}}},
        "put": {"responses": {"200": {"description": "ok", "schema": {"type": "object"}}}}}}}));
    let content = |method: &str| item[method]["responses"]["200"]["content"].clone();
    let bytes = json!({"schema": {"type": "string", "format": "binary"}});
    assert_eq!(content("get"), json!({"application/octet-stream": bytes}));
    assert_eq!(content("put"), json!({"application/json": {"schema": {"type": "object"}}}));
}

#[test]
fn forms_and_files() {
    let item = item(&json!({"swagger": "2.0", "paths": {"/a": {
        "parameters": [{"name": "shared", "in": "formData", "type": "string"}],
        "post": {"parameters": [{"name": "n", "in": "formData", "type": "integer", "required": true, "description": "d"},
            {"name": "l", "in": "formData", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"}]},
        "put": {"consumes": ["multipart/form-data", "application/x-www-form-urlencoded"],
            "parameters": [{"name": "f", "in": "formData", "type": "file"}, {"name": "shared", "in": "formData", "type": "boolean"}]}}}}));
    assert_eq!(
        item["post"]["requestBody"],
        json!({"required": true, "content": {"application/x-www-form-urlencoded": {
            "schema": {"type": "object", "properties": {"shared": {"type": "string"}, "n": {"type": "integer", "description": "d"},
                "l": {"type": "array", "items": {"type": "string"}}}, "required": ["n"]},
            "encoding": {"l": {"style": "form", "explode": true}}}}})
    );
    assert_eq!(
        item["put"]["requestBody"],
        json!({"required": false, "content": {"multipart/form-data": {
            "schema": {"type": "object", "properties": {"f": {"type": "string", "format": "binary"}, "shared": {"type": "boolean"}}}}}})
    );
    assert_eq!(item["parameters"], json!([]));
}

/// S-openapi-3: parameters and path items in other files keep their own references.
#[test]
fn through_several_files() {
    let opened = open_with(
        "api.json",
        &[
            (
                "api.json",
                r##"{"swagger": "2.0", "paths": {"/a": {"post": {"parameters": [{"$ref": "common.json#/parameters/B"}]}},
                "/b": {"$ref": "common.json#/items/b"}}, "definitions": {"Pet": {"title": "of api"}}}"##,
            ),
            (
                "common.json",
                r##"{"parameters": {"B": {"name": "b", "in": "body", "schema": {"$ref": "#/definitions/Pet"}}},
                "items": {"b": {"put": {"parameters": [{"$ref": "#/parameters/B"}]}}}, "definitions": {"Pet": {"title": "of common"}}}"##,
            ),
        ],
        &[],
    );
    assert_eq!(opened.warnings, Vec::<String>::new());
    let library = opened.library;
    for (template, method) in [("/a", "post"), ("/b", "put")] {
        let tokens = [method, "requestBody", "content", "application/json", "schema"];
        let found = find(&library, template, &tokens).unwrap();
        assert_eq!((&found.value["title"], found.name.as_deref()), (&json!("of common"), Some("Pet")));
        let item = library.path_item(&path(&library, template)).unwrap();
        let schema = &item.value[method]["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(library.schema(schema, &item.location)["$defs"]["Pet"], json!({"title": "of common"}));
    }
}
