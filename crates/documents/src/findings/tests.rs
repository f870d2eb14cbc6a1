//! Tests of `findings`.

use super::{Finding, Findings};
use crate::LineColumn;
use aqueduct_operations::diagnostic::DiagnosticSeverity;

fn error(line: u32, message: &str) -> Finding {
    Finding::new(DiagnosticSeverity::Error, "X", "a", LineColumn::new(line, 1), message)
}

#[test]
fn in_the_order_of_the_file() {
    let mut found = Findings::new("f", "one\ntwo\nthree");
    for line in [3, 1, 2] {
        found.add(error(line, "m"));
    }
    let shown: Vec<_> = found.finish().into_iter().map(|d| d.position.source_line).collect();
    assert_eq!(shown, ["one", "two", "three"]);
}

#[test]
fn secrets_are_hidden_everywhere() {
    let text = "api_token: hunter2secret\nkey: \"abc\\x64efgh\"\nname: mysecretvalue\nauth: {type: basic}";
    let mut found = Findings::new("f", text);
    found.hide_text("mysecretvalue");
    found.hide_line(2);
    for line in 1..=4 {
        found.add(error(line, "found mysecretvalue").received("mysecretvalue").hint("mysecretvalue"));
    }
    let lines: Vec<String> = found.finish().iter().map(ToString::to_string).collect();
    let all = lines.join("\n");
    assert!(!all.contains("mysecretvalue") && !all.contains("hunter2") && !all.contains("x64"), "{all}");
    assert!(all.contains("api_token: [REDACTED]") && all.contains("auth: {type: basic}"), "{all}");
}

#[test]
fn endless_problems_give_a_bounded_list() {
    let mut found = Findings::new("f", "x");
    for _ in 0..10_000 {
        found.add(error(1, "m"));
    }
    let list = found.finish();
    assert!(list.len() < 300);
    assert_eq!(list.last().unwrap().message, "9800 more errors are not shown");
}
