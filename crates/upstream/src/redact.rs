//! Takes secrets out of text. The credentials of a call come in first; then any text of the upstream, and it goes out
//! with `[REDACTED]` in the place of what must not be seen (runtime specification, sections 11.2 and 11.3).
//!
//! Known values are found in every form that `aqueduct_operations::secrets` knows. Words in errors also lose what looks like
//! a leak (`leaks`).

#[cfg(test)]
mod calls;
pub(crate) mod leaks;
mod spelling;

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
        let plain = spelling::plain(text);
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
mod tests {
    use super::{MARK, Redactor};
    use aqueduct_operations::params::{ParamLocation, ValueKind};
    use aqueduct_testkit::operation::{get, param, with_param};
    use proptest::{prop_assert, proptest};
    use serde_json::{Value, json};

    fn knowing(secret: &str) -> Redactor {
        let mut redactor = Redactor::default();
        redactor.add_secret(secret);
        redactor
    }

    /// R11.2-1 R11.2-5 R11.3-4: a known credential is found in all its forms, and no part of it is shown.
    #[test]
    fn forms() {
        let secret = "a/b \"c\"+é";
        let redactor = knowing(secret);
        let percent = crate::http::encode::component(secret);
        for form in [
            secret.to_owned(),
            Value::from(secret).to_string().trim_matches('"').to_owned(),
            r#"a\/b \"c\"+é"#.to_owned(),
            percent.clone(),
            percent.to_lowercase(),
            percent.replace("%20", "+"),
        ] {
            for text in [redactor.data(&form), redactor.error(&form)] {
                assert_eq!(text, MARK, "{form}");
            }
            let file = [b"\xff", form.as_bytes(), b"\0", form.as_bytes()].concat();
            let clean = [b"\xff", MARK.as_bytes(), b"\0", MARK.as_bytes()].concat();
            assert_eq!(redactor.bytes(&file), clean, "{form}");
        }
    }

    #[test]
    fn short_values_stay_in_data() {
        for (secret, in_data, in_errors) in
            [("abcdef", MARK, MARK), ("abcde", "abcde", MARK), ("abcd", "abcd", MARK), ("abc", "abc", "abc")]
        {
            let redactor = knowing(secret);
            assert_eq!(redactor.data(secret), in_data);
            assert_eq!(redactor.error(secret), in_errors);
        }
        let mut redactor = Redactor::default();
        redactor.add_user_name("octocat");
        assert_eq!((redactor.data("octocat"), redactor.error("octocat")), ("octocat".into(), MARK.into()));
    }

    /// Of a long text the beginning is looked through, and nothing of a secret is left where it was cut, however much was
    /// replaced before.
    #[test]
    fn long_errors() {
        let secret = "s3cret-token-value";
        let redactor = knowing(secret);
        for filler in ["x", " ", "s3cret-token-value ", "\\u0073"] {
            for shift in 0..40 {
                let text = format!("{}{}", " ".repeat(shift), filler.repeat(200_000 / filler.len()) + secret);
                let text = text.replace("s3cret-token-value", secret).repeat(2);
                for shown in [redactor.words(&text, 300), redactor.preview(&text, 200)] {
                    assert!(!shown.contains("s3cr") && shown.chars().count() <= 300, "{filler}: {shown}");
                }
            }
        }
        assert_eq!(redactor.words(&format!("no {}", "x".repeat(300_000)), 4), "no …");
    }

    /// R11.3-4: more values than can be looked for hide all words.
    #[test]
    fn too_many_sensitive_values() {
        let mut pins = param("pins", ValueKind::Array(None), ParamLocation::Body);
        pins.sensitive = true;
        let operation = with_param(get("g", "https://api.example.com", "/x"), pins);
        let of = |count: usize| {
            let pins: Vec<String> = (0..count).map(|n| format!("pin-{n}")).collect();
            let mut redactor = Redactor::default();
            redactor.add_sensitive_values(&operation, json!({"pins": pins}).as_object().unwrap());
            redactor.words("no pin-1 here", 300)
        };
        assert_eq!((of(10).as_str(), of(100_000).as_str()), ("no [REDACTED] here", MARK));
    }

    /// R11.3-4: a sensitive parameter is not echoed in words.
    #[test]
    fn sensitive_values() {
        let mut pin = param("pin", ValueKind::String, ParamLocation::Query);
        pin.sensitive = true;
        let operation = with_param(get("g", "https://api.example.com", "/x"), pin);
        let mut redactor = Redactor::default();
        redactor.add_sensitive_values(&operation, json!({"pin": 98765}).as_object().unwrap());
        assert_eq!(redactor.words("pin 98765 is wrong", 300), "pin [REDACTED] is wrong");
        let mut redactor = Redactor::default();
        let nested = json!({"pin": {"old": [["one-secret"]], "new": "one-secret-more", "on": true}});
        redactor.add_sensitive_values(&operation, nested.as_object().unwrap());
        assert_eq!(
            redactor.words("old one-secret, new one-secret-more is true", 300),
            "old [REDACTED], new [REDACTED] is true"
        );
    }

    /// R8.2-13: ruling W1, one line, at most 300 characters.
    #[test]
    fn words_are_one_short_line() {
        let redactor = Redactor::default();
        assert_eq!(redactor.words(" a\r\n\tb\u{0}c  d ", 300), "a b c d");
        let long = redactor.words(&"word ".repeat(100), 300);
        assert_eq!(long.chars().count(), 300);
        assert!(long.ends_with('…'));
    }

    /// Patterns are looked for where something is shown, not in megabytes behind it; credentials are known and found anywhere.
    #[test]
    fn long_texts_take_no_time() {
        let text = "select token: a1b2c3d4 from 10.0.0.1 ".repeat(200_000);
        let started = std::time::Instant::now();
        let redactor = knowing("t0ken-value");
        assert!(redactor.words(&text, 300).starts_with("select token: [REDACTED] from [REDACTED]"));
        assert!(redactor.preview(&text, 200).starts_with("select token: [REDACTED] from [REDACTED]"));
        assert!(started.elapsed() < std::time::Duration::from_secs(5), "{:?}", started.elapsed());
    }

    /// R7.3-10 R11.3-4: a preview has no secrets, not even half of one.
    #[test]
    fn previews() {
        let redactor = knowing("t0ken-value");
        let text = format!("{}t0ken-value", "x ".repeat(97));
        let preview = redactor.preview(&text, 200);
        assert!(!preview.contains("t0k") && preview.chars().count() <= 200, "{preview}");
        assert_eq!(redactor.preview(&"é".repeat(300), 200).chars().count(), 200);
        let token = format!("{}ghp_16C7e42F292c6912E7710c838347Ae178B4a", "x ".repeat(98));
        assert!(!redactor.preview(&token, 200).contains("ghp"));
    }

    proptest! {
        /// R11.2-1: whatever surrounds it, a known credential does not get through.
        #[test]
        fn never_gets_through(before in ".*", secret in "[!-~]{6,40}", after in ".*") {
            let redactor = knowing(&secret);
            let text = format!("{before}{secret}{after}");
            if !MARK.contains(&secret) {
                prop_assert!(!redactor.data(&text).contains(&secret));
                prop_assert!(!redactor.error(&text).contains(&secret));
            }
        }
    }
}
