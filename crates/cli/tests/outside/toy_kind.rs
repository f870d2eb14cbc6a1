//! A kind of source of a program's own: recognised, loaded, watched, explained, and refused with the line that is wrong.
//!
//! The kind is one file, `phrases`; how the program imports it is tested with `import`.

mod phrases;

use crate::outside::harness::Place;
use aqueduct::serde_json::Map;
use aqueduct::{Aqueduct, BuildError, SourceSettings};
use phrases::PhrasesKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn build(path: &Path) -> Result<Aqueduct, BuildError> {
    Aqueduct::builder().source_kind(Arc::new(PhrasesKind)).source(path, SourceSettings::default()).build()
}

async fn said(aqueduct: &Aqueduct, operation: &str) -> Option<String> {
    aqueduct.call_operation(operation, Map::new()).await.read().ok()
}

#[tokio::test]
async fn recognised_loaded_and_loaded_again() {
    let place = Place::new();
    let path = place.write("german.phrases", "get_greeting = Hallo\n");
    let aqueduct = build(path.as_ref()).unwrap();
    assert_eq!(said(&aqueduct, "get_greeting").await.as_deref(), Some("Hallo"));
    place.write("german.phrases", "get_greeting = Moin\nget_thanks = Danke\n");
    assert!(aqueduct.reload().is_new);
    assert_eq!(said(&aqueduct, "get_greeting").await.as_deref(), Some("Moin"));
    assert_eq!(said(&aqueduct, "get_thanks").await.as_deref(), Some("Danke"));
    place.write("german.phrases", "get_greeting\n");
    let reloaded = aqueduct.reload();
    assert!(!reloaded.is_new && reloaded.diagnostics[0].code == "PHRASE_SYNTAX", "{reloaded:?}");
    assert_eq!(said(&aqueduct, "get_greeting").await.as_deref(), Some("Moin"), "the last good version stays");
}

/// A change of its file, or of one that the content refers to, loads the source again.
#[tokio::test]
async fn watched() {
    let place = Place::new();
    place.write("common.phrases", "get_thanks = Danke\n");
    let path = place.write("german.phrases", "get_greeting = Hallo\n@common.phrases\n");
    let aqueduct = build(path.as_ref()).unwrap();
    assert_eq!(said(&aqueduct, "get_thanks").await.as_deref(), Some("Danke"));
    let (sender, changes) = std::sync::mpsc::channel();
    let watcher = aqueduct.watch(move |reloaded| sender.send(reloaded.is_new).unwrap());
    place.write("common.phrases", "get_thanks = Vielen Dank\n");
    assert!(changes.recv_timeout(Duration::from_secs(20)).unwrap());
    assert_eq!(said(&aqueduct, "get_thanks").await.as_deref(), Some("Vielen Dank"));
    place.write("german.phrases", "get_greeting = Moin\n@common.phrases\n");
    assert!(changes.recv_timeout(Duration::from_secs(20)).unwrap());
    assert_eq!(said(&aqueduct, "get_greeting").await.as_deref(), Some("Moin"));
    drop(watcher);
}

#[test]
fn refused_with_the_line_that_is_wrong() {
    let place = Place::new();
    let path = place.write("german.phrases", "get_greeting = Hallo\nget_thanks\n");
    let error = build(path.as_ref()).unwrap_err().to_string();
    assert!(error.contains("german.phrases:2:1: error[PHRASE_SYNTAX]"), "{error}");
}

#[test]
fn explained_to_whoever_gives_something_unknown() {
    let place = Place::new();
    let path = place.write("german.json", "{}");
    let error = build(path.as_ref()).unwrap_err().to_string();
    assert!(error.ends_with(", and files of phrases are named *.phrases"), "{error}");
}
