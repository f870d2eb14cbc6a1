//! Tests of `read_back`.

use super::{SourceToWrite, proven};
use crate::write::WriteOptions;
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::{Site, Target};
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::{Value, json};
use std::sync::Arc;

fn document(paths: Value) -> (LoadedSource, aqueduct_source_kind::report::ImportReport) {
    let text = json!({
        "openapi": "3.0.3", "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": "https://shop.example"}], "paths": paths,
    });
    let imported = aqueduct_openapi::load("shop.json", text.to_string(), &SourceSettings::default(), None);
    (imported.loaded.unwrap(), imported.report)
}

fn back<'l>(
    loaded: &'l LoadedSource,
    report: &'l aqueduct_source_kind::report::ImportReport,
) -> Result<super::ProvenFile<'l>, super::ReadBackFailure> {
    let settings = SourceSettings::default();
    let source = SourceToWrite { file: "shop-adapter.md", loaded, report };
    proven(source, &WriteOptions::default(), &settings, &|_| ())
}

fn read(parameters: Value) -> Value {
    json!({"get": {"operationId": "list_items", "parameters": parameters, "responses": {"200": {
            "description": "ok", "content": {"application/json": {"schema": {"type": "object", "properties": {
                "items": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}},
                "next_cursor": {"type": "string"}}}}}}}}})
}

/// X-adapter-19: the parameters by which an API pages stay callers' own in the file of a document.
#[test]
fn paging_parameters_stay() {
    let (loaded, report) = document(json!({"/items": read(json!([
            {"name": "cursor", "in": "query", "schema": {"type": "string"}},
            {"name": "limit", "in": "query", "schema": {"type": "integer"}}]))}));
    let proven = back(&loaded, &report).unwrap();
    assert_eq!(proven.report, report, "{}", proven.text);
    assert!(proven.text.contains("keep_params: true"), "{}", proven.text);
}

/// What no file can hold is left out and named: an optional parameter alone, an operation for a required one.
#[test]
fn what_no_file_holds_is_named() {
    let (mut loaded, report) = document(json!({"/items": read(json!([])), "/others": {"get": {
            "operationId": "get_other", "responses": {"200": {"description": "ok"}}}}}));
    let bad = |required| Param {
        place: ParamLocation::Header,
        upstream_name: "Transfer-Encoding".to_owned(),
        required,
        ..Param::new("transfer_encoding", ValueKind::String)
    };
    loaded.operations[0].params.push(bad(false));
    loaded.operations[1].params.push(bad(true));
    let proven = back(&loaded, &report).unwrap();
    assert_eq!(proven.loaded.operations.len(), 1);
    let named: Vec<&str> = proven.report.left_out.iter().map(|each| each.what.as_str()).collect();
    assert_eq!((named, proven.report.loaded), (vec!["get_other"], 1));
    let warning = proven.report.warnings.last().unwrap();
    assert_eq!(warning.operation.as_deref(), Some("list_items"));
    assert!(warning.what.starts_with("the parameter 'transfer_encoding' is left out: "), "{}", warning.what);
    assert!(proven.text.contains("transfer_encoding") && !proven.text.contains("name: get_other"));
}

/// What comes back as something else is named, too.
#[test]
fn what_changes_is_named() {
    let (mut loaded, report) = document(json!({"/items": read(json!([
            {"name": "kind", "in": "query", "schema": {"type": "string"}}]))}));
    loaded.operations[0].params[0].schema = None;
    loaded.operations[0].params[0].shape.minimum = Some(3.0);
    let proven = back(&loaded, &report).unwrap();
    let told: Vec<&str> = proven.report.warnings.iter().map(|each| each.what.as_str()).collect();
    assert_eq!(told, ["not the same in the file: 'kind'"]);
    assert!(proven.text.contains("not the same in the file"));
}

/// A file that cannot be made good is none.
#[test]
fn otherwise_there_is_no_file() {
    let (mut loaded, report) = document(json!({"/items": read(json!([]))}));
    let Target::Http(target) = &mut loaded.operations[0].target else { panic!() };
    let place = KeyPlace::Header("no header name".to_owned());
    let auth = Auth::ApiKey { key_env: "SHOP_KEY".to_owned(), place };
    target.site = Arc::new(Site {
        auth,
        timeout: target.site.timeout,
        retries: target.site.retries,
        ..Site::new(target.site.base_url.clone())
    });
    let error = back(&loaded, &report).unwrap_err();
    assert!(error.to_string().starts_with("the file would not load, which is a defect"), "{error}");
}
