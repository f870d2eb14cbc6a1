//! Bytes that are no clean messages, and what the client is told: a tool result for a tool call, a JSON-RPC error for
//! anything else, silence where no answer is due.

use super::summary::summarize;
use super::{answer_to_oversized, answer_to_unreadable, other_message};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::limits::Limits;
use proptest::prelude::any;
use proptest::{collection, proptest};
use serde_json::{Value, json};

fn answer(line: &[u8]) -> Option<Value> {
    answer_to_unreadable(line, &Limits::default(), &SessionId::new("s"))
}

/// The code inside a tool result, which tells the session, and its isError.
fn tool_failure(answer: &Value) -> (String, bool) {
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    let failure: Value = serde_json::from_str(text).unwrap();
    assert_eq!(failure["success"], false);
    assert_eq!(failure["error"]["details"]["session_id"], "s");
    (failure["error"]["code"].as_str().unwrap().to_owned(), answer["result"]["isError"].as_bool().unwrap())
}

fn call_with(note: &[u8]) -> Vec<u8> {
    let mut line =
        br#"{"jsonrpc":"2.0","id":"a1","method":"tools/call","params":{"name":"t","arguments":{"note":""#
            .to_vec();
    line.extend_from_slice(note);
    line.extend_from_slice(br#""}}}"#);
    line
}

/// C4.7.1-1 C4.7.1-2 C4.7.1-3 C4.7.1-4 C4.7.1-5 C4.7.1-6 C2.3.5-5: every kind of bad UTF-8, and lone surrogates in escapes.
#[test]
fn bad_encodings() {
    for note in [
        &b"\xC0\xAF"[..], // overlong
        b"a\xE2\x28\xA1", // bad continuation
        b"\xE2\x82",      // truncated
        b"\xED\xA0\x80",  // encoded surrogate
        b"\xFF",
        br"\ud800",
        br"\udc00x",
        br"\ud800\u0041",
    ] {
        let answer = answer(&call_with(note)).unwrap();
        assert_eq!(answer["id"], "a1");
        assert_eq!(tool_failure(&answer), ("VALIDATION_INVALID_ENCODING".into(), false), "{note:?}");
    }
}

/// C4.7.5-7 C2.3.5-5: too deep for any parser, and too long for any buffer, still get the proper code and session.
#[test]
fn too_deep_and_too_long() {
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"t","arguments":{{"a":{}1{}}}}}}}"#,
        "[".repeat(500),
        "]".repeat(500)
    );
    let deep = answer(deep.as_bytes()).unwrap();
    assert_eq!(
        (deep["id"].clone(), tool_failure(&deep)),
        (json!(7), ("VALIDATION_PAYLOAD_TOO_LARGE".into(), false))
    );
    let head = call_with(b"xxxxxx");
    let long =
        answer_to_oversized(&head[..head.len() - 10], 99, &Limits::default(), &SessionId::new("s")).unwrap();
    assert_eq!(tool_failure(&long).0, "VALIDATION_PAYLOAD_TOO_LARGE");
}

/// M4.2-2 M4.2-4: JSON-RPC errors for what is no MCP request, with the id where there is one.
#[test]
fn protocol_errors() {
    let code = |line: &str| answer(line.as_bytes()).map(|a| (a["error"]["code"].clone(), a["id"].clone()));
    assert_eq!(code("hello"), Some((json!(-32700), Value::Null)));
    assert_eq!(code(r#"{"id":3,"method":"#), Some((json!(-32700), json!(3))));
    assert_eq!(code("[]"), Some((json!(-32600), Value::Null)));
    assert_eq!(code("42"), Some((json!(-32600), Value::Null)));
    assert_eq!(code(r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#), Some((json!(-32600), json!(3))));
    assert_eq!(code(r#"{"jsonrpc":"2.0","id":3}"#), Some((json!(-32600), json!(3))));
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","arguments":"x"}}"#),
        Some((json!(-32602), json!(3)))
    );
    assert_eq!(code(r#"{"jsonrpc":"2.0","method":"notifications/strange","params":5}"#), None);
}

/// A request whose id is no id is told so, and is not taken for a notification.
#[test]
fn ids_that_are_none() {
    for id in ["null", "{}", "true", "[1]", "1.5", r#"{"id":1}"#, "18446744073709551615"] {
        for method in ["tools/call", "tools/list", "ping", "strange"] {
            let line = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"name":"t","arguments":{{}}}}}}"#
            );
            assert!(other_message(line.as_bytes()).is_none(), "{line}");
            let answer = answer(line.as_bytes()).unwrap();
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)), "{line}");
            let says = answer["error"]["message"].as_str().unwrap();
            assert!(says.ends_with("the id of a request is a string or a whole number"), "{says}");
        }
    }
    let nested = r#"{"jsonrpc":"2.0","method":"strange","params":{"id":null}}"#;
    assert!(other_message(nested.as_bytes()).is_some());
    let sloppy = r#"{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}"#;
    assert_eq!(answer(sloppy.as_bytes()), None, "a notification gets no answer");
}

/// JSON is JSON, however large a number in it: a tool call gets a tool result.
#[test]
fn numbers_out_of_range() {
    let digits = "9".repeat(5000);
    for number in ["1e400", "-1e400", digits.as_str()] {
        let of = |method: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{"name":"t","arguments":{{"a":{number}}}}}}}"#
            )
        };
        let call = answer(of("tools/call").as_bytes()).unwrap();
        assert_eq!(
            (&call["id"], tool_failure(&call)),
            (&json!(7), ("VALIDATION_INVALID_VALUE".into(), false))
        );
        let other = answer(of("tools/list").as_bytes()).unwrap();
        assert_eq!((&other["id"], &other["error"]["code"]), (&json!(7), &json!(-32600)));
        assert!(other["error"]["message"].as_str().unwrap().contains("out of range"), "{other}");
    }
}

#[test]
fn glances() {
    let seen = summarize(br#"{"params":{"id":9,"method":"x"},"method" : "tools/call", "id":-4,"x":[[{}]]}"#);
    assert_eq!((seen.id, seen.method.as_deref(), seen.depth), (Some(json!(-4)), Some("tools/call"), 4));
    assert_eq!(summarize(br#"{"a\"id":1,"id":"x\"y"}"#).id, Some(json!("x\"y")));
}

proptest! {
    #[test]
    fn any_bytes_get_an_answer_or_silence(bytes in collection::vec(any::<u8>(), 0..200)) {
        if let Some(answer) = answer(&bytes) {
            proptest::prop_assert_eq!(&answer["jsonrpc"], "2.0");
        }
    }
}
