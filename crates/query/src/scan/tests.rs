//! Tests of `scan`.

mod laws;

use super::JsonScanner;

#[test]
fn one_value_of_each_kind() {
    for value in [r#""a\"]}""#, r#""\\""#, "12.5e3", "null", r#"{"a":["}",{"b":"]"}]}"#, "[]", "{}"] {
        for end in ["", ",", "]", "}"] {
            let text = format!("{value}{end}");
            let mut cursor = JsonScanner::new(&text);
            assert_eq!(cursor.value(), Some(value), "{text}");
            assert_eq!(cursor.next(), end.bytes().next(), "{text}");
        }
    }
}

#[test]
fn names_are_read_in_all_spellings() {
    for (text, name) in [
        (r#""name":1"#, "name"),
        (r#""na\u006de":1"#, "name"),
        (r#""a\"b\\":1"#, "a\"b\\"),
        (r#""\ud83d\ude00":1"#, "😀"),
        (r#""":1"#, ""),
    ] {
        let mut cursor = JsonScanner::new(text);
        assert_eq!(cursor.key().unwrap().name(), name, "{text}");
        assert_eq!(cursor.next(), Some(b'1'));
    }
}

#[test]
fn what_is_no_json_ends_the_walk() {
    for text in ["", "\"", "\"a", "\"a\\", "\"a\\\"", "[", "{\"a\":[}", "[\"]", ",", "]"] {
        assert_eq!(JsonScanner::new(text).value(), None, "{text}");
    }
    for text in ["", "a", "\"a\"", "\"a\" :1", "\"a"] {
        assert!(JsonScanner::new(text).key().is_none(), "{text}");
    }
    let deep = "[".repeat(1_000_000);
    assert_eq!(JsonScanner::new(&deep).value(), None);
}
