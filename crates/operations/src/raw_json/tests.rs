//! Tests of `raw_json`.

use super::RawJson;
use aqueduct_testkit::json::any_json;
use proptest::proptest;
use serde_json::json;

#[test]
fn keeps_strings_and_drops_space() {
    let raw = RawJson::parse(" { \"a b\" : [ 1 , \"x \\\" y\\\\\" ] }\n").unwrap();
    assert_eq!(raw.as_str(), r#"{"a b":[1,"x \" y\\"]}"#);
    assert!(RawJson::parse("{\"a\":").is_err());
    assert!(RawJson::parse("{} {}").is_err());
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(RawJson::parse(&deep(120)).is_ok());
    for unsound in [deep(1_000).as_str(), r#"{"a":"\ud800"}"#, r#"{"\udc00":1}"#, "1e999"] {
        assert!(RawJson::parse(unsound).is_err(), "many readers would choke on it");
    }
}

proptest! {
    #[test]
    fn pretty_text_comes_out_as_compact_text(value in any_json()) {
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        let raw = RawJson::parse(&pretty).unwrap();
        proptest::prop_assert_eq!(raw.as_str(), value.to_string());
    }
}

#[test]
fn objects_are_spliced() {
    let (one, list) = (RawJson::of(&json!(1)), RawJson::of(&json!([true])));
    let whole = RawJson::object(&[("a\"b", &one), ("list", &list)]);
    assert_eq!(whole.as_str(), json!({"a\"b": 1, "list": [true]}).to_string());
    assert_eq!(RawJson::object(&[]).as_str(), "{}");
}

#[test]
fn debug_shows_no_content() {
    let raw = RawJson::of(&json!({"token": "s3cret"}));
    assert_eq!(format!("{raw:?}"), "RawJson(18 bytes)");
}
