//! Request bodies: media types, fields, forms and files.
//!
//! The request body of one operation in; the parameters it becomes, what they accept and how the body is sent out.

use super::{accepts, document, import, names, one, operations, param, target};
use aqueduct_operations::example::minimal_params;
use aqueduct_operations::operation::{Grouping, Operation};
use aqueduct_operations::params::{ParamEncoding, ParamStyle};
use aqueduct_operations::response::OmittedFields;
use aqueduct_operations::target::BodyFormat;
use serde_json::{Value, json};

fn post(content: Value) -> Operation {
    one(
        "post",
        "/a",
        json!({"operationId": "create_a", "requestBody": {"required": true, "content": content}}),
    )
}

fn json_body(schema: Value) -> Operation {
    post(json!({"application/json": {"schema": schema}}))
}

/// S-openapi-15 S-openapi-5: fields of an object become parameters and the body is JSON.
#[test]
fn fields_become_parameters() {
    let operation = json_body(json!({
        "allOf": [
            {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "id": {"type": "integer", "readOnly": true}}},
            {"properties": {"bornOn": {"type": "string"}, "name": {"maxLength": 3}}, "required": ["bornOn", "undescribed"]},
        ],
    }));
    assert_eq!(names(&operation), ["name", "born_on", "undescribed"]);
    assert!(operation.params.iter().all(|each| each.is_body() && each.required));
    assert_eq!(param(&operation, "born_on").upstream_name, "bornOn");
    assert!(
        accepts(param(&operation, "name"), &json!("abc"))
            && !accepts(param(&operation, "name"), &json!("abcd"))
    );
    assert!(!accepts(param(&operation, "name"), &json!(1)));
    assert_eq!((target(&operation).body, operation.grouping), (BodyFormat::Json, Grouping::Flat));
    let optional = one(
        "post",
        "/a",
        json!({"requestBody": {"content": {"application/json": {"schema": {
        "type": "object", "required": ["a"], "properties": {"a": {}}}}}}}),
    );
    assert!(!param(&optional, "a").required, "an optional body asks for nothing");
    assert_eq!(target(&optional).body_needs, ["a"], "or for all of it");
    assert_eq!(param(&optional, "a").description.as_deref(), Some("Required when a body is sent"));
    assert_eq!(Value::Object(minimal_params(&optional)), json!({"a": "a"}));
}

/// What is known beforehand is sent without asking, in bodies as elsewhere.
#[test]
fn fixed_fields() {
    let operation = json_body(json!({"type": "object", "required": ["kind", "only", "free"], "properties": {
        "kind": {"type": "string", "default": "x"}, "only": {"type": "string", "enum": ["one"]},
        "free": {"type": "string"}, "wrong": {"type": "string", "default": 1}, "optional": {"default": 9},
    }}));
    let required: Vec<&str> =
        operation.params.iter().filter(|each| each.required).map(|each| each.name.as_str()).collect();
    assert_eq!(required, ["free"]);
    assert_eq!(param(&operation, "kind").default, Some(json!("x")));
    assert_eq!(param(&operation, "only").default, Some(json!("one")));
    assert_eq!(param(&operation, "optional").default, None);
}

/// Text in another form than plain says so; that its schema is not applied is in the report.
#[test]
fn text_says_what_it_is() {
    for (media, words) in [
        ("application/xml", Some("XML text (application/xml)")),
        ("application/soap+xml; charset=utf-8", Some("XML text (application/soap+xml)")),
        ("application/x-ndjson", Some("Lines, each a JSON value (application/x-ndjson)")),
        ("text/plain", None),
    ] {
        let content =
            json!({media: {"schema": {"type": "object", "description": "A thing", "properties": {"a": {}}}}});
        let imported = import(&document(json!({"/a": {"post": {"requestBody": {"content": content}}}})));
        let operation = &imported.loaded.unwrap().operations[0];
        assert_eq!(operation.params[0].description.as_deref(), words, "{media}");
        assert!(
            imported.report.warnings.iter().any(|warning| warning.what.contains("its schema is not applied"))
        );
    }
}

