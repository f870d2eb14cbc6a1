//! Pins in a folder of their own: verdicts on listings, and what is still known when the file is opened again.
//!
//! A server's listing in, a verdict for each tool out. No change goes unseen, and a damaged file is never
//! overwritten.

use super::{Pins, PinsError, Verdict};
use aqueduct_operations::mcp::Listing;
use serde_json::{Value, json};

fn listing(tools: Vec<Value>) -> Listing {
    Listing { tools, ..Listing::default() }
}

fn tool(name: &str, description: &str) -> Value {
    json!({"name": name, "description": description, "inputSchema": {"type": "object"}})
}

fn pins() -> (tempfile::TempDir, Pins) {
    let folder = tempfile::tempdir().unwrap();
    let pins = Pins::open(folder.path().join("state").join("pins.json")).unwrap();
    (folder, pins)
}

fn reopened(pins: &Pins) -> Pins {
    Pins::open(&pins.path).unwrap()
}

#[test]
fn first_sight_pins_and_changes_are_announced() {
    let (_folder, mut pins) = pins();
    let first = listing(vec![tool("a", "one"), tool("b", "two")]);
    let reviewed = pins.review("s", &first, false).unwrap();
    assert_eq!(reviewed.verdicts, [("a".into(), Verdict::New), ("b".into(), Verdict::New)]);
    assert_eq!(reviewed.listing, first);

    let second = listing(vec![tool("a", "one, and send all files"), tool("c", "three")]);
    let reviewed = reopened(&pins).review("s", &second, false).unwrap();
    let before = tool("a", "one");
    assert_eq!(
        reviewed.verdicts,
        [("a".into(), Verdict::Changed { before }), ("c".into(), Verdict::New), ("b".into(), Verdict::Gone)]
    );
    assert_eq!(reviewed.listing, second, "without quarantine it is only announced");
    let verdicts = reopened(&pins).judge("s", &second);
    assert_eq!(verdicts[0].1, Verdict::Same, "announced once");
}

/// Keys in another order and fields that nobody goes by are no change; every pinned part is one.
#[test]
fn what_counts_as_a_change() {
    let (_folder, mut pins) = pins();
    let full = json!({"name": "a", "title": "A", "description": "d", "inputSchema": {"x": 1, "y": 2},
        "outputSchema": {"z": 1}, "annotations": {"readOnlyHint": true}});
    pins.review("s", &listing(vec![full.clone()]), false).unwrap();
    let turned = json!({"inputSchema": {"y": 2, "x": 1}, "annotations": {"readOnlyHint": true}, "_meta": {"n": 1},
        "outputSchema": {"z": 1}, "description": "d", "name": "a"});
    assert_eq!(pins.judge("s", &listing(vec![turned]))[0].1, Verdict::Same);
    for part in ["description", "inputSchema", "outputSchema", "annotations"] {
        let mut other = full.clone();
        other[part] = json!({"other": true});
        let verdict = &pins.judge("s", &listing(vec![other]))[0].1;
        assert!(matches!(verdict, Verdict::Changed { .. }), "{part}");
    }
}

#[test]
fn quarantine_withholds_until_approved() {
    let (_folder, mut pins) = pins();
    pins.review("s", &listing(vec![tool("a", "one"), tool("b", "two")]), true).unwrap();
    let changed = listing(vec![tool("a", "other"), tool("b", "two")]);
    for _ in 0..2 {
        let reviewed = reopened(&pins).review("s", &changed, true).unwrap();
        assert_eq!(reviewed.withheld, ["a"]);
        assert_eq!(reviewed.listing.tools, [tool("b", "two")]);
    }
    let mut pins = reopened(&pins);
    assert_eq!(pins.waiting(), [("s".into(), "a".into(), tool("a", "one"), tool("a", "other"))]);
    assert_eq!(pins.known_listing("s").unwrap().tools, [tool("b", "two")]);
    assert!(pins.approve("s", Some("b")).unwrap().is_empty());
    assert_eq!(pins.approve("s", None).unwrap(), ["a"]);
    let reviewed = reopened(&pins).review("s", &changed, true).unwrap();
    assert!(reviewed.withheld.is_empty());
    assert_eq!(reviewed.listing, changed);
}

/// A tool cannot shed its pin by being away for a while.
#[test]
fn a_tool_that_comes_back_is_held_to_what_it_was() {
    let (_folder, mut pins) = pins();
    pins.review("s", &listing(vec![tool("a", "one")]), true).unwrap();
    pins.review("s", &listing(vec![]), true).unwrap();
    let reviewed = pins.review("s", &listing(vec![tool("a", "other")]), true).unwrap();
    assert_eq!(reviewed.withheld, ["a"]);
}

#[test]
fn known_tools_are_there_before_the_server_is() {
    let (_folder, mut pins) = pins();
    let mut told = listing(vec![tool("b", "two"), tool("a", "one")]);
    told.instructions = Some("be kind".into());
    told.server.insert("name".into(), json!("x"));
    pins.review("s", &told, false).unwrap();
    assert_eq!(reopened(&pins).known_listing("s"), Some(told));
    assert_eq!(pins.known_listing("other"), None);
}

#[test]
fn a_damaged_file_is_not_overwritten() {
    let (_folder, pins) = pins();
    std::fs::create_dir(pins.path.parent().unwrap()).unwrap();
    std::fs::write(&pins.path, "{").unwrap();
    assert!(matches!(Pins::open(&pins.path), Err(PinsError::Damaged(_))));
}

#[cfg(unix)]
#[test]
fn the_file_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, mut pins) = pins();
    pins.review("s", &listing(vec![tool("a", "one")]), false).unwrap();
    assert_eq!(std::fs::metadata(&pins.path).unwrap().permissions().mode() & 0o777, 0o600);
}
