//! Takes secrets out of text. The credentials of a call come in first; then any text of the upstream, and it goes out
//! with `[REDACTED]` in the place of what must not be seen (runtime specification, sections 11.2 and 11.3).
//!
//! Known values are found in every form that `aqueduct_operations::secrets` knows. Words in errors also lose what looks like
//! a leak (`leaks`).

mod escapes;
pub(crate) mod leaks;

use crate::http::encode;
use aqueduct_operations::operation::Operation;
pub(crate) use aqueduct_operations::secrets::MARK;
use aqueduct_operations::secrets::{Secrets, redacted, redacted_bytes};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Shorter values are too common in data to be replaced there.
const SHORTEST_IN_DATA: usize = 6;
/// Shorter values are too common in words to be replaced there.
const SHORTEST_IN_ERRORS: usize = 4;
/// Values of sensitive parameters that are looked for in errors, and bytes of them: with more, the upstream's words are not
/// shown at all.
const MOST_SENSITIVE: usize = 200;
const MOST_SENSITIVE_BYTES: usize = 32 * 1024;
/// Bytes of the upstream's words that are looked through: far more than is shown of them.
const MOST_LOOKED_THROUGH: usize = 64 * 1024;
/// How many times longer a secret can be in any of its forms.
const LONGEST_FORM: usize = 16;
/// Characters behind what is shown in which a leak may still end.
const LONGEST_LEAK: usize = 1000;
/// A user name as long as this is really a key.
const SHORTEST_KEY: usize = 16;

/// The secrets of one call.
#[derive(Debug, Default, Clone)]
pub(crate) struct Redactor {
    /// Replaced wherever they appear.
    anywhere: Secrets,
    /// Replaced in errors only.
    in_errors: Secrets,
    /// There is too much to be found in errors: all of their words are replaced.
    hides_words: bool,
}

impl Redactor {
    /// Adds a credential.
    pub(crate) fn add_secret(&mut self, value: &str) {
        if value.chars().count() >= SHORTEST_IN_DATA {
            self.anywhere.add(value);
        } else if value.chars().count() >= SHORTEST_IN_ERRORS {
            self.in_errors.add(value);
        }
    }

    /// Adds the user name of a basic credential: secret in data only when it is as long as a key.
    pub(crate) fn add_user_name(&mut self, value: &str) {
        if value.chars().count() >= SHORTEST_KEY {
            self.add_secret(value);
        } else if value.chars().count() >= SHORTEST_IN_ERRORS {
            self.in_errors.add(value);
        }
    }

    /// Adds the values of sensitive parameters: an error must not echo them.
    pub(crate) fn add_sensitive_values(&mut self, operation: &Operation, values: &Map<String, Value>) {
        for param in operation.params.iter().filter(|param| param.sensitive) {
            let Some(value) = values.get(&param.name) else { continue };
            let mut texts: Vec<String> = encode::text(value).into_iter().collect();
            // In a styled query or a form its members stand apart.
            leaves(value, &mut texts);
            let bytes: usize = texts.iter().map(String::len).sum();
            if texts.len() > MOST_SENSITIVE || bytes > MOST_SENSITIVE_BYTES {
                self.hides_words = true;
                return;
            }
            for text in texts.iter().filter(|text| text.chars().count() >= SHORTEST_IN_ERRORS) {
                self.in_errors.add(text);
            }
        }
    }

    /// True when the text holds a credential that would be replaced in data.
    pub(crate) fn finds_secret(&self, text: &str) -> bool {
        self.anywhere.are_in(text.as_bytes())
    }

    /// Data of an answer, JSON or any other text, without credentials.
    pub(crate) fn data<'a>(&self, text: &'a str) -> Cow<'a, str> {
        redacted(text, &[&self.anywhere])
    }

    /// Bytes of an answer that is no text, without credentials.
    pub(crate) fn bytes<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        redacted_bytes(bytes, &[&self.anywhere])
    }

    /// Text of an error, without credentials.
    pub(crate) fn error<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.hides_words {
            return Cow::Borrowed(MARK);
        }
        redacted(text, &[&self.anywhere, &self.in_errors])
    }

    /// The same for the beginning of a text, which is more than is shown of it.
    fn beginning_of_error<'a>(&self, text: &'a str) -> Cow<'a, str> {
        // A secret that is cut in two is not found: as much as one can take is left out in the end.
        let margin = self.anywhere.longest().max(self.in_errors.longest()) * LONGEST_FORM;
        let begun = cut_at(text, MOST_LOOKED_THROUGH + margin);
        let clean = self.error(begun);
        if begun.len() == text.len() || self.hides_words {
            return clean;
        }
        Cow::Owned(cut_at(&clean, clean.len().saturating_sub(margin)).to_owned())
    }

    /// The upstream's words for a message: no credentials, no leaks, one line, so many characters at most.
    pub(crate) fn words(&self, text: &str, most: usize) -> String {
        let clean = leaks::without_leaks(beginning(&self.beginning_of_error(text), most));
        let line = clean.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
        cut(&line.collect::<Vec<_>>().join(" "), most)
    }

    /// The beginning of a body for an error's details: no credentials, no leaks, so many characters at most.
    pub(crate) fn preview(&self, text: &str, most: usize) -> String {
        let plain = escapes::plain(text);
        let clean = self.beginning_of_error(plain.as_deref().unwrap_or(text));
        leaks::without_leaks(beginning(&clean, most)).chars().take(most).collect()
    }
}

/// The scalars in a value, as texts.
fn leaves(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| leaves(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| leaves(field, texts)),
        Value::Bool(_) => {}
        scalar => texts.extend(encode::text(scalar)),
    }
}

/// The text up to this byte, or a little less.
fn cut_at(text: &str, mut end: usize) -> &str {
    while !text.is_char_boundary(end.min(text.len())) {
        end -= 1;
    }
    &text[..end.min(text.len())]
}

/// The part of a text in which leaks are looked for: longer than what is shown, so that none is cut in half and missed.
fn beginning(text: &str, shown: usize) -> &str {
    let end = text.char_indices().nth(shown * 10 + LONGEST_LEAK).map_or(text.len(), |(end, _)| end);
    &text[..end]
}

/// Replaces credentials in the strings, keys and numbers of a tree.
pub(crate) fn in_tree(redactor: &Redactor, value: Value) -> Value {
    match value {
        Value::String(text) => redactor.data(&text).into_owned().into(),
        Value::Array(items) => items.into_iter().map(|item| in_tree(redactor, item)).collect(),
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(key, value)| (redactor.data(&key).into_owned(), in_tree(redactor, value)))
                .collect(),
        ),
        Value::Number(number) if redactor.finds_secret(&number.to_string()) => MARK.into(),
        other => other,
    }
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(std::iter::once('…')).collect()
}

#[cfg(test)]
mod tests;
