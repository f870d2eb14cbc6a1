//! Tests of `redact`.

use super::{MARK, Redactor};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
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
    let percent = utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string();
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

/// A value is cleaned whole: texts, keys and numbers.
#[test]
fn values() {
    let mut redactor = knowing("s3cret-value");
    redactor.add_secret("12345678");
    let mut value = json!({"a": ["s3cret-value!", {"s3cret-value": 1}], "b": 12345678, "c": true});
    redactor.value(&mut value);
    assert_eq!(value, json!({"a": ["[REDACTED]!", {"[REDACTED]": 1}], "b": "[REDACTED]", "c": true}));
}

#[test]
fn lines() {
    let redactor = knowing("ab12");
    assert_eq!(redactor.line("it says\n\u{1b}[2J\u{200b}ab12"), "it says [2J[REDACTED]");
    assert_eq!(redactor.line(&"x".repeat(900)).chars().count(), 303);
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
