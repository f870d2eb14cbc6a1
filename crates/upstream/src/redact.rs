//! Takes secrets out of text. The credentials of a call come in first; then any text of the upstream, and it goes out
//! with `[REDACTED]` in the place of what must not be seen (runtime specification, sections 11.2 and 11.3).
//!
//! Known values are found raw, JSON-escaped, percent-encoded and, for basic credentials, as base64. Words in errors also
//! lose what looks like a leak (`leaks`).

#[cfg(test)]
mod calls;
pub(crate) mod leaks;
mod spelling;

use crate::http::encode;
use aqueduct_operations::operation::Operation;
use memchr::memmem;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use std::borrow::Cow;
use zeroize::Zeroizing;

/// What stands in the place of a secret.
pub(crate) const MARK: &str = "[REDACTED]";
/// Shorter values are too common in data to be replaced there.
const SHORTEST_IN_DATA: usize = 6;
/// Shorter values are too common in words to be replaced there.
const SHORTEST_IN_ERRORS: usize = 4;
/// Characters behind what is shown in which a leak may still end.
const LONGEST_LEAK: usize = 1000;
/// A user name as long as this is really a key.
const SHORTEST_KEY: usize = 16;

/// The secrets of one call, in every form in which they may come back.
#[derive(Debug, Default, Clone)]
pub(crate) struct Redactor {
    /// Replaced wherever they appear.
    anywhere: Vec<SecretString>,
    /// Replaced in errors only.
    in_errors: Vec<SecretString>,
}

impl Redactor {
    /// Adds a credential.
    pub(crate) fn add_secret(&mut self, value: &str) {
        let forms = forms(value);
        if value.chars().count() >= SHORTEST_IN_DATA {
            self.anywhere.extend(forms);
        } else if value.chars().count() >= SHORTEST_IN_ERRORS {
            self.in_errors.extend(forms);
        }
    }

    /// Adds the user name of a basic credential: secret in data only when it is as long as a key.
    pub(crate) fn add_user_name(&mut self, value: &str) {
        if value.chars().count() >= SHORTEST_KEY {
            self.add_secret(value);
        } else if value.chars().count() >= SHORTEST_IN_ERRORS {
            self.in_errors.extend(forms(value));
        }
    }

    /// Adds the values of sensitive parameters: an error must not echo them.
    pub(crate) fn add_sensitive_values(&mut self, operation: &Operation, values: &Map<String, Value>) {
        for param in operation.params.iter().filter(|param| param.sensitive) {
            let Some(value) = values.get(&param.name) else { continue };
            let mut texts: Vec<String> = encode::text(value).into_iter().collect();
            // In a styled query or a form its members stand apart.
            leaves(value, &mut texts);
            texts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
            texts.dedup();
            for text in texts.iter().filter(|text| text.chars().count() >= SHORTEST_IN_ERRORS) {
                self.in_errors.extend(forms(text));
            }
        }
    }

    /// True when the text holds a credential that would be replaced in data.
    pub(crate) fn finds_secret(&self, text: &str) -> bool {
        self.anywhere
            .iter()
            .any(|secret| memmem::find(text.as_bytes(), secret.expose_secret().as_bytes()).is_some())
    }

