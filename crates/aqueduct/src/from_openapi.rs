//! OpenAPI documents for programs that want operations, not a server: a specification and a handler each.
//!
//! A document and a service's settings in; operations out, whose handlers give envelopes, and streams where an operation
//! gives events (operation sources, FromOpenAPI).

mod service;

pub use service::{HttpServiceConfig, ServiceAuth, ServiceAuthKind};

use crate::boot::{DocumentReferences, KnownDocuments, WebError, fetch};
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError, HttpFacts};
use aqueduct_operations::native::OperationSpec;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::check;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::{HttpTarget, Target};
use aqueduct_sources::disk::{self, ReadError};
use aqueduct_sources::openapi::read::{DocumentReader, MAX_DOCUMENT};
use aqueduct_sources::openapi::{self, ImportedDocument};
use aqueduct_sources::report::ImportReport;
use aqueduct_upstream::{
    EventStream, FetchedDocument, NamedBy, Upstream, UpstreamError, UpstreamSettings, UpstreamStartError,
};
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
    pub handler: Arc<dyn Handler>,
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
    /// The HTTP client cannot start.
    #[error(transparent)]
    Upstream(#[from] UpstreamStartError),
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
    operations(openapi::load("document", document.to_owned(), &settings, None), config)
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
            openapi::load(&shown, text, &settings, Some(reader))
        }
        None => {
            let reader = DocumentReferences::of_file(&shown, settings.allow_refs.clone());
            openapi::load_bytes(&shown, disk::read(path, MAX_DOCUMENT)?, &settings, Some(&reader))
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
            operations(openapi::load_bytes(url.as_str(), bytes, &settings, Some(&reader)), config)
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
    let LoadedSource { source, operations } = loaded.ok_or(FromOpenApiError::Invalid(diagnostics))?;
    let upstream = Upstream::new(UpstreamSettings::default(), config.environment())?;
    let made = operations.into_iter().filter_map(|operation| {
        let Target::Http(target) = operation.target.clone() else { return None };
        let spec = OperationSpec::of(&source, &operation);
        let id = format!("{}.{}", spec.namespace, spec.name);
        let call = Arc::new(HttpCall { id, operation, target, upstream: upstream.clone() });
        Some(OpenApiOperation { spec, handler: Arc::clone(&call) as Arc<dyn Handler>, call })
    });
    Ok(FromOpenApi { operations: made.collect(), report })
}

impl OpenApiOperation {
    /// Listens to an operation that gives events: each as it arrives. Dropping the stream closes the connection.
    pub async fn subscribe(&self, values: &Map<String, Value>) -> Result<EventStream, HandlerError> {
        let HttpCall { operation, target, upstream, .. } = &*self.call;
        let values = self.call.checked(values)?;
        let prepared = Upstream::prepare(operation, target, &values).map_err(|error| failed(error.into()))?;
        upstream.events(operation, target, &values, &prepared).await.map_err(failed)
    }
}

/// Calls an operation over HTTP.
#[derive(Debug)]
struct HttpCall {
    id: String,
    operation: Operation,
    target: HttpTarget,
    upstream: Upstream,
}

