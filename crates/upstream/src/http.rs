//! One call over HTTP, in the order of the runtime specification, section 2.2: build, authenticate, send, read. The request
//! was built before, so that nobody is asked to confirm one that cannot be sent.
//!
//! A failure in one step means that no later step runs.

mod body_text;
pub(crate) mod build;
mod classify;
pub(crate) mod encode;
mod error_text;
pub(crate) mod header;
pub(crate) mod path;
pub(crate) mod probe;
mod read;
mod redirect;
pub(crate) mod request;
mod retry;
mod send;

use crate::credentials::Credentials;
use crate::error::UpstreamError;
use crate::upstream::{Answer, Shared};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::target::HttpTarget;
use request::Request;
use serde_json::{Map, Value};
use tracing::Instrument;

pub(crate) async fn call(
    shared: &Shared,
    operation: &Operation,
    target: &HttpTarget,
    values: &Map<String, Value>,
    request: &Request,
) -> Result<Answer, UpstreamError> {
    let site = &*target.site;
    let mut credentials = Credentials::resolve(site, &*shared.environment)?;
    credentials.check_destination(&request.url)?;
    credentials.redactor.add_sensitive_values(operation, values);
    let span = tracing::debug_span!(
        "upstream",
        method = target.method.name(),
        host = site.base_url.host_str(),
        path = path::template(&target.path),
    );
    let call = send::Sending { shared, target, request, credentials: &credentials };
    retry::with_retries(operation, target, |number| send::attempt(&call, number)).instrument(span).await
}
