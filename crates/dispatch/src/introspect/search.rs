//! `query: "search"`: the operations that a request means, each with just enough to call it at once.
//!
//! A request in a person's words in; matches, best first, and how sure they are out. One that is clear comes alone and in
//! full; where nothing fits well the nearest groups of operations are given, and a few operations without an example.

use super::filter::ListingFilter;
use super::{IntrospectError, operations, put_some};
use crate::catalog_view::CatalogView;
use crate::discovery::{
    by_turns, groups, groups_as_json, mentioned_params, near_groups, search, stated_values,
};
use crate::object_fields::object_fields;
use aqueduct_operations::category::Category;
use aqueduct_operations::example::request_stating;
use aqueduct_operations::operation::{Grouping, Operation, RegistryEntry};
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::registry::introspect_entry::LONGEST_SEARCH;
use aqueduct_operations::target::{Method, Target};
use aqueduct_query::measure;
use aqueduct_search::MatchConfidence;
use serde_json::{Map, Value, json};

/// Matches and tokens of an answer by default.
const USUAL_MATCHES: usize = 5;
const USUAL_BUDGET: u64 = 700;
/// Matches that are named where nothing fits well.
const WEAK_MATCHES: usize = 3;
/// Matches that are looked at for the nearest groups, and what these may cost.
const NEAR_MATCHES: usize = 40;
const GROUP_TOKENS: u64 = 90;
/// Other optional parameters that are named with a clear match.
const MOST_OTHERS: usize = 12;
/// Values of an enum that are shown.
const MOST_VALUES: usize = 6;

/// Said where nothing fits well.
const WEAK: &str = "Nothing fits well. Search again with the nouns of the groups, or list one source with query \
                    'operations' and 'source'.";

/// The request that is searched for.
pub fn request(values: &Map<String, Value>) -> Result<&str, IntrospectError> {
    let text = values.get("search").and_then(Value::as_str).map(str::trim);
    match text {
        Some(text) if text.chars().count() > LONGEST_SEARCH => Err(IntrospectError::SearchTooLong),
        Some(text) if !text.is_empty() => Ok(text),
        _ => Err(IntrospectError::NoSearch),
    }
}

/// The answer to a search.
pub fn respond(view: &CatalogView<'_>, values: &Map<String, Value>) -> Result<RawJson, IntrospectError> {
    let request = request(values)?;
    let filter = ListingFilter::of(values, view).map_err(IntrospectError::UnknownWord)?;
    let number = |key: &str| values.get(key).and_then(Value::as_u64);
    let first = number("first").map(|first| usize::try_from(first).unwrap_or(usize::MAX));
    let budget = number("budget").unwrap_or(USUAL_BUDGET).min(view.catalog().introspection().most_tokens);
    let looked_at = first.unwrap_or(USUAL_MATCHES).max(NEAR_MATCHES);
    let found = search(view, request, |entry| filter.admits(entry), looked_at);
    let most = first.unwrap_or(match found.confidence {
        MatchConfidence::Clear => 1,
        MatchConfidence::Several => USUAL_MATCHES,
        MatchConfidence::Weak => WEAK_MATCHES,
    });
    let mut left = budget;
    let mut answer = json!({"matches": [], "confidence": found.confidence.name()});
    if found.confidence == MatchConfidence::Weak {
        let catalog = view.catalog();
        let near = found.matches.iter().map(|index| (*index, catalog.placed(*index)));
        let all = view.placed().filter(|(_, entry)| filter.admits(entry));
        let is_of_a_source =
            |(_, entry): &(usize, &RegistryEntry)| !matches!(entry.operation.target, Target::BuiltIn(_));
        let near = match found.matches.is_empty() {
            true => by_turns(groups(all.filter(is_of_a_source), catalog.resources())),
            false => near_groups(near, all, catalog.resources()),
        };
        put_some(&mut answer, "groups", groups_as_json(&near, GROUP_TOKENS.min(budget / 2)));
        answer["hint"] = WEAK.into();
        left = left.saturating_sub(measure::tokens(&answer.to_string()));
    }
    let mut matches: Vec<Value> = Vec::new();
    for index in found.matches.iter().take(most) {
        let shown = match found.confidence {
            MatchConfidence::Weak => named(view, *index),
            confidence => shown(view, *index, request, confidence == MatchConfidence::Clear),
        };
        let cost = measure::tokens(&shown.to_string()) + 1;
        if cost > left && !matches.is_empty() {
            break;
        }
        left = left.saturating_sub(cost);
        matches.push(shown);
    }
    let left_out = found.matches.len().min(most) - matches.len();
    answer["matches"] = matches.into();
    put_some(&mut answer, "left_out", Some(left_out).filter(|count| *count > 0));
    Ok(RawJson::of(&answer))
}

/// A match that is hardly meant: what it does, and by which tool it is called.
fn named(view: &CatalogView<'_>, index: usize) -> Value {
    let entry = view.catalog().placed(index);
    json!({
        "name": entry.public_name,
        "tool": view.catalog().exposure().tool_of(entry),
        "description": operations::line(view, index),
    })
}

