//! Tests of `mapping`.

use super::{MappingProblem, parse};
use aqueduct_operations::target::{Method, Segment};

fn literal(text: &str) -> Segment {
    Segment::Literal(text.into())
}

fn placeholder(name: &str) -> Segment {
    Segment::Placeholder(name.into())
}

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
        assert_eq!(parse(&format!("{method} /x")), Err(MappingProblem::Method(method.into())));
    }
}

/// `TOOL name`, or as other implementations write it.
#[test]
fn tools() {
    for text in ["TOOL read_file", "tool read_file", "tool:read_file", "TOOL: read_file"] {
        assert_eq!(parse(text).unwrap().tool.as_deref(), Some("read_file"), "{text}");
    }
    assert_eq!(parse("tool:"), Err(MappingProblem::Tool));
    assert_eq!(parse("tools:x"), Err(MappingProblem::Form));
}

/// R4.2-3: anything but `METHOD /path` is refused.
#[test]
fn malformed() {
    for (text, problem) in [
        (format!("GET /{}", "x".repeat(2_000)).as_str(), MappingProblem::TooLong),
        ("GET", MappingProblem::Form),
        ("/x", MappingProblem::Form),
        ("GET  /x", MappingProblem::NoSlash),
        ("GET x", MappingProblem::NoSlash),
        ("GET https://a.example/x", MappingProblem::NoSlash),
        ("GET /x\nHost: y", MappingProblem::Control),
        ("GET /x\r\n", MappingProblem::Control),
        ("GET /x#y", MappingProblem::Fragment),
        ("GET /a\\b", MappingProblem::Backslash),
        ("GET /a/../b", MappingProblem::DotSegment),
        ("GET /a/%2E%2e/b", MappingProblem::DotSegment),
        ("GET /a/./b", MappingProblem::DotSegment),
        ("GET /users/:id", MappingProblem::OtherSpelling(":id".into())),
        ("GET /users/${id}", MappingProblem::OtherSpelling("${id}".into())),
        ("GET /{x", MappingProblem::Unclosed),
        ("GET /x}", MappingProblem::Unopened),
        ("GET /{}", MappingProblem::Placeholder(String::new())),
        ("GET /{a-b}", MappingProblem::Placeholder("a-b".into())),
        ("GET /{a}/{a}", MappingProblem::Repeated("a".into())),
        ("GET /x?y={z}", MappingProblem::QueryPlaceholder),
    ] {
        assert_eq!(parse(text), Err(problem), "{text:?}");
    }
}
