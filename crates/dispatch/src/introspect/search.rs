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
use aqueduct_operations::example::{request_stating, value_of};
use aqueduct_operations::operation::{Grouping, Operation, RegistryEntry};
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::registry::introspect_entry::LONGEST_SEARCH;
use aqueduct_operations::sanitize::one_line;
use aqueduct_operations::short_text::shortened;
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
/// Values of an enum that are shown, and characters of each.
const MOST_VALUES: usize = 6;
const LONGEST_VALUE: usize = 40;
/// Fields of a body that are shown where none is required.
const MOST_MAIN: usize = 4;

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
    let mentioned = mentioned_params(request, operation);
    let is_needed = |param: &Param| param.required || operation.body_needs().contains(&param.name);
    let is_mentioned = |param: &Param| {
        stated.contains_key(&param.name) || mentioned.iter().any(|each| each.name == param.name)
    };
    let has_body =
        operation.params.iter().any(|param| param.is_body() && (is_needed(param) || is_mentioned(param)));
    let main = if has_body { Vec::new() } else { main_fields(operation) };
    let is_main = |param: &Param| main.iter().any(|each| each.name == param.name);
    let is_meant = |param: &Param| {
        is_mentioned(param)
            || is_main(param)
            || is_whole_body(operation, param)
            || is_only_field(operation, param)
    };
    let (required, optional): (Vec<&Param>, Vec<&Param>) =
        operation.params.iter().partition(|param| is_needed(param));
    let (mentioned_optional, others): (Vec<&Param>, Vec<&Param>) =
        optional.into_iter().partition(|param| is_meant(param));
    let mut shown = named(view, index);
    shown["required"] = typed(operation, &required);
    if !mentioned_optional.is_empty() {
        shown["optional"] = typed(operation, &mentioned_optional);
    }
    if in_full {
        let left_out = others.len().saturating_sub(MOST_OTHERS);
        let others: Vec<String> =
            others.iter().take(MOST_OTHERS).map(|param| key(operation, param)).collect();
        put_some(&mut shown, "more_optional", Some(others).filter(|others| !others.is_empty()));
        put_some(&mut shown, "more_optional_left_out", Some(left_out).filter(|count| *count > 0));
    }
    let mut sent = stated.clone();
    let whole = operation.params.iter().find(|param| {
        is_only_field(operation, param) || !is_needed(param) && is_whole_body(operation, param)
    });
    if let Some(param) = whole.or_else(|| main.first().copied().filter(|_| makes_with_body(operation)))
        && !is_mentioned(param)
    {
        sent.extend(written_out(operation, param).map(|value| (param.name.clone(), value)));
    }
    shown["example"] = request_stating(entry, &sent);
    let made_up = placeholders(operation, &shown["example"]["params"], &stated);
    put_some(&mut shown, "placeholders", Some(made_up).filter(|names| !names.is_empty()));
    shown
}

/// What has to be sent and is not said to require anything: with one field it says something.
fn written_out(operation: &Operation, param: &Param) -> Option<Value> {
    if is_only_field(operation, param) {
        return Some(object_with_a_field(operation, param));
    }
    match value_of(param)? {
        value if value == json!({}) => Some(object_with_a_field(operation, param)),
        value => Some(value),
    }
}

/// The fields of a body of which none is required, those first that say most: without them nobody knows what to send.
fn main_fields(operation: &Operation) -> Vec<&Param> {
    let Target::Http(target) = &operation.target else { return Vec::new() };
    let is_written = matches!(target.method, Method::Post | Method::Put | Method::Patch);
    if !is_written || !target.needs_body && operation.category != Category::Create {
        return Vec::new();
    }
    let mut fields: Vec<&Param> = operation.params.iter().filter(|param| param.is_body()).collect();
    fields.sort_by_key(|param| rank(&param.name));
    fields.truncate(MOST_MAIN);
    fields
}

/// True for what makes something of a body that has to be sent.
fn makes_with_body(operation: &Operation) -> bool {
    matches!(&operation.target, Target::Http(target) if target.needs_body)
        && operation.category == Category::Create
}

/// The parameters of an example whose values are made up and do not look it: a number, a date, an identifier of a format. A text that
/// repeats the name of its parameter shows that it stands for something.
fn placeholders(operation: &Operation, params: &Value, stated: &Map<String, Value>) -> Vec<String> {
    let is_made_up = |param: &&Param| {
        let value = match operation.grouping {
            Grouping::Input if param.is_body() => &params["input"][&param.name],
            _ => &params[&param.name],
        };
        let looks_real = match value {
            Value::Number(_) => true,
            Value::String(text) => *text != param.name,
            _ => false,
        };
        looks_real
            && param.shape.allowed.is_none()
            && param.default.as_ref() != Some(value)
            && stated.get(&param.name) != Some(value)
    };
    operation.params.iter().filter(is_made_up).map(|param| key(operation, param)).collect()
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
/// Names of fields that hold most of a thing, where none says what it is.
const HOLDING_FIELDS: &[&str] = &["metadata", "spec", "config", "settings", "data", "image", "url", "value"];

/// How soon a field is named.
fn rank(name: &str) -> usize {
    let mut main = MAIN_FIELDS.iter().chain(HOLDING_FIELDS);
    main.position(|main| *main == name).unwrap_or(MAIN_FIELDS.len() + HOLDING_FIELDS.len())
}

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
    let values: Vec<String> = param
        .shape
        .allowed
        .iter()
        .flatten()
        .filter_map(|value| Some(shortened(&one_line(value.as_str()?), LONGEST_VALUE)))
        .collect();
    let is_object = !param.required && (is_only_field(operation, param) || is_whole_body(operation, param));
    match values.len() {
        0 if is_object => match fields_shown(param) {
            Some(fields) => format!("object {{{fields}}}"),
            None => param.shape.shown_type(),
        },
        0 => param.shape.shown_type(),
        count if count <= MOST_VALUES => values.join(" | "),
        count => format!("{} | {} more", values[..MOST_VALUES].join(" | "), count - MOST_VALUES),
    }
}
