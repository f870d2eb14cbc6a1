//! The library's public interface: build an `Aqueduct` from sources and settings, then serve it or call it.
//!
//! Whatever stands in a public signature can be named from here, types of other crates included. The command line is a
//! program of its own on top of this, in `crates/cli`.

#[cfg(feature = "store")]
mod agents;
mod aqueduct;
mod boot;
mod build_error;
mod builder;
#[cfg(all(feature = "serve", feature = "store"))]
mod callers;
#[cfg(feature = "store")]
mod executions;
mod from_openapi;
mod grants;
mod native;
#[cfg(all(feature = "serve", feature = "store"))]
mod operator_page;
mod reload;
mod servers;
#[cfg(feature = "serve")]
mod serving;
mod session;
#[cfg(all(feature = "serve", feature = "store"))]
mod store_check;
#[cfg(all(feature = "serve", feature = "store"))]
mod store_metrics;

/// What a kind of source is made of, for programs that bring one of their own.
pub mod source_kind {
    pub use aqueduct_operations::registry::LoadedSource;
    pub use aqueduct_operations::target;
    pub use aqueduct_source_kind::connection::{
        AdapterTarget, Connection, ConnectionOffer, PreparedConnection,
    };
    pub use aqueduct_source_kind::kind::{
        Candidate, ChangeListener, ContentLocation, EmptyList, ImportInfo, KindInfo, ListedSource,
        ListedSources, LoadServices, LoadedContent, LocationKind, Recognition, SourceContent, SourceKind,
        SourceLocation,
    };
    pub use aqueduct_source_kind::named_connection::NamedConnection;
    pub use aqueduct_sources::kind_table::KindTable;
    pub use aqueduct_sources::native::native;
}

// Types of other crates that stand in signatures, so that programs need not guess their versions.
#[cfg(feature = "serve")]
pub use axum;
pub use secrecy::SecretString;
pub use serde_json;
pub use tokio_util::sync::CancellationToken;
pub use url::{Origin, Url};

