//! Takes secrets out of text. The secrets of a call or of a server come in first; then any text or value of the other side,
//! and it goes out with `[REDACTED]` in the place of what must not be seen (runtime specification, sections 11.2 and 11.3).
//!
//! Known values are found in every form that `known_values` knows. Words in errors also lose what looks like a leak (`leaks`).

mod escapes;
mod excerpt;
mod known_values;
mod leaks;

use aqueduct_operations::failure::wording;
use aqueduct_operations::sanitize;
pub use aqueduct_operations::secrets::MARK;
use known_values::{KnownSecrets, redacted, redacted_bytes};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Shorter values are too common in data to be replaced there.
const MIN_IN_DATA: usize = 6;
/// Shorter values are too common in words to be replaced there.
const MIN_IN_ERRORS: usize = 4;
/// The same in a log, which no one needs to have the words of a caller in.
const MIN_IN_LOG: usize = 3;
/// Sensitive values that are looked for in errors, and bytes of them: with more, the words of the other side are not shown at
/// all.
const MAX_SENSITIVE: usize = 200;
const MAX_SENSITIVE_BYTES: usize = 32 * 1024;
/// Bytes of the other side's words that are looked through: far more than is shown of them.
const MAX_SEARCHED_BYTES: usize = 64 * 1024;
/// How many times longer a secret can be in any of its forms.
const MAX_FORM_FACTOR: usize = 16;
/// Most characters of the other side's words in a line of ours.
const MAX_LINE: usize = 300;
/// Characters behind what is shown in which a leak may still end.
const MAX_LEAK: usize = 1000;
/// A user name as long as this is really a key.
pub const SHORTEST_KEY: usize = 16;

/// The secrets of a call or a server.
#[derive(Debug, Default, Clone)]
pub struct Redactor {
    /// Replaced wherever they appear.
    anywhere: KnownSecrets,
    /// Replaced in errors only.
    in_errors: KnownSecrets,
    /// There is too much to be found in errors: all of their words are replaced.
    redacts_everything: bool,
}

impl Redactor {
    /// Adds a credential.
    pub fn add_secret(&mut self, value: &str) {
        if value.chars().count() >= MIN_IN_DATA {
            self.anywhere.add(value);
        } else if value.chars().count() >= MIN_IN_ERRORS {
            self.in_errors.add(value);
        }
    }

    /// Adds the user name of a basic credential: secret in data only when it is as long as a key.
    pub fn add_user_name(&mut self, value: &str) {
        if value.chars().count() >= SHORTEST_KEY {
            self.add_secret(value);
        } else if value.chars().count() >= MIN_IN_ERRORS {
            self.in_errors.add(value);
        }
    }

    /// Adds values that an error must not echo.
    pub fn add_sensitive(&mut self, values: &[String]) {
        self.add_to_errors(values, MIN_IN_ERRORS);
    }

    /// Adds what a caller sent, for a log that must not repeat it.
    pub fn add_sent(&mut self, values: &[String]) {
        self.add_to_errors(values, MIN_IN_LOG);
    }

    fn add_to_errors(&mut self, values: &[String], shortest: usize) {
        let bytes: usize = values.iter().map(String::len).sum();
        if values.len() > MAX_SENSITIVE || bytes > MAX_SENSITIVE_BYTES {
            self.redacts_everything = true;
            return;
        }
        for value in values.iter().filter(|value| value.chars().count() >= shortest) {
            self.in_errors.add(value);
        }
    }

    /// True when the text holds a credential that would be replaced in data.
    pub fn finds_secret(&self, text: &str) -> bool {
        self.anywhere.occur_in(text.as_bytes())
    }

    /// Data of a response, JSON or any other text, without credentials.
    pub fn data<'a>(&self, text: &'a str) -> Cow<'a, str> {
        redacted(text, &[&self.anywhere])
    }

    /// Bytes of a response that is no text, without credentials.
    pub fn bytes<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        redacted_bytes(bytes, &[&self.anywhere])
    }

    /// Text of an error, without credentials.
    pub fn error<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.redacts_everything {
            return Cow::Borrowed(MARK);
        }
        redacted(text, &[&self.anywhere, &self.in_errors])
    }

    /// The same for the beginning of a text, which is more than is shown of it.
    fn beginning_of_error<'a>(&self, text: &'a str) -> Cow<'a, str> {
        // A secret that is cut in two is not found: as much as one can take is left out in the end.
        let margin = self.anywhere.longest().max(self.in_errors.longest()) * MAX_FORM_FACTOR;
        let searched = &text[..text.floor_char_boundary(MAX_SEARCHED_BYTES + margin)];
        let clean = self.error(searched);
        if searched.len() == text.len() || self.redacts_everything {
            return clean;
        }
        Cow::Owned(clean[..clean.floor_char_boundary(clean.len().saturating_sub(margin))].to_owned())
    }

    /// A value without secrets, keys of objects included. A number that holds one becomes the mark.
    pub fn value(&self, value: &mut Value) {
        if !self.anywhere.is_empty() {
            clean(value, &|text| self.data(text));
        }
    }

    /// The same for the members of an object.
    pub fn object(&self, members: &mut Map<String, Value>) {
        clean_members(members, &|text| self.data(text));
    }

    /// The same for a value in an error.
    pub fn error_value(&self, value: &mut Value) {
        clean(value, &|text| self.error(text));
    }

    /// The same for a text that is owned.
    pub fn string(&self, text: &mut String) {
        if let Cow::Owned(clean) = self.data(text) {
            *text = clean;
        }
    }

    /// The other side's words in one short line of ours, without secrets.
    pub fn line(&self, text: &str) -> String {
        wording::shortened(&sanitize::one_line(&self.error(text)), MAX_LINE)
    }

    /// The upstream's words for a message: no credentials, no leaks, one line, so many characters at most.
    pub fn words(&self, text: &str, most: usize) -> String {
        let clean = leaks::remove_leaks(beginning(&self.beginning_of_error(text), most));
        let line = clean.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
        cut(&line.collect::<Vec<_>>().join(" "), most)
    }

    /// The beginning of a body for an error's details: no credentials, no leaks, so many characters at most.
    pub fn preview(&self, text: &str, most: usize) -> String {
        let plain = escapes::plain(text);
        let clean = self.beginning_of_error(plain.as_deref().unwrap_or(text));
        leaks::remove_leaks(beginning(&clean, most)).chars().take(most).collect()
    }
}

/// Cleans the strings, keys and numbers of a tree.
fn clean(value: &mut Value, by: &dyn Fn(&str) -> Cow<'_, str>) {
    match value {
        Value::String(text) => {
            let clean = by(text);
            if clean != *text {
                *text = clean.into_owned();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| clean(item, by)),
        Value::Object(members) => clean_members(members, by),
        Value::Number(number) => {
            let text = number.to_string();
            if by(&text) != text {
                *value = MARK.into();
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

fn clean_members(members: &mut Map<String, Value>, by: &dyn Fn(&str) -> Cow<'_, str>) {
    if members.keys().any(|key| by(key) != *key) {
        let before = std::mem::take(members);
        members.extend(before.into_iter().map(|(key, value)| (by(&key).into_owned(), value)));
    }
    members.values_mut().for_each(|member| clean(member, by));
}

/// The part of a text in which leaks are looked for: longer than what is shown, so that none is cut in half and missed.
fn beginning(text: &str, shown: usize) -> &str {
    let end = text.char_indices().nth(shown * 10 + MAX_LEAK).map_or(text.len(), |(end, _)| end);
    &text[..end]
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(std::iter::once('…')).collect()
}

#[cfg(test)]
mod tests;
