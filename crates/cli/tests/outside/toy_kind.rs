//! A kind of source in one file: what a new kind takes, and nothing else, is here.
//!
//! The toy reads `NAME.phrases`, lines of `operation = answer`. It is recognised, loaded, loaded again, explained, and
//! refused with the line that is wrong.

use crate::outside::harness::Place;
use aqueduct::serde_json::{Map, Value, json};
use aqueduct::source_kind::{
    Candidate, Confidence, ContentLocation, KindInfo, LoadServices, LoadedContent, SourceContent, SourceKind,
    SourceLocation, native,
};
use aqueduct::{
    Aqueduct, Boxed, BuildError, Diagnostic, DiagnosticSeverity, Envelope, Handler, HandlerCall,
    HandlerError, OperationKind, OperationSpec, SourceSettings,
};
use std::path::Path;
use std::sync::Arc;

#[derive(Debug)]
struct PhrasesKind;

impl SourceKind for PhrasesKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "a file of phrases",
            recognised_by: Some("files of phrases are named *.phrases"),
            import_command: None,
            import_hint: "",
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
        _services: &dyn LoadServices,
    ) -> LoadedContent {
        let SourceContent::Bytes { place, bytes } = content else { return LoadedContent::default() };
        let text = String::from_utf8_lossy(bytes);
        let name = Path::new(place).file_stem().unwrap_or_default().to_string_lossy();
        let (mut diagnostics, mut operations) = (Vec::new(), Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            let Some((operation, answer)) = line.split_once(" = ") else {
                let message = "Expected 'operation = answer'".to_owned();
                let mut problem =
                    Diagnostic::about(place, DiagnosticSeverity::Error, "PHRASE_SYNTAX", message);
                (problem.position.line, problem.position.source_line) = (number, line.to_owned());
                diagnostics.push(problem);
                continue;
            };
            let spec = OperationSpec::new(&*name, operation, OperationKind::Query, "Say a phrase");
            operations.push((spec, Arc::new(Phrase(answer.to_owned())) as Arc<dyn Handler>));
        }
        let loaded = if diagnostics.is_empty() { native(operations, settings).pop() } else { None };
        LoadedContent { loaded, diagnostics, ..LoadedContent::default() }
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
