//! Tests of `reasons`.

use super::{ReasonKind, parse};

#[test]
fn reasons_are_read_by_kind() {
    let reasons = parse("[other_side]\n\"C4.6.2-4\" = \"Duty of the client.\"\n").unwrap();
    assert_eq!(reasons["C4.6.2-4"].kind, ReasonKind::OtherSide);
}

#[test]
fn an_unknown_kind_a_second_reason_and_a_fragment_are_refused() {
    assert!(parse("[not_yet]\n\"C1.3-1\" = \"No test.\"\n").is_err());
    assert!(parse("[future]\n\"C1.3-1\" = \"A.\"\n[definition]\n\"C1.3-1\" = \"B.\"\n").is_err());
    assert!(parse("[future]\n\"C1.3-1\" = \"later\"\n").is_err());
}
