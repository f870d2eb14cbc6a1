//! Requests that are none, that name no operation, or that came by the wrong tool.
//!
//! Each failure but those of encoding and size comes with a request that would have been right: of the operation that was
//! named, of the nearest one, or of `introspect`. Operations that the caller may not call are never shown.

use super::gate::{denied, scope_missing};
use crate::catalog::Catalog;
use crate::catalog_view::CatalogView;
use crate::discovery::request_of_name;
use crate::introspect::{IntrospectError, UnknownStart, UnknownWord};
use crate::stages::envelope::EnvelopeError;
use crate::stages::route::{DenialCause, DeniedRequest, RouteError};
use aqueduct_operations::category::Category;
use aqueduct_operations::example::request_showing;
use aqueduct_operations::failure::wording::FamilyTool;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::naming::namespaced;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::registry::SourceProblem;
use aqueduct_operations::registry::introspect_entry::LONGEST_SEARCH;
use serde_json::{Value, json};

/// Names of sources in one sentence.
const MOST_NAMES: usize = 3;

/// Errors of the first look at a request.
pub fn envelope(error: EnvelopeError, view: &CatalogView<'_>) -> Failure {
    match error {
        EnvelopeError::Encoding { location } => {
            wording::invalid_encoding(Some(location.as_str()).filter(|text| !text.is_empty()), None)
        }
        EnvelopeError::TooLarge { limit_type, limit, actual, unit } => {
            wording::payload_too_large(limit_type, limit, actual, unit)
        }
        EnvelopeError::NoOperation { instead, task } => {
            no_operation(&instead, task.as_deref(), view).of_envelope()
        }
        EnvelopeError::OperationType(found) => {
            with_example(wrong_type("operation", "string", found), None, view).of_envelope()
        }
        EnvelopeError::ParamsType { operation, found } => {
            let named = visible(view, &operation);
            with_example(wrong_type("params", "object", found), named, view).of_envelope()
        }
    }
}

fn no_operation(instead: &[(String, String)], task: Option<&str>, view: &CatalogView<'_>) -> Failure {
    // A key such as `name` may mean anything, unless an operation is called so.
    let is_sure = |key: &str| key.to_ascii_lowercase().starts_with("op");
    let intended = instead.iter().find(|(key, value)| is_sure(key) || visible(view, value).is_some());
    let (next, named) = match (intended, task) {
        (Some((key, value)), _) => (format!(" Send 'operation' instead of '{key}'."), visible(view, value)),
        (None, Some(task)) => (wording::search_hint(task), None),
        (None, None) => (
            " Send {\"operation\": \"introspect\", \"params\": {\"query\": \"operations\"}} to list the operations."
                .to_owned(),
            None,
        ),
    };
    let message = format!("Missing required parameter 'operation'.{next}");
    let failure = Failure::new(Code::ValidationMissingParam, message).with("param_name", "operation");
    match task.filter(|_| intended.is_none()) {
        Some(task) => failure
            .with("example", search_request(task))
            .with("expected_tool", view.catalog().exposure().introspect_tool()),
        None => with_example(failure, named, view),
    }
}

fn wrong_type(param: &str, expected: &str, found: &str) -> Failure {
    Failure::new(
        Code::ValidationInvalidType,
        format!("Parameter '{param}' expected '{expected}', got '{found}'"),
    )
    .with("param_name", param)
    .with("expected_type", expected)
    .with("actual_type", found)
}

/// A search for this task.
fn search_request(task: &str) -> Value {
    json!({"operation": "introspect", "params": {"query": "search", "search": task}})
}

/// Errors of finding the operation.
pub fn route(error: RouteError<'_>, view: &CatalogView<'_>) -> Failure {
    let catalog = view.catalog();
    let exposure = catalog.exposure();
    match error {
        RouteError::Unknown { operation, suggestions, task } => {
            if let Some(source) = withheld_of(&operation, catalog) {
                return withheld(&operation, source).with("introspect_tool", exposure.introspect_tool());
            }
            let best = suggestions.first().and_then(|name| visible(view, name));
            let suggestions: Vec<&str> = suggestions.iter().map(String::as_str).collect();
            // A name that nothing is near to is nothing to search for.
            let sample = task.unwrap_or_else(|| match best {
                Some(_) => request_of_name(catalog, &operation),
                None => catalog.sample_request().to_owned(),
            });
            let mut failure = wording::unknown_operation(&operation, &suggestions)
                .with("introspect_tool", exposure.introspect_tool())
                .with("search", search_request(&sample));
            failure.message.push_str(&wording::search_hint(&sample));
            with_example(with_load_problems(failure, &operation, catalog), best, view)
        }
        RouteError::Denied(DeniedRequest { entry, cause, .. }) => match cause {
            DenialCause::Decision(denial) => denied(entry, denial),
            DenialCause::Scope(scope) => scope_missing(entry, scope),
        },
        RouteError::WrongEndpoint { operation, expected, actual } => {
            let shown = |tool: FamilyTool| FamilyTool { family: family_name(&tool.family), ..tool };
            let failure = wording::endpoint_mismatch(&operation, &shown(expected), &shown(actual));
            with_example(failure, visible(view, &operation), view)
        }
    }
}

