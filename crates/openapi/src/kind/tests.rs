//! Tests of `kind`.

use super::refers_elsewhere;

#[test]
fn references_to_others_are_seen() {
    assert!(refers_elsewhere("{\"$ref\" : \"pet.json#/Pet\"}") && refers_elsewhere("$ref: 'https://x/y'"));
    assert!(!refers_elsewhere("{\"$ref\": \"#/a\", \"x\": {\"$ref\":\n \"#b\"}}") && !refers_elsewhere(""));
}
