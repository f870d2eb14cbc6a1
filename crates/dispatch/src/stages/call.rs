//! Does it: sends the request upstream, or answers it here. A request whose turn it is comes in, what came back goes out.
//!
//! `rehearse` comes earlier in the pipeline: values that make no request are found before anyone is asked to confirm.

use super::meter::Admitted;
use super::validate::Checked;
use crate::catalog::Catalog;
use crate::introspect;
use aqueduct_operations::call::SessionId;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::target::{BuiltIn, HttpTarget, Target};
use aqueduct_upstream::error::BuildError;
use aqueduct_upstream::{Answer, Prepared, Upstream, UpstreamError};

/// What came back.
pub enum Outcome {
    /// An upstream's answer.
    Answered(Answer),
    /// Our own.
    BuiltIn(RawJson),
}

/// A call that can be made.
pub enum Rehearsed<'a> {
    /// Over HTTP, by this request.
    Http(&'a HttpTarget, Box<Prepared>),
    /// Here.
    BuiltIn(&'a BuiltIn),
}

/// Makes the request, so that nobody is asked to confirm one that cannot be sent.
pub fn rehearse<'a>(checked: &Checked<'a>) -> Result<Rehearsed<'a>, BuildError> {
    let operation = &checked.entry.operation;
    Ok(match &operation.target {
        Target::Http(target) => {
            Rehearsed::Http(target, Box::new(Upstream::prepare(operation, target, &checked.values)?))
        }
        Target::BuiltIn(built_in) => Rehearsed::BuiltIn(built_in),
    })
}

/// Runs an admitted request as it was rehearsed.
pub async fn call(
    admitted: &Admitted<'_>,
    rehearsed: &Rehearsed<'_>,
    upstream: &Upstream,
    catalog: &Catalog,
    session: &SessionId,
) -> Result<Outcome, UpstreamError> {
    let Checked { entry, values, .. } = admitted.permitted.checked();
    match rehearsed {
        Rehearsed::Http(target, prepared) => {
            upstream.send(&entry.operation, target, values, prepared).await.map(Outcome::Answered)
        }
        Rehearsed::BuiltIn(BuiltIn::Introspect) => {
            Ok(Outcome::BuiltIn(introspect::answer(catalog, values, session)))
        }
    }
}
