//! Of what kind a document on the web is: its content says so, to every kind of the table.

use super::{names, pets};
use crate::source_kind::{
    Candidate, KindInfo, LoadServices, LoadedContent, LocationKind, Recognition, SourceContent, SourceKind,
    native,
};
use crate::{Aqueduct, Envelope, OperationKind, OperationSpec, SourceSettings};
use aqueduct_operations::handler::{Boxed, Handler, HandlerCall, HandlerError};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Lists of words, as JSON with a key of its own.
#[derive(Debug)]
struct WordsKind;

impl SourceKind for WordsKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "a list of words",
            given_as: "lists of words",
            recognised_by: None,
            import: None,
            validate_hint: None,
            needs_consent: false,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Recognition> {
        let is_one = candidate.place == LocationKind::Web && candidate.content?.starts_with("{\"words\":");
        is_one.then_some(Recognition::Content)
    }

    fn load(&self, content: SourceContent<'_>, services: &dyn LoadServices) -> LoadedContent {
        let listed: Value = serde_json::from_slice(&content.bytes).unwrap();
        let operation = |word: &Value| {
            let spec = OperationSpec::new("words", word.as_str().unwrap(), OperationKind::Query, "Say it");
            (spec, Arc::new(Word) as Arc<dyn Handler>)
        };
        let operations = listed["words"].as_array().unwrap().iter().map(operation).collect();
        LoadedContent {
            loaded: native(operations, &services.settings("words")).pop(),
            ..LoadedContent::default()
        }
    }
}

#[derive(Debug)]
struct Word;

impl Handler for Word {
    fn run<'a>(&'a self, _run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async { Ok(Envelope::local("words", json!("word"))) })
    }

    fn preview(&self, _values: &Map<String, Value>) -> Value {
        json!("word")
    }
}

/// A document is of the kind that knows its content, and becomes another when its content does.
#[tokio::test(flavor = "multi_thread")]
async fn by_content() {
    let words = json!({"words": ["get_moon", "get_sun"]});
    let api = FakeApi::in_turn(vec![Answer::json(200, words), Answer::json(200, pets())]).await;
    let url = format!("{}/document", api.base_url());
    let run = tokio::task::spawn_blocking(move || {
        let builder = Aqueduct::builder().source_kind(Arc::new(WordsKind));
        let aqueduct = builder.source(&url, SourceSettings::default()).build().unwrap();
        assert_eq!(names(&aqueduct), "get_moon get_sun introspect");
        assert!(aqueduct.reload().is_new);
        assert_eq!(names(&aqueduct), "list_pets introspect");
    });
    run.await.unwrap();
}
