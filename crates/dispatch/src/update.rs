//! UPDATE by PUT: reads what is there, merges the changes into it as RFC 7396 says, and writes it back, if it is still the
//! version that was read (core specification, section 4.5.1; ruling W8). Another method does so where its file names the
//! read. Where there is nothing yet, or nothing may be there, the update is sent as it is: it creates.
//!
//! The read passes the gate as any other call would, before the update asks for its own permit. Updates of one resource
//! follow one another in this process; against others the version protects, where the upstream has one.

mod checks;
mod declared;
mod wrapper;

use crate::catalog::Catalog;
use crate::concurrency_limiter::ConcurrencySlot;
use crate::context::{CallContext, FreshnessNeed};
use crate::stages::gatekeep::{self, Admitted, Permitted};
use crate::stages::validate::{CheckedRequest, MergePolicy};
use crate::{failure_map, update_companion, warnings};
use aqueduct_operations::category::Category;
use aqueduct_operations::failure::{Code, Failure};
use aqueduct_operations::gatekeeper::{Permit, Purpose};
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::response::{MergeRule, OmittedFields};
use aqueduct_operations::target::{Method, Target};
use aqueduct_query::merge::{merge_given, merge_text};
use aqueduct_query::peek;
use aqueduct_upstream::{PreparedRequest, Upstream, UpstreamResponse};
use serde_json::Value;
use std::borrow::Cow;

/// The read that comes before a write.
pub struct ReadFirst<'a> {
    permitted: Permitted<'a>,
    prepared: Box<PreparedRequest<'a>>,
    merge: MergeRule,
}

/// Whether an update is merged into what its companion reads, so that what is stored need not be sent.
pub fn merging(catalog: &Catalog, entry: &RegistryEntry) -> MergePolicy {
    match reader_of(catalog, entry) {
        Some((MergeRule::Whole, _)) => MergePolicy::IntoStored,
        Some((MergeRule::Given, _)) | None => MergePolicy::Not,
    }
}

/// True when an update replaces what is there by what is given.
pub fn replaces(catalog: &Catalog, entry: &RegistryEntry) -> bool {
    let operation = &entry.operation;
    let is_put = matches!(&operation.target, Target::Http(target) if target.method == Method::Put);
    operation.category == Category::Update
        && is_put
        && operation.params.iter().any(|param| param.is_body())
        && reader_of(catalog, entry).is_none()
}

/// The operation that reads before this one writes, and how its response is used.
pub fn reader_of<'c>(catalog: &'c Catalog, entry: &RegistryEntry) -> Option<(MergeRule, &'c RegistryEntry)> {
    Some((entry.operation.merge()?, catalog.companion(entry)?))
}

/// The read that an update needs, with its permit; nothing when it can be sent as it is.
pub async fn read_first<'a>(
    context: &CallContext<'a>,
    checked: &CheckedRequest<'a>,
) -> Result<Option<Admitted<'a, ReadFirst<'a>>>, Failure> {
    let operation = &checked.entry.operation;
    if declared::only_creates(checked) {
        return Ok(None);
    }
    let Some((merge, entry)) = reader_of(context.catalog, checked.entry) else { return Ok(None) };
    if !matches!(entry.operation.target, Target::Http(_)) {
        return Ok(None);
    }
    let values = update_companion::values_for(&entry.operation, operation, &checked.values);
    let read = CheckedRequest::subrequest(entry, values);
    let prepared = Upstream::prepare(&entry.operation, &read.values)
        .map_err(|error| failure_map::unbuildable(error, entry))?;
    let admitting = gatekeep::gatekeep_subrequest(context, read, Purpose::ReadBeforeWrite, checked.entry);
    let Admitted { request: permitted, permit } = Box::pin(admitting).await?;
    let request = ReadFirst { permitted, prepared: Box::new(prepared), merge };
    Ok(Some(Admitted { request, permit }))
}

