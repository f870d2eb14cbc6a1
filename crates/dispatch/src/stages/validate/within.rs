//! Checks a request where it came up, or on another thread when that takes long.
//!
//! A request and a meter in; the checked request, or a failure, out. Most take a few steps. Those that take more begin
//! again on another thread, with all the steps of the call; so do those whose schemas must be made first.

use super::{CheckedRequest, MergePolicy, Rejection, UnknownParams, validate};
use crate::catalog::Catalog;
use crate::failure_map;
use crate::stages::route::Routed;
use crate::worker_pool::{AT_ONCE, WorkerPool};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::params::Param;
use aqueduct_schema::work::Meter;
use std::sync::Arc;

/// How a request is checked.
#[derive(Clone, Copy)]
pub struct ValidationContext<'l> {
    /// What happens to parameters that are not declared.
    pub strictness: UnknownParams,
    /// Whether it is merged into what is stored.
    pub merging: MergePolicy,
    /// The limits in force.
    pub limits: &'l Limits,
}

/// Checks a request within the steps that its call may take.
pub async fn within<'a>(
    catalog: &'a Arc<Catalog>,
    routed: Routed<'a>,
    checking: ValidationContext<'_>,
    workers: &WorkerPool,
    meter: &Arc<Meter>,
) -> Result<CheckedRequest<'a>, Failure> {
    let entry = routed.entry;
    let rejected = |rejection: Box<Rejection>| failure_map::validate(&rejection, entry);
    let checked = |accepted| CheckedRequest::new(entry, accepted);
    let operation = &entry.operation;
    let schemas = || operation.params.iter().filter_map(|param| param.schema.as_ref());
    let unmade: Vec<_> = schemas().filter(|schema| !schema.is_ready()).cloned().collect();
    if !unmade.is_empty() {
        Box::pin(workers.make(unmade)).await?;
    }
    let is_patterned = |param: &Param| param.shape.pattern.is_some() || param.shape.items.is_some();
    if schemas().next().is_none() && !operation.params.iter().any(is_patterned) {
        return validate(routed, checking, meter).map(checked).map_err(rejected);
    }
    let envelope = routed.envelope.clone();
    let part = meter.part(AT_ONCE);
    let accepted = validate(routed, checking, &part);
    if part.verdict().is_ok() {
        return accepted.map(checked).map_err(rejected);
    }
    let (catalog, name) = (Arc::clone(catalog), entry.public_name.clone());
    let ValidationContext { strictness, merging, limits } = checking;
    let limits = limits.clone();
    let work = move |meter: &Meter| {
        let (_, entry, decision) = catalog.find(&name)?;
        let checking = ValidationContext { strictness, merging, limits: &limits };
        Some(validate(Routed { entry, decision, envelope }, checking, meter))
    };
    let accepted = Box::pin(workers.run(meter, work)).await?.ok_or_else(failure_map::panicked)?;
    meter.verdict().map_err(|stop| {
        failure_map::too_much_work(
            stop,
            "Send smaller values: holding these against what the source declares takes long",
        )
    })?;
    accepted.map(checked).map_err(rejected)
}
