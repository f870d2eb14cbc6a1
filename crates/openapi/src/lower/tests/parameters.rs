//! Parameters: places, styles, names, types.
//!
//! The parameters of one operation in; their public names, where and how each is sent, and what is accepted out.

use super::{accepts, document, import, names, one, operations, param, target};
use aqueduct_operations::params::{ParamEncoding, ParamLocation, ParamStyle};
use aqueduct_operations::target::Segment;
use serde_json::{Value, json};

fn with_params(path: &str, params: Value) -> aqueduct_operations::operation::Operation {
    one("get", path, json!({"parameters": params}))
}

/// S-openapi-13 S-openapi-14: each parameter goes to its place under its own name, and is asked for in snake_case.
#[test]
fn places_and_names() {
    let operation = with_params(
        "/users/{userId}/x",
        json!([
            {"name": "userId", "in": "path", "required": true, "schema": {"type": "string"}},
            {"name": "filter[name]", "in": "query", "schema": {"type": "string"}},
            {"name": "X-Request-Id", "in": "header", "required": true, "schema": {"type": "string"}},
            {"name": "sessionId", "in": "cookie", "schema": {"type": "string"}},
        ]),
    );
    let seen: Vec<(&str, &str, ParamLocation, bool)> = operation
        .params
        .iter()
        .map(|each| (each.name.as_str(), each.upstream_name.as_str(), each.place, each.required))
        .collect();
    assert_eq!(
        seen,
        [
            ("user_id", "userId", ParamLocation::Path, true),
            ("filter_name", "filter[name]", ParamLocation::Query, false),
            ("x_request_id", "X-Request-Id", ParamLocation::Header, true),
            ("session_id", "sessionId", ParamLocation::Cookie, false),
        ]
    );
    let literal = |text: &str| Segment::Literal(text.to_owned());
    assert_eq!(
        target(&operation).path,
        [literal("/users/"), Segment::Placeholder("user_id".into()), literal("/x")]
    );
}

/// X-intro-33: a parameter or a field that is deprecated stays, and its description says so, after the author's own words; those
/// that say it themselves are left as they are.
#[test]
fn deprecated_ones_say_so() {
    let text = json!({"type": "string"});
    let params = json!([
        {"name": "old", "in": "query", "deprecated": true, "description": "Use new instead", "schema": text},
        {"name": "older", "in": "query", "deprecated": true, "schema": {"type": "integer", "default": 5}},
        {"name": "oldest", "in": "query", "deprecated": true, "description": "DEPRECATED: use new.", "schema": text},
        {"name": "new", "in": "query", "description": "A text", "schema": text},
    ]);
    let schema = json!({"type": "object", "properties": {
        "kind": {"type": "string", "deprecated": true, "description": "What it is."}, "sort": {"type": "string"}
    }});
    let operation = one(
        "post",
        "/a",
        json!({"parameters": params, "requestBody": {"content": {"application/json": {"schema": schema}}}}),
    );
    let described: Vec<(&str, Option<&str>)> =
        operation.params.iter().map(|each| (each.name.as_str(), each.description.as_deref())).collect();
    assert_eq!(
        described,
        [
            ("old", Some("Use new instead. Deprecated")),
            ("older", Some("Default: 5. Deprecated")),
            ("oldest", Some("DEPRECATED: use new.")),
            ("new", Some("A text")),
            ("kind", Some("What it is. Deprecated")),
            ("sort", None),
        ]
    );
}

