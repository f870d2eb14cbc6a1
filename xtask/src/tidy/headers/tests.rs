//! Tests of `headers`.

use super::check;
use crate::tidy::tests::{file, places};

fn violations(text: &str) -> Vec<String> {
    places(&check(&[file("crates/x/src/a.rs", text)]))
}

#[test]
fn a_header_comes_first_and_has_two_to_eight_lines() {
    let body = "fn f() {}\n".repeat(50);
    assert_eq!(violations(&body), ["crates/x/src/a.rs:1"]);
    assert_eq!(violations(&format!("\n//! a\n//! b\n{body}")), ["crates/x/src/a.rs:1"]);
    assert_eq!(violations(&format!("//! a\n{body}")), ["crates/x/src/a.rs:1"]);
    assert!(violations(&format!("//! a\n//! b\n{body}")).is_empty());
    assert!(violations(&format!("{}{body}", "//! a\n".repeat(8))).is_empty());
    assert_eq!(violations(&format!("{}{body}", "//! a\n".repeat(9))), ["crates/x/src/a.rs:9"]);
}

#[test]
fn one_line_is_enough_for_a_tiny_file() {
    assert!(violations("//! a\nfn f() {}\n").is_empty());
}

#[test]
fn only_sources_need_a_header() {
    assert!(check(&[file("crates/x/tests/a.rs", "fn f() {}")]).is_empty());
}
