//! The document as a whole: its operations, servers, credentials and settings.
//!
//! A whole document and the operator's settings in, operations with their sites and credentials out.

use super::{document, import, import_with, operations, target};
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::category::Category;
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::native::OperationKind;
use aqueduct_operations::target::Method;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::settings::SourceSettings;
use secrecy::ExposeSecret;
use serde_json::{Map, Value, json};
use std::time::Duration;
use url::Url;

/// S-openapi-1 S-openapi-2 S-openapi-8 S-openapi-10: one operation for each path and method, whatever the method; GET is a
/// query, everything else a mutation.
#[test]
fn every_path_and_method() {
    let item = json!({"get": {}, "put": {}, "post": {}, "delete": {}, "options": {}, "head": {}, "patch": {}, "trace": {},
        "query": {}, "summary": "x", "parameters": [], "x-note": {}});
    let made = operations(&document(json!({"/a": item, "/b/{id}": {"get": {}}})));
    let mut methods: Vec<Method> = made.iter().map(|each| target(each).method).collect();
    assert_eq!(made.len(), 10);
    methods.sort_by_key(|method| method.name());
    methods.dedup();
    assert_eq!(methods.len(), 9);
    assert_eq!(made[9].name, "get_b_id");
    for operation in &made {
        let method = target(operation).method.name();
        let kind = if method == "GET" { OperationKind::Query } else { OperationKind::Mutation };
        assert_eq!(OperationKind::of(operation), kind, "{method}");
    }
}

/// S-openapi-5 S-openapi-11 N1: names, places and the origin of an operation.
#[test]
fn an_operation_in_full() {
    let made = operations(&document(json!({"/pets/{petId}": {
        "parameters": [{"name": "petId", "in": "path", "required": true, "schema": {"type": "integer"}}],
        "post": {
            "operationId": "updatePet",
            "summary": "Change a pet",
            "description": "Long words.\n\nMore of them.",
            "tags": ["pets"],
            "deprecated": true,
            "parameters": [{"name": "dryRun", "in": "query", "schema": {"type": "boolean"}}],
            "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"name": {"type": "string"}}}}}},
        },
    }})));
    let operation = &made[0];
    assert_eq!(operation.name, "update_pet");
    assert_eq!(operation.description, "Change a pet. Long words.");
    assert_eq!(super::names(operation), ["pet_id", "dry_run", "name"]);
    assert_eq!(operation.tags, ["pets"]);
    assert!(operation.deprecated.is_some());
    let origin = operation.origin.as_ref().unwrap();
    assert_eq!((origin.name.as_str(), origin.place.as_str()), ("updatePet", "POST /pets/{petId}"));
    assert_eq!(operation.category, Category::Update);
}

/// N3: a category that the document names by an extension key counts before everything else.
#[test]
fn extension_keys() {
    for key in ["x-aqueduct-category", "x-mcp-aql-category"] {
        let made = operations(&document(json!({"/a": {"get": {key: "execute"}}})));
        assert_eq!(made[0].category, Category::Execute, "{key}");
    }
    let odd = import(&document(json!({"/a": {"get": {"x-aqueduct-category": "manage"}}})));
    assert_eq!(odd.loaded.unwrap().operations[0].category, Category::Read);
    assert!(odd.report.warnings.iter().any(|warning| warning.what.contains("category")));
}

