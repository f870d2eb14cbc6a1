//! The beginning of a failed answer, for the details of a failure: a JSON body comes in, the same without secrets and not long
//! goes out.
//!
//! Invariant: every text in it has passed `Redactor::words`; stack traces and what is named like a credential are left out.

use super::{MARK, Redactor};
use aqueduct_operations::naming::words;
use aqueduct_operations::secrets::names::{NamePlace, is_secret};
use serde_json::{Map, Value};

/// Characters of texts and names that an excerpt has in all, and in one text.
const MOST: usize = 900;
const MOST_IN_TEXT: usize = 300;
/// What every value takes away from them, for its punctuation.
const VALUE: usize = 4;
/// Stands for what was cut.
const CUT: &str = "…";

const STACKS: [&str; 5] = ["stack", "stacktrace", "trace", "traceback", "backtrace"];

impl Redactor {
    /// The beginning of a body without secrets and leaks.
    pub fn excerpt(&self, body: &Value) -> Value {
        Shortener { redactor: self, left: MOST }.value(body)
    }
}

struct Shortener<'a> {
    redactor: &'a Redactor,
    left: usize,
}

impl Shortener<'_> {
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
            if STACKS.contains(&words(key).concat().as_str()) {
                continue;
            }
            if self.left == 0 {
                shortened.insert(CUT.to_owned(), CUT.into());
                break;
            }
            let is_secret = is_one_word(member) && is_secret(key, NamePlace::Text);
            let key = self.text(key);
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
