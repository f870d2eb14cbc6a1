//! The discovery bundle: what a server said, as it said it, beside what was made of it (companion, discovery bundle).
//!
//! A listing and the operations made from it in; one JSON object of closed shapes out. No secret goes into it: of
//! credentials only the names of their variables are written. The shape knows servers over HTTP alone; one that is a
//! child process has the transport `stdio` and an address `stdio:PROGRAM`, our extension, and a warning says so.

mod source;

use crate::overrides::BY_THE_OPERATOR;
use aqueduct_operations::mcp::{ServerConfig, ServerListing};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::Param;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::report::ImportReport;
use serde_json::{Map, Value, json};

/// The version of the shape.
const VERSION: &str = "1.0.0-draft";

/// A server, and what was seen there.
#[derive(Debug)]
pub(super) struct ConnectedSource<'a> {
    /// How it is reached.
    pub server: &'a ServerConfig,
    /// What it offers, as it said.
    pub listing: &'a ServerListing,
    /// What was made of it.
    pub loaded: &'a LoadedSource,
    /// What became of each tool.
    pub report: &'a ImportReport,
}

/// Writes the bundle. `captured_at` is when the listing was made, in RFC 3339.
pub(super) fn bundle(imported: &ConnectedSource<'_>, captured_at: &str) -> Value {
    let ConnectedSource { server, listing, .. } = imported;
    let mut warnings = Vec::new();
    let source = source::source(server, listing, &imported.loaded.source.name, captured_at, &mut warnings);
    let mut operations = Vec::with_capacity(imported.loaded.operations.len());
    for operation in &imported.loaded.operations {
        let named = operation.origin.as_ref().map_or(operation.name.as_str(), |origin| &origin.name);
        let tool = listing.tools.iter().find(|tool| tool.get("name").is_some_and(|name| name == named));
        operations.push(one(operation, named, tool.unwrap_or(&Value::Null), &mut warnings));
    }
    report_warnings(imported, &mut warnings);
    let mut raw = Map::from_iter([("tools".to_owned(), Value::Array(listing.tools.clone()))]);
    if let Some(instructions) = &listing.instructions {
        raw.insert("instructions".to_owned(), json!(instructions));
    }
    json!({
        "schema_version": VERSION,
        "source": source,
        "raw_capture": raw,
        "normalized_bundle": {"operations": operations, "warnings": warnings},
    })
}

fn one(operation: &Operation, named: &str, tool: &Value, warnings: &mut Vec<Value>) -> Value {
    let origin = operation.origin.as_ref();
    let needs_review = origin.is_some_and(|origin| origin.needs_review);
    let reasons: Vec<&str> =
        origin.filter(|_| needs_review).map(|origin| origin.reason.as_str()).into_iter().collect();
    let params: Vec<Value> =
        operation.params.iter().map(|param| parameter(param, named, tool, warnings)).collect();
    let gives = operation.returns.description.clone();
    let mut out = json!({
        "source_tool_name": named,
        "operation_name": operation.name,
        "description": operation.description,
        "endpoint": operation.category.upper(),
        "endpoint_confidence": origin.map_or("low", |origin| origin.confidence.name()),
        "danger_level": operation.danger.level.name(),
        "needs_review": needs_review,
        "review_reasons": reasons,
        "params": params,
        "maps_to": format!("TOOL {named}"),
        "returns": {
            "type": "object",
            "name": operation.returns.name,
            "description": gives.unwrap_or_else(|| format!("What {} gives", operation.name)),
        },
        "provenance": provenance(operation, named, tool),
    });
    let title =
        tool.get("title").or_else(|| tool.pointer("/annotations/title")).filter(|title| title.is_string());
    if let Some(title) = title {
        out["title"] = title.clone();
    }
    out
}