/// The styles of the standard with their defaults, where they make a difference. A pain of other importers: a deepObject
/// keeps its key.
#[test]
fn styles() {
    let list = json!({"type": "array", "items": {"type": "string"}});
    let of = |place: &str, extra: Value, schema: &Value| {
        let mut declared = json!({"name": "x", "in": place, "required": true, "schema": schema});
        declared.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let path = if place == "path" { "/a/{x}" } else { "/a" };
        with_params(path, json!([declared])).params[0].writing
    };
    let writing = |style, explode| Some(ParamEncoding { style, explode, allow_reserved: false });
    assert_eq!(of("query", json!({}), &list), writing(ParamStyle::Form, true));
    assert_eq!(of("query", json!({"explode": false}), &list), writing(ParamStyle::Form, false));
    assert_eq!(
        of("query", json!({"style": "spaceDelimited"}), &list),
        writing(ParamStyle::SpaceDelimited, false)
    );
    assert_eq!(
        of("query", json!({"style": "pipeDelimited", "explode": true}), &list),
        writing(ParamStyle::PipeDelimited, true)
    );
    assert_eq!(
        of("query", json!({"style": "deepObject"}), &json!({"type": "object"})),
        writing(ParamStyle::DeepObject, true)
    );
    assert_eq!(of("path", json!({}), &list), writing(ParamStyle::Simple, false));
    assert_eq!(of("path", json!({"style": "label"}), &list), writing(ParamStyle::Label, false));
    assert_eq!(
        of("path", json!({"style": "matrix", "explode": true}), &json!({"type": "string"})),
        writing(ParamStyle::Matrix, true)
    );
    assert_eq!(of("header", json!({}), &list), writing(ParamStyle::Simple, false));
    assert_eq!(of("cookie", json!({}), &list), writing(ParamStyle::Form, true));
    assert_eq!(of("query", json!({}), &json!({"type": "string"})), None, "plain values are written plainly");
    assert_eq!(
        of("query", json!({"style": "label"}), &list),
        writing(ParamStyle::Form, true),
        "not in a query"
    );
    let reserved = of("query", json!({"allowReserved": true}), &json!({"type": "string"}));
    assert!(reserved.unwrap().allow_reserved);
    let content = with_params(
        "/a",
        json!([{"name": "x", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}]),
    );
    assert_eq!(content.params[0].writing.unwrap().style, ParamStyle::Json);
}

/// An operation's own parameter counts instead of its path's; references are followed.
#[test]
fn path_level_parameters() {
    let mut wanted = document(json!({"/a": {
        "parameters": [
            {"name": "a", "in": "query", "schema": {"type": "string"}},
            {"$ref": "#/components/parameters/Shared"},
        ],
        "get": {"parameters": [{"name": "a", "in": "query", "schema": {"type": "integer"}}]},
    }}));
    wanted["components"] = json!({"parameters": {"Shared": {"name": "b", "in": "query", "required": true, "schema": {"type": "boolean"}}}});
    let operation = &operations(&wanted)[0];
    assert_eq!(names(operation), ["a", "b"]);
    assert_eq!(param(operation, "a").shape.kind.to_string(), "integer");
    assert!(param(operation, "b").required);
}

