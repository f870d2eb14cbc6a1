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
mod quota_status;
mod search;
mod types;

pub use quota_status::quota_status;

use crate::catalog::Catalog;
use crate::catalog_view::CatalogView;
use crate::discovery::{request_of_name, task_sent};
use crate::stages::envelope::RequestEnvelope;
use crate::stages::route::{self, Routed};
use crate::update;
use aqueduct_operations::call::{SessionId, ToolEndpoint};
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::limits::Limits;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::registry::Registry;
use aqueduct_operations::reply::Warning;
use aqueduct_operations::suggest::nearest;
use aqueduct_operations::target::{BuiltIn, Target};
use aqueduct_query::measure;
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
    pub fn prepare(registry: &Registry, exposure: &Exposure, limits: &Limits) -> IntrospectionCache {
        IntrospectionCache {
            list: OnceLock::new(),
            types: OnceLock::new(),
            most_tokens: limits.max_response_tokens,
            details: registry.entries().iter().map(|_| OnceLock::new()).collect(),
            protocol: ProtocolFacts::of(registry, exposure, limits),
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
    /// What is requested of a list has more items than a response has room for: this many.
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
    view: &CatalogView<'_>,
    values: &Map<String, Value>,
    session: &SessionId,
) -> Result<IntrospectAnswer, IntrospectError> {
    let text = |key: &str| values.get(key).and_then(Value::as_str);
    let name = text("name");
    let data = match text("query").unwrap_or_default() {
        "types" => match name {
            None => types_list(view, values)?,
            Some(name) => RawJson::of(&json!({"type": types::detail(view, name)})),
        },
        "search" => search::respond(view, values)?,
        "adapter_info" => RawJson::of(&extras::adapter_info(view, name)),
        "danger" => match name {
            None => danger_list(view, values)?,
            Some(name) => RawJson::of(&extras::danger(view, name)),
        },
        "capabilities" => RawJson::of(&view.catalog().introspection().protocol.capabilities()),
        _ => match name {
            None => return operation_list::list(view, values, session),
            Some(name) => detail(view, name),
        },
    };
    Ok((data, unknown_name(view, values).into_iter().chain(ignored(values)).collect()))
}

/// Completes a request that says what to search for and not what it wants: it is a search.
pub fn complete(request: &mut Routed<'_>) {
    let RequestEnvelope { params, top_level, .. } = &mut request.envelope;
    let has = |key: &str| params.contains_key(key) || top_level.contains_key(key);
    if is_introspect(request.entry) && has("search") && !has("query") {
        params.insert("query".to_owned(), "search".into());
    }
}

/// The task that a request speaks of, under whatever name.
pub fn task_in(request: &Routed<'_>) -> Option<String> {
    let RequestEnvelope { params, top_level, .. } = &request.envelope;
    if is_introspect(request.entry) { task_sent(&[params, top_level]) } else { None }
}

/// Adds to what is wrong with a request how one searches: for the task that it speaks of, where it has one.
pub fn with_search(mut failure: Failure, task: Option<&str>, catalog: &Catalog) -> Failure {
    let sample = match (failure.code, task) {
        (Code::ValidationMissingParam, task) => task.unwrap_or_else(|| catalog.sample_request()),
        (Code::ValidationUnknownParam, Some(task)) => task,
        // One word is more likely a slip of the name of a query.
        (Code::InvalidQueryType, Some(task)) if task.contains(' ') => task,
        _ => return failure,
    };
    if !failure.message.ends_with('.') {
        failure.message.push('.');
    }
    failure.message.push_str(&wording::search_hint(sample));
    failure
}

/// True for the operation that this file answers.
pub fn is_introspect(entry: &RegistryEntry) -> bool {
    matches!(entry.operation.target, Target::BuiltIn(BuiltIn::Introspect))
}

/// What a query takes besides `query` itself.
fn taken(query: &str, is_named: bool) -> &'static [&'static str] {
    match (query, is_named) {
        ("search", _) => &["search", "category", "source", "tag", "first", "budget"],
        ("operations", false) => &["search", "category", "source", "tag", "first", "after", "budget"],
        ("types" | "danger", false) => &["first", "after"],
        ("capabilities", _) => &[],
        _ => &["name"],
    }
}

