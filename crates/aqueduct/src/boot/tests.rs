//! Sources together: documents on the web that are slow or not there, files in directories, corrections that cannot be made.
//!
//! Each builds from real files and loopback servers; what is waited for is a condition, never a time.

mod careless_kind;
mod connections;
mod kinds_on_the_web;
mod long_files;
mod without_waste;

use crate::{Aqueduct, BuildError, Reloaded, SourceSettings};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const TEXT: &str = "---\nname: notes\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Notes of mine\"\ntarget: { \
                    base_url: \"http://127.0.0.1:9\", transport: http, protocol: rest, serialization: json \
                    }\noperations:\n  read:\n    - { name: list_notes, maps_to: \"GET /notes\", description: \"List notes\" }\n---\n";

fn pets() -> Value {
    json!({
        "openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "http://127.0.0.1:9"}],
        "paths": {"/pets": {"get": {"operationId": "list_pets", "responses": {"200": {"description": "ok"}}}}},
    })
}

fn notes(folder: &Path) -> PathBuf {
    let path = folder.join("notes-adapter.md");
    std::fs::write(&path, TEXT).unwrap();
    path
}

fn names(aqueduct: &Aqueduct) -> String {
    let catalog = aqueduct.catalog();
    let names: Vec<&str> =
        catalog.registry().entries().iter().map(|entry| entry.public_name.as_str()).collect();
    names.join(" ")
}

fn codes(aqueduct: &Aqueduct) -> Vec<&'static str> {
    aqueduct.diagnostics().iter().map(|each| each.code).collect()
}

/// PEERS 7: one document that is not there takes no other source down, and is named; alone it is an error with its URL.
#[test]
fn a_document_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let gone = "http://127.0.0.1:1/x.json?token=secret-1";
    let settings = SourceSettings::default;
    let both = Aqueduct::builder()
        .source(notes(folder.path()), settings())
        .source(gone, settings())
        .build()
        .unwrap();
    assert!(names(&both).contains("list_notes"));
    assert_eq!(codes(&both), ["DOCUMENT_UNREADABLE"]);
    assert_eq!(both.diagnostics()[0].position.file, "http://127.0.0.1:1/x.json");
    let catalog = both.catalog();
    let problems = catalog.registry().problems();
    assert_eq!((problems[0].name.as_str(), problems[0].is_served), ("x.json", false));
    let alone = Aqueduct::builder().source(gone, settings()).build().unwrap_err();
    let BuildError::Web(message) = alone else { panic!("{alone:?}") };
    assert!(message.starts_with("http://127.0.0.1:1/x.json: ") && !message.contains("secret-1"), "{message}");
}

/// PEERS 7: a slow document is not waited for when there is something else to serve, and is added when it comes.
#[test]
fn a_slow_document() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/pets.json", listener.local_addr().unwrap());
    let (release, released) = channel::<()>();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 1024];
        assert!(stream.read(&mut request).unwrap() > 0);
        released.recv().unwrap();
        let body = pets().to_string();
        write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
    });
    let began = Instant::now();
    let aqueduct = Aqueduct::builder()
        .source(notes(folder.path()), SourceSettings::default())
        .source(&url, SourceSettings::default())
        .patience(Duration::from_millis(100))
        .build()
        .unwrap();
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    assert_eq!(codes(&aqueduct), ["DOCUMENT_NOT_READY"]);
    assert!(!names(&aqueduct).contains("list_pets"));
    let (told, news) = channel();
    let _watching = aqueduct.watch(move |reloaded: &Reloaded| told.send(reloaded.is_new).unwrap());
    release.send(()).unwrap();
    while !news.recv_timeout(Duration::from_secs(30)).unwrap() {}
    assert!(names(&aqueduct).contains("list_pets") && names(&aqueduct).contains("list_notes"));
    assert!(aqueduct.catalog().registry().problems().is_empty());
}

/// PEERS 7: what was not there is tried again, whether files are watched or not.
#[tokio::test(flavor = "multi_thread")]
async fn tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let api = FakeApi::in_turn(vec![Answer::json(503, json!({})), Answer::json(200, pets())]).await;
    let url = format!("{}/pets.json", api.base_url());
    let path = notes(folder.path());
    let news = tokio::task::spawn_blocking(move || {
        let settings = SourceSettings::default;
        let aqueduct = Aqueduct::builder().source(path, settings()).source(&url, settings()).build().unwrap();
        assert_eq!(codes(&aqueduct), ["DOCUMENT_UNREADABLE"]);
        let (told, news) = channel();
        let watching =
            aqueduct.follow_servers(move |reloaded: &Reloaded| told.send(reloaded.is_new).unwrap());
        while !news.recv_timeout(Duration::from_secs(30)).unwrap() {}
        assert!(names(&aqueduct).contains("list_pets"));
        drop(watching);
    });
    news.await.unwrap();
}

