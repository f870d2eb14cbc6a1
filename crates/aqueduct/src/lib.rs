//! The library's front door: build an `Aqueduct` from sources and settings, then serve it or call it.
//!
//! The binary is a thin shell around this: `cli` reads the command line, `config` resolves flags, environment and file
//! once, `commands` do the work.

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
mod state;

pub use aqueduct_dispatch::cursor::CursorKey;
#[cfg(feature = "mcp-servers")]
pub use aqueduct_mcp_client::{self as mcp_client, McpClients};
pub use aqueduct_operations::call::{Call, Caller, Door, Scopes, SessionId};
pub use aqueduct_operations::category::Category;
pub use aqueduct_operations::diagnostic::Diagnostic;
pub use aqueduct_operations::exposure::{Exposure, Glob, Mode, Prefix, Profile, ProfileProblem, Wanted};
pub use aqueduct_operations::handler::{
    Answered, Asker, Boxed, Envelope, Handler, HandlerError, Meta, Question, Run, RunListener,
};
pub use aqueduct_operations::limits::Limits;
pub use aqueduct_operations::mcp::{Listing, Reach, ServerConfig};
pub use aqueduct_operations::native::{AccessControl, OperationKind, OperationSpec};
pub use aqueduct_operations::reply::Reply;
pub use aqueduct_safety::gatekeeper::GateSettings;
pub use aqueduct_schema::{LazySchema, Node, Normalised, Problem, Schema, SchemaLanguage, from_schema};
pub use aqueduct_sources::SourceSettings;
pub use aqueduct_sources::filter::Filter;
pub use aqueduct_sources::openapi::read::Reader as OpenApiReader;
pub use aqueduct_sources::operation_file::OperationManifest;
pub use aqueduct_sources::overrides::{Change, Override, OverridesFile};
pub use aqueduct_sources::report::Report;
pub use aqueduct_sources::scan::{DiskFs, ScanEntry, ScanError, Scanned, ScannerFs, scan};
pub use aqueduct_surface::http::{HttpSettings, ListenError, Token};
pub use aqueduct_surface::stdio::ServeError;
pub use aqueduct_upstream::{Environment, Event, EventStream, ProcessEnvironment};
pub use commands::run;
pub use from_openapi::{
    FromOpenApi, FromOpenApiError, HttpServiceConfig, OpenApiOperation, ServiceAuth, ServiceAuthKind,
    from_openapi, from_openapi_file, from_openapi_url,
};
pub use front_door::{Aqueduct, BuildError, Builder};
pub use reload::{Reloaded, Watching};
pub use servers::ServerSettings;
