//! Tests of `import`.

#[path = "../../../tests/outside/toy_kind/phrases.rs"]
mod phrases;

use super::{ImportedSource, check_output, import};
use crate::cli::ImportRequest;
use crate::report::Exit;
use aqueduct::tooling::RecognisedSource;
use aqueduct::{Aqueduct, SourceSettings};
use aqueduct_source_kind::kind::ContentLocation;
use aqueduct_sources::kind_table::KindTable;
use phrases::PhrasesKind;
use std::path::Path;
use std::sync::Arc;

/// A file that could not be loaded by its name is not written.
#[test]
fn names_of_files() {
    for good in ["-", "shop-adapter.md", "a/b/shop-adapter.md"] {
        assert!(check_output(Path::new(good)).is_ok(), "{good}");
    }
    for (bad, better) in
        [("foo.txt", "foo-adapter.md"), ("a/out.md", "a/out-adapter.md"), ("-adapter.md", "api-adapter.md")]
    {
        let stop = check_output(Path::new(bad)).unwrap_err();
        assert!(stop.message.ends_with(&format!("write -o {better}")), "{}", stop.message);
        assert_eq!(stop.exit, Exit::Invalid);
    }
}

/// Nothing is started for a list of servers that was taken for a document, and the command that fits is named.
#[test]
fn kinds_of_sources() {
    let folder = tempfile::tempdir().unwrap();
    let (servers, document) = (folder.path().join("servers.json"), folder.path().join("pets.json"));
    std::fs::write(&servers, "{\"mcpServers\": {\"a\": {\"command\": \"false\"}}}").unwrap();
    std::fs::write(&document, "{\"openapi\": \"3.1.0\"}").unwrap();
    let check_kind = |path: &Path, command: &str| {
        let kinds = &KindTable::default();
        let found = RecognisedSource::of(path, kinds).ok();
        ImportedSource { path, command, found: found.as_ref(), kinds }.check_kind()
    };
    assert!(check_kind(&document, "openapi").is_ok() && check_kind(&servers, "mcp").is_ok());
    let stop = check_kind(&servers, "openapi").unwrap_err();
    assert!(
        stop.message.contains("is a list of MCP servers") && stop.message.contains("aqueduct import mcp")
    );
    let stop = check_kind(&document, "mcp").unwrap_err();
    assert!(stop.message.contains("aqueduct import openapi"), "{}", stop.message);
}

/// What a file says of where it came from holds no query and no arguments.
#[test]
fn origins_hold_no_secrets() {
    let shown = |text: &str| {
        let (path, kinds) = (Path::new(text), &KindTable::default());
        let found = RecognisedSource::of(path, kinds).ok();
        let connection = match &found {
            Some(RecognisedSource::Content { location: ContentLocation::Connection(it), .. }) => Some(&**it),
            _ => None,
        };
        ImportedSource { path, command: "mcp", found: found.as_ref(), kinds }.shown(connection)
    };
    assert_eq!(shown("mcp+http://127.0.0.1:9/mcp?key=secret-1"), "http://127.0.0.1:9/mcp");
    assert_eq!(
        shown("https://user:secret-1@shop.example/openapi.json?t=secret-1"),
        "https://shop.example/openapi.json"
    );
    assert_eq!(shown("mcp:server --token secret-1"), "the MCP server server");
    assert_eq!(shown("pets.json"), "pets.json");
}

/// A kind that the program does not know: its subcommand, the shorter form of its source, the report and the file are those of
/// every other.
#[test]
fn a_kind_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let (german, output) = (folder.path().join("german"), folder.path().join("german-adapter.md"));
    std::fs::write(
        german.with_extension("phrases"),
        "get_greeting = Hallo\nget_news -> https://news.example/all\n",
    )
    .unwrap();
    let mut kinds = KindTable::default();
    kinds.add(Arc::new(PhrasesKind));
    let import = |words: &[&str]| {
        let command = ImportRequest::subcommands(&kinds, clap::Command::new("import"));
        let words = ["import", "phrases", german.to_str().unwrap()].into_iter().chain(words.iter().copied());
        let matches = command.try_get_matches_from(words).unwrap();
        import(ImportRequest::read(&kinds, &matches).unwrap(), &kinds)
    };
    assert_eq!(import(&["--report-only"]).unwrap(), Exit::Done);
    assert!(!output.exists());
    assert_eq!(import(&["-o", output.to_str().unwrap()]).unwrap(), Exit::Done);
    let aqueduct = Aqueduct::builder().source(&output, SourceSettings::default()).build().unwrap();
    let loaded = aqueduct.loaded();
    let names: Vec<&str> = loaded[0].operations.iter().map(|operation| operation.name.as_str()).collect();
    assert_eq!((loaded[0].source.name.as_str(), names), ("german", vec!["get_news"]), "code is in no file");
}
