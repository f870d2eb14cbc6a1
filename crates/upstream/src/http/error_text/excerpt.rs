//! What a failed answer says besides its words, for the details of a failure: a JSON body comes in, the same without
//! secrets and not long goes out; nothing when the words have said it all.
//!
//! Invariant: every text in it has passed `Redactor::words`; stack traces and what is named like a credential are left out.

use crate::redact::{MARK, Redactor};
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
                let mut kept = Vec::new();
                for item in items {
                    if self.left == 0 {
                        kept.push(CUT.into());
                        break;
                    }
                    kept.push(self.value(item));
                }
                kept.into()
            }
            Value::Object(members) => self.object(members).into(),
            Value::Null | Value::Bool(_) => value.clone(),
        }
    }

    fn object(&mut self, members: &Map<String, Value>) -> Map<String, Value> {
        let mut kept = Map::new();
        for (key, member) in members {
            let plain = key.to_ascii_lowercase().replace(['_', '-'], "");
            if STACKS.contains(&plain.as_str()) {
                continue;
            }
            if self.left == 0 {
                kept.insert(CUT.to_owned(), CUT.into());
                break;
            }
            let key = self.text(key);
            let is_secret = is_one_word(member) && SECRETS.iter().any(|name| plain.contains(name));
            let member = if is_secret { MARK.into() } else { self.value(member) };
            kept.insert(key, member);
        }
        kept
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
mod tests {
    use super::excerpt;
    use crate::redact::Redactor;
    use serde_json::{Value, json};

    fn of(body: Value, words: &str) -> Option<Value> {
        excerpt(&body, words, 422, &Redactor::default())
    }

    /// X-errors-6: what the words leave out is kept.
    #[test]
    fn says_what_the_words_do_not() {
        let body =
            json!({"message": "Validation Failed", "errors": [{"field": "title", "code": "missing_field"}]});
        assert_eq!(of(body.clone(), "Validation Failed"), Some(body));
        for (body, words) in [
            (json!(null), "422 Unprocessable Entity"),
            (json!("not allowed"), "not allowed"),
            (json!({"message": "no", "success": false, "data": null}), "no"),
            (json!({"error": {"message": "no"}}), "no"),
            (json!({"title": "Bad", "detail": "is odd", "status": 422}), "Bad: is odd"),
            (json!({"name": ["may not be blank"]}), "name: may not be blank"),
            (json!({}), "422 Unprocessable Entity"),
        ] {
            assert_eq!(of(body.clone(), words), None, "{body}");
        }
    }

    /// R11.3-1 R11.3-2 R11.3-3 R11.3-4 R11.3-5: nothing comes out here that would not come out in the words.
    #[test]
    fn without_secrets_and_leaks() {
        let mut redactor = Redactor::default();
        redactor.add_secret("s/cr\"t-k3y");
        redactor.add_secret("12345678");
        let body = json!({
            "message": "boom\n\tat com.acme.Hidden.run(Hidden.java:12)",
            "stackTrace": ["com.acme.Hidden.run"],
            "stack_trace": "Hidden",
            "echo": "with s/cr\"t-k3y",
            "s/cr\"t-k3y": 12345678,
            "access_token": "Hidden",
            "password": "is too short",
            "errors": {"password": ["is too short"]},
            "db": "postgres://Hidden:pw@db/x",
            "host": "10.0.0.7",
            "file": "/etc/Hidden.conf",
        });
        let shown = excerpt(&body, "boom", 422, &redactor).unwrap();
        assert_eq!(
            shown,
            json!({
                "message": "boom",
                "echo": "with [REDACTED]",
                "[REDACTED]": "[REDACTED]",
                "access_token": "[REDACTED]",
                "password": "is too short",
                "errors": {"password": ["is too short"]},
                "db": "[REDACTED]",
                "host": "[REDACTED]",
                "file": "[REDACTED]",
            })
        );
    }

    /// However long a body is, its excerpt is about a thousand characters.
    #[test]
    fn never_long() {
        let long = "x y ".repeat(1_000_000);
        let deep = (0..100).fold(json!("deep"), |inner, _| json!([inner, 1]));
        for body in [
            json!({"text": long, "more": long, "most": long, "rest": long}),
            json!(vec!["word"; 100_000]),
            json!(vec![1; 100_000]),
            json!(vec![json!({}); 100_000]),
            Value::Object((0..10_000).map(|n| (format!("key{n}"), json!("value"))).collect()),
            json!({long: "key"}),
            deep,
        ] {
            let Some(shown) = of(body, "") else { continue };
            let shown = shown.to_string();
            assert!(shown.chars().count() < 1_500, "{} {shown}", shown.chars().count());
        }
        assert_eq!(of(json!(vec!["word"; 1_000]), "").unwrap().as_array().unwrap().last(), Some(&json!("…")));
    }
}
