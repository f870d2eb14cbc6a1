//! A kind of source in one file: what a new kind takes, and nothing else, is here.
//!
//! It reads `NAME.phrases`: lines of `operation = answer`, of `operation -> URL` for what is asked of an API, and of `@FILE` for
//! the phrases of another file.

use aqueduct::serde_json::{Map, Value, json};
use aqueduct::source_kind::target::{AnswerKind, HttpTarget, Method, Segment, Site, Target};
use aqueduct::source_kind::{
    Candidate, ContentLocation, ImportInfo, KindInfo, LoadServices, LoadedContent, Recognition,
    SourceContent, SourceKind, SourceLocation, native,
};
use aqueduct::{
    Boxed, Diagnostic, DiagnosticSeverity, Envelope, Handler, HandlerCall, HandlerError, ImportReport,
    OperationKind, OperationSpec, Url,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files of phrases.
#[derive(Debug)]
pub struct PhrasesKind;

impl SourceKind for PhrasesKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "a file of phrases",
            given_as: "files of phrases",
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

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Recognition> {
        candidate.has_extension(&["phrases"]).then_some(Recognition::Name)
    }

    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        Ok(SourceLocation::Content(ContentLocation::File {
            path: given.into(),
            max_size: 65_536,
            name: None,
        }))
    }

    fn load(&self, content: SourceContent<'_>, services: &dyn LoadServices) -> LoadedContent {
        let SourceContent { place, bytes } = content;
        let text = String::from_utf8_lossy(&bytes);
        let name = Path::new(place).file_stem().unwrap_or_default().to_string_lossy();
        let (mut diagnostics, mut operations, mut requests) = (Vec::new(), Vec::new(), Vec::new());
        let (mut report, mut references) = (ImportReport::default(), Vec::new());
        let settings = services.settings(&name);
        let others = services.references(&settings);
        let mut lines: Vec<(u32, String)> = (1..).zip(text.lines().map(str::to_owned)).collect();
        for other in text.lines().filter_map(|line| line.strip_prefix('@')) {
            let path = Path::new(place).with_file_name(other);
            let phrases = others.read(&path.to_string_lossy()).unwrap_or_default();
            lines.extend((1..).zip(phrases.lines().map(str::to_owned)));
            references.push(path);
        }
        for (number, line) in lines.iter().filter(|(_, line)| !line.starts_with('@')) {
            let request = line.split_once(" -> ").and_then(|(name, url)| Some((name, Url::parse(url).ok()?)));
            let phrase = line.split_once(" = ").or(request.as_ref().map(|(name, url)| (*name, url.as_str())));
            let Some((operation, answer)) = phrase else {
                let message = "Expected 'operation = answer'".to_owned();
                let mut problem =
                    Diagnostic::about(place, DiagnosticSeverity::Error, "PHRASE_SYNTAX", message);
                (problem.position.line, problem.position.source_line) = (*number, line.clone());
                diagnostics.push(problem);
                continue;
            };
            let spec = OperationSpec::new(&*name, operation, OperationKind::Query, "Say a phrase");
            operations.push((spec, Arc::new(Phrase(answer.to_owned())) as Arc<dyn Handler>));
            requests.extend(request.map(|(name, url)| (name, get(url))));
        }
        let mut loaded = if diagnostics.is_empty() { native(operations, &settings).pop() } else { None };
        for (name, target) in requests {
            let made = loaded.iter_mut().flat_map(|loaded| &mut loaded.operations);
            made.filter(|made| made.name == name).for_each(|made| made.target = target.clone());
        }
        (report.source, report.found) = (name.into_owned(), lines.len());
        report.loaded = loaded.as_ref().map_or(0, |loaded| loaded.operations.len());
        LoadedContent { loaded, diagnostics, report: Some(report), references, ..LoadedContent::default() }
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

/// A request that asks for a URL.
fn get(url: Url) -> Target {
    let path = vec![Segment::Literal(url.path().to_owned())];
    let site = Site::new(url.join("/").unwrap_or(url));
    let target = HttpTarget::new(Arc::new(site), Method::Get, path);
    Target::Http(HttpTarget { answer: AnswerKind::Any, ..target })
}
