//! Tests of `mapping`.

use super::parse;
use aqueduct_operations::target::{Method, Segment};

fn literal(text: &str) -> Segment {
    Segment::Literal(text.into())
}

fn placeholder(name: &str) -> Segment {
    Segment::Placeholder(name.into())
}

fn message(text: &str) -> String {
    parse(text).unwrap_err().message
}

const FORM: &str = "The mapping is a method, a space and a path";
const NO_SLASH: &str = "The path starts with '/'";
const CONTROL: &str = "The path holds a control character or a line break";
const DOT_SEGMENT: &str = "The path holds a '.' or '..' segment";

/// R6.3-1: the method is what stands before the first space, in any case; later spaces are kept.
#[test]
fn method_and_path() {
    let mapping = parse("get /a b/{x}/c{y}?k=v w").unwrap();
    assert_eq!(mapping.method, Method::Get);
    assert_eq!(mapping.path, [literal("/a b/"), placeholder("x"), literal("/c"), placeholder("y")]);
    assert_eq!(mapping.static_query.as_deref(), Some("k=v w"));
    assert_eq!(parse("DELETE /").unwrap().path, [literal("/")]);
}

/// R6.3-2 X-adapter-16: five methods, any other is refused.
#[test]
fn methods() {
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "Patch", "HEAD", "OPTIONS", "TRACE", "QUERY"] {
        assert!(parse(&format!("{method} /x")).is_ok(), "{method}");
    }
    for method in ["CONNECT", "FETCH", ""] {
        assert_eq!(message(&format!("{method} /x")), format!("There is no method '{method}'"));
    }
}

/// `TOOL name`, or as other implementations write it.
#[test]
fn tools() {
    for text in ["TOOL read_file", "tool read_file", "tool:read_file", "TOOL: read_file"] {
        assert_eq!(parse(text).unwrap().tool.as_deref(), Some("read_file"), "{text}");
    }
    assert_eq!(message("tool:"), "A tool has a name");
    assert_eq!(message("tools:x"), FORM);
}

/// R4.2-3: anything but `METHOD /path` is refused.
#[test]
fn malformed() {
    for (text, expected) in [
        (format!("GET /{}", "x".repeat(2_000)).as_str(), "The mapping is longer than 2000 characters"),
        ("GET", FORM),
        ("/x", FORM),
        ("GET  /x", NO_SLASH),
        ("GET x", NO_SLASH),
        ("GET https://a.example/x", NO_SLASH),
        ("GET /x\nHost: y", CONTROL),
        ("GET /x\r\n", CONTROL),
        ("GET /x#y", "A path has no fragment: '#' is not sent to the API"),
        ("GET /a\\b", "The path holds a backslash"),
        ("GET /a/../b", DOT_SEGMENT),
        ("GET /a/%2E%2e/b", DOT_SEGMENT),
        ("GET /a/./b", DOT_SEGMENT),
        ("GET /users/:id", "':id' is not how a placeholder is written"),
        ("GET /users/${id}", "'${id}' is not how a placeholder is written"),
        ("GET /{x", "A '{' is not closed"),
        ("GET /x}", "A '}' has no '{' before it"),
        ("GET /{}", "'{}' is not a valid placeholder"),
        ("GET /{a-b}", "'{a-b}' is not a valid placeholder"),
        ("GET /{a}/{a}", "The placeholder '{a}' is there twice"),
        ("GET /x?y={z}", "A placeholder stands in the query"),
    ] {
        assert_eq!(message(text), expected, "{text:?}");
    }
}
