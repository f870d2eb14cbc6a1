//! OpenAPI documents for programs that want operations, not a server: a specification and a handler each.
//!
//! A document and a service's settings in; operations out, whose handlers give envelopes, and streams where an operation
//! gives events (operation sources, FromOpenAPI).

mod service;

pub use service::{HttpServiceConfig, ServiceAuth, ServiceAuthKind};

use crate::boot::{DocumentReferences, KnownDocuments, WebError, fetch};
use aqueduct_documents::disk::{self, MAX_DOCUMENT, ReadError};
use aqueduct_openapi::ImportedDocument;
use aqueduct_operations::call::SessionId;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::gatekeeper::{ProgramOperation, ProgramPermit};
use aqueduct_operations::handler::{
    Boxed, Envelope, Handler, HandlerCall, HandlerError, HttpFacts, SealedHandler,
};
use aqueduct_operations::native::OperationSpec;
use aqueduct_operations::params::check;
use aqueduct_source_kind::disk_reader::FileCache;
use aqueduct_source_kind::kind::DocumentReader;
use aqueduct_source_kind::report::ImportReport;
use aqueduct_upstream::{EventStream, FetchedDocument, NamedBy, Upstream, UpstreamError, UpstreamSettings};
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;
use url::Url;

/// The operations of a document, and what became of it.
#[derive(Debug)]
pub struct FromOpenApi {
    /// One for every path and method.
    pub operations: Vec<OpenApiOperation>,
    /// What was renamed, left out or lost.
    pub report: ImportReport,
}

/// An operation of a document.
#[derive(Debug, Clone)]
pub struct OpenApiOperation {
    /// What it is.
    pub spec: OperationSpec,
    /// The code that runs it.
    pub handler: SealedHandler,
    call: Arc<HttpCall>,
}

/// Why a document gives no operations.
#[derive(Debug, thiserror::Error)]
pub enum FromOpenApiError {
    /// The document has errors.
    #[error("{}", first(.0))]
    Invalid(Vec<Diagnostic>),
    /// The settings make no sense.
    #[error("{0}")]
    Config(String),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The document cannot be fetched.
    #[error("{0}")]
    Fetch(String),
}

fn first(diagnostics: &[Diagnostic]) -> String {
    let error = diagnostics.iter().find(|each| each.severity == DiagnosticSeverity::Error);
    error.map_or_else(|| "the document gives no operations".to_owned(), |error| error.message.clone())
}

/// The operations of a document that is at hand.
///
/// ```
/// use aqueduct::{HttpServiceConfig, from_openapi};
///
/// # fn main() -> Result<(), aqueduct::FromOpenApiError> {
/// let document = r#"{"openapi": "3.0.3", "info": {"title": "Books", "version": "1.0.0"},
///     "paths": {"/books": {"get": {"operationId": "list_books", "responses": {}}}}}"#;
/// let found = from_openapi(document, &HttpServiceConfig::new("books", "https://api.example.com"))?;
/// assert_eq!(found.operations[0].spec.name, "list_books");
/// # Ok(())
/// # }
/// ```
pub fn from_openapi(document: &str, config: &HttpServiceConfig) -> Result<FromOpenApi, FromOpenApiError> {
    let settings = config.settings()?;
    operations(aqueduct_openapi::load("document", document.to_owned(), &settings, None), config)
}

/// The operations of a document in a file. Without a reader the disk is read.
pub fn from_openapi_file(
    path: &Path,
    config: &HttpServiceConfig,
    reader: Option<&dyn DocumentReader>,
) -> Result<FromOpenApi, FromOpenApiError> {
    let settings = config.settings()?;
    let shown = path.display().to_string();
    let imported = match reader {
        Some(reader) => {
            let text = reader.read(&shown).map_err(FromOpenApiError::Fetch)?;
            aqueduct_openapi::load(&shown, text, &settings, Some(reader))
        }
        None => {
            let reader =
                DocumentReferences::of_file(&shown, settings.allow_refs.clone(), FileCache::default());
            aqueduct_openapi::load_bytes(&shown, disk::read(path, MAX_DOCUMENT)?, &settings, Some(&reader))
        }
    };
    operations(imported, config)
}

