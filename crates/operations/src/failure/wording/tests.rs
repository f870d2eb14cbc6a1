//! Tests of `wording`.

use super::super::Failure;
use super::{
    FamilyTool, abridged, echo, endpoint_mismatch, internal, invalid_encoding, looks_like_a_leak,
    number_out_of_range, payload_too_large, unknown_operation,
};
use serde_json::json;

fn tool(family: &str, tool: &str) -> FamilyTool {
    FamilyTool { family: family.to_owned(), tool: tool.to_owned() }
}

/// Every sentence of this file.
fn samples() -> Vec<Failure> {
    vec![
        unknown_operation("get_x", &[]),
        unknown_operation("get_x", &["get_y"]),
        payload_too_large("request_size", 1, 2, "bytes"),
        invalid_encoding(Some("params.x"), Some(3)),
        number_out_of_range(),
        endpoint_mismatch("x", &tool("READ", "mcp_aql_read"), &tool("CREATE", "mcp_aql_create")),
        internal(json!("cause")),
    ]
}

/// X-intro-29 R11.3-1 R11.3-3: our own sentences never look like leaked internals.
#[test]
fn no_sentence_looks_like_a_leak() {
    for failure in samples() {
        assert!(!looks_like_a_leak(&failure.message), "{}", failure.message);
    }
    assert!(looks_like_a_leak("failed at line 3"));
    assert!(looks_like_a_leak("a format in which"));
    assert!(!looks_like_a_leak("Parameter 'format' is not known"));
}

/// X-intro-29: words from outside cannot make a sentence of ours look like a leak, nor endless.
#[test]
fn echoed_words() {
    for plain in ["get_item", "format", "naïve ✓", "two words"] {
        assert_eq!(echo(plain), plain);
    }
    for bad in ["failed at line 3", "at ", "a TypeError", "see /src/main", "flat\nwhite"] {
        assert_eq!(echo(bad), "[not shown]", "{bad:?}");
        assert!(!looks_like_a_leak(&unknown_operation(bad, &[]).message));
    }
    assert_eq!(echo("a\u{7}b"), "a b");
    let failure = unknown_operation(&"é".repeat(100_000), &[]);
    assert!(failure.message.len() < 400 && failure.details["operation"].as_str().unwrap().len() < 500);
}

/// X-errors-15: text and details of a crossed limit.
#[test]
fn limit_details() {
    let failure = payload_too_large("string_length", 10, 11, "bytes");
    assert_eq!(failure.message, "Payload exceeds string_length limit of 10");
    assert_eq!(
        serde_json::Value::Object(failure.details),
        json!({"limit_type": "string_length", "limit_value": 10, "actual_value": 11, "unit": "bytes"})
    );
}

/// O6.3-3 O6.3-4: text and details of a mismatch (ruling W9 adds the tool to call).
#[test]
fn mismatch_words() {
    let failure =
        endpoint_mismatch("get_x", &tool("READ", "gh_mcp_aql_read"), &tool("CREATE", "gh_mcp_aql_create"));
    assert_eq!(
        failure.message,
        "Operation 'get_x' must use READ endpoint, not CREATE. Call gh_mcp_aql_read."
    );
    assert_eq!(failure.details["expected_endpoint"], "READ");
    assert_eq!(failure.details["actual_endpoint"], "CREATE");
    assert_eq!(failure.details["expected_tool"], "gh_mcp_aql_read");
}

#[test]
fn long_texts_keep_their_ends() {
    assert_eq!(abridged("short", 8), "short");
    assert_eq!(abridged("12345678", 8), "12345678");
    assert_eq!(abridged("1234567890ab", 8), "123456... [4 more characters] ...ab");
    assert_eq!(abridged("ääääääääääö", 4), "äää... [7 more characters] ...ö");
}

/// C8.8.4-1: a code of the operator's that is sent as an operation is in no answer, in whatever way it is written; names are.
#[test]
fn a_code_is_no_name() {
    for code in [
        "7Q2ZK-0M4NB-XV1RD-93GHT-P5C8W-J",
        "7q2zk-0m4nb-xv1rd-93ght-p5c8w-j",
        "7Q2ZK0M4NBXV1RD93GHTP5C8WJ",
        "7Q2ZK 0M4NB XV1RD 93GHT P5C8W J",
    ] {
        let failure = unknown_operation(code, &[]);
        let told = format!("{} {:?}", failure.message, failure.details);
        assert!(!told.contains("Q2Z") && !told.contains("q2z"), "{told}");
    }
    for name in ["get_x", "shop__list-items", "abcdefghijklmnopqrstuvwxyz", "list_v2_items_of_the_shop_now"] {
        assert!(unknown_operation(name, &[]).message.contains(name), "{name}");
    }
}
