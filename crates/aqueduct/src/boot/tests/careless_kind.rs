//! A kind that asks for the settings of another name than its source has: what the operator set for the source holds all the
//! same, as far as it is applied after loading.

use super::names;
use crate::source_kind::{
    Candidate, ContentLocation, KindInfo, LoadServices, LoadedContent, Recognition, SourceContent,
    SourceKind, SourceLocation, native,
};
use crate::{Aqueduct, Envelope, OperationKind, OperationSpec, Override, OverrideChange, SourceSettings};
use aqueduct_operations::handler::{Boxed, Handler, HandlerCall, HandlerError};
use serde_json::{Map, Value, json};
use std::sync::Arc;

#[derive(Debug)]
struct CarelessKind;

impl SourceKind for CarelessKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "a careless file",
            given_as: "careless files",
            recognised_by: None,
            import: None,
            validate_hint: None,
            needs_consent: true,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Recognition> {
        candidate.has_extension(&["careless"]).then_some(Recognition::Name)
    }

    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        let location = ContentLocation::File { path: given.into(), max_size: 1_000, name: None };
        Ok(SourceLocation::Content(location))
    }

    fn load(&self, content: SourceContent<'_>, services: &dyn LoadServices) -> LoadedContent {
        let operation = |name: &str| {
            let spec = OperationSpec::new("careless", name, OperationKind::Query, "Get something");
            (spec, Arc::new(Nothing) as Arc<dyn Handler>)
        };
        let text = String::from_utf8_lossy(&content.bytes);
        let loaded = native(text.lines().map(operation).collect(), &services.settings("other")).pop();
        LoadedContent { loaded, ..LoadedContent::default() }
    }
}

#[derive(Debug)]
struct Nothing;

impl Handler for Nothing {
    fn run<'a>(&'a self, _run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async { Ok(Envelope::local("careless", json!(null))) })
    }

    fn preview(&self, _values: &Map<String, Value>) -> Value {
        json!(null)
    }
}

#[test]
fn corrected_by_the_name_that_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.careless");
    std::fs::write(&path, "get_moon\nget_sun\n").unwrap();
    let hide = |operation| {
        Override::new(operation, OverrideChange { hide: Some(true), ..OverrideChange::default() })
    };
    let aqueduct = Aqueduct::builder()
        .source_kind(Arc::new(CarelessKind))
        .source(&path, SourceSettings::default())
        .corrections_for("careless", vec![hide("get_moon")])
        .corrections_for("other", vec![hide("get_sun")])
        .build()
        .unwrap();
    assert_eq!(names(&aqueduct), "get_sun introspect");
}
