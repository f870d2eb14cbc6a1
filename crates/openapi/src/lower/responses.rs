//! What an operation answers: the type it returns, the schema of the answer, whether it is JSON at all, whether it is a
//! list and how the API pages it.
//!
//! The responses in; one of them is looked at: 200, 201, another success, `2XX`, `default`. Its schema is not read deeper
//! than needed to name it. Paging is only recognised where the document leaves no doubt.

mod paging;

use super::context::LoweringContext;
use super::document_view::{DocumentView, text};
use super::operation::OperationDraft;
use super::params::{bare_media, is_json};
use super::summary::brief;
use crate::read::{PartLocation, ResolvedReference};
use aqueduct_operations::limits::MOST_EVENTS;
use aqueduct_operations::params::ValueKind;
use aqueduct_operations::response::Paging;
use aqueduct_operations::target::{AnswerKind, Method};
use aqueduct_source_kind::public_names::pascal;
use aqueduct_source_kind::schema_reader::TypeUse;
use paging::PagingEvidence;
use serde_json::Value;
use std::borrow::Cow;

/// Reads the responses of an operation into it. Lists are only paged on a GET.
pub(super) fn read(
    context: &mut LoweringContext<'_>,
    draft: &mut OperationDraft,
    responses: Option<&Value>,
    from: &PartLocation,
    warnings: &mut Vec<String>,
) {
    let unnamed = pascal(&draft.name) + "Result";
    draft.returns.name.clone_from(&unnamed);
    let Some(found) = responses.and_then(|all| success(&context.resolver, all, from)) else { return };
    let description =
        text(&found.value, "description").map(|text| brief(text, 120)).filter(|text| !text.is_empty());
    let content = found.value.get("content").and_then(Value::as_object);
    let names: Vec<&str> =
        content.into_iter().flat_map(|content| content.keys().map(String::as_str)).collect();
    draft.target.answer = kind_of(&names);
    let is_events = draft.target.answer == AnswerKind::Events;
    draft.returns.description = if is_events {
        let own = description.map(|own| format!("{own}. ").replace("..", "."));
        Some(format!(
            "{}Events as they come, up to {MOST_EVENTS}: {{events: [{{event, data, id}}], complete}}",
            own.unwrap_or_default(),
        ))
    } else {
        description
    };
    if !is_events && names.iter().any(|name| is_stream(name)) {
        warnings.push("the answer may also be a stream of events, which is not offered".to_owned());
    }
    let json =
        names.iter().find(|name| is_json(name)).or_else(|| names.iter().find(|name| name.contains('*')));
    let media = json.or(names.first()).and_then(|name| content?.get(*name));
    let Some(schema) = media.and_then(|media| media.get("schema")).filter(|schema| !is_empty(schema)) else {
        return;
    };
    let has_output = json.is_some() && !is_events;
    draft.output = has_output.then(|| context.resolver.later(schema, &found.location));
    let outline = context.outline(schema, &found.location);
    let is_list = matches!(outline.shape.kind, ValueKind::Array(_));
    let type_name =
        outline.object.as_ref().and_then(|object| context.type_name(object, &unnamed, TypeUse::Answer));
    (draft.returns.name, draft.returns.kind) = match (type_name, &outline.shape.kind) {
        (Some(name), ValueKind::Array(_)) => (format!("{name}[]"), "object"),
        (Some(name), _) => (name, "object"),
        (None, kind @ (ValueKind::String | ValueKind::Integer | ValueKind::Number | ValueKind::Boolean)) => {
            (kind.to_string(), "scalar")
        }
        (None, _) => (unnamed, "object"),
    };
    if draft.target.method == Method::Get && has_output {
        let headers = found.value.get("headers").and_then(Value::as_object).into_iter().flatten();
        let has_link = headers.into_iter().any(|(name, _)| name.eq_ignore_ascii_case("link"));
        let seen = PagingEvidence { schema, node: &found.location, is_list, has_link, named: &draft.name };
        let recognised = paging::recognise(context, &seen, &draft.params);
        (draft.answers.collection, draft.answers.paging) = recognised;
        if let Some(Paging { style, .. }) = &draft.answers.paging {
            warnings.push(format!("its pages are recognised from the document ({})", style.name()));
        }
    }
}

/// The schema of the JSON that an operation answers when all goes well.
pub(super) fn json_schema(
    look: &DocumentView<'_>,
    responses: &Value,
    from: &PartLocation,
) -> Option<ResolvedReference<'static>> {
    json_content(&success(look, responses, from)?)
}

/// The schema of the JSON that a response or a request body holds.
pub(super) fn json_content(found: &ResolvedReference<'_>) -> Option<ResolvedReference<'static>> {
    let mut content = found.value.get("content")?.as_object()?.iter();
    let schema = content.find(|(name, _)| is_json(name))?.1.get("schema")?.clone();
    Some(ResolvedReference { value: Cow::Owned(schema), location: found.location, name: None })
}

/// The response that is looked at, its references followed.
fn success<'v>(
    look: &DocumentView<'_>,
    responses: &'v Value,
    from: &PartLocation,
) -> Option<ResolvedReference<'v>> {
    let rank = |code: &str| match code {
        "200" => Some(0),
        "201" => Some(1),
        _ if code.len() == 3 && code.starts_with('2') && code.bytes().all(|b| b.is_ascii_digit()) => Some(2),
        _ if code.eq_ignore_ascii_case("2XX") => Some(3),
        "default" => Some(4),
        _ => None,
    };
    let ranked = responses.as_object()?.iter().filter_map(|(code, each)| Some((rank(code)?, code, each)));
    let (.., chosen) = ranked.min_by_key(|(rank, code, _)| (*rank, *code))?;
    look.follow(chosen, from)
}

fn kind_of(names: &[&str]) -> AnswerKind {
    if names.iter().any(|name| is_stream(name)) && !names.iter().any(|name| is_json(name)) {
        return AnswerKind::Events;
    }
    let is_json_alone = !names.is_empty() && names.iter().all(|name| is_json(name));
    if is_json_alone { AnswerKind::Json } else { AnswerKind::Any }
}

fn is_stream(media: &str) -> bool {
    bare_media(media) == "text/event-stream"
}

fn is_empty(schema: &Value) -> bool {
    match schema {
        Value::Object(keywords) => keywords.is_empty(),
        Value::Bool(accepts) => *accepts,
        _ => true,
    }
}
