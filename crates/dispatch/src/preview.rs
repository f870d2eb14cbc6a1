//! `dry_run`: the request that would be sent and what the gatekeeper would say, with nothing sent and no token used
//! (ruling W17). Only an update that merges reads what is there, to show what it would write.

use crate::context::CallContext;
use crate::stages::gatekeep::{self, Admitted};
use crate::stages::validate::CheckedRequest;
use crate::{failure_map, update};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Success;
use aqueduct_query::measure;
use aqueduct_upstream::PreparedRequest;
use serde_json::{Map, Value, json};

/// Shows what a call would do, in so many tokens.
pub async fn preview(
    context: &CallContext<'_>,
    checked: &CheckedRequest<'_>,
    mut prepared: PreparedRequest<'_>,
    if_match: Option<&str>,
    budget: u64,
) -> Result<Success, Failure> {
    match update::read_first(context, checked).await? {
        Some(Admitted { request: read, permit }) => {
            let reading = Admitted { request: &read, permit };
            let merging = update::merge(context, checked, reading, prepared, if_match);
            prepared = merging.await?.prepared;
        }
        None => update::demand(&mut prepared, if_match, checked)?,
    }
    let request = context.dispatcher.upstream.preview(&prepared);
    shown(context, checked, request, budget)
}

/// A previewed request as a line for people: method and address of an API, else what the handler says of itself.
pub fn in_words(request: &Value) -> String {
    match (request["method"].as_str(), request["url"].as_str()) {
        (Some(method), Some(url)) => match &request["body"] {
            Value::Null => format!("{method} {url}"),
            body => format!("{method} {url} with {body}"),
        },
        _ if request.is_null() => String::new(),
        _ => request.as_str().map_or_else(|| request.to_string(), str::to_owned),
    }
}

/// The request and the gatekeeper's decision on it.
pub fn shown(
    context: &CallContext<'_>,
    checked: &CheckedRequest<'_>,
    request: Value,
    budget: u64,
) -> Result<Success, Failure> {
    let preview = gatekeep::preview(context, checked);
    let shown = json!({
        "dry_run": true,
        "request": request,
        "gatekeeper": {
            "decision": preview.decision,
            "rule": preview.rule.to_string(),
            "danger_level": preview.danger.name(),
            "trust_level": preview.trust.name(),
        },
    });
    let data = RawJson::of(&shown);
    if measure::tokens(data.as_str()) > budget {
        return Err(failure_map::over_budget(data.as_str(), budget, 0));
    }
    Ok(Success { data, warnings: checked.warnings.clone(), meta: Map::new() })
}