/// S-openapi-26: the operator's base URL wins over every server; without one the first server counts, and each level's
/// own. S1: an import is `generated` until the operator raises it.
#[test]
fn servers_and_trust() {
    let mut wanted = document(json!({
        "/a": {"get": {}},
        "/b": {"servers": [{"url": "https://b.example.com"}], "get": {}, "post": {"servers": [{"url": "https://c.example.com/x"}]}},
    }));
    let urls = |loaded: &[aqueduct_operations::operation::Operation]| -> Vec<String> {
        loaded.iter().map(|each| target(each).site.base_url.to_string()).collect()
    };
    assert_eq!(
        urls(&operations(&wanted)),
        ["https://api.example.com/v1", "https://b.example.com/", "https://c.example.com/x"]
    );
    let settings =
        SourceSettings { base_url: Url::parse("http://127.0.0.1:9/").ok(), ..SourceSettings::default() };
    let loaded = import_with(&wanted, &settings).loaded.unwrap();
    assert!(urls(&loaded.operations).iter().all(|url| url == "http://127.0.0.1:9/"));
    assert!(target(&loaded.operations[0]).site.names_private_address);
    assert_eq!(loaded.source.trust, TrustLevel::Generated);
    let raised = SourceSettings { trust: Some(TrustLevel::Official), ..SourceSettings::default() };
    assert_eq!(import_with(&wanted, &raised).loaded.unwrap().source.trust, TrustLevel::Official);
    wanted.as_object_mut().unwrap().remove("servers");
    let refused = import(&wanted);
    assert!(refused.loaded.is_none());
    assert_eq!(refused.diagnostics[0].severity, DiagnosticSeverity::Error);
    assert!(refused.diagnostics[0].hint.as_ref().unwrap().contains("--base-url"));
}

/// S-openapi-25 S-openapi-27 S-openapi-28 S-openapi-29 S-openapi-30 S-openapi-31: namespace, headers, credentials and the
/// time limit as settings.
#[test]
fn settings() {
    let auth = Auth::ApiKey { key_env: "K".into(), place: KeyPlace::Header("X-Own".into()) };
    let settings = SourceSettings {
        source_name: Some("mine".into()),
        auth: Some(auth.clone()),
        headers: vec![NamedSecret::new("X-Team", "blue")],
        timeout: Some(Duration::from_millis(1500)),
        ..SourceSettings::default()
    };
    let mut wanted = document(json!({"/a": {"get": {"security": [{"s": []}]}}}));
    wanted["components"] = json!({"securitySchemes": {"s": {"type": "http", "scheme": "basic"}}});
    let loaded = import_with(&wanted, &settings).loaded.unwrap();
    assert_eq!(loaded.source.name, "mine");
    let target = target(&loaded.operations[0]);
    assert_eq!((&target.site.auth, &target.auth), (&auth, &None));
    assert_eq!(target.site.timeout, Duration::from_millis(1500));
    assert_eq!(target.site.operator_headers[0].value.expose_secret(), "blue");
    let usual = import(&wanted).loaded.unwrap();
    assert_eq!(usual.source.name, "pet-shop");
    assert_eq!(super::target(&usual.operations[0]).site.timeout, Duration::from_secs(30));
}

/// S-openapi-28: what the operator gives goes to the base URL alone, wherever the document sends calls, unless the operator
/// allows more; what is withheld is told.
#[test]
fn the_operators_credentials_stay_home() {
    let wanted = document(json!({
        "/a": {"get": {}},
        "/b": {"get": {"servers": [{"url": "https://api.example.com/other"}]}},
        "/c": {"get": {"servers": [{"url": "https://evil.example.com"}], "security": [{"s": []}]}},
        "/d": {"servers": [{"url": "https://uploads.example.com/v1"}], "get": {}},
    }));
    let auth = Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() };
    let mut settings = SourceSettings {
        auth: Some(auth.clone()),
        headers: vec![NamedSecret::new("X-Team", "blue")],
        ..SourceSettings::default()
    };
    let has = |settings: &SourceSettings| -> Vec<bool> {
        let made = import_with(&wanted, settings).loaded.unwrap().operations;
        made.iter()
            .map(|each| {
                let target = target(each);
                let is_sent = *target.auth_in_force() == auth;
                assert_eq!(is_sent, target.site.operator_headers.len() == 1);
                is_sent || *target.auth_in_force() != Auth::None
            })
            .collect()
    };
    assert_eq!(has(&settings), [true, true, false, false]);
    let told = import_with(&wanted, &settings);
    assert_eq!(told.diagnostics[0].code, "CREDENTIALS_WITHHELD");
    for origin in ["https://evil.example.com", "https://uploads.example.com"] {
        assert!(told.diagnostics[0].message.contains(origin), "{:?}", told.diagnostics);
        assert!(
            told.report.warnings.iter().any(|each| each.what.contains(origin)),
            "{:?}",
            told.report.warnings
        );
    }
    settings.credential_origins = vec![Url::parse("https://uploads.example.com").unwrap()];
    assert_eq!(has(&settings), [true, true, false, true]);
    assert!(!import_with(&wanted, &settings).diagnostics[0].message.contains("uploads"));
    assert!(import(&wanted).diagnostics.is_empty(), "nothing is withheld where nothing is given");
}

