//! Tests of `valid`.

use super::walk;
use crate::raw_json::refused;
use aqueduct_testkit::json::any_json;
use proptest::prelude::{Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};

/// Texts that are nearly JSON.
const EDGES: &[&str] = &[
    "",
    " ",
    "\u{feff}1",
    "null",
    " true\r\n",
    "tru",
    "nulll",
    "falsé",
    "0",
    "-0",
    "-",
    "01",
    "1.",
    ".5",
    "1.5e",
    "1e+",
    "1E-7",
    "1e400",
    "-1e400",
    "1e-400",
    "1.5 2",
    "[]",
    "[ ]",
    "[,]",
    "[1,]",
    "[1 2]",
    "[1}",
    "{]",
    "{}",
    "{ }",
    "{,}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{\"a\":1 \"b\":2}",
    "{\"a\" : 1 , \"b\" :2}",
    "{1:2}",
    "{a:1}",
    "\"",
    "\"a",
    "\"\\\"",
    "\"\\\\\"",
    "\"\\x\"",
    "\"\\u12\"",
    "\"\\u00e9\"",
    "\"\\uD83D\\uDE00\"",
    "\"\\uD83D\"",
    "\"\\uD83D\\u0041\"",
    "\"\\uDE00\"",
    "\"\\uD83Dxxxxxx\"",
    "\"a\nb\"",
    "\"a\u{1f}b\"",
    "\"a\u{7f}b\"",
    "\"1234567\"",
    "\"12345678\"",
    "\"1234567\u{1}\"",
    "\"\u{80}\u{ff}é漢😀\"",
    "\u{b}1",
    "[1]]",
    "[[1]",
    "{\"a\":[{\"b\":[]}]}",
    "[true,false,null,\"\",{}]",
];

#[test]
fn refuses_what_the_parser_refuses() {
    let nested = |levels: usize| {
        [("[", "]"), ("{\"a\":", "}")]
            .map(|(open, close)| format!("{}1{}", open.repeat(levels), close.repeat(levels)))
    };
    let long = [
        "9".repeat(308),
        "9".repeat(400),
        format!("-{}.5", "9".repeat(400)),
        format!("0.{}", "9".repeat(400)),
    ];
    let deep = [126, 127, 128, 200].into_iter().flat_map(nested);
    for text in EDGES.iter().map(|text| (*text).to_owned()).chain(long).chain(deep) {
        assert_eq!(walk(&text).is_some(), refused::read(&text).is_ok(), "{text:?}");
    }
}

#[test]
fn white_space_between_tokens_is_seen() {
    let has_space = |text: &str| walk(text).unwrap().has_space;
    for text in ["[1, 2]", "{\"a\": 1}", "\n1", "1 ", "[ ]", "{\"a\":1\t}"] {
        assert!(has_space(text), "{text:?}");
    }
    for text in ["1", "\"a b\\n\"", "{\"a b\":\"c d\",\"e\":[1,2]}"] {
        assert!(!has_space(text), "{text:?}");
    }
}

/// A text of JSON's characters in any order, or JSON with one character changed.
fn nearly_json() -> impl Strategy<Value = String> {
    let soup = prop::collection::vec(
        prop::sample::select(
            &[
                "{", "}", "[", "]", ",", ":", "\"", "\\", "u", "D8", "00", "1", "-", ".", "e", " ", "\n",
                "true", "null", "é",
            ][..],
        ),
        0..24,
    );
    let changed = (
        any_json(),
        any::<prop::sample::Index>(),
        prop::sample::select(&["\"", "{", "]", ",", "\\", "\u{1}", "9", ""][..]),
    );
    prop_oneof![
        soup.prop_map(|parts| parts.concat()),
        changed.prop_map(|(value, at, put)| {
            let mut text: Vec<char> = value.to_string().chars().collect();
            let at = at.index(text.len());
            text.splice(at..=at, put.chars());
            text.into_iter().collect()
        }),
    ]
}

proptest! {
    #[test]
    fn agrees_with_the_parser(text in nearly_json()) {
        prop_assert_eq!(walk(&text).is_some(), refused::read(&text).is_ok(), "{:?}", text);
    }

    #[test]
    fn takes_all_json(value in any_json()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            prop_assert_eq!(walk(&text).is_some(), true, "{:?}", text);
        }
    }
}