/// Ruling W8: a PUT is merged where what is read and what is written agree in names and types; then what is there need not
/// be sent, and what the API only shows is not written back. Everywhere else all of it is asked for.
#[test]
fn merged_updates() {
    let text = json!({"type": "string"});
    let of = |body: &Value, shown: Option<&Value>| {
        let content = |schema: &Value| json!({"application/json": {"schema": schema}});
        let mut item = json!({"put": {"operationId": "update_a", "requestBody": {"required": true, "content": content(body)}}});
        if let Some(shown) = shown {
            item["get"] = json!({"operationId": "get_a", "responses": {"200": {"description": "ok", "content": content(shown)}}});
        }
        let all = operations(&document(json!({"/a/{id}": item})));
        all.into_iter().find(|each| each.name == "update_a").unwrap()
    };
    let body = json!({"type": "object", "required": ["a"], "properties": {"a": text, "seen": {"type": "string", "readOnly": true}}});
    let merged = of(&body, Some(&body));
    assert!(merged.update.merge && !param(&merged, "a").required);
    assert_eq!(target(&merged).body_needs, ["a"]);
    assert_eq!(merged.update.leaves_out, OmittedFields::These(vec!["seen".to_owned()]));
    let mut closed = body.clone();
    closed["additionalProperties"] = json!(false);
    assert_eq!(of(&closed, Some(&closed)).update.leaves_out, OmittedFields::Undeclared);
    let alone = of(&body, None);
    assert!(!alone.update.merge && param(&alone, "a").required, "nothing reads what is there");
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    let inner = |kind: &str| object(json!({"x": {"type": kind}}));
    for (shown, taken, agrees) in [
        (
            object(json!({"a": text, "b": {"type": "integer"}})),
            object(json!({"b": {"type": "integer"}, "a": text})),
            true,
        ),
        (object(json!({"a": text, "id": text})), object(json!({"a": text})), true),
        (
            object(json!({"a": text, "at": {"type": "string", "readOnly": true}})),
            object(json!({"a": text})),
            true,
        ),
        (object(json!({"a": inner("string")})), object(json!({"a": inner("string")})), true),
        (object(json!({"a": text, "url": text})), object(json!({"a": text})), false),
        (object(json!({"a": text})), object(json!({"a": text, "b": text})), false),
        (object(json!({"a": {"type": "boolean"}})), object(json!({"a": text})), false),
        (object(json!({"a": inner("string")})), object(json!({"a": inner("integer")})), false),
        (
            object(json!({"a": object(json!({"enabled": {"type": "boolean"}}))})),
            object(json!({"a": {"type": "boolean"}})),
            false,
        ),
        (
            object(json!({"a": {"type": "array", "items": text}})),
            object(json!({"a": {"type": "array", "items": inner("string")}})),
            false,
        ),
        (json!({"type": "array", "items": text}), object(json!({"a": text})), false),
        (json!({"oneOf": [object(json!({"a": text}))]}), object(json!({"a": text})), false),
    ] {
        assert_eq!(of(&taken, Some(&shown)).update.merge, agrees, "{shown} {taken}");
    }
}

/// YAML takes `1.5` for a number; among the values of a text it is text.
#[test]
fn numbers_among_the_values_of_a_text() {
    for schema in [
        json!({"type": "string", "enum": [1.5, 2, "x"]}),
        json!({"type": "string", "enum": [1.5, 2, "x"], "pattern": "."}),
    ] {
        let operation = json_body(json!({"type": "object", "properties": {"version": schema}}));
        let version = param(&operation, "version");
        assert!(accepts(version, &json!("1.5")) && accepts(version, &json!("2")));
        assert!(!accepts(version, &json!(1.5)));
    }
}

