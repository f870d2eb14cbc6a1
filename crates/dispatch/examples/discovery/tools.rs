//! Tools without parameters, as functions of a program are.
//!
//! Names and descriptions in, their operations as they are served out.

use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError};
use aqueduct_operations::native::{OperationKind, OperationSpec};
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_sources::native::native;
use serde_json::{Map, Value};
use std::sync::Arc;

use crate::documents::Corpus;

/// A tool that no one calls.
#[derive(Debug)]
struct Uncalled;

impl Handler for Uncalled {
    fn run<'a>(&'a self, _: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        unreachable!("tools are only found here")
    }

    fn preview(&self, _: &Map<String, Value>) -> Value {
        Value::Null
    }
}

/// Tools of one source.
pub fn corpus<'t>(source: &str, tools: impl Iterator<Item = (&'t str, &'t str)>) -> Corpus {
    let spec = |(name, description): (&str, &str)| {
        let handler: Arc<dyn Handler> = Arc::new(Uncalled);
        (OperationSpec::new(source, name, OperationKind::Query, description), handler)
    };
    Corpus::of(native(tools.map(spec).collect(), &SourceSettings::default()))
}
