//! What an operation is, and the registry of all of them.
//!
//! Pure data and pure functions: no IO, no clock but the one passed in; only the gatekeeper and handlers may have to wait.
//! Every other crate speaks in these words; follow a call by reading `call`, `operation`, `params`, `target`, `reply`.

pub mod address;
pub mod auth;
pub mod autonomy;
pub mod call;
pub mod canonical;
pub mod category;
pub mod clock;
pub mod compact_json;
pub mod concurrency;
pub mod consent;
pub mod controls;
pub mod credential_scope;
pub mod danger;
pub mod diagnostic;
pub mod digest;
pub mod escaped;
pub mod example;
pub mod execution;
pub mod exposure;
pub mod failure;
pub mod gatekeeper;
pub mod handler;
pub mod harmless;
pub mod histogram;
pub mod json_text;
pub mod lifecycle;
pub mod limits;
pub mod markup;
pub mod mcp;
mod named_enum;
pub mod named_secret;
pub mod naming;
pub mod native;
pub mod operation;
pub mod origin;
pub mod params;
pub mod progress;
pub mod protocol_types;
pub mod rate_limits;
pub mod raw_json;
pub mod registry;
pub mod reply;
pub mod response;
pub mod sanitize;
pub mod secrets;
pub mod short_text;
pub mod size;
pub mod source;
pub mod suggest;
pub mod target;
pub mod token_bucket;
pub mod trust;
pub mod types;
pub mod variable_reference;
