//! Tests of `handler`.

use super::shown;
use serde_json::{Value, json};

/// W16: what failed is told in full where it can be read, and else in its beginning.
#[test]
fn long_content_is_cut() {
    let short = json!([{"type": "text", "text": "disk full"}, {"type": "image", "data": "aGk="}]);
    assert_eq!(shown(&short), short);
    let long = "disk full ".repeat(1_000_000);
    for content in [json!([{"type": "text", "text": long}]), Value::from(long.as_str())] {
        let text = shown(&content)[0]["text"].as_str().unwrap().to_owned();
        assert!(text.starts_with("disk full disk") && text.ends_with("too long]"), "{text}");
        assert!(text.len() < 5_000);
    }
    assert!(shown(&json!({"log": long})).to_string().len() < 200);
}