/// N3: a category that the document gives is no less than method and name say, so that the gate still asks.
#[test]
fn a_category_does_not_take_the_danger_away() {
    let made = operations(&document(json!({"/pets/{id}": {
        "delete": {"operationId": "pets", "x-aqueduct-category": "READ"},
        "put": {"operationId": "put_pet", "x-aqueduct-category": "READ"},
        "post": {"operationId": "reset_everything", "x-aqueduct-category": "READ"},
        "get": {"operationId": "get_pet", "x-aqueduct-category": "READ"},
    }})));
    use aqueduct_operations::danger::DangerLevel::{Destructive, Forbidden, Reversible, Safe};
    for (name, category, level, is_doubtful) in [
        ("pets", Category::Delete, Destructive, true),
        ("put_pet", Category::Update, Reversible, true),
        ("reset_everything", Category::Update, Forbidden, true),
        ("get_pet", Category::Read, Safe, false),
    ] {
        let operation = made.iter().find(|each| each.name == name).unwrap();
        assert_eq!((operation.category, operation.danger.level), (category, level), "{name}");
        assert_eq!(operation.origin.as_ref().unwrap().needs_review, is_doubtful, "{name}");
    }
}

/// S2: money is asked for, whatever the operation is called.
#[test]
fn words_of_money_in_names_and_paths() {
    let made = operations(&document(json!({
        "/charges/{id}/refund": {"post": {"operationId": "op_1"}},
        "/charges": {"post": {"operationId": "PostCharges"}, "get": {"operationId": "GetCharges"}},
        "/pets": {"post": {"operationId": "op_2"}},
    })));
    use aqueduct_operations::danger::DangerLevel::{Destructive, Reversible, Safe};
    for (name, level) in
        [("op_1", Destructive), ("post_charges", Destructive), ("get_charges", Safe), ("op_2", Reversible)]
    {
        let operation = made.iter().find(|each| each.name == name).unwrap();
        assert_eq!(operation.danger.level, level, "{name}");
    }
}

/// A document from the public web does not lead into a private network; the operator can.
#[test]
fn private_addresses_of_public_documents() {
    let mut wanted = document(json!({
        "/a": {"get": {}}, "/b": {"get": {"servers": [{"url": "http://10.0.0.1/"}]}},
    }));
    let load = |wanted: &Value, settings: &SourceSettings| {
        crate::load("https://docs.example.com/a.json", wanted.to_string(), settings, None)
    };
    let open = SourceSettings::default();
    let public = load(&wanted, &open);
    assert_eq!((public.report.loaded, public.report.operations_left_out()), (1, 1));
    assert_eq!(operations(&wanted).len(), 2, "a file vouches for what it names");
    wanted["servers"] = json!([{"url": "http://127.0.0.1:9/"}]);
    let refused = load(&wanted, &open);
    assert!(refused.loaded.is_none() && refused.diagnostics[0].message.contains("private address"));
    let named = SourceSettings { base_url: Url::parse("http://127.0.0.1:9/").ok(), ..open };
    assert!(load(&wanted, &named).loaded.is_some());
}

/// A document has as many operations as it may have; the others are counted, and every one is accounted for.
#[test]
fn operations_have_a_limit() {
    let many: Map<String, Value> = (0..super::super::MOST_OPERATIONS + 3)
        .map(|number| (format!("/p{number}"), json!({"get": {}})))
        .collect();
    let report = import(&document(Value::Object(many))).report;
    assert_eq!((report.loaded, report.beyond), (super::super::MOST_OPERATIONS, 3));
    assert_eq!(report.found, report.loaded + report.operations_left_out());
    assert!(
        report.left_out.iter().any(|each| each.what.starts_with("3 operations")),
        "{:?}",
        report.left_out
    );
}

