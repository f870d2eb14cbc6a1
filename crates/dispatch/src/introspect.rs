//! Answers of `introspect`: strict shapes (introspection document; rulings W2 and W3), worked out once per catalog.
//!
//! `operation_list` lists operations, `filter` says which, `listing` cuts long lists into pages; `operations` shows them in a
//! line or in detail, `parameters` describes parameters, `types` the types, `protocol` holds the facts of the server, `extras`
//! the queries that are ours, and `search` finds operations for a request.

mod extras;
mod filter;
mod listing;
mod operation_list;
mod operations;
mod parameters;
mod protocol;
mod search;
mod types;

use crate::catalog::Catalog;
use crate::discovery::neighbours;
use crate::stages::route;
use crate::update;
use aqueduct_operations::call::{Scopes, SessionId, ToolEndpoint};
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::failure::wording;
use aqueduct_operations::gatekeeper::GateDecision;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::registry::Registry;
use aqueduct_operations::reply::Warning;
use aqueduct_operations::suggest::nearest;
pub use filter::UnknownWord;
pub use listing::UnknownStart;
use listing::{Listing, ListingRange};
use operation_list::OperationList;
use parameters::InputHandling;
use protocol::ProtocolFacts;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

/// What has been worked out.
#[derive(Debug)]
pub struct IntrospectionCache {
    list: OnceLock<OperationList>,
    types: OnceLock<Listing>,
    most_tokens: u64,
    details: Vec<OnceLock<RawJson>>,
    protocol: ProtocolFacts,
}

impl IntrospectionCache {
    /// Works out the facts; lists and details are written when they are first requested.
    pub fn prepare(
        registry: &Registry,
        decisions: &[GateDecision],
        exposure: &Exposure,
        limits: &Limits,
    ) -> IntrospectionCache {
        let hidden = decisions.iter().filter(|decision| decision.is_hidden()).count();
        IntrospectionCache {
            list: OnceLock::new(),
            types: OnceLock::new(),
            most_tokens: limits.max_response_tokens,
            details: registry.entries().iter().map(|_| OnceLock::new()).collect(),
            protocol: ProtocolFacts::of(registry, exposure, limits, hidden),
        }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntrospectError {
    /// There is nothing of this name to begin after.
    NoSuchPlace(UnknownStart),
    /// There is no such source, tag or category.
    UnknownWord(UnknownWord),
    /// It is not said what to search for.
    NoSearch,
    /// What to search for is too long.
    SearchTooLong,
    /// The list has no room for its own page, and this many items.
    TooLong {
        /// What was requested.
        query: &'static str,
        /// The items.
        count: usize,
    },
}

/// A response, and the warnings about it.
pub type IntrospectAnswer = (RawJson, Vec<Warning>);

/// Answers a checked `introspect` request. A name that is unknown or hidden gives null.
pub fn respond(
    catalog: &Catalog,
    values: &Map<String, Value>,
    session: &SessionId,
    scopes: &Scopes,
) -> Result<IntrospectAnswer, IntrospectError> {
    let text = |key: &str| values.get(key).and_then(Value::as_str);
    let name = text("name");
    let data = match text("query").unwrap_or_default() {
        "types" => match name {
            None => types_list(catalog, values)?,
            Some(name) => RawJson::of(&json!({"type": types::detail(catalog, name)})),
        },
        "search" => search::respond(catalog, values, scopes)?,
        "adapter_info" => RawJson::of(&extras::adapter_info(catalog, name)),
        "danger" => RawJson::of(&extras::danger(catalog, name)),
        "capabilities" => RawJson::of(&catalog.introspection().protocol.capabilities()),
        _ => match name {
            None => return operation_list::list(catalog, values, session, scopes),
            Some(name) => detail(catalog, name),
        },
    };
    Ok((data, unknown_name(catalog, values, scopes).into_iter().collect()))
}

/// Adds a member where there is something to show.
fn put_some(shown: &mut Value, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        shown[key] = value.into();
    }
}

/// Names that are offered in place of an unknown one.
const MOST_NAMES: usize = 5;

/// That there is nothing of the name that was requested, with the closest names (ruling W3). The response itself stays strict.
fn unknown_name(catalog: &Catalog, values: &Map<String, Value>, scopes: &Scopes) -> Option<Warning> {
    let text = |key: &str| values.get(key).and_then(Value::as_str);
    let (name, query) = (text("name")?, text("query").unwrap_or_default());
    let (noun, near) = match query {
        "types" if types::detail(catalog, name).is_null() => {
            let known = types::list(catalog);
            let known = known.iter().filter_map(|each| each["name"].as_str());
            ("type", nearest(name, known, MOST_NAMES).into_iter().map(str::to_owned).collect::<Vec<_>>())
        }
        "operations" | "danger" if !is_shown(catalog, name) => {
            let near = route::suggestions(catalog, name, &ToolEndpoint::Any, scopes);
            ("operation", near.into_iter().map(str::to_owned).collect())
        }
        _ => return None,
    };
    let mut message = format!("There is no {noun} '{}'.", wording::echo(name));
    message.push_str(&match near.split_first() {
        None if noun == "type" => " Leave 'name' out to list them all.".to_owned(),
        None => String::new(),
        Some((best, [])) => format!(" Did you mean '{best}'?"),
        Some((best, others)) => format!(" Did you mean '{best}', or one of {}?", others.join(", ")),
    });
    if noun == "operation" {
        message.push_str(&wording::search_hint(catalog.sample_request()));
    }
    Some(Warning::new("UNKNOWN_NAME", message).with("name", wording::echo(name)).with("suggestions", near))
}

fn is_shown(catalog: &Catalog, name: &str) -> bool {
    catalog.find(name).is_some_and(|(_, _, decision)| !decision.is_hidden())
}

/// The types. Their response has no room for further pages, so one that is too long must be requested in parts.
fn types_list(catalog: &Catalog, values: &Map<String, Value>) -> Result<RawJson, IntrospectError> {
    let cache = catalog.introspection();
    let named = |each: Value| (each["name"].as_str().unwrap_or_default().to_owned(), each);
    let listing = cache.types.get_or_init(|| Listing::of(types::list(catalog).into_iter().map(named)));
    let is_part = values.contains_key("first") || values.contains_key("after");
    if !is_part && listing.tokens() > cache.most_tokens {
        return Err(IntrospectError::TooLong { query: "types", count: listing.len() });
    }
    let part = ListingRange { budget: u64::MAX, ..ListingRange::of(values, u64::MAX) };
    let page = listing.page(&listing.all(), part).map_err(IntrospectError::NoSuchPlace)?;
    Ok(RawJson::object(&[("types", &page.list)]))
}

fn detail(catalog: &Catalog, name: &str) -> RawJson {
    let Some((index, entry, decision)) = catalog.find(name).filter(|(_, _, decision)| !decision.is_hidden())
    else {
        return RawJson::of(&json!({"operation": null}));
    };
    let slot = &catalog.introspection().details[index];
    slot.get_or_init(|| {
        let sent = if update::replaces(catalog, entry) {
            InputHandling::AsTheWhole
        } else {
            InputHandling::AsChanges
        };
        let near = neighbours(catalog, index);
        let detail = operations::detail(entry, decision, catalog.exposure(), sent, &near);
        RawJson::of(&json!({"operation": detail}))
    })
    .clone()
}

#[cfg(test)]
mod tests;