/// S-openapi-3: a document in a file refers to one on the web, where the operator allows that address.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_refers_to_the_web() {
    let folder = tempfile::tempdir().unwrap();
    let api = FakeApi::always(Answer::json(200, json!({"type": "string", "enum": ["cat", "dog"]}))).await;
    let mut document = pets();
    let reference = format!("{}/kind.json", api.base_url());
    document["paths"]["/pets"]["get"]["parameters"] =
        json!([{"name": "kind", "in": "query", "schema": {"$ref": reference}}]);
    let path = folder.path().join("pets.json");
    std::fs::write(&path, document.to_string()).unwrap();
    let allow_refs = vec![format!("{}/*", api.base_url())];
    let aqueduct = tokio::task::spawn_blocking(move || {
        let settings = SourceSettings { allow_refs, ..SourceSettings::default() };
        Aqueduct::builder().source(path, settings).build().unwrap()
    });
    let aqueduct = aqueduct.await.unwrap();
    let catalog = aqueduct.catalog();
    let (_, entry, _) = catalog.find("list_pets").unwrap();
    let kind = entry.operation.param("kind").unwrap();
    assert_eq!(kind.shape.allowed.as_ref().map(Vec::len), Some(2), "{kind:?}");
}

/// A document with a mark at its beginning is one, in YAML too.
#[test]
fn marks_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pets.yaml");
    std::fs::write(&path, "\u{feff}openapi: 3.0.3\ninfo: {title: P, version: '1'}\nservers: [{url: 'http://127.0.0.1:9'}]\npaths: {/p: {get: {operationId: list_pets, responses: {}}}}\n").unwrap();
    let aqueduct = Aqueduct::builder().source(path, SourceSettings::default()).build().unwrap();
    assert!(names(&aqueduct).contains("list_pets"));
}

/// Of a file that a link leads to outside of the directory nothing is shown; what is no file is named.
#[cfg(unix)]
#[test]
fn links_out_of_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let apis = folder.path().join("apis");
    std::fs::create_dir(&apis).unwrap();
    notes(&apis);
    std::fs::write(folder.path().join("passwd"), "root:x:0:0:secret-1\n").unwrap();
    std::os::unix::fs::symlink(folder.path().join("passwd"), apis.join("p-adapter.md")).unwrap();
    std::os::unix::fs::symlink("nowhere", apis.join("q-adapter.md")).unwrap();
    std::fs::write(apis.join("r-adapter.md"), "shown:x:0\n").unwrap();
    let aqueduct = Aqueduct::builder().source(&apis, SourceSettings::default()).build().unwrap();
    let told: String = aqueduct.diagnostics().iter().map(|each| format!("{each:?}\n")).collect();
    assert!(!told.contains("secret-1") && told.contains("p-adapter.md"), "{told}");
    assert!(told.contains("shown:x:0") && told.contains("PASSED_OVER"), "{told}");
}

/// A correction that cannot be made stops, as one that cannot be read does.
#[test]
fn bad_corrections_stop() {
    let folder = tempfile::tempdir().unwrap();
    let (overrides, found) =
        aqueduct_sources::overrides::read("o.yaml", "operations:\n  list_notes: {rename: Not A Name}\n");
    assert!(found.is_empty(), "{found:?}");
    let built = Aqueduct::builder()
        .source(notes(folder.path()), SourceSettings::default())
        .overrides(overrides)
        .build();
    let Err(BuildError::Invalid(found)) = built else { panic!("{built:?}") };
    assert_eq!(found[0].code, "INVALID_OVERRIDE");
}

/// S-scanner-9: the file of an operation without code is named.
#[test]
fn operations_without_code_name_their_file() {
    let folder = tempfile::tempdir().unwrap();
    notes(folder.path());
    let operation = json!({"name": "sum", "namespace": "maths", "version": "1.0.0", "type": "QUERY", "description": "d",
                           "inputSchema": {}});
    std::fs::write(folder.path().join("sum.operation.json"), operation.to_string()).unwrap();
    let aqueduct = Aqueduct::builder().source(folder.path(), SourceSettings::default()).build().unwrap();
    let found = &aqueduct.diagnostics()[0];
    assert_eq!(found.code, "NO_HANDLER");
    assert!(found.position.file.ends_with("sum.operation.json"), "{found:?}");
}

/// An empty directory keeps no other source from being served, and what is put into it later is served too; alone it is nothing
/// to serve.
#[test]
fn an_empty_directory_beside_others() {
    let folder = tempfile::tempdir().unwrap();
    let (file, empty) = (folder.path().join("pets.json"), folder.path().join("sources"));
    std::fs::write(&file, pets().to_string()).unwrap();
    std::fs::create_dir(&empty).unwrap();
    let settings = SourceSettings::default;
    let alone = Aqueduct::builder().source(&empty, settings()).build().unwrap_err();
    assert!(matches!(&alone, BuildError::Nothing(why) if why.contains("sources holds no file")), "{alone}");
    let both = Aqueduct::builder().source(&file, settings()).source(&empty, settings()).build().unwrap();
    assert_eq!(
        (names(&both).as_str(), codes(&both)),
        ("pets__list_pets introspect", vec!["DIRECTORY_EMPTY"])
    );
    notes(&empty);
    assert!(both.reload().is_new);
    assert!(names(&both).contains("notes__list_notes") && names(&both).contains("pets__list_pets"));
}