    /// JSON text of an answer, without credentials, however its escapes spell them.
    pub(crate) fn json<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.anywhere.is_empty() {
            return Cow::Borrowed(text);
        }
        match spelling::plain(text) {
            Some(plain) if self.finds_secret(&plain) => Cow::Owned(self.data(&plain).into_owned()),
            _ => self.data(text),
        }
    }

    /// Data of an answer, without credentials.
    pub(crate) fn data<'a>(&self, text: &'a str) -> Cow<'a, str> {
        replace_all(text, self.anywhere.iter())
    }

    /// Bytes of an answer that is no text, without credentials.
    pub(crate) fn bytes<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let mut bytes = Cow::Borrowed(bytes);
        for secret in self.anywhere.iter().map(|secret| secret.expose_secret().as_bytes()) {
            let found: Vec<usize> = memmem::find_iter(&bytes, secret).collect();
            if found.is_empty() {
                continue;
            }
            let mut clean = Vec::with_capacity(bytes.len());
            let mut end = 0;
            for start in found {
                clean.extend_from_slice(&bytes[end..start]);
                clean.extend_from_slice(MARK.as_bytes());
                end = start + secret.len();
            }
            clean.extend_from_slice(&bytes[end..]);
            bytes = Cow::Owned(clean);
        }
        bytes
    }

    /// Text of an error, without credentials.
    pub(crate) fn error<'a>(&self, text: &'a str) -> Cow<'a, str> {
        replace_all(text, self.anywhere.iter().chain(&self.in_errors))
    }

    /// The upstream's words for a message: no credentials, no leaks, one line, so many characters at most.
    pub(crate) fn words(&self, text: &str, most: usize) -> String {
        let clean = leaks::without_leaks(beginning(&self.error(text), most));
        let line = clean.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
        cut(&line.collect::<Vec<_>>().join(" "), most)
    }

    /// The beginning of a body for an error's details: no credentials, no leaks, so many characters at most.
    pub(crate) fn preview(&self, text: &str, most: usize) -> String {
        let plain = spelling::plain(text);
        let clean = self.error(plain.as_deref().unwrap_or(text));
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

/// The forms in which a value may come back, longest first, so that no form is cut by a shorter one.
fn forms(value: &str) -> Vec<SecretString> {
    let quoted = Zeroizing::new(serde_json::to_string(value).unwrap_or_default());
    let json = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(value);
    let percent = Zeroizing::new(encode::component(value));
    let mut all = Vec::from(
        [
            value.to_owned(),
            json.to_owned(),
            json.replace('/', "\\/"),
            encode::path_component(value),
            lower_hex(&percent),
            percent.replace("%20", "+"),
            percent.to_string(),
        ]
        .map(Zeroizing::new),
    );
    all.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.as_str().cmp(b.as_str())));
    all.dedup();
    all.iter().map(|form| SecretString::from(form.as_str())).collect()
}

/// The same percent-encoding with lower-case hex.
fn lower_hex(encoded: &str) -> String {
    let mut left_of_escape = 0;
    let lower = |c: char| {
        let inside = left_of_escape > 0;
        left_of_escape = if c == '%' { 2 } else { left_of_escape.max(1) - 1 };
        if inside { c.to_ascii_lowercase() } else { c }
    };
    encoded.chars().map(lower).collect()
}

fn replace_all<'a, 's>(text: &'a str, secrets: impl Iterator<Item = &'s SecretString>) -> Cow<'a, str> {
    let mut text = Cow::Borrowed(text);
    for secret in secrets.map(ExposeSecret::expose_secret) {
        if memmem::find(text.as_bytes(), secret.as_bytes()).is_some() {
            text = Cow::Owned(text.replace(secret, MARK));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{MARK, Redactor, lower_hex};
    use aqueduct_operations::params::{Kind, Place};
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
            lower_hex(&percent),
            percent.replace("%20", "+"),
        ] {
            for text in [redactor.data(&form), redactor.error(&form)] {
                assert_eq!(text, MARK, "{form}");
            }
            let file = [b"\xff", form.as_bytes(), b"\0", form.as_bytes()].concat();
            let clean = [b"\xff", MARK.as_bytes(), b"\0", MARK.as_bytes()].concat();
            assert_eq!(redactor.bytes(&file), clean, "{form}");
        }
        assert_eq!(lower_hex("A%2FB%C3%A9"), "A%2fB%c3%a9");
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

    /// R11.3-4: a sensitive parameter is not echoed in words.
    #[test]
    fn sensitive_values() {
        let mut pin = param("pin", Kind::String, Place::Query);
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
