//! Answers of `introspect`: strict shapes (introspection document; rulings W2 and W3), worked out once per catalog.
//!
//! `operations` lists and details operations, `parameters` describes parameters, `types` the types, `protocol` holds the
//! facts of the server, `extras` the queries that are ours.

mod extras;
mod operations;
mod parameters;
mod protocol;
mod types;

use crate::catalog::Catalog;
use aqueduct_operations::call::SessionId;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::registry::Registry;
use aqueduct_safety::gatekeeper::Standing;
use protocol::Protocol;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

/// What has been worked out.
#[derive(Debug)]
pub struct Answers {
    list: RawJson,
    details: Vec<OnceLock<RawJson>>,
    protocol: Protocol,
}

impl Answers {
    /// Works out the list; details are written when they are first asked for.
    pub fn prepare(
        registry: &Registry,
        standings: &[Standing],
        exposure: &Exposure,
        limits: &Limits,
    ) -> Answers {
        let visible = registry.entries().iter().zip(standings).filter(|(_, standing)| !standing.is_hidden());
        let list = visible.map(|(entry, standing)| operations::item(entry, standing, exposure)).collect();
        let list = RawJson::of(&Value::Array(list));
        let hidden = standings.iter().filter(|standing| standing.is_hidden()).count();
        Answers {
            list,
            details: registry.entries().iter().map(|_| OnceLock::new()).collect(),
            protocol: Protocol::of(registry, exposure, limits, hidden),
        }
    }
}

/// Answers a checked `introspect` request. A name that is unknown or hidden gives null.
pub fn answer(catalog: &Catalog, values: &Map<String, Value>, session: &SessionId) -> RawJson {
    let text = |key: &str| values.get(key).and_then(Value::as_str);
    let name = text("name");
    match text("query").unwrap_or_default() {
        "types" => RawJson::of(&match name {
            None => json!({"types": types::list(catalog)}),
            Some(name) => json!({"type": types::detail(catalog, name)}),
        }),
        "adapter_info" => RawJson::of(&extras::adapter_info(catalog, name)),
        "danger" => RawJson::of(&extras::danger(catalog, name)),
        "capabilities" => RawJson::of(&catalog.answers().protocol.capabilities()),
        _ => match name {
            None => list(catalog.answers(), session),
            Some(name) => detail(catalog, name),
        },
    }
}

fn list(answers: &Answers, session: &SessionId) -> RawJson {
    let protocol = RawJson::of(&answers.protocol.with_session(session));
    RawJson::object(&[("_protocol", &protocol), ("operations", &answers.list)])
}

fn detail(catalog: &Catalog, name: &str) -> RawJson {
    let Some((index, entry, standing)) = catalog.find(name).filter(|(_, _, standing)| !standing.is_hidden())
    else {
        return RawJson::of(&json!({"operation": null}));
    };
    let slot = &catalog.answers().details[index];
    slot.get_or_init(|| {
        RawJson::of(&json!({"operation": operations::detail(entry, standing, catalog.exposure())}))
    })
    .clone()
}

#[cfg(test)]
mod tests;
