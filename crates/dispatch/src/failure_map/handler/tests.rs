//! Tests of `handler`.

use super::{in_the_words_of_others, shown};
use aqueduct_operations::failure::Code;
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

/// X-conf-62 X-conf-63: words that show paths or a stack trace are in the details alone, and no others.
#[test]
fn words_that_leak() {
    let said = |text: &str| in_the_words_of_others(Code::NotFoundResource, text, "There is no such thing");
    let leaking = "ENOENT: no such file, stat '/srv/x'";
    let failure = said(leaking);
    assert_eq!(failure.message, "There is no such thing. Its own words are in 'upstream_error'.");
    assert_eq!(failure.details["upstream_error"], leaking);
    assert_eq!(said("at least one is needed").message, "at least one is needed");
    assert_eq!(said("no file x").message, "no file x");
    assert!(said("no file x").details.is_empty());
    assert_eq!(said(" ").message, "There is no such thing");
}
