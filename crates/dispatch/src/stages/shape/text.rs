//! Long texts in parts: a text that is over the budget is cut at a line, with a cursor to go on (ruling W16).
//!
//! A response that is one text in, a part of it with its `pageInfo` out. The cursor is bound to the request; with it the same
//! request is sent again, so only reads have one.

use crate::collection::fingerprint;
use crate::context::CallContext;
use crate::cursor::{CursorPosition, Fingerprint};
use crate::stages::query_options::{QueryOptions, truncated};
use crate::stages::validate::CheckedRequest;
use crate::{content_blocks, failure_map};
use aqueduct_operations::category::Category;
use aqueduct_operations::controls::Control;
use aqueduct_operations::failure::{Failure, wording};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use aqueduct_query::{measure, peek};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Tokens kept free for what goes around the text.
const AROUND: u64 = 300;
/// The version of a response, beside its fields.
pub const ETAG: &str = "_etag";
/// Bytes that a token has at most: more of a text is not looked at.
const MOST_BYTES_OF_TOKEN: u64 = 16;

/// A text that a response is, or that is all it holds.
pub struct LongText<'d> {
    /// The names that lead to it.
    path: Vec<String>,
    text: Cow<'d, str>,
    /// The version beside it, as JSON.
    etag: Option<&'d str>,
}

/// The text that a response is: the response itself, the only text block of a tool, or the only field of an object, inside of
/// others too. A version of ours beside it does not count.
pub fn of(data: &str) -> Option<LongText<'_>> {
    let named = |text| LongText { path: vec!["text".to_owned()], text, etag: None };
    if let Some(text) = text(data) {
        return Some(named(text));
    }
    if data.starts_with('[') {
        let mut blocks = peek::elements(data);
        let (block, None) = (blocks.next()?, blocks.next()) else { return None };
        return content_blocks::text_of(block).map(named);
    }
    let etag = peek::first_of(data, &[ETAG]);
    let (mut path, mut object) = (Vec::new(), data);
    loop {
        let mut members = peek::members(object).filter(|(name, _)| !path.is_empty() || name != ETAG);
        let ((name, value), None) = (members.next()?, members.next()) else { return None };
        path.push(name.into_owned());
        match text(value) {
            Some(text) => return Some(LongText { path, text, etag }),
            None => object = value,
        }
    }
}

/// The text of a JSON string.
fn text(json: &str) -> Option<Cow<'_, str>> {
    json.starts_with('"').then(|| peek::text(json)).flatten()
}

/// The names that lead to the text that a response is.
pub fn path(data: &str) -> Option<Vec<String>> {
    of(data).map(|text| text.path)
}

/// Where a cursor stands in the text with this path.
pub fn begin(
    context: &CallContext<'_>,
    checked: &CheckedRequest<'_>,
    cursor: &str,
    path: &[String],
) -> Result<usize, Failure> {
    let param = Control::After.name_on(&checked.entry.operation);
    let place = context.cursor_key()?.open(cursor, &bound(context, checked, path));
    let place = place.map_err(|error| failure_map::cursor(error, checked.entry, &param))?;
    Ok(usize::try_from(place.number).unwrap_or(usize::MAX))
}

/// A part of a text.
pub struct LongTextPart {
    path: Vec<String>,
    etag: Option<String>,
    /// Nothing when the text has become so short that there is no such part.
    taken: Option<String>,
    begin: usize,
    /// Bytes of the whole text.
    length: usize,
}

/// A part of the text that a response is, from here on, as much as there is room for.
pub fn cut(data: &str, begin: usize, budget: u64) -> Option<LongTextPart> {
    let LongText { path, text, etag } = of(data)?;
    let room = budget.saturating_sub(AROUND.min(budget / 2));
    let taken = text.get(begin..).map(|rest| prefix(rest, room).to_owned());
    let etag = etag.and_then(peek::text).map(Cow::into_owned);
    Some(LongTextPart { path, etag, taken, begin, length: text.len() })
}

/// The response with one part of the text.
pub fn respond(
    context: &CallContext<'_>,
    checked: &CheckedRequest<'_>,
    options: &QueryOptions,
    part: LongTextPart,
) -> Result<RawJson, Failure> {
    let LongTextPart { path, etag, taken, begin, length } = part;
    let entry = checked.entry;
    let param = Control::After.name_on(&entry.operation);
    let Some(taken) = taken else {
        return Err(failure_map::text_has_changed(entry, &param));
    };
    let end = begin + taken.len();
    let is_cut = end < length;
    let mut info = json!({"hasNextPage": is_cut, "hasPreviousPage": begin > 0});
    if is_cut {
        let message = if entry.operation.may_be_text() {
            let place = CursorPosition { number: end as u64, resume: None };
            let bound = bound(context, checked, &path);
            let cursor = context.cursor_key()?.seal(&place, &bound).map_err(wording::internal)?;
            info["endCursor"] = cursor.as_str().into();
            format!(
                "The text is cut behind {end} of {length} bytes. Go on with pageInfo.endCursor as '{param}'."
            )
        } else {
            let why = match entry.operation.category {
                Category::Read => "The rest cannot be read by this operation, which is one of lists",
                _ => "It was carried out, and the rest cannot be read",
            };
            format!("The text is cut behind {end} of {length} bytes. {why}.")
        };
        let warning = Warning { message, ..truncated("text", length as u64, end as u64, options.budget) };
        context.warn(vec![warning.with("unit", "bytes")]);
    }
    let mut response = path.into_iter().rev().fold(Value::from(taken), |inner, name| json!({name: inner}));
    if let Some(etag) = etag {
        response[ETAG] = etag.into();
    }
    response["pageInfo"] = info;
    Ok(RawJson::of(&response))
}

/// What a cursor in the text with this path is bound to.
fn bound(context: &CallContext<'_>, checked: &CheckedRequest<'_>, path: &[String]) -> Fingerprint {
    let place: Map<String, Value> = [("text".to_owned(), Value::from(path.to_vec()))].into_iter().collect();
    fingerprint(&context.origin.caller, checked.entry, &checked.values, &place)
}

/// The longest beginning of a text that has room: up to the end of a line, else of a word, else of a character.
fn prefix(text: &str, room: u64) -> &str {
    let fits = |part: &str| measure::tokens(&Value::from(part).to_string()) <= room;
    let most =
        usize::try_from(room.saturating_mul(MOST_BYTES_OF_TOKEN)).unwrap_or(usize::MAX).min(text.len());
    let most = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    if most == text.len() && fits(text) {
        return text;
    }
    let ends = |is_end: fn(char) -> bool| -> Vec<usize> {
        let found = text[..most].char_indices().filter(|(_, c)| is_end(*c));
        found.map(|(at, c)| at + c.len_utf8()).collect()
    };
    let kinds: [fn(char) -> bool; 3] = [|c| c == '\n', char::is_whitespace, |_| true];
    for ends in kinds.into_iter().map(ends) {
        // Fewer never cost more, so the last that fits is found by halves.
        let fitting = ends.partition_point(|end| fits(&text[..*end]));
        if fitting > 0 {
            return &text[..ends[fitting - 1]];
        }
    }
    let first = text.chars().next().map_or(0, char::len_utf8);
    &text[..first]
}

#[cfg(test)]
mod tests;
