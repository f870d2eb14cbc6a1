//! Secrets in every form and place, and texts that only look like them.
//!
//! What goes out holds the mark and nothing of the secret; what holds none is given back as it is.

use super::{KnownSecrets, MARK, redacted, redacted_bytes};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use proptest::{prop_assert, proptest};
use serde_json::{Value, json};
use std::borrow::Cow;

const SECRET: &str = "s3cr/t+k\"ey~é?";

fn knowing(values: &[&str]) -> KnownSecrets {
    let mut secrets = KnownSecrets::default();
    values.iter().for_each(|value| secrets.add(value));
    secrets
}

fn clean(text: &str, values: &[&str]) -> String {
    redacted(text, &[&knowing(values)]).into_owned()
}

/// `%XX` for every byte of which this is true.
fn percent(text: &str, is_encoded: impl Fn(usize, u8) -> bool) -> String {
    let byte = |(index, byte): (usize, u8)| {
        if is_encoded(index, byte) { format!("%{byte:02x}") } else { char::from(byte).to_string() }
    };
    text.bytes().enumerate().map(byte).collect()
}

fn escapes(text: &str) -> String {
    text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect()
}

/// Of two that overlap no tail is left, whatever the order in which they are known; what touches stays apart.
#[test]
fn overlapping_secrets_leave_no_tail() {
    for values in [["abcdefgh", "efghijkl"], ["efghijkl", "abcdefgh"], ["abcdefghijkl", "cdefgh"]] {
        assert_eq!(clean("<abcdefghijkl>", &values), format!("<{MARK}>"), "{values:?}");
    }
    assert_eq!(clean("xababababx", &["ababab"]), format!("x{MARK}x"), "it overlaps itself");
    assert_eq!(clean("abcdefghijkl", &["abcdef", "ghijkl"]), format!("{MARK}{MARK}"));
    let long = "a".repeat(5_000);
    assert_eq!(clean(&"a".repeat(50_000), &[&long]), MARK);
}

#[test]
fn escaped_and_percent_encoded() {
    let json = Value::from(SECRET).to_string();
    let json = json.trim_matches('"');
    let whole = percent(SECRET, |_, _| true);
    let twice = whole.replace('%', "%25");
    let partly = percent(SECRET, |_, byte| !byte.is_ascii_alphanumeric());
    let mixed = percent(SECRET, |index, byte| !byte.is_ascii() || index % 2 == 0 || byte == b'+');
    for form in [
        SECRET.to_owned(),
        json.to_owned(),
        json.replace('/', "\\/"),
        escapes(SECRET),
        escapes(SECRET).to_lowercase().replace("\\U", "\\u"),
        Value::from(json).to_string().trim_matches('"').to_owned(),
        escapes(SECRET).replace('\\', "\\\\"),
        whole.to_uppercase(),
        whole,
        twice.to_uppercase(),
        twice,
        partly.clone(),
        partly.replace('%', "\\u0025"),
        mixed,
    ] {
        assert_eq!(clean(&format!("<{form}> {form}"), &[SECRET]), format!("<{MARK}> {MARK}"), "{form}");
        let file = [b"\xff", form.as_bytes(), b"\0"].concat();
        let secrets = knowing(&[SECRET]);
        assert_eq!(redacted_bytes(&file, &[&secrets]), [b"\xff", MARK.as_bytes(), b"\0"].concat(), "{form}");
        assert!(secrets.occur_in(form.as_bytes()));
    }
    assert_eq!(clean("q=open+sesame%21+now", &["open sesame!"]), format!("q={MARK}+now"));
}

/// Inside of whatever was encoded with it, at all three places, in all alphabets.
#[test]
fn base64_and_hex() {
    let secret = "s3cr?t~k>ey-value";
    for before in ["", "u", "us", "user:", "{\"token\": \""] {
        for after in ["", "x", "xy", "\"}"] {
            let text = format!("{before}{secret}{after}");
            for form in [
                STANDARD.encode(&text),
                STANDARD_NO_PAD.encode(&text),
                URL_SAFE.encode(&text),
                URL_SAFE_NO_PAD.encode(&text),
                STANDARD.encode(&text).replace('/', "\\/"),
                percent(&STANDARD.encode(&text), |_, byte| b"+/=".contains(&byte)),
            ] {
                let found = clean(&format!("a {form} z"), &[secret]);
                assert!(found.contains(MARK) && found.starts_with("a ") && found.ends_with(" z"), "{found}");
                let plain = |text: &str| text.replace("\\/", "/").replace(MARK, " ");
                for piece in plain(&found).split(' ') {
                    for skip in 0..4.min(piece.len()) {
                        let decoded =
                            STANDARD_NO_PAD.decode(&piece[skip..piece.len() - (piece.len() - skip) % 4]);
                        let decoded = decoded.unwrap_or_default();
                        let shows = String::from_utf8_lossy(&decoded);
                        assert!(!shows.contains("s3cr") && !shows.contains("value"), "{form}: {found}");
                    }
                }
            }
            let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
            for form in [hex.to_uppercase(), hex] {
                let found = clean(&form, &[secret]);
                assert_eq!(found.len() - MARK.len(), (before.len() + after.len()) * 2, "{found}");
            }
        }
    }
}

/// What has no secret in it is not even copied, whatever escapes it is full of.
#[test]
fn other_texts_stay_as_they_are() {
    let secrets = knowing(&["s3cret-value", "123456"]);
    for text in [
        "",
        "s3cret-valu",
        "secret-value 12345 6",
        "https://example.com/?q=%20a%2Fb&c=%25zz%",
        r#"{"a": "\u00e9\n\"x\" \\u0041 \/ \ud83d\ude00 \ud800 \u12"}"#,
        "c2VjcmV0LXZhbHVl MTIzNDU= deadbeef 3132333435",
        "名前 é",
    ] {
        assert!(matches!(redacted(text, &[&secrets]), Cow::Borrowed(same) if same == text), "{text}");
    }
    assert!(matches!(redacted("anything", &[&KnownSecrets::default()]), Cow::Borrowed(_)));
    assert!(!format!("{secrets:?}").contains("123456"));
}

/// Several sets at once, as errors have it.
#[test]
fn several_sets_are_one() {
    let (one, other) = (knowing(&["abcdef"]), knowing(&["defghi"]));
    assert_eq!(redacted("abcdefghi", &[&one, &other]), MARK);
    assert_eq!(redacted(&json!(["abcdef"]).to_string(), &[&other]), r#"["abcdef"]"#);
}

proptest! {
    #[test]
    fn never_gets_through(before in ".*", secret in "[!-~]{6,40}", after in ".*", which in 0..6_usize) {
        let form = match which {
            0 => secret.clone(),
            1 => escapes(&secret),
            2 => percent(&secret, |index, _| index % 3 != 1),
            3 => STANDARD.encode(&secret),
            4 => URL_SAFE_NO_PAD.encode(&secret),
            _ => secret.bytes().map(|byte| format!("{byte:02X}")).collect(),
        };
        let found = clean(&format!("{before} {form} {after}"), &[&secret]);
        prop_assert!(found.contains(MARK), "{}", found);
        if !MARK.contains(&secret) && !MARK.contains(&form) && !before.contains(&form) {
            prop_assert!(!found.contains(&form), "{}", found);
        }
    }
}