fn provenance(operation: &Operation, named: &str, tool: &Value) -> Value {
    const DIRECT: &str = "direct_source_metadata";
    const RULE: &str = "deterministic_normalization";
    const GUESS: &str = "heuristic_classification";
    const OPERATOR: &str = "manual_override";
    let has_words =
        tool.get("description").and_then(Value::as_str).is_some_and(|text| *text == operation.description);
    let by_operator = operation.origin.as_ref().is_some_and(|origin| origin.reason == BY_THE_OPERATOR);
    let endpoint = match &operation.origin {
        _ if by_operator => OPERATOR,
        Some(origin) if origin.reason == "the server says it only reads" => DIRECT,
        _ => GUESS,
    };
    let danger_by_operator = operation.danger.reasons.iter().any(|reason| reason == BY_THE_OPERATOR);
    let mut out = json!({
        "name": named,
        "input_schema_present": tool.get("inputSchema").is_some(),
        "inference_sources": {
            "operation_name": if operation.name == named { DIRECT } else { RULE },
            "description": if has_words { DIRECT } else { RULE },
            "endpoint": endpoint,
            "danger_level": if danger_by_operator { OPERATOR } else { GUESS },
            "maps_to": RULE,
        },
    });
    if let Some(text) = tool.get("description").filter(|text| text.is_string()) {
        out["description"] = text.clone();
    }
    if let Some(annotations) = tool.get("annotations").and_then(Value::as_object) {
        out["annotations"] = annotations.keys().map(String::as_str).collect();
    }
    out
}

fn parameter(param: &Param, named: &str, tool: &Value, warnings: &mut Vec<Value>) -> Value {
    let is_property =
        tool.pointer("/inputSchema/properties").is_some_and(|all| all.get(&param.upstream_name).is_some());
    let path = if is_property {
        format!("inputSchema.properties.{}", param.upstream_name)
    } else {
        "inputSchema".to_owned()
    };
    let mut out = json!({
        "name": param.name,
        "original_name": param.upstream_name,
        "type": param.shape.kind.to_string(),
        "required": param.required,
        "source_path": path,
    });
    let shape = &param.shape;
    let optional = [
        ("description", param.description.clone().map(Value::from)),
        ("default", param.default.clone()),
        ("enum", shape.allowed.as_ref().map(|values| texts(values, param, named, warnings))),
        ("minimum", shape.minimum.map(Value::from)),
        ("maximum", shape.maximum.map(Value::from)),
        ("pattern", shape.pattern.as_ref().map(|pattern| Value::from(pattern.as_str()))),
        ("format", tool.pointer(&format!("/inputSchema/properties/{}/format", param.upstream_name)).cloned()),
    ];
    for (key, value) in optional {
        if let Some(value) = value.filter(|value| key == "default" || !value.is_null()) {
            out[key] = value;
        }
    }
    out
}

/// The shape has texts alone among the values of a parameter.
fn texts(values: &[Value], param: &Param, named: &str, warnings: &mut Vec<Value>) -> Value {
    if values.iter().any(|value| !value.is_string()) {
        let mut warning = warn("ENUM_AS_TEXT", "info", "Values that are no texts are written as texts");
        warning["tool"] = json!(named);
        warning["field"] = json!(param.upstream_name);
        warnings.push(warning);
    }
    values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect()
}

fn report_warnings(imported: &ConnectedSource<'_>, warnings: &mut Vec<Value>) {
    let report = imported.report;
    let original = |name: &str| {
        let operation = imported.loaded.operations.iter().find(|operation| operation.name == name);
        operation
            .and_then(|operation| operation.origin.as_ref())
            .map_or(name, |origin| &origin.name)
            .to_owned()
    };
    for renamed in &report.renamed {
        let message = format!("'{}' is named '{}' here: {}", renamed.from, renamed.to, renamed.why);
        warnings.push(warn("RENAMED", "info", &message));
    }
    for left_out in &report.left_out {
        warnings.push(warn(
            "LEFT_OUT",
            "warning",
            &format!("'{}' is left out: {}", left_out.what, left_out.why),
        ));
    }
    for note in &report.warnings {
        let mut warning = warn("REMARK", "info", &note.what);
        if let Some(operation) = &note.operation {
            warning["tool"] = json!(original(operation));
        }
        warnings.push(warning);
    }
    for (operation, reason) in &report.needs_review {
        let mut warning =
            warn("NEEDS_REVIEW", "warning", &format!("A person should look at its category: {reason}"));
        warning["tool"] = json!(original(operation));
        warning["field"] = json!("endpoint");
        warning["heuristic"] = json!("annotations_then_verb");
        warnings.push(warning);
    }
}

fn warn(code: &str, severity: &str, message: &str) -> Value {
    json!({"code": code, "severity": severity, "message": message})
}

#[cfg(test)]
mod tests;
