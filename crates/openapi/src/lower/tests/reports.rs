//! Nothing is lost in silence.
//!
//! A document in, the report compared. Always: operations found are operations loaded and left out together.

use super::{document, import};
use aqueduct_operations::registry::{NamingScheme, Registry};
use proptest::prelude::{Just, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest};
use serde_json::{Map, Value, json};

/// A pain of other importers: operations lost in silence. Callbacks and webhooks are named.
#[test]
fn what_is_left_out() {
    let mut wanted = document(json!({
        "/a": {
            "get": {"callbacks": {"onPaid": {}}},
            "put": null,
            "link": {"responses": {}},
            "additionalOperations": {"COPY": {"responses": {}}, "QUERY": {"responses": {}}},
        },
        "/b": {"get": {"servers": [{"url": "/relative"}]}},
        "/c": 7,
    }));
    wanted["webhooks"] = json!({"paid": {"post": {}}});
    let imported = import(&wanted);
    let report = imported.report;
    let left: Vec<&str> = report.left_out.iter().map(|each| each.what.as_str()).collect();
    for what in
        ["callback onPaid of GET /a", "PUT /a", "LINK /a", "COPY /a", "GET /b", "webhook paid", "path /c"]
    {
        assert!(left.contains(&what), "{what} in {left:?}");
    }
    assert_eq!((report.found, report.loaded, report.operations_left_out()), (6, 2, 4));
    assert_eq!(imported.loaded.unwrap().operations.len(), 2);
}

/// N1: every rename is in the report; N3: so is every category that a person should look at.
#[test]
fn what_is_told() {
    let imported = import(&document(json!({
        "/a": {"get": {"operationId": "getA"}, "post": {"operationId": "get_b"}},
        "/b": {"get": {"operationId": "fine"}},
    })));
    let report = imported.report;
    assert_eq!(report.renamed.len(), 1);
    assert_eq!((report.renamed[0].from.as_str(), report.renamed[0].to.as_str()), ("getA", "get_a"));
    assert_eq!(report.needs_review.len(), 1);
    assert_eq!(report.needs_review[0].0, "get_b");
    assert_eq!(report.source, "pet-shop");
}

/// N2: names of one source are bare, of several they carry the source's name.
#[test]
fn names_in_the_registry() {
    let wanted = document(json!({"/a": {"get": {"operationId": "getA"}}}));
    let loaded = || import(&wanted).loaded.unwrap();
    let one = Registry::build(vec![loaded()], NamingScheme::Bare).unwrap();
    assert!(one.find("get_a").is_some());
    let mut other = loaded();
    other.source.name = "other".into();
    let two = Registry::build(vec![loaded(), other], NamingScheme::Namespaced).unwrap();
    assert!(two.find("pet_shop__get_a").is_some() && two.find("other__get_a").is_some());
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        Just(json!(true)),
        Just(json!(-1)),
        "[a-z/{}$#ä]{0,6}".prop_map(Value::from),
        Just(json!({"$ref": "#/components/schemas/A"})),
        Just(json!({"$ref": "#/nowhere"})),
    ];
    let key = prop_oneof![
        Just("get"),
        Just("post"),
        Just("put"),
        Just("link"),
        Just("parameters"),
        Just("requestBody"),
        Just("content"),
        Just("application/json"),
        Just("multipart/form-data"),
        Just("schema"),
        Just("properties"),
        Just("allOf"),
        Just("oneOf"),
        Just("items"),
        Just("type"),
        Just("required"),
        Just("responses"),
        Just("200"),
        Just("operationId"),
        Just("name"),
        Just("in"),
        Just("security"),
        Just("servers"),
        Just("tags"),
        Just("enum"),
        Just("format"),
        Just("additionalProperties"),
        Just("encoding"),
        Just("style"),
        Just("url"),
        Just("callbacks"),
        Just("headers"),
    ];
    leaf.prop_recursive(6, 60, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            proptest::collection::vec((key.clone(), inner), 0..6).prop_map(|members| {
                Value::Object(
                    members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>(),
                )
            }),
        ]
    })
}

proptest! {
    /// Whatever a document holds, loading it ends, and every operation is loaded or left out by name.
    #[test]
    fn found_is_loaded_and_left_out(
        items in proptest::collection::vec(anything(), 1..4),
        schema in anything(),
        security in anything(),
    ) {
        let paths: Map<String, Value> =
            items.into_iter().enumerate().map(|(number, item)| (format!("/p{number}/{{id}}"), item)).collect();
        let mut wanted = document(Value::Object(paths));
        wanted["components"] = json!({"schemas": {"A": schema}, "securitySchemes": {"s": security}});
        let imported = import(&wanted);
        let report = &imported.report;
        prop_assert_eq!(report.found, report.loaded + report.operations_left_out());
        let loaded = imported.loaded.as_ref().map_or(0, |loaded| loaded.operations.len());
        prop_assert_eq!(report.loaded, loaded);
        if let Some(loaded) = imported.loaded {
            for operation in &loaded.operations {
                let mut names: Vec<&str> = operation.params.iter().map(|param| param.name.as_str()).collect();
                names.sort_unstable();
                let count = names.len();
                names.dedup();
                prop_assert_eq!(names.len(), count, "names of parameters are unique");
                for param in &operation.params {
                    if let Some(schema) = &param.schema {
                        schema.get();
                    }
                }
            }
            prop_assert!(Registry::build(vec![loaded], NamingScheme::Bare).is_ok());
        }
    }
}

/// Links are named as left out, once for the document.
#[test]
fn links_are_named() {
    let linked = json!({"responses": {"200": {"description": "", "links": {"next": {"operationId": "x"}}}}});
    let report =
        super::import(&super::document(json!({"/a": {"get": linked, "put": linked}, "/b": {"get": {}}})))
            .report;
    let told: Vec<&str> =
        report.warnings.iter().map(|each| each.what.as_str()).filter(|what| what.contains("links")).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("the links of 2 operations"), "{told:?}");
}
