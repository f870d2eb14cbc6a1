//! What loading and loading again cost: every file is read once, the registry is built once, and what has not changed is shared.
//!
//! The reads are counted in the log of this thread.

use super::{notes, pets};
use crate::{Aqueduct, SourceSettings, TrustLevel};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_testkit::log;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// How often each of the files was read while this ran, and how often the registry was built.
fn counted(run: impl FnOnce()) -> ([usize; 3], usize) {
    log::keep();
    run();
    let lines = log::text();
    let count =
        |words: [&str; 2]| lines.lines().filter(|line| words.iter().all(|word| line.contains(word))).count();
    let files = ["notes-adapter.md", "pets.json", "sorts.json"];
    (files.map(|file| count(["aqueduct::disk", file])), count(["aqueduct::load", "the registry is built"]))
}

fn write_sorts(folder: &Path, sorts: &[&str]) {
    let schema = json!({"type": "string", "enum": sorts});
    std::fs::write(folder.join("sorts.json"), schema.to_string()).unwrap();
}

fn entries(aqueduct: &Aqueduct, source: &str) -> Vec<Arc<RegistryEntry>> {
    let catalog = aqueduct.catalog();
    let all = catalog.registry().entries().iter();
    all.filter(|entry| entry.source.name == source).cloned().collect()
}

/// Settings by name make the operations be made twice, for which nothing is read again.
#[test]
fn read_once_and_shared() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = pets();
    document["paths"]["/pets"]["get"]["parameters"] =
        json!([{"name": "sort", "in": "query", "schema": {"$ref": "sorts.json"}}]);
    let path = folder.path().join("pets.json");
    std::fs::write(&path, document.to_string()).unwrap();
    write_sorts(folder.path(), &["cat", "dog"]);
    let by_name = SourceSettings { trust: Some(TrustLevel::Certified), ..SourceSettings::default() };
    let builder = Aqueduct::builder()
        .source(notes(folder.path()), SourceSettings::default())
        .source(path, SourceSettings::default())
        .settings_for("pets", by_name);
    let mut built = None;
    assert_eq!(counted(|| built = Some(builder.build().unwrap())), ([1, 1, 1], 1));
    let aqueduct = built.unwrap();
    let before = (entries(&aqueduct, "notes"), entries(&aqueduct, "pets"));

    assert_eq!(counted(|| assert!(!aqueduct.reload().is_new)), ([1, 1, 1], 0));

    write_sorts(folder.path(), &["cat", "dog", "fish"]);
    assert_eq!(counted(|| assert!(aqueduct.reload().is_new)), ([1, 1, 1], 1));
    let after = (entries(&aqueduct, "notes"), entries(&aqueduct, "pets"));
    assert_eq!((after.0.len(), after.1.len()), (1, 1));
    assert!(Arc::ptr_eq(&before.0[0], &after.0[0]) && Arc::ptr_eq(&before.0[0].source, &after.0[0].source));
    assert!(!Arc::ptr_eq(&before.1[0], &after.1[0]));
    let sorts = after.1[0].operation.param("sort").unwrap().shape.allowed.as_ref().map(Vec::len);
    assert_eq!(sorts, Some(3));
}
