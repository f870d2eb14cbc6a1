//! Operations of the program that uses this library: a specification and a handler each, registered together or apart.
//!
//! Specifications and handlers in; those that belong together, and warnings on those that stayed alone, out. A handler is
//! found by `<namespace>.<name>`.

use crate::boot::SourceInput;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError, SealedHandler};
use aqueduct_operations::native::OperationSpec;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::operation_manifest::OperationManifest;
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_sources::native::native;
use aqueduct_sources::scan::declared_operations;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;

/// What was registered.
#[derive(Debug, Default, Clone)]
pub(crate) struct NativeOperations {
    /// Each with the key of its handler, and the file that declares it.
    specs: Vec<(OperationSpec, String, Option<String>)>,
    handlers: BTreeMap<String, SealedHandler>,
}

impl NativeOperations {
    /// Registers a specification; its handler comes apart.
    pub fn spec(&mut self, spec: OperationSpec) {
        let key = key_of(&spec);
        self.specs.push((spec, key, None));
    }

    /// Registers what an operation file says.
    pub fn manifest(&mut self, manifest: OperationManifest) {
        let key = manifest.handler_key();
        self.specs.push((manifest.spec, key, Some(manifest.file)));
    }

    /// Registers a handler under its key.
    pub fn handler(&mut self, key: String, handler: SealedHandler) {
        self.handlers.insert(key, handler);
    }

    /// Registers the operations that given directories declare. Returns findings about their files.
    pub fn declared_in(&mut self, given: &[SourceInput]) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for source in given {
            let SourceInput::Path(path, _) = source else { continue };
            if !path.is_dir() {
                continue;
            }
            let declared = declared_operations(path);
            declared.manifests.into_iter().for_each(|manifest| self.manifest(manifest));
            diagnostics.extend(declared.diagnostics);
        }
        diagnostics
    }

    /// The sources of those that have both, one for each namespace; of the others there is a warning.
    pub fn joined(self) -> (Vec<LoadedSource>, Vec<Diagnostic>) {
        let mut registered = Vec::new();
        let mut warnings = Vec::new();
        for (spec, key, file) in self.specs {
            match self.handlers.get(&key) {
                Some(handler) => registered.push((spec, handler.clone())),
                None => warnings.push(Diagnostic::about(
                    file.as_deref().unwrap_or(&key),
                    DiagnosticSeverity::Warning,
                    "NO_HANDLER",
                    format!("No handler is registered as '{key}', so the operation is not served"),
                )),
            }
        }
        (native(registered, &SourceSettings::default()), warnings)
    }
}

/// The key of an operation's handler.
pub(crate) fn key_of(spec: &OperationSpec) -> String {
    format!("{}.{}", spec.namespace, spec.name)
}

type BoxedFunction =
    Box<dyn Fn(Map<String, Value>) -> Boxed<'static, Result<Value, HandlerError>> + Send + Sync>;

/// A function as a handler: values in, a value or an envelope out.
pub(crate) struct FunctionHandler {
    key: String,
    answer: BoxedFunction,
}

impl FunctionHandler {
    /// The handler that this function is.
    pub fn new<F, A>(key: String, function: F) -> FunctionHandler
    where
        F: Fn(Map<String, Value>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Value, HandlerError>> + Send + 'static,
    {
        FunctionHandler { key, answer: Box::new(move |values| Box::pin(function(values))) }
    }
}

impl Handler for FunctionHandler {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        let answer = (self.answer)(run.values.clone());
        Box::pin(async move { answer.await.map(|value| Envelope::wrapping(&self.key, value)) })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        json!({"operation": self.key, "arguments": values})
    }
}

impl fmt::Debug for FunctionHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("key", &self.key).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
