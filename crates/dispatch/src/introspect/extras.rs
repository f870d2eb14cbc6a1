//! Queries that are ours, beside the two standard ones: `adapter_info` and `danger`.
//!
//! A catalog and perhaps a name in, JSON out. Hidden operations are counted, never shown (ruling W2).

use crate::catalog_view::CatalogView;
use aqueduct_operations::gatekeeper::{GateEffect, Permission};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::registry::SourceProblem;
use aqueduct_operations::source::Source;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Longer texts are cut at a line, so that the response stays within any budget.
const LONGEST_DOCUMENTATION: usize = 30_000;

/// What is behind the server: one adapter, or all of them.
pub fn adapter_info(view: &CatalogView<'_>, name: Option<&str>) -> Value {
    let registry = view.catalog().registry();
    let is_chosen = |other: &str| name.is_none_or(|name| other == name);
    let sources = view.sources().into_iter().filter(|source| is_chosen(&source.name));
    let failed = registry.problems().iter().filter(|each| !each.is_served && is_chosen(&each.name));
    let sources: Vec<&Arc<Source>> = sources.collect();
    let infos = sources.iter().map(|source| source_info(view, source));
    let chosen: Vec<Value> = infos.chain(failed.map(failure_info)).collect();
    match <[Value; 1]>::try_from(chosen) {
        Ok([mut only]) => {
            if let Some(text) = sources.first().and_then(|source| documentation(source)) {
                only["documentation"] = text.into();
            }
            only
        }
        Err(several) => json!({"adapters": several}),
    }
}

/// The text of a file beneath its front matter, up to a limit. Of several adapters each is requested by its name.
fn documentation(source: &Source) -> Option<String> {
    let text = source.documentation.as_str();
    let Some((end, _)) = text.char_indices().nth(LONGEST_DOCUMENTATION) else {
        return (!text.is_empty()).then(|| text.to_owned());
    };
    let cut = text[..end].rfind('\n').unwrap_or(end);
    Some(format!("{}\n\n(The rest is in the adapter file.)", &text[..cut]))
}

/// A source without a good version: nothing of it can be called.
fn failure_info(problem: &SourceProblem) -> Value {
    json!({"name": problem.name, "state": problem.state(), "problems": problem.problems})
}

fn source_info(view: &CatalogView<'_>, source: &Source) -> Value {
    let registry = view.catalog().registry();
    let all = registry.entries().iter().filter(|entry| entry.source.name == source.name).count();
    let shown = view.visible().filter(|entry| entry.source.name == source.name).count();
    let mut trust = source.info.get("trust").and_then(Value::as_object).cloned().unwrap_or_default();
    trust.insert("level".to_owned(), source.trust.name().into());
    let mut info = Map::new();
    info.insert("name".to_owned(), source.name.as_str().into());
    info.insert("version".to_owned(), source.version.as_str().into());
    info.insert("description".to_owned(), source.description.as_str().into());
    info.extend(source.info.iter().filter(|(key, _)| *key != "trust").map(|(k, v)| (k.clone(), v.clone())));
    info.insert("trust".to_owned(), Value::Object(trust));
    info.insert("concurrency".to_owned(), source.concurrency.name().into());
    info.insert("operations".to_owned(), shown.into());
    info.insert("hidden".to_owned(), (all - shown).into());
    let mut problems = registry.problems().iter();
    let problem = problems.find(|each| each.is_served && each.name == source.name);
    info.insert("state".to_owned(), problem.map_or("ok", SourceProblem::state).into());
    if let Some(problem) = problem {
        let lists = [("problems", &problem.problems), ("withheld", &problem.withheld)];
        let filled = lists.into_iter().filter(|(_, list)| !list.is_empty());
        info.extend(filled.map(|(key, list)| (key.to_owned(), list.clone().into())));
    }
    Value::Object(info)
}

/// How dangerous an operation is, what the policy says, and which rule decided.
pub fn danger(view: &CatalogView<'_>, name: &str) -> Value {
    json!({"operation": view.find(name).map(|(index, entry, _)| danger_of(view, index, entry))})
}

/// The same of all operations, each with its name.
pub fn dangers(view: &CatalogView<'_>) -> impl Iterator<Item = (String, Value)> {
    view.placed().map(move |(index, entry)| (entry.public_name.clone(), danger_of(view, index, entry)))
}

fn danger_of(view: &CatalogView<'_>, index: usize, entry: &RegistryEntry) -> Value {
    let decision = view.decision(index);
    let mut shown = json!({
        "name": entry.public_name,
        "danger_level": entry.operation.danger.level.name(),
        "decision": decision.name(),
        "rule": decision.rule.to_string(),
    });
    if let GateEffect::Confirm(reasons) = &decision.effect {
        shown["reasons"] = reasons.clone().into();
    }
    let by_call = view.by_call(index);
    if !by_call.is_empty() {
        let rule =
            |(permission, rule): (Permission, String)| json!({"decision": permission.name(), "rule": rule});
        shown["by_call"] = by_call.into_iter().map(rule).collect();
    }
    shown
}
