//! Tests of `page`.

use super::{claim, claimed_level, render};
use crate::conformance::judge::tests::sample;

/// C10.2-1 X-conf-24: the claim states the level and the version of the specification, by the rows that are open.
#[test]
fn the_claim_states_level_and_version() {
    let claimed = |open_parts: &[u8]| claim(claimed_level(|part| usize::from(open_parts.contains(&part))));
    assert!(claimed(&[8]).contains("MCP-AQL 1.0.0-draft, Level 1"));
    assert!(claimed(&[7]).contains("MCP-AQL 1.0.0-draft, Level 2"));
    assert!(claimed(&[1]).contains("No level is claimed yet"));
}

#[test]
fn every_row_stands_on_the_page_with_its_status() {
    let page = render(&sample(), &[1]);
    assert!(page.contains("| R1.2-1 | MUST | 1 | Nothing \\| is lost | [it_holds](../crates/x/src/a.rs) |"));
    assert!(page.contains("| R1.2-2 | INFO | 1 | Nothing \\| is lost | *information:* A note. |"));
    assert!(page.contains("| R1.2-3 | MUST | 2 | Nothing \\| is lost | open |"));
    assert!(page.contains("| 1 | 2 | 1 | 1 | 0 | finished |"));
}