/// Clashing names: the path's keeps the bare one, then the query's, then the body's.
#[test]
fn clashes() {
    let operation = one(
        "post",
        "/a/{id}",
        json!({
            "parameters": [
                {"name": "id", "in": "header", "schema": {"type": "string"}},
                {"name": "id", "in": "query", "schema": {"type": "string"}},
                {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
                {"name": "ID", "in": "query", "schema": {"type": "string"}},
                {"name": "name", "in": "query", "schema": {"type": "string"}},
            ],
            "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"id": {}, "name": {}, "own": {}}}}}},
        }),
    );
    assert_eq!(
        names(&operation),
        ["header_id", "query_id", "id", "query_id_2", "name", "body_id", "body_name", "own"]
    );
    assert_eq!(param(&operation, "query_id_2").upstream_name, "ID");
}

#[test]
fn names_of_the_envelope_and_of_controls() {
    let odd = json!([
        {"name": "operation", "in": "query", "schema": {"type": "string"}},
        {"name": "params", "in": "query", "schema": {"type": "string"}},
        {"name": "limit", "in": "query", "schema": {"type": "integer"}},
        {"name": "confirmation_token", "in": "query", "schema": {"type": "string"}},
        {"name": "123", "in": "query", "schema": {"type": "string"}},
        {"name": "名", "in": "query", "schema": {"type": "string"}},
    ]);
    let operation = with_params("/a", odd);
    assert_eq!(
        names(&operation)[..5],
        ["query_operation", "query_params", "limit", "confirmation_token", "query_123"]
    );
    assert!(operation.params.iter().all(|param| aqueduct_operations::naming::is_snake_case(&param.name)));
    let put = one(
        "put",
        "/a",
        json!({
            "parameters": [{"name": "input", "in": "query", "schema": {"type": "string"}}],
            "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"a": {}}}}}},
        }),
    );
    assert_eq!(names(&put), ["query_input", "a"]);
}

/// Headers of the client's own and the parameters of security schemes are not asked for.
#[test]
fn left_out_parameters() {
    let mut wanted = document(json!({"/a": {"get": {"security": [{"k": []}], "parameters": [
        {"name": "Authorization", "in": "header", "schema": {"type": "string"}},
        {"name": "accept", "in": "header", "schema": {"type": "string"}},
        {"name": "Content-Type", "in": "header", "schema": {"type": "string"}},
        {"name": "API_KEY", "in": "query", "schema": {"type": "string"}},
        {"name": "kept", "in": "query", "schema": {"type": "string"}},
        {"name": "whole", "in": "querystring", "content": {"application/json": {}}},
        {"in": "query"},
        {"$ref": "#/nowhere"},
    ]}}}));
    wanted["components"] =
        json!({"securitySchemes": {"k": {"type": "apiKey", "in": "query", "name": "api_key"}}});
    let imported = import(&wanted);
    assert_eq!(names(&imported.loaded.unwrap().operations[0]), ["kept"]);
    let told: Vec<&str> = imported.report.warnings.iter().map(|warning| warning.what.as_str()).collect();
    assert!(told.iter().any(|what| what.contains("'whole'")), "{told:?}");
    assert!(told.iter().any(|what| what.starts_with("3 header parameters")), "{told:?}");
}

/// The path and its parameters always agree.
#[test]
fn placeholders() {
    let imported =
        import(&document(json!({"/a/{known}/{unknown}/{proxy+}?static=1#part": {"get": {"parameters": [
            {"name": "known", "in": "path", "required": true, "schema": {"type": "string"}},
            // A path is never without its parts, whatever the document says or forgets to say.
            {"name": "proxy+", "in": "path", "required": false, "schema": {"type": "string"}},
            {"name": "elsewhere", "in": "path", "required": true, "schema": {"type": "string"}},
        ]}}})));
    let operation = &imported.loaded.unwrap().operations[0];
    assert_eq!(names(operation), ["known", "proxy", "unknown"]);
    assert!(operation.params.iter().all(|param| param.required));
    assert_eq!(target(operation).static_query.as_deref(), Some("static=1"));
    for word in ["'elsewhere'", "'unknown'", "'#part'"] {
        assert!(imported.report.warnings.iter().any(|warning| warning.what.contains(word)), "{word}");
    }
}

/// The type that is shown, and what is really accepted.
#[test]
fn types_and_schemas() {
    for (schema, shown, good, bad) in [
        (json!({"type": "string", "minLength": 2}), "string", json!("ab"), json!("a")),
        (json!({"type": "string", "pattern": "^a+$"}), "string", json!("aa"), json!("b")),
        (json!({"type": "integer", "minimum": 1, "maximum": 3}), "integer", json!(3), json!(4)),
        (json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true}), "integer", json!(2), json!(1)),
        (json!({"enum": ["a", "b"]}), "string", json!("b"), json!("c")),
        (json!({"type": "string", "nullable": true}), "string", json!(null), json!(1)),
        (json!({"type": ["string", "null"]}), "string", json!(null), json!(1)),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
            "string | integer",
            json!(1),
            json!(true),
        ),
        (json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), "string", json!("x"), json!(1)),
        (json!({"allOf": [{"type": "string", "maxLength": 1}]}), "string", json!("x"), json!("xx")),
        (json!({"type": "array", "items": {"type": "integer"}}), "integer[]", json!([1]), json!(["a"])),
        (
            json!({"type": "array", "items": {"type": "string"}, "maxItems": 1}),
            "string[]",
            json!(["a"]),
            json!(["a", "b"]),
        ),
        (
            json!({"type": "array", "items": {"type": "string", "enum": ["a"]}}),
            "string[]",
            json!(["a"]),
            json!(["b"]),
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            "object",
            json!({"a": 1}),
            json!({"a": "b"}),
        ),
        (
            json!({"not": {"type": "string"}}),
            "string | number | boolean | array | object",
            json!(1),
            json!("x"),
        ),
    ] {
        let operation = with_params("/a", json!([{"name": "x", "in": "query", "schema": schema}]));
        let param = &operation.params[0];
        assert_eq!(param.shape.shown_type(), shown, "{schema}");
        assert!(accepts(param, &good), "{schema} {good}");
        assert!(!accepts(param, &bad), "{schema} {bad}");
    }
}