impl HttpCall {
    /// The values with defaults, when every one of them is right.
    fn checked(&self, values: &Map<String, Value>) -> Result<Map<String, Value>, HandlerError> {
        let mut problems = Vec::new();
        let mut taken = Map::new();
        for param in &self.operation.params {
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
            let answer = self.upstream.call(&self.operation, &self.target, &values).await.map_err(failed)?;
            let data: Value = serde_json::from_str(answer.data.as_str())
                .map_err(|error| HandlerError::Failed { message: error.to_string(), details: None })?;
            let data = match &self.operation.output {
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
        match Upstream::prepare(&self.operation, &self.target, values) {
            Ok(prepared) => self.upstream.preview(&self.operation, &self.target, values, &prepared),
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
mod tests {
    use super::{HttpServiceConfig, ServiceAuth, ServiceAuthKind, from_openapi, from_openapi_file};
    use aqueduct_operations::call::{Caller, SessionId};
    use aqueduct_operations::handler::{Envelope, HandlerCall, HandlerError};
    use aqueduct_operations::native::OperationKind;
    use aqueduct_testkit::api::{Answer, FakeApi};
    use futures::StreamExt;
    use serde_json::{Map, Value, json};
    use std::path::Path;

    fn document() -> String {
        let thing = json!({"type": "object", "properties": {"id": {"type": "integer"}, "state": {"type": "string", "default": "new"}}});
        let answer =
            |media: &str| json!({"200": {"description": "ok", "content": {media: {"schema": thing}}}});
        json!({
            "openapi": "3.0.3", "info": {"title": "Things", "version": "1.0.0"},
            "paths": {
                "/things/{id}": {"get": {"operationId": "get_thing", "responses": answer("application/json"), "parameters":
                    [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}]}},
                "/events": {"get": {"operationId": "listen", "responses": answer("text/event-stream")}},
            },
        })
        .to_string()
    }

    async fn run(operation: &super::OpenApiOperation, values: Value) -> Result<Envelope, HandlerError> {
        let Value::Object(values) = values else { panic!("values are an object") };
        let (session, caller) = (SessionId::new("s"), Caller::local());
        let run =
            HandlerCall { values: &values, session: &session, caller: &caller, listener: None, asker: None };
        operation.handler.run(run).await
    }

    /// S-openapi-16 S-openapi-18 S-openapi-20 S-openapi-25 S-openapi-26 S-openapi-27 S-openapi-28 S-openapi-29 S-openapi-30 S-registry-11: a specification and a
    /// handler for each operation; the handler sends headers and credentials, and gives an envelope with data that fits.
    #[tokio::test]
    async fn handlers_give_envelopes() {
        let api = FakeApi::always(Answer::json(200, json!({"id": 7, "more": 1})).header("x-a", "b")).await;
        let mut config = HttpServiceConfig::new("things", api.base_url());
        config.headers = vec![("X-Team".to_owned(), "ops".to_owned().into())];
        config.auth = Some(ServiceAuth {
            kind: ServiceAuthKind::ApiKey,
            token: "k-123".to_owned().into(),
            header_name: Some("X-Key".to_owned()),
            prefix: Some("Token".to_owned()),
        });
        let found = from_openapi(&document(), &config).unwrap();
        let [get, listen] = found.operations.as_slice() else { panic!("{found:?}") };
        assert_eq!((get.spec.namespace.as_str(), get.spec.kind), ("things", OperationKind::Query));
        assert_eq!(listen.spec.kind, OperationKind::Subscription);
        let envelope = run(get, json!({"id": 7})).await.unwrap();
        assert_eq!(envelope.data, json!({"id": 7, "state": "new"}));
        assert_eq!(envelope.meta.more["statusCode"], 200);
        assert_eq!(envelope.meta.more["headers"]["x-a"], "b");
        assert_eq!(envelope.meta.more["contentType"], "application/json");
        let sent = api.only_request();
        assert_eq!((sent.header("x-key"), sent.header("x-team")), (Some("Token k-123"), Some("ops")));
    }

    /// S-openapi-28 S-openapi-29 S-openapi-30, decisions 16 and 17: every kind of credential, with its usual header and prefix or
    /// others; it counts before a header of the same name.
    #[tokio::test]
    async fn credentials_of_every_kind() {
        use ServiceAuthKind::{ApiKey, Basic, Bearer};
        for (kind, token, prefix, header, sent) in [
            (Bearer, "t-123", None, "authorization", "Bearer t-123"),
            (Bearer, "t-123", Some("Token"), "authorization", "Token t-123"),
            (Bearer, "t-123", Some(""), "authorization", "t-123"),
            (ApiKey, "k-123", None, "x-api-key", "k-123"),
            (Basic, "ada:pass", None, "authorization", "Basic YWRhOnBhc3M="),
            (Basic, "YWRhOnBhc3M=", None, "authorization", "Basic YWRhOnBhc3M="),
        ] {
            let api = FakeApi::always(Answer::json(200, json!({"id": 7}))).await;
            let mut config = HttpServiceConfig::new("things", api.base_url());
            config.headers = vec![(header.to_uppercase(), "of-the-headers".to_owned().into())];
            config.auth = Some(ServiceAuth {
                kind,
                token: token.to_owned().into(),
                header_name: None,
                prefix: prefix.map(str::to_owned),
            });
            let found = from_openapi(&document(), &config).unwrap();
            run(&found.operations[0], json!({"id": 7})).await.unwrap();
            let request = api.only_request();
            let values: Vec<&str> = request
                .headers
                .iter()
                .filter(|(name, _)| name.eq_ignore_ascii_case(header))
                .map(|(_, value)| value.as_str())
                .collect();
            assert_eq!(values, [sent], "{kind:?} {prefix:?}");
        }
    }

    /// S-openapi-19 S-registry-7: what the API refuses is a typed error with its words; what is wrong is not sent.
    #[tokio::test]
    async fn failures_are_typed() {
        let api = FakeApi::always(Answer::json(404, json!({"message": "no such thing"}))).await;
        let found = from_openapi(&document(), &HttpServiceConfig::new("things", api.base_url())).unwrap();
        let error = run(&found.operations[0], json!({"id": 7})).await.unwrap_err();
        assert_eq!(error.code(), "EXECUTION_ERROR");
        let HandlerError::Failed { message, details } = error else { panic!("{error:?}") };
        assert_eq!((message.as_str(), &details.unwrap()["statusCode"]), ("no such thing", &json!(404)));
        let refused = run(&found.operations[0], json!({"id": "x"})).await.unwrap_err();
        assert!(matches!(refused, HandlerError::Refused { .. }), "{refused:?}");
        let missing = run(&found.operations[0], json!({})).await.unwrap_err();
        assert_eq!(missing, HandlerError::Refused { message: "'id' is missing".to_owned() });
        assert_eq!(api.requests().len(), 1);
    }

    /// S-openapi-33 S-openapi-36: an operation that gives events is listened to, each as it arrives.
    #[tokio::test]
    async fn events_are_a_stream() {
        let frames = "event: tick\ndata: {\"n\": 1}\n\ndata: two\n\n";
        let answer = Answer::bytes(200, frames).header("content-type", "text/event-stream");
        let api = FakeApi::always(answer).await;
        let found = from_openapi(&document(), &HttpServiceConfig::new("things", api.base_url())).unwrap();
        let mut events = found.operations[1].subscribe(&Map::new()).await.unwrap();
        let first = events.next().await.unwrap().unwrap();
        assert_eq!((first.event.as_deref(), &first.data), (Some("tick"), &json!({"n": 1})));
        assert_eq!(events.next().await.unwrap().unwrap().data, json!("two"));
        assert!(events.next().await.is_none());
    }

    /// S-openapi-21 S-openapi-22: a reader that is handed in is used instead of the disk.
    #[test]
    fn an_injected_reader() {
        struct InMemoryDocument;
        impl super::DocumentReader for InMemoryDocument {
            fn read(&self, place: &str) -> Result<String, String> {
                match place {
                    "api.json" => Ok(document()),
                    "split.json" => Ok(r#"{"openapi": "3.0.3", "info": {"title": "T", "version": "1"},
                        "paths": {"/a": {"$ref": "parts.json#/a"}}}"#
                        .to_owned()),
                    "parts.json" => Ok(r#"{"a": {"get": {"operationId": "get_a"}}}"#.to_owned()),
                    other => Err(format!("no {other}")),
                }
            }
        }
        let config = HttpServiceConfig::new("things", "https://api.example.com");
        assert_eq!(
            from_openapi_file(Path::new("api.json"), &config, Some(&InMemoryDocument))
                .unwrap()
                .operations
                .len(),
            2
        );
        let split = from_openapi_file(Path::new("split.json"), &config, Some(&InMemoryDocument)).unwrap();
        assert_eq!(split.operations[0].spec.name, "get_a", "what it refers to is read by the same");
        assert!(from_openapi_file(Path::new("other.json"), &config, Some(&InMemoryDocument)).is_err());
        assert!(from_openapi_file(Path::new("no-such-file.json"), &config, None).is_err());
        let odd = HttpServiceConfig::new("Not A Name", "https://api.example.com");
        assert!(from_openapi(&document(), &odd).is_err());
    }
}
