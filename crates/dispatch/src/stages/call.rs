//! Does it: sends the request upstream, or answers it here. A request whose turn it is comes in, what came back goes out.
//!
//! `rehearse` comes earlier in the pipeline: values that make no request are found before anyone is asked to confirm.

use super::meter::Admitted;
use super::validate::Checked;
use crate::catalog::Catalog;
use crate::introspect;
use aqueduct_operations::call::SessionId;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::target::{BuiltIn, Target};
use aqueduct_upstream::error::BuildError;
use aqueduct_upstream::{Answer, Upstream, UpstreamError};

/// What came back.
pub enum Outcome {
    /// An upstream's answer.
    Answered(Answer),
    /// Our own.
    BuiltIn(RawJson),
}

/// Says whether the values make a request at all, so that nobody is asked to confirm one that cannot be sent.
pub fn rehearse(checked: &Checked<'_>) -> Result<(), BuildError> {
    let operation = &checked.entry.operation;
    match &operation.target {
        Target::Http(target) => Upstream::rehearse(operation, target, &checked.values),
        Target::BuiltIn(_) => Ok(()),
    }
}

/// Runs an admitted request.
pub async fn call(
    admitted: &Admitted<'_>,
    upstream: &Upstream,
    catalog: &Catalog,
    session: &SessionId,
) -> Result<Outcome, UpstreamError> {
    let checked = admitted.permitted.checked();
    let operation = &checked.entry.operation;
    match &operation.target {
        Target::Http(target) => {
            upstream.call(operation, target, &checked.values).await.map(Outcome::Answered)
        }
        Target::BuiltIn(BuiltIn::Introspect) => {
            Ok(Outcome::BuiltIn(introspect::answer(catalog, &checked.values, session)))
        }
    }
}