/// Bodies that are no plain object are one parameter, checked as a whole.
#[test]
fn whole_bodies() {
    for (schema, good, bad) in [
        (json!({"type": "array", "items": {"type": "integer"}}), json!([1]), json!(["a"])),
        (
            json!({"oneOf": [{"type": "object", "required": ["a"]}, {"type": "string"}]}),
            json!("x"),
            json!({}),
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            json!({"x": 1}),
            json!({"x": "a"}),
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": true}),
            json!({"z": 1}),
            json!({"a": "b"}),
        ),
        (json!({"type": "string"}), json!("x"), json!(1)),
    ] {
        let operation = json_body(schema.clone());
        assert_eq!(names(&operation), ["body"], "{schema}");
        assert_eq!(target(&operation).whole_body.as_deref(), Some("body"));
        assert!(accepts(param(&operation, "body"), &good), "{schema}");
        assert!(!accepts(param(&operation, "body"), &bad), "{schema}");
    }
    let beside = one(
        "post",
        "/a",
        json!({
            "parameters": [{"name": "body", "in": "query", "schema": {"type": "string"}}],
            "requestBody": {"content": {"application/json": {"schema": {"type": "array"}}}},
        }),
    );
    assert_eq!(target(&beside).whole_body.as_deref(), Some("body_body"));
}

/// Decision 9: fields of an UPDATE travel in `input`; a body that is no object is `input` itself.
#[test]
fn updates() {
    let of = |schema: Value| {
        one("put", "/a/{id}", json!({"requestBody": {"content": {"application/json": {"schema": schema}}}}))
    };
    let fields = of(json!({"type": "object", "properties": {"a": {}}}));
    assert_eq!((fields.grouping, names(&fields)), (Grouping::Input, vec!["id", "a"]));
    let whole = of(json!({"type": "array"}));
    assert_eq!((whole.grouping, names(&whole)), (Grouping::WholeInput, vec!["id", "input"]));
    assert_eq!(target(&whole).whole_body.as_deref(), Some("input"));
    let nothing = one("put", "/a/{id}", json!({}));
    assert_eq!(nothing.grouping, Grouping::Flat);
}

/// One media type is chosen, its exact name kept, and the others are told.
#[test]
fn media_types() {
    for (types, format, exact) in [
        (vec!["text/plain", "multipart/form-data", "application/json"], BodyFormat::Json, None),
        (vec!["application/x-www-form-urlencoded", "application/json"], BodyFormat::Json, None),
        (vec!["application/vnd.x+json"], BodyFormat::Json, Some("application/vnd.x+json")),
        (vec!["application/json; charset=utf-8"], BodyFormat::Json, Some("application/json; charset=utf-8")),
        (vec!["multipart/form-data", "application/x-www-form-urlencoded"], BodyFormat::Form, None),
        (vec!["application/octet-stream", "text/csv"], BodyFormat::Text, Some("text/csv")),
        (vec!["image/png", "application/octet-stream"], BodyFormat::Bytes, None),
        (vec!["image/png"], BodyFormat::Bytes, Some("image/png")),
        (vec!["application/xml"], BodyFormat::Text, Some("application/xml")),
        (vec!["*/*"], BodyFormat::Json, None),
    ] {
        let content: serde_json::Map<String, Value> = types
            .iter()
            .map(|name| ((*name).to_owned(), json!({"schema": {"type": "object", "properties": {"a": {}}}})))
            .collect();
        let imported = import(&document(json!({"/a": {"post": {"requestBody": {"content": content}}}})));
        let operation = &imported.loaded.unwrap().operations[0];
        assert_eq!(
            (target(operation).body, target(operation).content_type.as_deref()),
            (format, exact),
            "{types:?}"
        );
        let told = imported.report.warnings.iter().any(|warning| warning.what.contains("may also be"));
        assert_eq!(told, types.len() > 1, "{types:?}");
    }
    let bytes = post(json!({"application/octet-stream": {}}));
    assert_eq!(names(&bytes), ["body"]);
    assert!(!accepts(&bytes.params[0], &json!("no base64!")));
    let text = post(json!({"text/plain": {"schema": {"type": "string", "maxLength": 2}}}));
    assert!(accepts(&text.params[0], &json!("ab")) && !accepts(&text.params[0], &json!("abc")));
}

