//! Documents in YAML.
//!
//! The same library comes out as from JSON. Words mean what YAML 1.2 says, and texts that would grow without end
//! are refused.

use super::{AllowRefs, DocumentSet, OpenError, open, path};
use serde_json::json;

/// S-openapi-23: YAML is read too, with the meaning YAML 1.2 gives to its words, keys in order and as text.
#[test]
fn words_mean_what_yaml_1_2_says() {
    let library = open(
        "openapi: 3.0.3\ninfo: {title: T, version: '1.10'}\nx-all:\n  on: yes\n  no: off\n  date: 2024-01-31\n  \
         big: 9223372036854775807\n  bigger: 18446744073709551615\n  float: 1.5\n  text: |\n    a\n    b\n  \
         nothing: ~\n  quoted: \"1\"\n  flag: true\npaths:\n  /z:\n    get:\n      responses:\n        200: \
         {description: ok}\n        404: {description: no}\n  /a: {}\n",
    )
    .library;
    assert_eq!(
        library.root()["x-all"],
        json!({"on": "yes", "no": "off", "date": "2024-01-31", "big": 9223372036854775807_i64,
            "bigger": 18446744073709551615_u64, "float": 1.5, "text": "a\nb\n", "nothing": null, "quoted": "1",
            "flag": true})
    );
    assert_eq!(library.root()["info"]["version"], "1.10");
    assert_eq!(library.paths().map(|(path, _)| path).collect::<Vec<_>>(), ["/z", "/a"]);
    let item = library.value(&path(&library, "/z"));
    let responses = item["get"]["responses"].as_object().unwrap();
    assert_eq!(responses.keys().collect::<Vec<_>>(), ["200", "404"]);
}

#[test]
fn anchors_and_merge_keys() {
    let library = open(
        "openapi: 3.0.3\nx-base: &base {type: object, title: B}\nx-use:\n  <<: *base\n  title: U\nx-copy: *base\n",
    )
    .library;
    assert_eq!(library.root()["x-use"], json!({"type": "object", "title": "U"}));
    assert_eq!(library.root()["x-copy"], json!({"type": "object", "title": "B"}));
}

#[test]
fn a_repeated_key_is_an_error_with_its_line() {
    let text = "openapi: 3.0.3\npaths:\n  /a: {}\n  /a: {}\n";
    let error = DocumentSet::open("api.yaml", text.to_owned(), None, &AllowRefs::default()).unwrap_err();
    assert_eq!(error.place().unwrap().0, 4, "{error}");
}

#[test]
fn yaml_that_begins_with_a_brace() {
    let text = "{openapi: 3.0.3, paths: {/a: {get: {}}}}";
    let open = |place: &str| DocumentSet::open(place, text.to_owned(), None, &AllowRefs::default());
    assert_eq!(open("api.yaml").unwrap().library.paths().count(), 1);
    assert!(matches!(open("api.json"), Err(OpenError::Syntax { format: "JSON", .. })));
}

#[test]
fn bombs_are_refused() {
    let mut bomb = String::from("openapi: 3.0.3\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let refs = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{refs}]\n"));
    }
    let mut deep = String::new();
    for level in 0..5_000 {
        deep.push_str(&" ".repeat(level));
        deep.push_str("a:\n");
    }
    for text in [bomb, deep, "- ".repeat(100_000), format!("a: {}", "[".repeat(1_000_000))] {
        let error = DocumentSet::open("api.yaml", text, None, &AllowRefs::default()).unwrap_err();
        assert!(matches!(error, OpenError::Syntax { .. }), "{error}");
    }
}

#[test]
fn deep_yaml_is_converted() {
    let depth = 100;
    let text = format!("openapi: 3.0.3\nx: {}{}\n", "[".repeat(depth), "]".repeat(depth));
    assert!(open(&text).library.root()["x"].is_array());
}
