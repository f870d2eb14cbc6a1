//! Tests of `resolver`.

use super::{SchemaDocuments, SchemaResolver};
use serde_json::json;
use std::sync::Arc;

#[test]
fn references_are_followed_inside_their_document() {
    let mut documents = SchemaDocuments::default();
    let first =
        documents.add(Arc::new(json!({"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"type": "string"}}})));
    let second = documents.add(Arc::new(json!({"$defs": {"A": {"type": "integer"}}})));
    let reference = json!({"$ref": "#/$defs/A"});
    let found = documents.resolve(&reference, &first).unwrap();
    assert_eq!(*found.value, json!({"type": "string"}));
    assert_eq!(documents.document(&found.location), documents.document(&first));
    assert_eq!(*documents.resolve(&reference, &second).unwrap().value, json!({"type": "integer"}));
    assert_ne!(documents.document(&first), documents.document(&second));
}

/// Anyone who visits each part once must be able to tell them apart.
#[test]
fn parts_have_locations_of_their_own() {
    let mut documents = SchemaDocuments::default();
    let root = documents.add(Arc::new(json!({"$defs": {"A": true, "B": true}})));
    let location =
        |reference: &str| documents.resolve(&json!({"$ref": reference}), &root).map(|it| it.location);
    assert_ne!(location("#/$defs/A"), location("#/$defs/B"));
    assert_eq!(location("#/$defs/A"), location("#/$defs/A"));
    let in_place = json!({"type": "string"});
    assert_eq!(documents.resolve(&in_place, &root).map(|it| it.location), Some(root));
}

#[test]
fn circles_and_lost_references_lead_nowhere() {
    let mut documents = SchemaDocuments::default();
    let root =
        documents.add(Arc::new(json!({"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}})));
    for reference in ["#/$defs/A", "#/$defs/C", "other.json#/A"] {
        assert!(documents.resolve(&json!({"$ref": reference}), &root).is_none(), "{reference}");
    }
}