/// The operations of a document on the web.
pub fn from_openapi_url(url: &Url, config: &HttpServiceConfig) -> Result<FromOpenApi, FromOpenApiError> {
    let settings = config.settings()?;
    let failed = |error: WebError| FromOpenApiError::Fetch(error.to_string());
    match fetch(url, NamedBy::Operator, None).map_err(failed)? {
        FetchedDocument::New { bytes, .. } => {
            let reader = DocumentReferences::of_url(
                url.clone(),
                settings.allow_refs.clone(),
                KnownDocuments::default(),
            );
            operations(aqueduct_openapi::load_bytes(url.as_str(), bytes, &settings, Some(&reader)), config)
        }
        FetchedDocument::Unchanged => {
            Err(FromOpenApiError::Fetch("the server says that nothing has changed".to_owned()))
        }
    }
}

fn operations(
    imported: ImportedDocument,
    config: &HttpServiceConfig,
) -> Result<FromOpenApi, FromOpenApiError> {
    let ImportedDocument { loaded, diagnostics, report, .. } = imported;
    let loaded = loaded.ok_or(FromOpenApiError::Invalid(diagnostics))?;
    let (source, operations) = ProgramOperation::of_source(loaded);
    let upstream = Upstream::new(UpstreamSettings::default(), config.environment());
    let made = operations.into_iter().map(|operation| {
        let spec = OperationSpec::of(&source, operation.operation());
        let id = format!("{}.{}", spec.namespace, spec.name);
        let call = Arc::new(HttpCall { id, operation, upstream: upstream.clone() });
        OpenApiOperation { spec, handler: Arc::clone(&call).into(), call }
    });
    Ok(FromOpenApi { operations: made.collect(), report })
}

impl OpenApiOperation {
    /// Listens to an operation that gives events: each as it arrives. Dropping the stream closes the connection.
    pub async fn subscribe(&self, values: &Map<String, Value>) -> Result<EventStream, HandlerError> {
        let HttpCall { operation, upstream, .. } = &*self.call;
        let values = self.call.checked(values)?;
        let permit = ProgramPermit::own_call(operation, SessionId::new("from_openapi"));
        upstream.subscribe(permit, &values).await.map_err(failed)
    }
}

/// Calls an operation over HTTP.
#[derive(Debug)]
struct HttpCall {
    id: String,
    operation: ProgramOperation,
    upstream: Upstream,
}

impl HttpCall {
    /// The values with defaults, when every one of them is right.
    fn checked(&self, values: &Map<String, Value>) -> Result<Map<String, Value>, HandlerError> {
        let mut problems = Vec::new();
        let mut taken = Map::new();
        for param in &self.operation.operation().params {
            match values.get(&param.name).or(param.default.as_ref()) {
                Some(value) => {
                    problems.extend(check::of_param(param, value).into_iter().map(|problem| {
                        format!("'{}{}' expected {}", param.name, problem.place, problem.expected)
                    }));
                    taken.insert(param.name.clone(), value.clone());
                }
                None if param.required => problems.push(format!("'{}' is missing", param.name)),
                None => {}
            }
        }
        if problems.is_empty() {
            Ok(taken)
        } else {
            Err(HandlerError::Refused { message: problems.join("; ") })
        }
    }
}

impl Handler for HttpCall {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async move {
            let values = self.checked(run.values)?;
            let permit = ProgramPermit::within(&self.operation, &run);
            let answer = self.upstream.call(permit, &values).await;
            let answer = answer.map_err(failed)?;
            let data: Value = serde_json::from_str(answer.data.as_str())
                .map_err(|error| HandlerError::Failed { message: error.to_string(), details: None })?;
            let data = match &self.operation.operation().output {
                Some(schema) if !schema.get().accepts_anything() => schema.get().normalise(&data).value,
                _ => data,
            };
            let facts = HttpFacts {
                status: answer.status,
                headers: answer.headers,
                content_type: answer.content_type,
            };
            Ok(Envelope::http(&self.id, data, facts))
        })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        match Upstream::prepare(self.operation.operation(), &Arc::new(values.clone())) {
            Ok(prepared) => self.upstream.preview(&prepared),
            Err(error) => Value::from(error.to_string()),
        }
    }
}

/// An error of the API, in the words of a handler's.
fn failed(error: UpstreamError) -> HandlerError {
    match error {
        UpstreamError::Build(error) => HandlerError::Refused { message: error.to_string() },
        UpstreamError::Status(status) => {
            let details = serde_json::json!({"statusCode": status.status, "body": status.excerpt});
            HandlerError::Failed { message: status.words, details: Some(details) }
        }
        other => HandlerError::Failed { message: other.to_string(), details: None },
    }
}

#[cfg(test)]
mod tests;
