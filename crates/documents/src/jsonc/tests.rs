//! Tests of `jsonc`.

use super::parse;
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use serde_json::{Value, json};

#[test]
fn comments_commas_and_places() {
    let text = "\u{feff}// a comment\n{\n\t\"a\": [1, 2.5, -3,], /* more */\n  \"é\": {\"x\": \"\\u00e9\\ud83d\\ude00\\n\",},\n}\n// end";
    let root = parse(text).unwrap().root;
    assert_eq!(root.to_json(), json!({"a": [1, 2.5, -3], "é": {"x": "é😀\n"}}));
    let entry = &root.entries()[1];
    assert_eq!((entry.line, entry.column, entry.node.column), (4, 3, 8));
    assert_eq!(root.entries()[0].node.column, 7, "a tab is one column");
}

#[test]
fn mistakes_have_a_place() {
    for (text, line, column) in [
        ("{\"a\": 1\n \"b\": 2}", 2, 2),
        ("{a: 1}", 1, 2),
        ("[1,\n'x']", 2, 1),
        ("{\"a\": yes}", 1, 7),
        ("{\"a\": \"x\n\"}", 1, 7),
        ("[1] 2", 1, 5),
        ("/* x", 1, 1),
        ("{\"a\": \"\\x\"}", 1, 9),
        ("[01]", 1, 2),
        ("", 1, 1),
        ("[,]", 1, 2),
    ] {
        let problem = parse(text).unwrap_err();
        assert_eq!((problem.line, problem.column), (line, column), "{text}: {problem:?}");
    }
}

#[test]
fn bombs_and_repeated_keys() {
    assert!(parse(&"[".repeat(100_000)).is_err());
    assert!(parse(&"{\"a\":".repeat(100_000)).is_err());
    let document = parse("{\"a\": 1,\n\"a\": 2}").unwrap();
    assert_eq!((document.repeated[0].line, document.root.to_json()), (2, json!({"a": 1})));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    /// Everything that is JSON is read as a reader of JSON reads it.
    #[test]
    fn agrees_with_json(value in value()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            prop_assert_eq!(parse(&text).unwrap().root.to_json(), value.clone());
        }
    }

    #[test]
    fn never_panics(text in "[\\[\\]{}\",:/*\\\\u0-9a-e \n'-]{0,40}") {
        let ours = parse(&text);
        if serde_json::from_str::<Value>(&text).is_ok() {
            prop_assert!(ours.is_ok());
        }
    }
}
