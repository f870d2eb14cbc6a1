//! The library's front door: build an `Aqueduct` from sources and settings, then serve it or call it.
//!
//! Whatever stands in a public signature can be named from here, types of other crates included. The binary is a thin
//! shell around this: `cli` reads the command line, `config` resolves flags, environment and file once, `commands` do
//! the work.

mod boot;
mod cli;
mod commands;
mod config;
mod cost;
mod demo;
mod from_openapi;
mod front_door;
mod logging;
mod native;
mod reload;
mod report;
mod servers;
mod session;
mod state;

// Types of other crates that stand in signatures, so that programs need not guess their versions.
pub use axum;
pub use secrecy::SecretString;
pub use serde_json;
pub use tokio_util::sync::CancellationToken;
pub use url::{Origin, Url};

pub use aqueduct_dispatch::cursor::{CursorKey, NoKey};
pub use aqueduct_dispatch::{BatchMode, DispatchSettings};
#[cfg(feature = "mcp-servers")]
pub use aqueduct_mcp_client::{self as mcp_client, McpClients};
pub use aqueduct_operations::answers::CacheRule;
pub use aqueduct_operations::auth::{Auth, KeyPlace, OAuth2};
pub use aqueduct_operations::call::{Call, Caller, Door, Scopes, SessionId};
pub use aqueduct_operations::category::Category;
pub use aqueduct_operations::clock::{Clock, SystemClock};
pub use aqueduct_operations::concurrency::Concurrency;
pub use aqueduct_operations::danger::DangerLevel;
pub use aqueduct_operations::diagnostic::{Diagnostic, Position, Severity};
pub use aqueduct_operations::exposure::{
    BadPrefix, Contested, Exposure, Family, Glob, Mode, Prefix, Profile, ProfileProblem, Wanted,
};
pub use aqueduct_operations::failure::{Code, Failure};
pub use aqueduct_operations::handler::{
    Answered, Asker, Boxed, Discriminant, Envelope, Handler, HandlerError, HttpFacts, Meta, Question, Run,
    RunListener,
};
pub use aqueduct_operations::limits::{Limits, OutOfRange};
pub use aqueduct_operations::mcp::{Listing, Reach, ServerConfig};
pub use aqueduct_operations::native::{AccessControl, OperationKind, OperationSpec};
pub use aqueduct_operations::operation::Operation;
pub use aqueduct_operations::progress::{Listener, Progress, Stage};
pub use aqueduct_operations::raw_json::RawJson;
pub use aqueduct_operations::registry::{Clash, Loaded};
pub use aqueduct_operations::reply::{
    BatchReply, Halt, ItemResult, Reply, ReplyError, Severity as WarningSeverity, Success, Warning,
};
pub use aqueduct_operations::source::Source;
pub use aqueduct_operations::trust::TrustLevel;
pub use aqueduct_safety::gatekeeper::GateSettings;
pub use aqueduct_schema::{
    JsonSchema, Kind as NodeKind, LazySchema, Node, Normalised, Object as ObjectNode, Problem, Schema,
    SchemaLanguage, from_schema,
};
pub use aqueduct_sources::disk::ReadError;
pub use aqueduct_sources::filter::{Filter, FilterError};
pub use aqueduct_sources::openapi::read::Reader as OpenApiReader;
pub use aqueduct_sources::operation_file::OperationManifest;
pub use aqueduct_sources::overrides::{Change, Override, OverridesFile, read as read_overrides};
pub use aqueduct_sources::report::{LeftOut, Remark, Renamed, Report};
pub use aqueduct_sources::scan::{
    DiskFs, ScanEntry, ScanError, Scanned, ScannedAdapter, ScannerFs, Skipped, scan,
};
pub use aqueduct_sources::{HandlerFactory, SourceSettings};
pub use aqueduct_surface::http::{BadToken, HttpSettings, ListenError, Route, Token};
pub use aqueduct_surface::stdio::ServeError;
pub use aqueduct_upstream::{
    Environment, Event, EventStream, ProcessEnvironment, UpstreamError, UpstreamStartError,
};
pub use demo::OpenError;
pub use from_openapi::{
    FromOpenApi, FromOpenApiError, HttpServiceConfig, OpenApiOperation, ServiceAuth, ServiceAuthKind,
    from_openapi, from_openapi_file, from_openapi_url,
};
pub use front_door::{Aqueduct, BuildError, Builder};
pub use reload::{Reloaded, Watching};
pub use servers::ServerSettings;
pub use session::Session;

/// The command line, for the program `aqueduct` alone: no part of the library.
#[doc(hidden)]
pub mod command_line {
    pub use crate::commands::run;
}
