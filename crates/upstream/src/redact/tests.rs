//! Tests of `redact`.

mod calls;

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
