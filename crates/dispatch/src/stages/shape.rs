//! Puts the response into the success envelope: the chosen fields of it, within the budget. An upstream's JSON that needs no
//! shaping goes through as text.

mod text;

use super::call::CallOutcome;
use super::query_options::{FieldChoice, QueryOptions};
use super::validate::CheckedRequest;
use crate::context::CallContext;
use crate::worker_pool::LARGE;
use crate::{collection, content_blocks, failure_map, warnings};
use aqueduct_operations::category::Category;
use aqueduct_operations::controls::Control;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Success;
use aqueduct_query::{measure, peek};
use aqueduct_schema::work::Meter;
use aqueduct_upstream::UpstreamResponse;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// Wraps what came back.
pub async fn shape(
    context: &CallContext<'_>,
    checked: &CheckedRequest<'_>,
    options: QueryOptions,
    outcome: CallOutcome,
) -> Result<Success, Failure> {
    let (data, more) = match outcome {
        // Introspection responses have no room for metadata; what is wrong with the request stands beside them.
        CallOutcome::BuiltIn(data, more) => {
            let warnings = checked.warnings.iter().cloned().chain(options.warnings).chain(more).collect();
            return Ok(Success { warnings, ..Success::of(data) });
        }
        CallOutcome::Collected(data, warnings) => (data, warnings),
        CallOutcome::Single { data, etag } => {
            (single(context, checked, &options, data, etag).await?, Vec::new())
        }
    };
    let mut meta = Map::new();
    if let Some(facts) = context.http_facts.get() {
        meta.insert("http".to_owned(), facts.clone());
    }
    let warnings = checked.warnings.iter().cloned().chain(options.warnings).chain(more).collect();
    Ok(Success { data, warnings, meta })
}

/// One response, with its version where it can be changed, if it is within the budget.
async fn single(
    context: &CallContext<'_>,
    checked: &CheckedRequest<'_>,
    options: &QueryOptions,
    data: RawJson,
    etag: Option<String>,
) -> Result<RawJson, Failure> {
    let choice = &options.choice;
    let data = match choice.selection {
        None => context.fitted(checked.entry, &data).await?.unwrap_or(data),
        Some(_) => data,
    };
    context.count(choice.steps(data.as_str()))?;
    let etag = etag.filter(|_| context.catalog.is_versioned(checked.entry));
    let (now, budget) = (context.dispatcher.settings.clock.now(), options.budget);
    let whole = data.clone();
    let (mut data, mut is_over) = if data.as_str().len() <= LARGE {
        chosen(data, choice, now, etag, budget)
    } else {
        let choice = choice.clone();
        context.run_apart(move |_| chosen(data, &choice, now, etag, budget)).await?
    };
    if choice.selection.is_some() && is_nothing(data.as_str()) && content_blocks::are_all(whole.as_str()) {
        context.warn(vec![warnings::no_fields_in_text(&Control::Fields.name_on(&checked.entry.operation))]);
        (is_over, data) = (self::is_over(whole.as_str(), budget), whole);
    }
    if options.after.is_some() || is_over {
        let part = match text_part(context, checked, options, &data).await? {
            Some(part) => Some(text::respond(context, checked, options, part)?),
            None if options.after.is_some() => return Err(failure_map::no_text(checked.entry)),
            None => None,
        };
        if let Some(part) = part.filter(|part| !self::is_over(part.as_str(), budget)) {
            return Ok(part);
        }
    }
    if !is_over {
        return Ok(data);
    }
    let comes_in_parts = checked.entry.operation.may_be_text();
    let sizes = move |_: &Meter| match longest_text(data.as_str()).filter(|_| comes_in_parts) {
        Some(name) => failure_map::text_over_budget(data.as_str(), budget, &name),
        None => failure_map::over_budget(data.as_str(), budget, 0),
    };
    let failure = context.run_apart(sizes).await?;
    Err(match checked.entry.operation.category {
        Category::Read => failure,
        _ => failure_map::done_but_over_budget(failure),
    })
}

/// The wanted part of the text that a response is. A large one is looked through on another thread.
async fn text_part(
    context: &CallContext<'_>,
    checked: &CheckedRequest<'_>,
    options: &QueryOptions,
    data: &RawJson,
) -> Result<Option<text::LongTextPart>, Failure> {
    let (size, budget) = (data.as_str().len(), options.budget);
    let begin = match &options.after {
        None => 0,
        Some(cursor) => {
            let data = data.clone();
            let path = context.run_sized(size, move |_| text::path(data.as_str())).await?;
            let Some(path) = path else { return Ok(None) };
            text::begin(context, checked, cursor, &path)?
        }
    };
    let data = data.clone();
    context.run_sized(size, move |_| text::cut(data.as_str(), begin, budget)).await
}

/// True when nothing was chosen of a response.
fn is_nothing(data: &str) -> bool {
    data.starts_with('[') && peek::elements(data).all(|element| element == "{}")
}

/// The field that is most of an object, when it is a text: alone it comes in parts.
fn longest_text(object: &str) -> Option<String> {
    let (name, value) = peek::members(object).max_by_key(|(_, value)| value.len())?;
    (value.starts_with('"') && value.len() > object.len() / 2).then(|| name.into_owned())
}

/// The chosen fields of a response, and whether they are over the budget.
fn chosen(
    mut data: RawJson,
    choice: &FieldChoice,
    now: Timestamp,
    etag: Option<String>,
    budget: u64,
) -> (RawJson, bool) {
    if choice.selection.is_some() || !choice.computed.is_empty() {
        let mut text = String::new();
        collection::shape(data.as_str(), choice, now, &mut text);
        data = RawJson::spliced(text);
    }
    if let Some(etag) = etag {
        let text = data.as_str();
        if text.starts_with('{') && !peek::members(text).any(|(name, _)| name == text::ETAG) {
            data = RawJson::spliced(peek::push_member(text, text::ETAG, &Value::from(etag).to_string()));
        }
    }
    let is_over = is_over(data.as_str(), budget);
    (data, is_over)
}

/// A token is never less than a byte, so most responses need no counting.
fn is_over(text: &str, budget: u64) -> bool {
    text.len() as u64 > budget && measure::tokens(text) > budget
}

/// Status, headers and content type of a response, for clients that want them (ruling W11).
pub fn http_facts(response: &UpstreamResponse) -> Value {
    let mut headers: Map<String, Value> = Map::new();
    for (name, value) in &response.headers {
        // A header that came several times is one list (RFC 9110, section 5.3).
        let whole = match headers.get(name).and_then(Value::as_str) {
            Some(before) => format!("{before}, {value}"),
            None => value.clone(),
        };
        headers.insert(name.clone(), whole.into());
    }
    json!({"status": response.status, "headers": headers, "content_type": response.content_type})
}
