//! Queries that are ours, beside the two standard ones: `adapter_info` and `danger`.
//!
//! A catalog and perhaps a name in, JSON out. Hidden operations are counted, never shown (ruling W2).

use crate::catalog::Catalog;
use aqueduct_operations::gatekeeper::{GateDecision, GateEffect};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::registry::SourceProblem;
use aqueduct_operations::source::Source;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Longer texts are cut at a line, so that the response stays within any budget.
const LONGEST_DOCUMENTATION: usize = 30_000;

/// What is behind the server: one adapter, or all of them.
pub fn adapter_info(catalog: &Catalog, name: Option<&str>) -> Value {
    let registry = catalog.registry();
    let is_chosen = |other: &str| name.is_none_or(|name| other == name);
    let sources = registry.sources().iter().filter(|source| is_chosen(&source.name));
    let failed = registry.problems().iter().filter(|each| !each.is_served && is_chosen(&each.name));
    let sources: Vec<&Arc<Source>> = sources.collect();
    let infos = sources.iter().map(|source| source_info(catalog, source));
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

fn source_info(catalog: &Catalog, source: &Source) -> Value {
    let count = |hidden: bool| {
        let entries = catalog.registry().entries().iter().enumerate();
        entries
            .filter(|(i, entry)| {
                entry.source.name == source.name && catalog.decision(*i).is_hidden() == hidden
            })
            .count()
    };
    let mut trust = source.info.get("trust").and_then(Value::as_object).cloned().unwrap_or_default();
    trust.insert("level".to_owned(), source.trust.name().into());
    let mut info = Map::new();
    info.insert("name".to_owned(), source.name.as_str().into());
    info.insert("version".to_owned(), source.version.as_str().into());
    info.insert("description".to_owned(), source.description.as_str().into());
    info.extend(source.info.iter().filter(|(key, _)| *key != "trust").map(|(k, v)| (k.clone(), v.clone())));
    info.insert("trust".to_owned(), Value::Object(trust));
    info.insert("concurrency".to_owned(), source.concurrency.name().into());
    info.insert("operations".to_owned(), count(false).into());
    info.insert("hidden".to_owned(), count(true).into());
    let mut problems = catalog.registry().problems().iter();
    let problem = problems.find(|each| each.is_served && each.name == source.name);
    info.insert("state".to_owned(), problem.map_or("ok", SourceProblem::state).into());
    if let Some(problem) = problem {
        let lists = [("problems", &problem.problems), ("withheld", &problem.withheld)];
        let filled = lists.into_iter().filter(|(_, list)| !list.is_empty());
        info.extend(filled.map(|(key, list)| (key.to_owned(), list.clone().into())));
    }
    Value::Object(info)
}

/// How dangerous operations are, what the policy says, and which rule decided.
pub fn danger(catalog: &Catalog, name: Option<&str>) -> Value {
    match name {
        None => json!({"operations": catalog.visible().map(|(e, s)| danger_of(e, s)).collect::<Vec<_>>()}),
        Some(name) => {
            let found = catalog.find(name).filter(|(_, _, decision)| !decision.is_hidden());
            json!({"operation": found.map(|(_, entry, decision)| danger_of(entry, decision))})
        }
    }
}

fn danger_of(entry: &RegistryEntry, decision: &GateDecision) -> Value {
    let mut shown = json!({
        "name": entry.public_name,
        "danger_level": entry.operation.danger.level.name(),
        "decision": decision.name(),
        "rule": decision.rule.to_string(),
    });
    if let GateEffect::Confirm(reasons) = &decision.effect {
        shown["reasons"] = reasons.clone().into();
    }
    shown
}