/// The source that has the operation, though it is not shown before the operator approves it.
fn withheld_of<'a>(operation: &str, catalog: &'a Catalog) -> Option<&'a str> {
    let has = |trouble: &&SourceProblem| {
        let own = |name: &String| operation == name || operation == namespaced(&trouble.name, name);
        trouble.withheld.iter().any(own)
    };
    catalog.registry().problems().iter().find(has).map(|trouble| trouble.name.as_str())
}

fn withheld(operation: &str, source: &str) -> Failure {
    const WHY: &str =
        "it is new or has changed, and waits for approval: the operator sees it with 'aqueduct pins'";
    let mut failure = wording::unknown_operation(operation, &[]);
    failure.message = format!("Operation '{}' is withheld: {WHY}.", wording::echo(operation));
    failure.with("not_ready", json!([{"source": source, "problems": [WHY]}]))
}

/// Adds the sources that may have the operation, but are not there to say so.
fn with_load_problems(mut failure: Failure, operation: &str, catalog: &Catalog) -> Failure {
    let registry = catalog.registry();
    let is_of = |source: &str| operation.starts_with(&namespaced(source, ""));
    let absent = || registry.problems().iter().filter(|trouble| !trouble.is_served);
    let mut intended: Vec<&SourceProblem> = absent().filter(|trouble| is_of(&trouble.name)).collect();
    if intended.is_empty() && !registry.sources().iter().any(|source| is_of(&source.name)) {
        intended = absent().collect();
    }
    if intended.is_empty() {
        return failure;
    }
    let names: Vec<String> = intended
        .iter()
        .take(MOST_NAMES)
        .map(|trouble| format!("'{}'", wording::echo(&trouble.name)))
        .collect();
    let sources = if names.len() == 1 { "The source" } else { "One of the sources" };
    let names = names.join(", ");
    failure
        .message
        .push_str(&format!(" {sources} {names} may have it, but is not ready; the details say why."));
    let shown = |trouble: &&SourceProblem| json!({"source": trouble.name, "problems": trouble.problems});
    failure.with("not_ready", intended.iter().map(shown).collect::<Vec<_>>())
}

/// The five standard families are written as categories, others as they are.
fn family_name(family: &str) -> String {
    Category::parse(family).map_or_else(|| family.to_owned(), |category| category.upper().to_owned())
}

/// The operation of this name, unless it is hidden from the caller.
fn visible<'c>(view: &CatalogView<'c>, name: &str) -> Option<&'c RegistryEntry> {
    view.find(name).map(|(_, entry, _)| entry)
}

/// Adds a correct request and the tool that takes it: of this operation, else of `introspect`.
fn with_example(failure: Failure, entry: Option<&RegistryEntry>, view: &CatalogView<'_>) -> Failure {
    match entry.or_else(|| visible(view, "introspect")) {
        Some(entry) => failure
            .with("example", request_showing(entry, &[]))
            .with("expected_tool", view.catalog().exposure().tool_of(entry)),
        None => failure,
    }
}

/// `introspect` cannot answer.
pub fn introspect(error: IntrospectError, catalog: &Catalog) -> Failure {
    let sample = catalog.sample_request();
    match error {
        IntrospectError::NoSuchPlace(UnknownStart(name)) => Failure::new(
            Code::ValidationInvalidValue,
            format!(
                "There is nothing named '{}' to go on after. Take 'after' from the last page, or leave it out.",
                wording::echo(&name)
            ),
        ),
        IntrospectError::UnknownWord(unknown) => {
            Failure::new(Code::ValidationInvalidValue, unknown_word(&unknown))
        }
        IntrospectError::NoSearch => Failure::new(
            Code::ValidationMissingParam,
            format!(
                "Missing required parameter 'search': describe the task in your own words.{}",
                wording::search_hint(sample)
            ),
        ),
        IntrospectError::SearchTooLong => Failure::new(
            Code::ValidationInvalidValue,
            format!(
                "Parameter 'search' has more than {LONGEST_SEARCH} characters. Describe the task in one sentence.{}",
                wording::search_hint(sample)
            ),
        ),
        IntrospectError::TooLong { query, count } => Failure::new(
            Code::ValidationPayloadTooLarge,
            format!(
                "There are {count} {query}, too many for one answer. Ask for one by 'name', or for some with 'first' \
                 and 'after' (the last name you have)."
            ),
        ),
    }
}

/// Known words in one sentence.
const MOST_KNOWN: usize = 10;

/// That nothing is called so, with what is.
fn unknown_word(unknown: &UnknownWord) -> String {
    let UnknownWord { what, word, closest, known } = unknown;
    let mut message = format!("There is no {what} '{}'.", wording::echo(word));
    if let Some(closest) = closest {
        message.push_str(&format!(" Did you mean '{}'?", wording::echo(closest)));
    }
    let named: Vec<String> =
        known.iter().take(MOST_KNOWN).map(|word| format!("'{}'", wording::echo(word))).collect();
    message.push_str(&match (named.is_empty(), known.len() - named.len()) {
        (true, _) => format!(" No operation has a {what}."),
        (false, 0) => format!(" Known: {}.", named.join(", ")),
        (false, more) => format!(" Known: {} and {more} more.", named.join(", ")),
    });
    message
}

#[cfg(test)]
mod tests;
