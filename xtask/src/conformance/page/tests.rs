//! Tests of `page`.

use super::{claim, render};
use crate::conformance::judge::tests::sample;

/// C10.2-1 X-conf-24: the claim states the level and the version of the specification, once its part is finished.
#[test]
fn the_claim_states_level_and_version() {
    assert!(claim(&[1]).contains("MCP-AQL 1.0.0-draft, Level 1"));
    assert!(claim(&[1, 2, 8]).contains("MCP-AQL 1.0.0-draft, Level 2"));
    assert!(claim(&[]).contains("No level is claimed yet"));
}

#[test]
fn every_row_stands_on_the_page_with_its_status() {
    let page = render(&sample(), &[1]);
    assert!(page.contains("| R1.2-1 | MUST | 1 | Nothing \\| is lost | [it_holds](../crates/x/src/a.rs) |"));
    assert!(page.contains("| R1.2-2 | INFO | 1 | Nothing \\| is lost | *information:* A note. |"));
    assert!(page.contains("| R1.2-3 | MUST | 2 | Nothing \\| is lost | open |"));
    assert!(page.contains("| 1 | 2 | 1 | 1 | 0 | finished |"));
}
