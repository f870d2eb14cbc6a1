//! Tests of `logging`.

use super::TerminalSafeWriter;
use std::io::Write;

/// Lines stay lines, and what could make a terminal show something else is written out.
#[test]
fn logs_hold_no_disguises() {
    let mut out = Vec::new();
    TerminalSafeWriter(&mut out).write_all("a\u{202e}b\u{1b}[2J\nc\n".as_bytes()).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "a\\u{202e}b\\u{1b}[2J\nc\n");
}