/// Forms: what the document says of a field, and what is done where it says nothing.
#[test]
fn forms() {
    let operation = post(json!({"application/x-www-form-urlencoded": {
        "schema": {"type": "object", "properties": {
            "expand": {"type": "array", "items": {"type": "string"}},
            "metadata": {"type": "object", "additionalProperties": {"type": "string"}},
            "tags": {"type": "array", "items": {"type": "string"}},
            "lines": {"type": "array", "items": {"type": "object", "properties": {"a": {}}}},
            "name": {"type": "string"},
        }},
        "encoding": {"expand": {"style": "deepObject", "explode": true}},
    }}));
    let rule = |name: &str| {
        target(&operation).parts.iter().find(|(each, _)| each == name).and_then(|(_, rule)| rule.writing)
    };
    let writing = |style| Some(ParamEncoding { style, explode: true, allow_reserved: false });
    assert_eq!(rule("expand"), writing(ParamStyle::DeepObject));
    assert_eq!(rule("metadata"), writing(ParamStyle::DeepObject));
    assert_eq!(rule("lines"), writing(ParamStyle::DeepObject));
    assert_eq!(rule("tags"), writing(ParamStyle::Form));
    assert_eq!(rule("name"), None);
}

/// A pain of other importers: uploads keep their content. Files come as base64, with a name if wanted.
#[test]
fn files() {
    let operation = post(json!({"multipart/form-data": {
        "schema": {"type": "object", "required": ["file"], "properties": {
            "file": {"type": "string", "format": "binary"},
            "many": {"type": "array", "items": {"type": "string", "format": "binary"}},
            "icon": {"type": "string", "contentMediaType": "image/png"},
            "photo": {"type": "string"},
            "about": {"type": "object", "properties": {"a": {}}},
            "title": {"type": "string"},
        }},
        "encoding": {"photo": {"contentType": "image/jpeg, image/png"}, "about": {"contentType": "application/json"}},
    }}));
    let rule = |name: &str| {
        target(&operation).parts.iter().find(|(each, _)| each == name).map(|(_, rule)| rule.clone())
    };
    for name in ["file", "many", "icon", "photo"] {
        assert!(rule(name).unwrap().is_file, "{name}");
    }
    assert_eq!(rule("photo").unwrap().content_type.as_deref(), Some("image/jpeg"));
    let about = rule("about").unwrap();
    assert_eq!((about.is_file, about.content_type.as_deref()), (false, Some("application/json")));
    assert!(rule("title").is_none());
    let file = param(&operation, "file");
    assert_eq!(Value::Object(minimal_params(&operation)), json!({"file": "ZXhhbXBsZQ=="}));
    assert!(accepts(file, &json!("aGk=")) && accepts(file, &json!({"content": "aGk=", "filename": "a.txt"})));
    assert!(!accepts(file, &json!({"filename": "a.txt"})) && !accepts(file, &json!(7)));
    assert!(accepts(param(&operation, "many"), &json!(["aGk="])));
}

/// Fields that must go together are checked together, so their body stays whole; what a flattened one no longer checks is
/// told.
#[test]
fn rules_over_several_fields() {
    let import = |schema: Value| {
        import(&document(
            json!({"/a": {"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}}}}),
        ))
    };
    let together = import(
        json!({"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
    );
    let operation = &together.loaded.unwrap().operations[0];
    assert_eq!(names(operation), ["body"]);
    let body = param(operation, "body");
    assert!(accepts(body, &json!({"b": 1})) && !accepts(body, &json!({})));
    let counted = import(json!({"type": "object", "properties": {"a": {}, "b": {}}, "minProperties": 1}));
    assert_eq!(names(&counted.loaded.unwrap().operations[0]), ["a", "b"]);
    assert!(counted.report.warnings.iter().any(|warning| warning.what.contains("minProperties")));
}

/// A pain of other importers: nested and circular references.
#[test]
fn circular_references() {
    let mut wanted =
        document(json!({"/a": {"post": {"requestBody": {"$ref": "#/components/requestBodies/Tree"}}}}));
    wanted["components"] = json!({
        "requestBodies": {"Tree": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}},
        "schemas": {
            "Node": {"type": "object", "required": ["value"], "properties": {
                "value": {"$ref": "#/components/schemas/Value"},
                "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
            }},
            "Value": {"type": "integer"},
            "Loop": {"allOf": [{"$ref": "#/components/schemas/Loop"}]},
        },
    });
    let operation = &operations(&wanted)[0];
    assert_eq!(names(operation), ["value", "children"]);
    let children = param(operation, "children");
    assert_eq!(children.shape.shown_type(), "Node[]");
    assert!(accepts(children, &json!([{"value": 1, "children": [{"value": 2}]}])));
    assert!(!accepts(children, &json!([{"value": 1, "children": [{"value": "x"}]}])));
    wanted["paths"]["/b"] = json!({"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Loop"}}}}}});
    assert_eq!(operations(&wanted).len(), 2);
}

