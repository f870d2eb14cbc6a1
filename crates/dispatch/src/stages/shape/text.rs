//! Long texts in parts: a text that is over the budget is cut at a line, with a cursor to go on (ruling W16).
//!
//! An answer that is one text in, a part of it with its `pageInfo` out. The cursor is bound to the request; with it the same
//! request is sent again, so only reads have one.

use crate::collection::fingerprint;
use crate::cursor::{Fingerprint, Place};
use crate::errand::Errand;
use crate::failure_map;
use crate::stages::understand::{Asked, truncated};
use crate::stages::validate::Checked;
use aqueduct_operations::controls::Control;
use aqueduct_operations::failure::{Failure, wording};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_query::{measure, peek};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Tokens kept free for what goes around the text.
const AROUND: u64 = 300;
/// Bytes that a token has at most: more of a text is not looked at.
const MOST_BYTES_OF_TOKEN: u64 = 16;

/// The text that an answer is, and the name that it has there: the answer itself, the only text block of a tool, or the only
/// field of an object.
pub fn of(data: &str) -> Option<(String, Cow<'_, str>)> {
    if let Some(text) = text(data) {
        return Some(("text".to_owned(), text));
    }
    if data.starts_with('[') {
        let mut blocks = peek::elements(data);
        let (block, None) = (blocks.next()?, blocks.next()) else { return None };
        let is_text = peek::first_of(block, &["type"]).and_then(text).is_some_and(|kind| kind == "text");
        return peek::first_of(block, &["text"])
            .and_then(text)
            .filter(|_| is_text)
            .map(|text| ("text".to_owned(), text));
    }
    let mut members = peek::members(data);
    let ((name, value), None) = (members.next()?, members.next()) else { return None };
    text(value).map(|text| (name.into_owned(), text))
}

/// The text of a JSON string.
fn text(json: &str) -> Option<Cow<'_, str>> {
    json.starts_with('"').then(|| peek::text(json)).flatten()
}

/// Where in its text the request wants to begin.
pub fn begin(errand: &Errand<'_>, checked: &Checked<'_>, asked: &Asked) -> Result<usize, Failure> {
    let Some(cursor) = &asked.after else { return Ok(0) };
    let param = Control::After.name_on(&checked.entry.operation);
    let place = errand.cursor_key()?.open(cursor, &bound(errand, checked));
    let place = place.map_err(|error| failure_map::cursor(error, checked.entry, &param))?;
    Ok(usize::try_from(place.number).unwrap_or(usize::MAX))
}

/// A part of a text.
pub struct Part {
    name: String,
    /// Nothing when the text has become so short that there is no such part.
    taken: Option<String>,
    begin: usize,
    /// Bytes of the whole text.
    length: usize,
}

/// A part of the text that an answer is, from here on, as much as there is room for.
pub fn cut(data: &str, begin: usize, budget: u64) -> Option<Part> {
    let (name, text) = of(data)?;
    let room = budget.saturating_sub(AROUND.min(budget / 2));
    let taken = text.get(begin..).map(|rest| prefix(rest, room).to_owned());
    Some(Part { name, taken, begin, length: text.len() })
}

/// The answer that a part is.
pub fn answer(
    errand: &Errand<'_>,
    checked: &Checked<'_>,
    asked: &Asked,
    part: Part,
) -> Result<RawJson, Failure> {
    let Part { name, taken, begin, length } = part;
    let entry = checked.entry;
    let param = Control::After.name_on(&entry.operation);
    let Some(taken) = taken else {
        return Err(failure_map::text_has_changed(entry, &param));
    };
    let end = begin + taken.len();
    let is_cut = end < length;
    let mut info = json!({"hasNextPage": is_cut, "hasPreviousPage": begin > 0});
    if is_cut {
        let mut warning = truncated("text", length as u64, end as u64, asked.budget).with("unit", "bytes");
        warning.message = if entry.operation.may_be_text() {
            let place = Place { number: end as u64, resume: None };
            let cursor =
                errand.cursor_key()?.seal(&place, &bound(errand, checked)).map_err(wording::internal)?;
            info["endCursor"] = cursor.as_str().into();
            format!(
                "The text is cut behind {end} of {length} bytes. Go on with pageInfo.endCursor as '{param}'."
            )
        } else {
            format!(
                "The text is cut behind {end} of {length} bytes. It was carried out, and the rest cannot be read."
            )
        };
        errand.note(vec![warning]);
    }
    Ok(RawJson::of(&json!({name: taken, "pageInfo": info})))
}

/// What a cursor in a text is bound to.
fn bound(errand: &Errand<'_>, checked: &Checked<'_>) -> Fingerprint {
    fingerprint(errand.caller, checked.entry, &checked.values, &Map::new())
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
mod tests {
    use super::{of, prefix};
    use aqueduct_query::measure;
    use proptest::{prop_assert, prop_assert_eq, proptest};
    use serde_json::Value;

    #[test]
    fn which_answers_are_texts() {
        for (data, name, text) in [
            (r#""a\nb""#, "text", "a\nb"),
            (r#"[{"type":"text","text":"x"}]"#, "text", "x"),
            (r#"{"content":"y"}"#, "content", "y"),
        ] {
            let (found, there) = of(data).unwrap();
            assert_eq!((found.as_str(), &*there), (name, text));
        }
        for other in [
            "1",
            "null",
            "[]",
            "{}",
            r#"["x"]"#,
            r#"{"a":"x","b":"y"}"#,
            r#"{"a":1}"#,
            r#"[{"type":"image","text":"x"}]"#,
            r#"[{"type":"text","text":"x"},{"type":"text","text":"y"}]"#,
        ] {
            assert!(of(other).is_none(), "{other}");
        }
    }

    #[test]
    fn cut_at_a_line() {
        let text = "one two three\n".repeat(200);
        let part = prefix(&text, 100);
        assert!(part.ends_with("three\n") && part.len() < text.len(), "{part}");
        let words = "word ".repeat(500);
        assert!(prefix(&words, 50).ends_with(' '));
        assert_eq!(prefix("short", 100), "short");
    }

    proptest! {
        /// Whatever the text and the room: parts go on where the one before ended, and none is empty.
        #[test]
        fn parts_are_the_text(text in "(?s).{0,300}", room in 1_u64..60) {
            let mut rest = text.as_str();
            let mut whole = String::new();
            while !rest.is_empty() {
                let part = prefix(rest, room);
                prop_assert!(!part.is_empty());
                prop_assert!(part.chars().count() == 1 || measure::tokens(&Value::from(part).to_string()) <= room);
                whole.push_str(part);
                rest = &rest[part.len()..];
            }
            prop_assert_eq!(whole, text);
        }
    }
}
