//! What a failed answer says besides its words, for the details of a failure: a JSON body comes in, the same without
//! secrets and not long goes out; nothing when the words have said it all.
//!
//! Invariant: every text in it has passed `Redactor::words`; stack traces and what is named like a credential are left out.

use aqueduct_egress::redact::{MARK, Redactor};
use serde_json::{Map, Value};

/// Characters of texts and names that an excerpt has in all, and in one text.
const MOST: usize = 900;
const MOST_IN_TEXT: usize = 300;
/// What every value takes away from them, for its punctuation.
const VALUE: usize = 4;
/// Stands for what was cut.
const CUT: &str = "…";

const STACKS: [&str; 5] = ["stack", "stacktrace", "trace", "traceback", "backtrace"];
const SECRETS: [&str; 9] =
    ["token", "secret", "password", "passwd", "pwd", "apikey", "authorization", "credential", "cookie"];

/// The beginning of a body, when it says more than the words and the status.
pub(crate) fn excerpt(body: &Value, words: &str, status: u16, redactor: &Redactor) -> Option<Value> {
    let excerpt = Scrubber { redactor, left: MOST }.value(body);
    says_more(&excerpt, words, status).then_some(excerpt)
}

fn says_more(value: &Value, words: &str, status: u16) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Number(number) => {
            number.as_u64() != Some(status.into()) && !words.contains(&number.to_string())
        }
        Value::String(text) => !words.contains(text.as_str()),
        Value::Array(items) => items.iter().any(|item| says_more(item, words, status)),
        Value::Object(members) => members.values().any(|member| says_more(member, words, status)),
    }
}

struct Scrubber<'a> {
    redactor: &'a Redactor,
    left: usize,
}

impl Scrubber<'_> {
    fn value(&mut self, value: &Value) -> Value {
        self.left = self.left.saturating_sub(VALUE);
        match value {
            Value::String(text) => self.text(text).into(),
            Value::Number(number) => {
                let text = number.to_string();
                self.left = self.left.saturating_sub(text.len());
                if self.redactor.error(&text) == text { value.clone() } else { MARK.into() }
            }
            Value::Array(items) => {
                let mut shortened = Vec::new();
                for item in items {
                    if self.left == 0 {
                        shortened.push(CUT.into());
                        break;
                    }
                    shortened.push(self.value(item));
                }
                shortened.into()
            }
            Value::Object(members) => self.object(members).into(),
            Value::Null | Value::Bool(_) => value.clone(),
        }
    }

    fn object(&mut self, members: &Map<String, Value>) -> Map<String, Value> {
        let mut shortened = Map::new();
        for (key, member) in members {
            let plain = key.to_ascii_lowercase().replace(['_', '-'], "");
            if STACKS.contains(&plain.as_str()) {
                continue;
            }
            if self.left == 0 {
                shortened.insert(CUT.to_owned(), CUT.into());
                break;
            }
            let key = self.text(key);
            let is_secret = is_one_word(member) && SECRETS.iter().any(|name| plain.contains(name));
            let member = if is_secret { MARK.into() } else { self.value(member) };
            shortened.insert(key, member);
        }
        shortened
    }

    fn text(&mut self, text: &str) -> String {
        let text = self.redactor.words(text, self.left.clamp(1, MOST_IN_TEXT));
        self.left = self.left.saturating_sub(text.chars().count());
        text
    }
}

/// A credential is one word; what is wrong with one takes more.
fn is_one_word(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().contains(char::is_whitespace))
}

#[cfg(test)]
mod tests;