pub use aqueduct::Aqueduct;
pub use aqueduct_dispatch::cursor::{CursorKey, NoKey};
pub use aqueduct_dispatch::{BatchMode, DispatchSettings};
pub use aqueduct_documents::disk::ReadError;
#[cfg(feature = "mcp-servers")]
pub use aqueduct_mcp_client::{self as mcp_client, McpClients};
pub use aqueduct_operations::auth::{Auth, KeyPlace, OAuth2};
pub use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes, SessionId, ToolEndpoint};
pub use aqueduct_operations::category::Category;
pub use aqueduct_operations::clock::{Clock, SystemClock};
pub use aqueduct_operations::concurrency::Concurrency;
pub use aqueduct_operations::danger::DangerLevel;
pub use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity, Position};
pub use aqueduct_operations::execution::ExecutionSettings;
pub use aqueduct_operations::exposure::{
    BadPrefix, ContestedOperation, Exposure, Family, FamilyRequest, Glob, Mode, Prefix, Profile,
    ProfileProblem,
};
pub use aqueduct_operations::failure::{Code, Failure};
pub use aqueduct_operations::gatekeeper::{ConnectPermit, ProgramPermit};
/// ```
/// use aqueduct::serde_json::{Map, Value, json};
/// use aqueduct::{Aqueduct, Boxed, Envelope, Handler, HandlerError, OperationKind, OperationSpec, HandlerCall};
/// use std::sync::Arc;
///
/// #[derive(Debug)]
/// struct Clock;
///
/// impl Handler for Clock {
///     fn run<'a>(&'a self, _run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
///         Box::pin(async { Ok(Envelope::local("town.get_time", json!("noon"))) })
///     }
///
///     fn preview(&self, _values: &Map<String, Value>) -> Value {
///         json!("a look at the clock")
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let spec = OperationSpec::new("town", "get_time", OperationKind::Query, "Tell the time");
/// let aqueduct =
///     Aqueduct::builder().operation_spec(spec).handler("town.get_time", Arc::new(Clock)).build()?;
/// assert_eq!(aqueduct.call_operation("get_time", Map::new()).await.read::<String>()?, "noon");
/// # Ok(())
/// # }
/// ```
pub use aqueduct_operations::handler::Handler;
/// ```
/// use aqueduct::serde_json::{Map, Value};
/// use aqueduct::{Aqueduct, HandlerError, OperationKind, OperationSpec};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let spec = OperationSpec::new("shop", "get_book", OperationKind::Query, "Get a book");
/// let missing = |_: Map<String, Value>| async { Err(HandlerError::not_found("There is no such book")) };
/// let aqueduct = Aqueduct::builder().operation(spec, missing).build()?;
/// let reply = aqueduct.call_operation("get_book", Map::new()).await;
/// let failure = reply.failure().ok_or("it fails")?;
/// assert_eq!((failure.code.name(), failure.message.as_str()), ("NOT_FOUND_RESOURCE", "There is no such book"));
/// # Ok(())
/// # }
/// ```
pub use aqueduct_operations::handler::HandlerError;
pub use aqueduct_operations::handler::{
    Boxed, ElicitRequest, ElicitResponse, Elicitor, Envelope, EnvelopeMark, EnvelopeMeta, HandlerCall,
    HandlerProgress, HttpFacts, SealedHandler,
};
pub use aqueduct_operations::limits::{Limits, OutOfRange};
pub use aqueduct_operations::mcp::{ServerConfig, ServerListing, ServerTransport};
pub use aqueduct_operations::named_secret::NamedSecret;
/// ```
/// use aqueduct::serde_json::json;
/// use aqueduct::{OperationKind, OperationSpec};
///
/// let spec = OperationSpec {
///     input_schema: json!({"type": "object", "properties": {"title": {"type": "string"}}}),
///     ..OperationSpec::new("shop", "get_stock", OperationKind::Query, "Count the copies of a book")
/// };
/// assert_eq!(spec.version, "1.0.0");
/// ```
pub use aqueduct_operations::native::OperationSpec;
pub use aqueduct_operations::native::{AccessControl, OperationKind};
pub use aqueduct_operations::operation::Operation;
pub use aqueduct_operations::progress::{Progress, ProgressListener, ProgressStage};
pub use aqueduct_operations::raw_json::RawJson;
pub use aqueduct_operations::registry::{LoadedSource, SourceClash};
/// ```
/// use aqueduct::serde_json::{Map, Value};
/// use aqueduct::{Aqueduct, HandlerError, OperationKind, OperationSpec, ReplyError};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let spec = OperationSpec::new("shop", "get_book", OperationKind::Query, "Get a book");
/// let missing = |_: Map<String, Value>| async { Err(HandlerError::not_found("There is no such book")) };
/// let aqueduct = Aqueduct::builder().operation(spec, missing).build()?;
/// let reply = aqueduct.call_operation("get_book", Map::new()).await;
/// match reply.read::<Value>() {
///     Ok(book) => println!("{book}"),
///     Err(ReplyError::Failed(failure)) => assert_eq!(failure.code.name(), "NOT_FOUND_RESOURCE"),
///     Err(other) => return Err(other.into()),
/// }
/// # Ok(())
/// # }
/// ```
pub use aqueduct_operations::reply::Reply;
pub use aqueduct_operations::reply::{
    BatchHalt, BatchReply, ItemResult, ReplyError, Success, Warning, WarningSeverity,
};
pub use aqueduct_operations::response::CacheRule;
pub use aqueduct_operations::source::Source;
pub use aqueduct_operations::trust::TrustLevel;
pub use aqueduct_safety::confirmation::GateSettings;
#[cfg(feature = "store")]
pub use aqueduct_safety::stored_confirmations::Confirmer;
/// ```
/// use aqueduct::from_schema;
/// use aqueduct::serde_json::json;
///
/// let schema = from_schema(&json!({"type": "object", "properties": {"born": {"type": "string", "format": "date"}}}));
/// assert!(schema.accepts(&json!({"born": "1817-07-18"})));
/// let problems = schema.problems(&json!({"born": 1817}));
/// assert_eq!((problems[0].place.as_str(), problems[0].expected.as_str()), ("born", "string"));
/// ```
pub use aqueduct_schema::from_schema;
pub use aqueduct_schema::{
    JsonSchema, LazySchema, NodeKind, Normalised, ObjectNode, Schema, SchemaLanguage, SchemaNode,
    SchemaProblem,
};
pub use aqueduct_source_kind::kind::DocumentReader as OpenApiReader;
pub use aqueduct_source_kind::operation_manifest::OperationManifest;
pub use aqueduct_source_kind::report::{ImportReport, LeftOut, Renamed, ReportNote};
/// ```
/// use aqueduct::{Aqueduct, BuildError, SourceSettings, TrustLevel};
///
/// # fn main() -> Result<(), BuildError> {
/// let trusted = SourceSettings { trust: Some(TrustLevel::Certified), ..SourceSettings::default() };
/// let aqueduct = Aqueduct::builder().source("../../examples/todo-adapter.md", trusted).build()?;
/// assert!(aqueduct.diagnostics().is_empty());
/// # Ok(())
/// # }
/// ```
pub use aqueduct_source_kind::settings::SourceSettings;
pub use aqueduct_sources::filter::{FilterError, OperationFilter};
pub use aqueduct_sources::overrides::{Override, OverrideChange, OverridesFile, read as read_overrides};
pub use aqueduct_sources::scan::{
    DiskFs, ScanEntry, ScanError, Scanned, ScannedAdapter, ScannerFs, Skipped, scan,
};
#[cfg(feature = "store")]
pub use aqueduct_store as store;
/// ```
/// use aqueduct::{Aqueduct, HttpSettings, SourceSettings, Token};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
/// let settings = HttpSettings {
///     allowed_hosts: vec!["tools.example.com".to_owned()],
///     tokens: vec![Token::new("ada", sha256)?],
///     ..HttpSettings::default()
/// };
/// let todo = "../../examples/todo-adapter.md";
/// let aqueduct = Aqueduct::builder().source(todo, SourceSettings::default()).http(settings).build()?;
/// let routes = aqueduct.router();
/// # drop(routes);
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "serve")]
pub use aqueduct_surface::http::HttpSettings;
#[cfg(feature = "serve")]
pub use aqueduct_surface::http::{
    BadToken, CallerList, CallerListWriter, ListenError, Route, TlsError, TlsFiles, Token,
};
#[cfg(feature = "serve")]
pub use aqueduct_surface::stdio::ServeError;
pub use aqueduct_upstream::{Environment, EventStream, ProcessEnvironment, ServerSentEvent, UpstreamError};
pub use build_error::BuildError;
pub use builder::Builder;
#[cfg(all(feature = "serve", feature = "store"))]
pub use callers::{CallerReader, stored_callers};
pub use from_openapi::{
    FromOpenApi, FromOpenApiError, HttpServiceConfig, OpenApiOperation, ServiceAuth, ServiceAuthKind,
    from_openapi, from_openapi_file, from_openapi_url,
};
#[cfg(all(feature = "serve", feature = "store"))]
pub use operator_page::{OperatorPageEvent, OperatorPageSettings, operator_pages};
pub use reload::{FileWatcher, Reloaded};
pub use servers::{ServerSettings, WaitNotice};
pub use session::Session;

/// What programs need that look at sources without serving them, such as the command line: what something is, what is set
/// for it, and what adapter files were allowed. None of this is needed to serve or call.
pub mod tooling {
    pub use crate::boot::{
        CONNECTION_NOT_READY, RecognisedSource, SourceForm, SourceSection, is_elsewhere, is_web_document,
        layered,
    };
    pub use crate::grants::{GrantEntry, GrantList, GrantListError};
    pub use crate::servers::ServerNeed;
    pub use aqueduct_dispatch::Catalog;
    pub use aqueduct_sources::kind_table::KindTable;
}