#[test]
fn facts_for_a_reader() {
    let operation = with_params(
        "/a",
        json!([
            {"name": "a", "in": "query", "description": "How many", "schema": {"type": "integer", "default": 30, "maximum": 100}},
            {"name": "p", "in": "query", "schema": {"type": "string", "format": "password"}},
            {"name": "version", "in": "query", "required": true, "schema": {"type": "string", "enum": ["2020-01-01"]}},
            {"name": "d", "in": "query", "schema": {"type": "string", "format": "date-time"}},
        ]),
    );
    let many = param(&operation, "a");
    assert_eq!(many.description.as_deref(), Some("How many. Default: 30"));
    assert_eq!((many.default.as_ref(), many.shape.maximum), (None, Some(100.0)), "the API knows its default");
    assert!(param(&operation, "p").sensitive && !many.sensitive);
    let version = param(&operation, "version");
    assert_eq!(
        (version.required, &version.default),
        (false, &Some(json!("2020-01-01"))),
        "nothing to choose"
    );
    let date = param(&operation, "d");
    assert!(accepts(date, &json!("2026-02-04T10:30:00Z")) && !accepts(date, &json!("yesterday")));
}

/// What cannot be sent is not offered, required or not, and the report names it: such names in an adapter file are errors.
#[test]
fn parameters_that_cannot_be_sent() {
    let text = json!({"type": "string"});
    let bad = [
        ("header", "Content-Length"),
        ("header", "Transfer-Encoding"),
        ("header", "host"),
        ("header", "Connection"),
        ("header", "bad name"),
        ("header", "X\r\nEvil"),
        ("header", ""),
        ("header", "Cookie"),
        ("header", "X-HTTP-Method-Override"),
        ("query", ""),
        ("query", "a\nb"),
        ("cookie", "a=b;"),
    ];
    let mut params: Vec<Value> = bad
        .iter()
        .map(|(place, name)| json!({"name": name, "in": place, "required": true, "schema": text}))
        .collect();
    params.push(json!({"name": "fine", "in": "query", "schema": text}));
    let imported = import(&document(json!({"/a": {"get": {"parameters": params}}})));
    assert_eq!(names(&imported.loaded.unwrap().operations[0]), ["fine"]);
    let told = imported.report.warnings.iter().filter(|each| each.what.contains("is left out")).count();
    assert_eq!(told, bad.len(), "{:?}", imported.report.warnings);
}

/// The parameter that is written as it is called here keeps its name, wherever it stands.
#[test]
fn legal_names_are_kept() {
    let operation = with_params(
        "/a",
        json!([
            {"name": "userId", "in": "query", "schema": {"type": "string"}},
            {"name": "user_id", "in": "query", "schema": {"type": "string"}},
        ]),
    );
    assert_eq!(names(&operation), ["query_user_id", "user_id"]);
}

/// Thousands of parameters are cut with a warning, and take no longer than they should.
#[test]
fn parameters_have_a_limit() {
    let most = super::super::MOST_PARAMS;
    let many: Vec<Value> = (0..50_000)
        .map(|number| json!({"name": format!("p{}a", "-".repeat(number % 7 + 1)) + &number.to_string(), "in": "query"}))
        .collect();
    let imported = import(&document(json!({"/a": {"get": {"parameters": many}}})));
    assert_eq!(imported.loaded.unwrap().operations[0].params.len(), most);
    let beyond = format!("{} parameters after the first {most}", 50_000 - most);
    assert!(imported.report.warnings.iter().any(|each| each.what.starts_with(&beyond)));
    let same: Vec<Value> =
        (0..most).map(|number| json!({"name": format!("a{}", "-".repeat(number)), "in": "query"})).collect();
    assert_eq!(with_params("/a", json!(same)).params.len(), most);
}