/// That something in the request has no part in its answer.
fn ignored(values: &Map<String, Value>) -> Option<Warning> {
    let query = values.get("query").and_then(Value::as_str).unwrap_or_default();
    let taken = taken(query, values.contains_key("name"));
    let ignored: Vec<&str> =
        values.keys().map(String::as_str).filter(|key| *key != "query" && !taken.contains(key)).collect();
    let hint = match query {
        _ if ignored.is_empty() => return None,
        "search" => {
            " Raise 'first' for more matches, or go on in a list with query 'operations', 'search' and 'after'."
        }
        _ if taken == ["name"] => " With 'name' one thing is described: leave it out to list or search.",
        _ => "",
    };
    let message = format!("Ignored with query '{query}': '{}'.{hint}", ignored.join("', '"));
    Some(Warning::new("PARAMETER_IGNORED", message).with("params", ignored))
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
fn unknown_name(view: &CatalogView<'_>, values: &Map<String, Value>) -> Option<Warning> {
    let text = |key: &str| values.get(key).and_then(Value::as_str);
    let (name, query) = (text("name")?, text("query").unwrap_or_default());
    let (noun, near) = match query {
        "types" if types::detail(view, name).is_null() => {
            let known = types::list(view);
            let known = known.iter().filter_map(|each| each["name"].as_str());
            ("type", nearest(name, known, MOST_NAMES).into_iter().map(str::to_owned).collect::<Vec<_>>())
        }
        "operations" | "danger" if view.find(name).is_none() => {
            let near = route::suggestions(view, name, &ToolEndpoint::Any);
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
        let sample = match near.first() {
            Some(_) => request_of_name(view.catalog(), name),
            None => view.catalog().sample_request().to_owned(),
        };
        message.push_str(&wording::search_hint(&sample));
    }
    Some(Warning::new("UNKNOWN_NAME", message).with("name", wording::echo(name)).with("suggestions", near))
}

/// The types. Their response has no room for further pages, so one that is too long must be requested in parts.
fn types_list(view: &CatalogView<'_>, values: &Map<String, Value>) -> Result<RawJson, IntrospectError> {
    let cache = view.catalog().introspection();
    let named = |each: Value| (each["name"].as_str().unwrap_or_default().to_owned(), each);
    let written = || Listing::of(types::list(view).into_iter().map(named));
    let own;
    let listing = match view.is_common() {
        true => cache.types.get_or_init(written),
        false => {
            own = written();
            &own
        }
    };
    Ok(RawJson::object(&[("types", &part_of(listing, "types", values, cache.most_tokens)?)]))
}

/// How dangerous all operations are, in parts like the types.
fn danger_list(view: &CatalogView<'_>, values: &Map<String, Value>) -> Result<RawJson, IntrospectError> {
    let listing = Listing::of(extras::dangers(view));
    let most = view.catalog().introspection().most_tokens;
    Ok(RawJson::object(&[("operations", &part_of(&listing, "operations", values, most)?)]))
}

/// The part of a list that is requested, if a response has room for it: there is no place to say that it goes on.
fn part_of(
    listing: &Listing,
    query: &'static str,
    values: &Map<String, Value>,
    most: u64,
) -> Result<RawJson, IntrospectError> {
    let part = ListingRange::of(values, u64::MAX, u64::MAX);
    let part = ListingRange { budget: u64::MAX, ..part };
    let page = listing.page(&listing.all(), part).map_err(IntrospectError::NoSuchPlace)?;
    let text = page.list.as_str();
    match text.len() as u64 > most && measure::tokens(text) > most {
        true => Err(IntrospectError::TooLong { query, count: page.returned }),
        false => Ok(page.list),
    }
}

fn detail(view: &CatalogView<'_>, name: &str) -> RawJson {
    let catalog = view.catalog();
    let Some((index, entry, _)) = view.find(name) else {
        return RawJson::of(&json!({"operation": null}));
    };
    let written = || {
        let sent = if update::replaces(catalog, entry) {
            InputHandling::AsTheWhole
        } else {
            InputHandling::AsChanges
        };
        RawJson::of(&json!({"operation": operations::detail(view, index, sent)}))
    };
    match view.is_common() {
        true => catalog.introspection().details[index].get_or_init(written).clone(),
        false => written(),
    }
}

#[cfg(test)]
mod tests;
