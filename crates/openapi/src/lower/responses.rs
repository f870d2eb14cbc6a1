//! What an operation answers: the type it returns, the schema of the answer, whether it is JSON at all, whether it is a
//! list and how the API pages it.
//!
//! The responses in; one of them is looked at: 200, 201, another success, `2XX`, `default`. Its schema is not read deeper
//! than needed to name it. Paging is only recognised where the document leaves no doubt.

mod paging;

use super::context::LoweringContext;
use super::document_view::{DocumentView, text};
use super::params::is_json;
use super::summary::brief;
use crate::read::PartLocation;
use aqueduct_operations::operation::ReturnType;
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::response::{Paging, ResponseRules};
use aqueduct_operations::target::AnswerKind;
use aqueduct_schema::LazySchema;
use aqueduct_source_kind::public_names::pascal;
use aqueduct_source_kind::schema_reader::TypeUse;
use serde_json::Value;
use std::sync::Arc;

/// What is known of an operation's answer.
pub(super) struct LoweredResponse {
    pub returns: ReturnType,
    pub kind: AnswerKind,
    pub output: Option<Arc<LazySchema>>,
    pub answers: ResponseRules,
    pub warnings: Vec<String>,
}

/// Looks at the responses of an operation. `named` is the operation's name; `is_get`: lists are only paged on a GET.
pub(super) fn answer(
    context: &mut LoweringContext<'_>,
    named: &str,
    responses: Option<&Value>,
    from: &PartLocation,
    params: &[Param],
    is_get: bool,
) -> LoweredResponse {
    let mut answer = LoweredResponse {
        returns: ReturnType { name: unnamed(named), kind: "object", description: None },
        kind: AnswerKind::Any,
        output: None,
        answers: ResponseRules::default(),
        warnings: Vec::new(),
    };
    let Some(chosen) = responses.and_then(Value::as_object).and_then(|all| {
        let code = success(all.keys().map(String::as_str))?;
        all.get(code)
    }) else {
        return answer;
    };
    let Some(found) = context.resolver.follow(chosen, from) else { return answer };
    answer.returns.description =
        text(&found.value, "description").map(|text| brief(text, 120)).filter(|text| !text.is_empty());
    let content = found.value.get("content").and_then(Value::as_object);
    let names: Vec<&str> =
        content.into_iter().flat_map(|content| content.keys().map(String::as_str)).collect();
    answer.kind = kind_of(&names);
    if answer.kind == AnswerKind::Events {
        let own = answer.returns.description.take().map(|own| format!("{own}. ").replace("..", "."));
        answer.returns.description = Some(format!(
            "{}Events as they come, up to {}: {{events: [{{event, data, id}}], complete}}",
            own.unwrap_or_default(),
            aqueduct_operations::limits::MOST_EVENTS
        ));
    }
    if answer.kind != AnswerKind::Events && names.iter().any(|name| is_stream(name)) {
        answer.warnings.push("the answer may also be a stream of events, which is not offered".to_owned());
    }
    let json =
        names.iter().find(|name| is_json(name)).or_else(|| names.iter().find(|name| name.contains('*')));
    let media = json.or(names.first()).and_then(|name| content?.get(*name));
    let Some(schema) = media.and_then(|media| media.get("schema")).filter(|schema| !is_empty(schema)) else {
        return answer;
    };
    let has_output = json.is_some() && answer.kind != AnswerKind::Events;
    answer.output = has_output.then(|| context.resolver.later(schema, &found.node));
    let outline = context.outline(schema, &found.node);
    let is_list = matches!(outline.shape.kind, ValueKind::Array(_));
    let type_name = outline
        .object
        .as_ref()
        .and_then(|object| context.type_name(object, &unnamed(named), TypeUse::Answer));
    (answer.returns.name, answer.returns.kind) = match (type_name, &outline.shape.kind) {
        (Some(name), ValueKind::Array(_)) => (format!("{name}[]"), "object"),
        (Some(name), _) => (name, "object"),
        (None, kind @ (ValueKind::String | ValueKind::Integer | ValueKind::Number | ValueKind::Boolean)) => {
            (kind.to_string(), "scalar")
        }
        (None, _) => (unnamed(named), "object"),
    };
    if is_get && has_output {
        let has_link = found
            .value
            .get("headers")
            .and_then(Value::as_object)
            .is_some_and(|headers| headers.keys().any(|name| name.eq_ignore_ascii_case("link")));
        let seen = paging::PagingEvidence { schema, node: &found.node, is_list, has_link, named };
        (answer.answers.collection, answer.answers.paging) = paging::recognise(context, &seen, params);
        if let Some(Paging { style, .. }) = &answer.answers.paging {
            answer
                .warnings
                .push(format!("its pages are recognised from the document ({})", style_name(*style)));
        }
    }
    answer
}

/// The schema of the JSON that an operation answers when all goes well, and where it stands.
pub(super) fn json_schema(
    look: &DocumentView<'_>,
    responses: &Value,
    from: &PartLocation,
) -> Option<(Value, PartLocation)> {
    let all = responses.as_object()?;
    let found = look.follow(all.get(success(all.keys().map(String::as_str))?)?, from)?;
    let content = found.value.get("content")?.as_object()?;
    let media = content.iter().find(|(name, _)| is_json(name)).map(|(_, media)| media)?;
    Some((media.get("schema")?.clone(), found.node))
}

fn style_name(style: aqueduct_operations::response::PagingStyle) -> &'static str {
    use aqueduct_operations::response::PagingStyle;
    PagingStyle::ALL.into_iter().find(|(_, each)| *each == style).map_or("", |(name, _)| name)
}

/// The response that is looked at.
fn success<'c>(codes: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let rank = |code: &str| match code {
        "200" => Some(0),
        "201" => Some(1),
        _ if code.len() == 3 && code.starts_with('2') && code.bytes().all(|b| b.is_ascii_digit()) => Some(2),
        _ if code.eq_ignore_ascii_case("2XX") => Some(3),
        "default" => Some(4),
        _ => None,
    };
    codes.filter_map(|code| Some((rank(code)?, code))).min().map(|(_, code)| code)
}

fn kind_of(names: &[&str]) -> AnswerKind {
    if names.iter().any(|name| is_stream(name)) && !names.iter().any(|name| is_json(name)) {
        return AnswerKind::Events;
    }
    let is_json_alone = !names.is_empty() && names.iter().all(|name| is_json(name));
    if is_json_alone { AnswerKind::Json } else { AnswerKind::Any }
}

fn is_stream(media: &str) -> bool {
    media.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/event-stream")
}

fn is_empty(schema: &Value) -> bool {
    match schema {
        Value::Object(keywords) => keywords.is_empty(),
        Value::Bool(accepts) => *accepts,
        _ => true,
    }
}

fn unnamed(operation: &str) -> String {
    pascal(operation) + "Result"
}
