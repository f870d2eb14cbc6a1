//! Tests of `json_text`.

use super::JsonTokenKind::{self, Close, Colon, Comma, Number, OpenArray, OpenObject, String as Text, Word};
use super::{JsonTokens, end_of_nested, end_of_string, lone_surrogate, unicode_escape};
use aqueduct_testkit::json::any_json;
use proptest::{prop_assert_eq, proptest};

fn tokens(text: &str) -> Vec<(JsonTokenKind, &str)> {
    JsonTokens::of(text.as_bytes()).map(|token| (token.kind, &text[token.start..token.end])).collect()
}

#[test]
fn each_kind() {
    let text = "{ \"a\\\"}\" : [-1.5e+3,\ttrue ,null\r\n] } ";
    let expected = [
        (OpenObject, "{"),
        (Text, "\"a\\\"}\""),
        (Colon, ":"),
        (OpenArray, "["),
        (Number, "-1.5e+3"),
        (Comma, ","),
        (Word, "true"),
        (Comma, ","),
        (Word, "null"),
        (Close, "]"),
        (Close, "}"),
    ];
    assert_eq!(tokens(text), expected);
}

/// Text that is cut off or no JSON has tokens too.
#[test]
fn other_text() {
    assert_eq!(tokens(""), []);
    assert_eq!(tokens("  "), []);
    assert_eq!(tokens("\"a\\"), [(Text, "\"a\\")]);
    assert_eq!(tokens("[\"a\\\""), [(OpenArray, "["), (Text, "\"a\\\"")]);
    assert_eq!(tokens("é1\"x\""), [(Word, "é1"), (Text, "\"x\"")]);
    assert_eq!(JsonTokens::starting_at(b"1", 9).next(), None);
    assert_eq!(end_of_string(b"\"\\", 0), 2);
    assert_eq!(end_of_string(b"\"12345678\" ", 0), 10);
    for (text, expected) in [("[[\"]\"]] ", Some(7)), ("{\"a\":[", None), ("[\"]", None), ("]", None)] {
        assert_eq!(end_of_nested(text.as_bytes(), 0), expected, "{text}");
    }
}

#[test]
fn escapes() {
    for (text, expected) in [
        ("\\u0041b", Some(('A', 6))),
        ("\\ud83d\\uDE00", Some(('😀', 12))),
        ("\\ud83d", None),
        ("\\ud83d\\u0041", None),
        ("\\ude00", None),
        ("\\u+041", None),
        ("\\u004", None),
        ("\\n", None),
    ] {
        assert_eq!(unicode_escape(text.as_bytes()), expected, "{text}");
    }
    for (text, expected) in [
        ("\"\\ud83d\\ude00 \\n\"", None),
        ("\"a\\ud83d\"", Some(2)),
        ("\"\\ude00\"", Some(1)),
        ("\"\\\\ud83d\"", None),
        ("\"\\u0041\\ud83d\\u0041\"", Some(7)),
        ("\\", None),
    ] {
        assert_eq!(lone_surrogate(text.as_bytes(), 0), expected, "{text}");
    }
    assert_eq!(lone_surrogate(b"\\ud83d \\ud83d", 6), Some(7));
}

proptest! {
    /// The tokens of compact JSON are all of it.
    #[test]
    fn nothing_is_left_out(value in any_json()) {
        let text = value.to_string();
        let joined: String = tokens(&text).into_iter().map(|(_, token)| token).collect();
        prop_assert_eq!(joined, text);
    }
}

/// Depth is that of the text, whether it is JSON or not.
#[test]
fn how_deep_it_nests() {
    for (text, depth) in
        [("", 0), ("1", 0), ("{}", 1), ("[[],{\"a\":[1]}]", 3), ("\"[[[\"", 0), ("[[[", 3), ("]]][", 1)]
    {
        assert_eq!(super::nesting_depth(text.as_bytes()), depth, "{text}");
    }
}
