//! Tests of `fitting_defaults`.

use super::fit_defaults;
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::json;

/// A default that is only spelled wrong counts; one that fits nothing goes, and is told of.
#[test]
fn defaults_fit() {
    let text = json!({
        "openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://shop.example"}],
        "paths": {"/items": {"get": {"operationId": "list_items", "responses": {}, "parameters": [
            {"name": "all", "in": "query", "schema": {"type": "boolean"}},
            {"name": "count", "in": "query", "schema": {"type": "integer"}},
            {"name": "size", "in": "query", "schema": {"type": "integer"}}]}}},
    });
    let imported = crate::load("s.json", text.to_string(), &SourceSettings::default(), None);
    let (mut loaded, mut report) = (imported.loaded.unwrap(), imported.report);
    for (param, default) in
        loaded.operations[0].params.iter_mut().zip([json!("False"), json!("7"), json!("ten")])
    {
        (param.schema, param.default) = (None, Some(default));
    }
    fit_defaults(&mut loaded.operations, &mut report);
    let defaults: Vec<_> = loaded.operations[0].params.iter().map(|param| param.default.clone()).collect();
    assert_eq!(defaults, [Some(json!(false)), Some(json!(7)), None]);
    assert!(report.warnings.last().unwrap().what.starts_with("the default of 'size'"));
}
