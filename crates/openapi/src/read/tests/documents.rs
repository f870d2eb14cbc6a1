//! What a document gives when all is well.
//!
//! Texts and files in, a library of their parts out: in order, found again later, shared between threads.

use super::{DocumentSet, DocumentsInMemory, SpecVersion, find, open, open_value, open_with, path};
use aqueduct_source_kind::allow_refs::AllowRefs;
use aqueduct_source_kind::disk_reader::DiskReader;
use aqueduct_source_kind::kind::DocumentReader;
use serde_json::json;
use std::sync::Arc;

/// S-openapi-23: a JSON document; its parts come in its order, small parts parsed, large ones by name.
#[test]
fn a_json_document() {
    let opened = open(
        r#"{"openapi": "3.0.3", "info": {"title": "T", "version": "1"},
        "paths": {"/b": {"get": {"operationId": "b"}}, "/a": {"post": {}}, "x-note": {}},
        "components": {"schemas": {"Pet": {"type": "object"}, "Cat": {}}, "securitySchemes": {"k": {"type": "http"}}},
        "x-webhooks": {"ping": {"post": {}}}}"#,
    );
    let library = opened.library;
    assert_eq!(opened.warnings, Vec::<String>::new());
    assert_eq!(library.version(), SpecVersion::V3_0);
    assert_eq!(library.root()["info"]["title"], "T");
    assert!(!library.root().contains_key("paths") && !library.root().contains_key("components"));
    let paths: Vec<&str> = library.paths().map(|(path, _)| path).collect();
    assert_eq!(paths, ["/b", "/a"]);
    assert_eq!(library.value(&path(&library, "/b")), json!({"get": {"operationId": "b"}}));
    assert_eq!(library.value(&library.component("schemas", "Pet").unwrap()), json!({"type": "object"}));
    assert!(library.component("schemas", "Dog").is_none());
    assert_eq!(library.component_names("schemas").collect::<Vec<_>>(), ["Pet", "Cat"]);
    assert_eq!(library.webhooks().map(|(name, _)| name).collect::<Vec<_>>(), ["ping"]);
}

#[test]
fn every_version_is_recognised() {
    for (stated, version) in [
        (json!({"openapi": "3.0.0"}), SpecVersion::V3_0),
        (json!({"openapi": "3.1.1"}), SpecVersion::V3_1),
        (json!({"openapi": "3.2.0"}), SpecVersion::V3_2),
        (json!({"openapi": 3.1}), SpecVersion::V3_1),
        (json!({"openapi": "3.1.0-rc1"}), SpecVersion::V3_1),
        (json!({"swagger": "2.0"}), SpecVersion::Swagger2),
        (json!({"swagger": 2.0}), SpecVersion::Swagger2),
    ] {
        assert_eq!(open_value(&stated).library.version(), version, "{stated}");
    }
}

/// S-openapi-21 S-openapi-22 S-extend-5: a file is read with the reader that is given, and from the disk without one.
#[test]
fn files_come_from_the_reader_or_the_disk() {
    let text = r##"{"openapi": "3.0.0", "paths": {"/a": {"$ref": "items.json#/a"}}}"##;
    let item = r#"{"a": {"get": {"operationId": "from_SOURCE"}}}"#;
    let documents = DocumentsInMemory::of(&[
        ("nowhere/api.json", text),
        ("nowhere/items.json", &item.replace("SOURCE", "reader")),
    ]);
    let name = |library: &DocumentSet| {
        library.path_item(&path(library, "/a")).unwrap().value["get"]["operationId"].clone()
    };
    let allow = AllowRefs::default();
    let opened = DocumentSet::open("nowhere/api.json", text.to_owned(), Some(&documents), &allow).unwrap();
    assert_eq!(name(&opened.library), "from_reader");

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("items.json"), item.replace("SOURCE", "disk")).unwrap();
    let place = folder.path().join("api.json").to_string_lossy().into_owned();
    let opened = DocumentSet::open(&place, text.to_owned(), None, &allow).unwrap();
    assert_eq!(name(&opened.library), "from_disk");
    assert!(DiskReader::beside("nowhere/api.json", &allow).read("nowhere/api.json").is_err());
}

/// A link in the folder does not lead the reader out of it.
#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_folder() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.json"), "{}").unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret.json"), folder.path().join("pet.json")).unwrap();
    std::fs::write(folder.path().join("own.json"), "{}").unwrap();
    let document = folder.path().join("api.json").to_string_lossy().into_owned();
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let reader = DiskReader::beside(&document, &AllowRefs::default());
    assert!(reader.read(&at("own.json")).is_ok());
    assert!(reader.read(&at("pet.json")).unwrap_err().contains("leads out of the folder"));
    let allow = AllowRefs::new([outside
        .path()
        .join("*")
        .canonicalize()
        .unwrap_or_else(|_| outside.path().join("*"))
        .to_string_lossy()
        .into_owned()]);
    assert!(DiskReader::beside(&document, &allow).read(&at("pet.json")).is_ok());
}

/// A library is public, can be shared between threads and outlives the reader.
#[test]
fn a_library_can_be_shared() {
    fn shared<T: Send + Sync + 'static>(_: &T) {}
    let library = Arc::new(open(r#"{"openapi": "3.0.0"}"#).library);
    shared(&library);
}

/// What stands below a path item is found again later, whatever refers to whatever on the way.
#[test]
fn parts_are_found_again() {
    let opened = open_with(
        "api.json",
        &[
            (
                "api.json",
                r##"{"openapi": "3.0.0", "paths": {"/a": {"get": {"responses": {"200": {"$ref": "#/components/responses/Ok"}}}}},
                "components": {"responses": {"Ok": {"content": {"application/json": {"schema": {"$ref": "s.json#/S"}}}}}}}"##,
            ),
            ("s.json", r#"{"S": {"type": "array", "items": [{"const": 1}, {"const": 2}]}}"#),
        ],
        &[],
    );
    let tokens = ["get", "responses", "200", "content", "application/json", "schema"];
    let found = find(&opened.library, "/a", &tokens).unwrap();
    assert_eq!(found.value["type"], "array");
    assert_eq!(found.name.as_deref(), Some("S"));
    let second = find(&opened.library, "/a", &[&tokens[..], &["items", "1"]].concat()).unwrap();
    assert_eq!(*second.value, json!({"const": 2}));
    assert!(find(&opened.library, "/a", &["put"]).is_none());
}