/// S-openapi-16: the document's requirements, and an operation's own instead of them.
#[test]
fn security() {
    let mut wanted = document(json!({
        "/a": {"get": {}},
        "/b": {"get": {"security": []}, "put": {"security": [{"key": []}]}},
    }));
    wanted["components"] = json!({"securitySchemes": {
        "token": {"type": "http", "scheme": "bearer"},
        "key": {"type": "apiKey", "in": "query", "name": "api_key"},
    }});
    let bearer = Auth::Bearer { token_env: "AQUEDUCT_PET_SHOP__TOKEN".into(), prefix: "Bearer ".into() };
    let key =
        Auth::ApiKey { key_env: "AQUEDUCT_PET_SHOP__KEY".into(), place: KeyPlace::Query("api_key".into()) };
    let auths = |wanted: &Value| -> Vec<Auth> {
        let made = operations(wanted);
        made.iter()
            .map(|each| target(each).auth.as_deref().unwrap_or(&target(each).site.auth).clone())
            .collect()
    };
    wanted["security"] = json!([{"token": []}]);
    assert_eq!(auths(&wanted), [bearer.clone(), Auth::None, key.clone()]);
    // Schemes that no one asks for are used when their variables are set.
    let mut forgetful = document(json!({"/a": {"get": {}}}));
    forgetful["components"] = wanted["components"].clone();
    assert_eq!(auths(&forgetful), [Auth::AnyOf(vec![bearer, key, Auth::None])]);
    assert!(import(&forgetful).report.warnings.iter().any(|warning| warning.what.contains("authenticates")));
}

#[test]
fn plain_http_is_warned_about() {
    let mut wanted = document(json!({"/a": {"get": {}}}));
    wanted["servers"] = json!([{"url": "http://api.example.com"}]);
    assert_eq!(import(&wanted).diagnostics[0].code, "PLAIN_HTTP");
    wanted["servers"] = json!([{"url": "http://127.0.0.1:1"}]);
    assert!(import(&wanted).diagnostics.is_empty());
}

#[test]
fn what_is_no_document_is_refused() {
    for odd in [
        "",
        "<html></html>",
        "{\"name\":\"x\"}",
        "[1]",
        "{\"openapi\":\"3.0.0\",\"paths\":7}",
        "{\"openapi\":",
    ] {
        let refused = crate::load("x.json", odd.to_owned(), &SourceSettings::default(), None);
        assert!(refused.loaded.is_none(), "{odd}");
        assert_eq!(refused.diagnostics.len(), 1, "{odd}");
        assert!(!refused.diagnostics[0].message.is_empty());
    }
}

/// Swagger 2.0 gives the same operations as its translation.
#[test]
fn swagger_2() {
    let made = operations(&json!({
        "swagger": "2.0",
        "info": {"title": "Pet Shop", "version": "1.0"},
        "host": "api.example.com",
        "basePath": "/v1",
        "schemes": ["https"],
        "paths": {"/pets/{id}": {"put": {
            "operationId": "putPet",
            "consumes": ["application/json"],
            "parameters": [
                {"name": "id", "in": "path", "type": "integer", "required": true},
                {"name": "tags", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "pipes"},
                {"name": "pet", "in": "body", "required": true, "schema": {"$ref": "#/definitions/Pet"}},
            ],
            "responses": {"200": {"description": "ok", "schema": {"$ref": "#/definitions/Pet"}}},
        }}},
        "definitions": {"Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}},
    }));
    let operation = &made[0];
    assert_eq!((operation.name.as_str(), operation.category), ("put_pet", Category::Update));
    assert_eq!(target(operation).site.base_url.as_str(), "https://api.example.com/v1");
    assert_eq!(super::names(operation), ["id", "tags", "name"]);
    assert_eq!(operation.returns.name, "Pet");
    let style = super::param(operation, "tags").writing.unwrap().style;
    assert_eq!(style, aqueduct_operations::params::ParamStyle::PipeDelimited);
}