/// Ways that double at every step end all the same.
#[test]
fn many_ways_to_the_same_place() {
    let mut schemas = serde_json::Map::new();
    for number in 0..60 {
        let next = json!({"$ref": format!("#/components/schemas/S{}", (number + 1) % 60)});
        let branches = json!([next, next, next]);
        let key = if number % 2 == 0 { "allOf" } else { "oneOf" };
        schemas.insert(format!("S{number}"), json!({key: branches}));
    }
    let body = json!({"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}});
    let answers = json!({"200": body.clone()});
    let mut wanted =
        document(json!({"/a": {"post": {"requestBody": body}, "get": {"responses": answers, "parameters": [
            {"name": "limit", "in": "query", "schema": {"$ref": "#/components/schemas/S1"}},
        ]}}}));
    wanted["components"] = json!({"schemas": schemas});
    assert_eq!(operations(&wanted).len(), 2);
}

/// A body of very many fields is one parameter, which loses nothing.
#[test]
fn very_many_fields_are_one_parameter() {
    let most = super::super::MOST_PARAMS;
    let fields: serde_json::Map<String, Value> =
        (0..=most * 10).map(|number| (format!("f{number}"), json!({"type": "string"}))).collect();
    let body = json!({"content": {"application/json": {"schema": {"type": "object", "properties": fields}}}});
    let operation = one("post", "/a", json!({"requestBody": body}));
    assert_eq!(super::names(&operation), ["body"]);
    assert!(super::accepts(&operation.params[0], &json!({"f1": "x"})));
    assert!(!super::accepts(&operation.params[0], &json!({"f1": 1})));
}

/// S-openapi-15: a field of a form that is JSON by its `encoding` is written so; headers of parts are named as lost.
#[test]
fn encodings_of_fields() {
    let body = |media: &str, encoding: Value| {
        json!({"content": {media: {
            "schema": {"type": "object", "properties": {"j": {"type": "object"}, "t": {"type": "string"}}},
            "encoding": encoding,
        }}})
    };
    let json_typed =
        json!({"j": {"contentType": "application/json"}, "t": {"contentType": "application/json"}});
    let operation =
        one("post", "/a", json!({"requestBody": body("application/x-www-form-urlencoded", json_typed)}));
    let rules = &super::target(&operation).parts;
    assert_eq!(rules.len(), 1, "text may be JSON already: {rules:?}");
    assert_eq!(
        (rules[0].0.as_str(), rules[0].1.writing.unwrap().style),
        ("j", aqueduct_operations::params::ParamStyle::Json)
    );
    let with_headers = json!({"j": {"headers": {"X-Part": {"schema": {"type": "string"}}}}});
    let wanted =
        super::document(json!({"/a": {"post": {"requestBody": body("multipart/form-data", with_headers)}}}));
    let warnings = super::import(&wanted).report.warnings;
    assert!(warnings.iter().any(|each| each.what.contains("headers of single parts")), "{warnings:?}");
}

/// Swagger 2.0: `x-nullable` fields take null, plain ones and those that are referred to.
#[test]
fn x_nullable() {
    let made = super::operations(&json!({
        "swagger": "2.0",
        "info": {"title": "Pet Shop", "version": "1.0"},
        "host": "api.example.com",
        "schemes": ["https"],
        "paths": {"/a": {"post": {"parameters": [{"name": "b", "in": "body", "schema": {"type": "object", "properties": {
            "plain": {"type": "string", "x-nullable": true},
            "referred": {"$ref": "#/definitions/N", "x-nullable": true},
            "strict": {"type": "string"},
        }}}]}}},
        "definitions": {"N": {"type": "integer"}},
    }));
    for (name, takes_null) in [("plain", true), ("referred", true), ("strict", false)] {
        assert_eq!(super::accepts(super::param(&made[0], name), &Value::Null), takes_null, "{name}");
    }
}