/// A merged update that can be written, and the right to write it.
pub struct MergedUpdate<'a> {
    /// The request.
    pub prepared: PreparedRequest<'a>,
    /// The same without the version, and the version, when it is a weak one.
    weak: Option<(PreparedRequest<'a>, String)>,
    /// Why what may be there could not be read; then the request only creates.
    unread: Option<Failure>,
    /// Held until the resource may be changed by others.
    _slot: ConcurrencySlot,
}

impl MergedUpdate<'_> {
    /// Writes it. An API that keeps to the letter never finds that a weak version matches (RFC 9110, section 13.1.1): when
    /// it says no although nothing has changed, the version has been compared here, and that must do.
    pub async fn write(
        self,
        context: &CallContext<'_>,
        Admitted { request: update, permit }: Admitted<'_, &Permitted<'_>>,
        read: &ReadFirst<'_>,
    ) -> Result<UpstreamResponse, Failure> {
        let written = send(context, permit, update.checked(), &self.prepared).await;
        if let (Err(failure), Some(unread)) = (&written, self.unread)
            && failure.code == Code::ConflictVersionMismatch
        {
            return Err(unread);
        }
        let (Err(failure), Some((unconditional, version))) = (&written, &self.weak) else { return written };
        if failure.code != Code::ConflictVersionMismatch {
            return written;
        }
        let permit = gatekeep::further(context, &read.permitted, Purpose::ReadBeforeWrite)?;
        let again = send(context, permit, read.permitted.checked(), &read.prepared).await?;
        if again.etag() != Some(version) {
            return written;
        }
        let permit = gatekeep::further(context, update, Purpose::Call)?;
        send(context, permit, update.checked(), unconditional).await
    }
}

/// Sends to the upstream itself; the slot is taken already.
async fn send(
    context: &CallContext<'_>,
    permit: Permit<'_>,
    checked: &CheckedRequest<'_>,
    prepared: &PreparedRequest<'_>,
) -> Result<UpstreamResponse, Failure> {
    context.send(permit, checked, prepared, FreshnessNeed::FromUpstream).await
}

/// True when an API says that there is nothing of this name yet, or not any more.
fn is_not_there(failure: &Failure) -> bool {
    [404, 410].iter().any(|status| has_status(failure, *status))
}

fn has_status(failure: &Failure, status: u16) -> bool {
    failure.details.get("http_status") == Some(&Value::from(status))
}

/// Reads, compares the version, merges. Nothing is written.
pub async fn merge<'a>(
    context: &CallContext<'_>,
    update: &CheckedRequest<'_>,
    Admitted { request: read, permit }: Admitted<'_, &ReadFirst<'_>>,
    mut prepared: PreparedRequest<'a>,
    if_match: Option<&str>,
) -> Result<MergedUpdate<'a>, Failure> {
    let slot = context.dispatcher.limiter.wait_to_update(update.entry, &update.values, context.origin).await;
    let if_match = if_match.or_else(|| declared::version(update));
    let response = match send(context, permit, read.permitted.checked(), &read.prepared).await {
        Err(failure) if is_not_there(&failure) => {
            demand(&mut prepared, if_match, update)?;
            return Ok(MergedUpdate { prepared, weak: None, unread: None, _slot: slot });
        }
        Err(failure) => {
            let is_hidden = has_status(&failure, 403);
            let unread = failure_map::unread(failure, update.entry, read.permitted.checked().entry);
            // Some APIs answer 403 whether or not the resource exists.
            if is_hidden && if_match.is_none() && declared::can_only_create(&update.entry.operation) {
                prepared.set_header_if_none_match();
                return Ok(MergedUpdate { prepared, weak: None, unread: Some(unread), _slot: slot });
            }
            return Err(unread);
        }
        Ok(response) => response,
    };
    let version = version(&response, if_match, update)?;
    let stored = wrapper::unwrapped(response.data.as_str(), &update.entry.operation);
    if !stored.starts_with('{') {
        return Err(failure_map::nothing_to_merge(update.entry, read.permitted.checked().entry));
    }
    let patch = prepared.body_json().unwrap_or_else(|| Value::Object(serde_json::Map::new()));
    let body = match read.merge {
        MergeRule::Whole => {
            let stored = writable(stored, &update.entry.operation, context);
            let stored = unchecked(&stored, &patch, update.entry, context);
            merge_text(&stored, &patch)
        }
        MergeRule::Given => merge_given(&unchecked(stored, &patch, update.entry, context), &patch),
    };
    prepared.set_json_body(&body);
    let mut weak = None;
    if let Some(version) = version.filter(|_| update.entry.operation.update.if_match) {
        weak = version.starts_with("W/").then(|| (prepared.clone(), version.clone()));
        demand(&mut prepared, Some(&version), update)?;
    }
    Ok(MergedUpdate { prepared, weak, unread: None, _slot: slot })
}

