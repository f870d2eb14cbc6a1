//! Defaults of documents that are no values of their own parameters: `"false"` of a boolean, `"ten"` of a number.
//!
//! Operations in; the same with defaults that fit out. What is only spelled as a text becomes what it says; the rest goes,
//! so that the API uses its own, and is remarked.

use crate::report::ImportReport;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::Param;
use aqueduct_operations::params::check::problems;
use serde_json::Value;

/// Fits the defaults of operations.
pub(crate) fn fit_defaults(operations: &mut [Operation], report: &mut ImportReport) {
    for operation in operations {
        for param in operation.params.iter_mut().filter(|param| param.schema.is_none()) {
            let Some(default) = &param.default else { continue };
            if problems(&param.shape, default).is_empty() {
                continue;
            }
            param.default = said(param, default);
            if param.default.is_none() {
                let what =
                    format!("the default of '{}' does not fit its type and is left to the API", param.name);
                report.remark_on(&operation.name, what);
            }
        }
    }
}

/// The value that a text spells, when that fits.
fn said(param: &Param, default: &Value) -> Option<Value> {
    let candidates = match default {
        Value::String(text) => serde_json::from_str::<Value>(&text.trim().to_lowercase()).ok(),
        Value::Bool(_) | Value::Number(_) => Some(Value::String(default.to_string())),
        _ => None,
    };
    candidates.filter(|value| !value.is_null() && problems(&param.shape, value).is_empty())
}

#[cfg(test)]
mod tests {
    use super::fit_defaults;
    use crate::openapi;
    use crate::settings::SourceSettings;
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
        let imported = openapi::load("s.json", text.to_string(), &SourceSettings::default(), None);
        let (mut loaded, mut report) = (imported.loaded.unwrap(), imported.report);
        for (param, default) in
            loaded.operations[0].params.iter_mut().zip([json!("False"), json!("7"), json!("ten")])
        {
            (param.schema, param.default) = (None, Some(default));
        }
        fit_defaults(&mut loaded.operations, &mut report);
        let defaults: Vec<_> =
            loaded.operations[0].params.iter().map(|param| param.default.clone()).collect();
        assert_eq!(defaults, [Some(json!(false)), Some(json!(7)), None]);
        assert!(report.remarks.last().unwrap().what.starts_with("the default of 'size'"));
    }
}
