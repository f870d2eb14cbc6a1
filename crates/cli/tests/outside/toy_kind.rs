//! A kind of source in one file: what a new kind takes, and nothing else, is here.
//!
//! The toy reads `NAME.phrases`, lines of `operation = answer`, and of `@FILE` for the phrases of another file. It is
//! recognised, loaded, watched, imported, explained, and refused with the line that is wrong.

use crate::outside::harness::Place;
use aqueduct::serde_json::{Map, Value, json};
use aqueduct::source_kind::{
    Candidate, Confidence, ContentLocation, ImportInfo, KindInfo, KindTable, LoadServices, LoadedContent,
    SourceContent, SourceKind, SourceLocation, native,
};
use aqueduct::{
    Aqueduct, Boxed, BuildError, Diagnostic, DiagnosticSeverity, Envelope, Handler, HandlerCall,
    HandlerError, ImportReport, OperationKind, OperationSpec, SourceSettings,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[derive(Debug)]
struct PhrasesKind;

impl SourceKind for PhrasesKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "a file of phrases",
            recognised_by: Some("files of phrases are named *.phrases"),
            import: Some(ImportInfo {
                command: "phrases",
                about: "A file of phrases",
                value_name: "FILE",
                value_help: "The file",
                takes_several: false,
                has_bundle: false,
                hint: "'aqueduct import phrases {source}' imports it",
            }),
            validate_hint: None,
            needs_consent: true,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Confidence> {
        candidate.has_extension(&["phrases"]).then_some(Confidence::Name)
    }

    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        Ok(SourceLocation::Content(ContentLocation::File { path: given.into(), max_size: 65_536 }))
    }

    fn load(
        &self,
        content: SourceContent<'_>,
        settings: &SourceSettings,
        services: &dyn LoadServices,
    ) -> LoadedContent {
        let SourceContent::Bytes { place, bytes } = content else { return LoadedContent::default() };
        let text = String::from_utf8_lossy(bytes);
        let name = Path::new(place).file_stem().unwrap_or_default().to_string_lossy();
        let (mut diagnostics, mut operations) = (Vec::new(), Vec::new());
        let (mut report, mut references) = (ImportReport::default(), Vec::new());
        let others = services.references(settings);
        let mut lines: Vec<(u32, String)> = (1..).zip(text.lines().map(str::to_owned)).collect();
        for other in text.lines().filter_map(|line| line.strip_prefix('@')) {
            let path = Path::new(place).with_file_name(other);
            let phrases = others.read(&path.to_string_lossy()).unwrap_or_default();
            lines.extend((1..).zip(phrases.lines().map(str::to_owned)));
            references.push(path);
        }
        for (number, line) in lines.iter().filter(|(_, line)| !line.starts_with('@')) {
            let Some((operation, answer)) = line.split_once(" = ") else {
                let message = "Expected 'operation = answer'".to_owned();
                let mut problem =
                    Diagnostic::about(place, DiagnosticSeverity::Error, "PHRASE_SYNTAX", message);
                (problem.position.line, problem.position.source_line) = (*number, line.clone());
                diagnostics.push(problem);
                continue;
            };
            let spec = OperationSpec::new(&*name, operation, OperationKind::Query, "Say a phrase");
            operations.push((spec, Arc::new(Phrase(answer.to_owned())) as Arc<dyn Handler>));
        }
        let loaded = if diagnostics.is_empty() { native(operations, settings).pop() } else { None };
        (report.source, report.found) = (name.into_owned(), lines.len());
        report.loaded = loaded.as_ref().map_or(0, |loaded| loaded.operations.len());
        LoadedContent { loaded, diagnostics, report: Some(report), references }
    }

    fn watch(&self, path: &Path, references: Vec<PathBuf>) -> Vec<PathBuf> {
        references.into_iter().filter(|other| other != path).collect()
    }

    fn import_source(&self, given: &Path) -> PathBuf {
        given.with_extension("phrases")
    }
}

#[derive(Debug)]
struct Phrase(String);

impl Handler for Phrase {
    fn run<'a>(&'a self, _run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async { Ok(Envelope::local("phrase", json!(self.0))) })
    }

    fn preview(&self, _values: &Map<String, Value>) -> Value {
        json!(self.0)
    }
}

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

/// A change of a file that the content refers to loads the source again.
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
    drop(watcher);
}

/// The word after `import` finds the kind, which knows the file that is meant and reports on it.
#[test]
fn imported() {
    let place = Place::new();
    place.write("german.phrases", "get_greeting = Hallo\nget_thanks = Danke\n");
    let mut kinds = KindTable::default();
    kinds.add(Arc::new(PhrasesKind));
    assert_eq!(
        kinds.imports().iter().map(|each| each.command).collect::<Vec<_>>(),
        ["openapi", "mcp", "phrases"]
    );
    let kind = kinds.imported_by("phrases").unwrap();
    let source = kind.import_source(&place.path().join("german"));
    let reports = build(&source).unwrap().reports();
    assert_eq!((reports[0].source.as_str(), reports[0].found, reports[0].loaded), ("german", 2, 2));
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
