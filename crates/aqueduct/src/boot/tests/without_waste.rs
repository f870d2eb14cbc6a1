//! What loading and loading again cost: every file is read, hashed and parsed once, the registry is built once, and what has not
//! changed is shared.
//!
//! All of it is counted in the log of this thread.

use super::{notes, pets};
use crate::{Aqueduct, SourceSettings, TrustLevel};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_testkit::log;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// How often something was done with each of the files, and how often the registry was built.
#[derive(Debug, PartialEq, Eq)]
struct Work {
    read: [usize; 3],
    hashed: [usize; 3],
    parsed: [usize; 3],
    built: usize,
}

const FILES: [&str; 3] = ["notes-adapter.md", "pets.json", "sorts.json"];

/// What was done while this ran.
fn counted(run: impl FnOnce()) -> Work {
    log::keep();
    run();
    let lines = log::text();
    let count =
        |words: [&str; 2]| lines.lines().filter(|line| words.iter().all(|word| line.contains(word))).count();
    Work {
        read: FILES.map(|file| count(["aqueduct::disk", file])),
        hashed: FILES.map(|file| count(["content is hashed", file])),
        parsed: FILES.map(|file| count(["content is parsed", file])),
        built: count(["aqueduct::load", "the registry is built"]),
    }
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

/// Settings by name, and a trust for all, hold without a second look at any file. A document that is referred to is parsed with
/// the one that refers to it.
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
        .settings_for("pets", by_name)
        .trust_in_all(TrustLevel::Community);
    let mut built = None;
    let once = |parsed, built| Work { read: [1, 1, 1], hashed: [1, 1, 1], parsed, built };
    assert_eq!(counted(|| built = Some(builder.build().unwrap())), once([1, 1, 0], 1));
    let aqueduct = built.unwrap();
    let trust = |source| entries(&aqueduct, source)[0].source.trust;
    assert_eq!((trust("notes"), trust("pets")), (TrustLevel::Community, TrustLevel::Certified));
    let before = (entries(&aqueduct, "notes"), entries(&aqueduct, "pets"));

    assert_eq!(counted(|| assert!(!aqueduct.reload().is_new)), once([0, 0, 0], 0));

    write_sorts(folder.path(), &["cat", "dog", "fish"]);
    assert_eq!(counted(|| assert!(aqueduct.reload().is_new)), once([0, 1, 0], 1));
    let after = (entries(&aqueduct, "notes"), entries(&aqueduct, "pets"));
    assert_eq!((after.0.len(), after.1.len()), (1, 1));
    assert!(Arc::ptr_eq(&before.0[0], &after.0[0]) && Arc::ptr_eq(&before.0[0].source, &after.0[0].source));
    assert!(!Arc::ptr_eq(&before.1[0], &after.1[0]));
    let sorts = after.1[0].operation.param("sort").unwrap().shape.allowed.as_ref().map(Vec::len);
    assert_eq!(sorts, Some(3));
}