/// What was read, without what the update does not write back. What the API does not
/// take becomes a warning.
fn writable<'t>(stored: &'t str, operation: &Operation, context: &CallContext<'_>) -> Cow<'t, str> {
    let is_declared =
        |name: &str| operation.params.iter().any(|param| param.is_body() && param.upstream_name == name);
    let is_kept: &dyn Fn(&str) -> bool = match &operation.update.leaves_out {
        OmittedFields::Nothing => return Cow::Borrowed(stored),
        OmittedFields::These(names) => &|name| !names.iter().any(|each| each == name),
        OmittedFields::Undeclared => &is_declared,
    };
    let (kept, lost): (Vec<_>, Vec<_>) = peek::members(stored).partition(|(name, _)| is_kept(name));
    if operation.update.leaves_out == OmittedFields::Undeclared && !lost.is_empty() {
        let names: Vec<String> = lost.iter().map(|(name, _)| name.to_string()).collect();
        context.warn(vec![warnings::not_written_back(&operation.name, &names)]);
    }
    let members: Vec<String> =
        kept.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_ref()))).collect();
    Cow::Owned(format!("{{{}}}", members.join(",")))
}

/// What was read, without what an API checks a change by: filled in unasked, it would always be right.
fn unchecked<'t>(
    stored: &'t str,
    patch: &Value,
    entry: &RegistryEntry,
    context: &CallContext<'_>,
) -> Cow<'t, str> {
    let (left, taken) = checks::without(stored, patch);
    if !taken.is_empty() {
        context.warn(vec![warnings::check_not_filled_in(&entry.operation.name, &taken)]);
    }
    left
}

/// Demands that the resource still has this version, where there is one.
pub fn demand(
    prepared: &mut PreparedRequest<'_>,
    version: Option<&str>,
    checked: &CheckedRequest<'_>,
) -> Result<(), Failure> {
    let Some(version) = version else { return Ok(()) };
    prepared
        .set_header_if_match(&quoted(version))
        .map_err(|error| failure_map::unbuildable(error, checked.entry))
}

/// A version as HTTP has it: the quotes around it are easily forgotten.
fn quoted(version: &str) -> String {
    let is_whole = version == "*" || version.ends_with('"');
    if is_whole { version.to_owned() } else { format!("\"{version}\"") }
}

/// The version to write over: the one that was read, which must be the one that the client has seen.
fn version(
    response: &UpstreamResponse,
    seen: Option<&str>,
    update: &CheckedRequest<'_>,
) -> Result<Option<String>, Failure> {
    match (response.etag(), seen) {
        (Some(there), Some(seen)) if seen != "*" && there != quoted(seen) => {
            Err(failure_map::version_mismatch(update.entry, seen, there))
        }
        (None, Some(seen)) if seen != "*" => Err(failure_map::no_version(update.entry)),
        (there, _) => Ok(there.map(str::to_owned)),
    }
}