/// One match: what it does, by which tool it is called, and with what. The example has what is required and what the request
/// states, and nothing else.
fn shown(view: &CatalogView<'_>, index: usize, request: &str, in_full: bool) -> Value {
    let entry = view.catalog().placed(index);
    let operation = &entry.operation;
    let stated = stated_values(request, operation);
    let spoken = mentioned_params(request, operation);
    let is_meant = |param: &Param| {
        stated.contains_key(&param.name)
            || spoken.iter().any(|each| each.name == param.name)
            || is_whole_body(operation, param)
            || is_only_field(operation, param)
    };
    let is_needed = |param: &Param| param.required || operation.body_needs().contains(&param.name);
    let (required, optional): (Vec<&Param>, Vec<&Param>) =
        operation.params.iter().partition(|param| is_needed(param));
    let (meant, others): (Vec<&Param>, Vec<&Param>) = optional.into_iter().partition(|param| is_meant(param));
    let mut shown = named(view, index);
    shown["required"] = typed(operation, &required);
    if !meant.is_empty() {
        shown["optional"] = typed(operation, &meant);
    }
    if in_full {
        let left_out = others.len().saturating_sub(MOST_OTHERS);
        let others: Vec<String> =
            others.iter().take(MOST_OTHERS).map(|param| key(operation, param)).collect();
        put_some(&mut shown, "more_optional", Some(others).filter(|others| !others.is_empty()));
        put_some(&mut shown, "more_optional_left_out", Some(left_out).filter(|count| *count > 0));
    }
    let mut stated = stated;
    for param in operation.params.iter().filter(|param| is_only_field(operation, param)) {
        if !stated.contains_key(&param.name) {
            stated.insert(param.name.clone(), object_with_a_field(operation, param));
        }
    }
    shown["example"] = request_stating(entry, &stated);
    shown
}

/// True for the one field of a body that has to be sent, where that is an object: the document does not say that it is required, but
/// without it there is nothing to send.
fn is_only_field(operation: &Operation, param: &Param) -> bool {
    let Target::Http(target) = &operation.target else { return false };
    let mut fields = operation.params.iter().filter(|param| param.is_body());
    target.needs_body
        && matches!(target.method, Method::Post | Method::Put | Method::Patch)
        && fields.next().is_some_and(|only| only.name == param.name)
        && fields.next().is_none()
        && !param.required
        && param.shape.kind == ValueKind::Object
        && param.schema.is_some()
}

/// Names of the field that says most of a thing.
const MAIN_FIELDS: &[&str] =
    &["name", "title", "text", "subject", "message", "content", "body", "description", "email"];

/// An object with the field that says most, where something is made. What is changed of a thing is for the request to say.
fn object_with_a_field(operation: &Operation, param: &Param) -> Value {
    let fields = param.schema.as_ref().map(|schema| object_fields(schema.get())).unwrap_or_default();
    let texts = || fields.iter().filter(|field| field.is_text);
    let main = MAIN_FIELDS.iter().find_map(|name| texts().find(|field| field.name == *name));
    let field = main.or_else(|| texts().next()).filter(|_| operation.category == Category::Create);
    match field {
        Some(field) => json!({ field.name: field.name }),
        None => json!({}),
    }
}

/// True for the one parameter that is the whole of what is sent, where something is.
fn is_whole_body(operation: &Operation, param: &Param) -> bool {
    match &operation.target {
        Target::Http(target) => {
            matches!(target.method, Method::Post | Method::Put | Method::Patch)
                && target.whole_body.as_ref() == Some(&param.name)
        }
        Target::Handler(_) | Target::BuiltIn(_) => false,
    }
}

/// Parameters with their types: `{"owner": "string", "input.state": "open | closed"}`.
fn typed(operation: &Operation, params: &[&Param]) -> Value {
    params
        .iter()
        .map(|param| (key(operation, param), Value::from(type_of(operation, param))))
        .collect::<Map<String, Value>>()
        .into()
}

/// Its name, with its place where that is inside `input`.
fn key(operation: &Operation, param: &Param) -> String {
    match operation.grouping {
        Grouping::Input if param.is_body() => format!("input.{}", param.name),
        _ => param.name.clone(),
    }
}

/// The first fields of an object, those first that say most, and how many more there are.
fn fields_shown(param: &Param) -> Option<String> {
    let schema = param.schema.as_ref()?;
    let mut fields = object_fields(schema.get());
    let rank = |name: &str| MAIN_FIELDS.iter().position(|main| *main == name).unwrap_or(MAIN_FIELDS.len());
    fields.sort_by_key(|field| rank(field.name));
    let names: Vec<&str> = fields.iter().take(MOST_OTHERS).map(|field| field.name).collect();
    match (names.len(), fields.len() - names.len()) {
        (0, _) => None,
        (_, 0) => Some(names.join(", ")),
        (_, more) => Some(format!("{}, {more} more", names.join(", "))),
    }
}

/// The type, or the values where these are few.
fn type_of(operation: &Operation, param: &Param) -> String {
    let values: Vec<&str> = param.shape.allowed.iter().flatten().filter_map(Value::as_str).collect();
    match values.len() {
        0 if is_only_field(operation, param) => match fields_shown(param) {
            Some(fields) => format!("object {{{fields}}}"),
            None => param.shape.shown_type(),
        },
        0 => param.shape.shown_type(),
        count if count <= MOST_VALUES => values.join(" | "),
        count => format!("{} | {} more", values[..MOST_VALUES].join(" | "), count - MOST_VALUES),
    }
}
