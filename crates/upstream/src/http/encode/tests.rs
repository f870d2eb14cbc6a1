//! Tests of `encode`.

use super::{
    component, cookie, decode_lossy, form, is_encoded, path_component, reserved_in_path, reserved_in_query,
    text,
};
use proptest::{prop_assert, prop_assert_eq, proptest};
use serde_json::json;

/// R6.2.1-1 R6.2.1-2 R6.2.1-3 R6.2.1-4 R6.2.1-5: the characters kept, and UTF-8 in upper-case hex for the rest.
#[test]
fn components() {
    for (plain, encoded) in [
        ("AZaz09-_.!~*'()", "AZaz09-_.!~*'()"),
        ("hello world", "hello%20world"),
        ("user@example.com", "user%40example.com"),
        ("path/to/file", "path%2Fto%2Ffile"),
        ("名前", "%E5%90%8D%E5%89%8D"),
        ("a+b&c=d#e?f", "a%2Bb%26c%3Dd%23e%3Ff"),
    ] {
        assert_eq!(path_component(plain), encoded);
    }
    assert_eq!(component("it's"), "it%27s");
}

/// Reserved characters stay where a document asks for it, but never one that ends the value or the segment.
#[test]
fn reserved_characters() {
    let all = ":/?#[]@!$&'()*+,;= %20%zz%";
    assert_eq!(reserved_in_query(all), ":/?%23%5B%5D@!$%26%27()*%2B,;=%20%20%25zz%25");
    assert_eq!(reserved_in_path(all), ":%2F%3F%23%5B%5D@!$&'()*+,;=%20%2520%25zz%25");
    assert_eq!(cookie("a@b=c/[1] \"x\",;\\%é\r\n"), "a@b=c/[1]%20%22x%22%2C%3B%5C%25%C3%A9%0D%0A");
    assert_eq!(form("a b+c[0]=~*é"), "a+b%2Bc[0]%3D~%2A%C3%A9");
}

/// R6.2.1-7 R6.2.1-8: what counts as encoded already (ruling S6).
#[test]
fn encoded_already() {
    for encoded in ["hello%20world", "%E5%90%8D", "a%2fb", "%41"] {
        assert!(is_encoded(encoded), "{encoded}");
    }
    for plain in ["hello", "100%", "%zz", "%4", "../x%20y", "a b%20c", "%FF", "é%20"] {
        assert!(!is_encoded(plain), "{plain}");
    }
}

#[test]
fn texts() {
    assert_eq!(text(&json!(null)), None);
    assert_eq!(text(&json!("a")).as_deref(), Some("a"));
    assert_eq!(text(&json!([1, "b", true])).as_deref(), Some("1,b,true"));
    assert_eq!(text(&json!({"a": [1]})).as_deref(), Some(r#"{"a":[1]}"#));
    assert_eq!(text(&json!(1.5)).as_deref(), Some("1.5"));
}

proptest! {
    /// R11.4-3: encoding loses nothing and leaves no character that a URL gives a meaning to.
    #[test]
    fn encoding_round_trips(plain in ".*") {
        for encoded in [path_component(&plain), component(&plain)] {
            prop_assert_eq!(decode_lossy(&encoded), plain.as_str());
            prop_assert!(!encoded.contains(['/', '?', '#', '&', '=', '\\', ' ', '\r', '\n', '\0']));
        }
    }
}
