//! UPDATE by PUT: reads what is there, merges the changes into it as RFC 7396 says, and writes it back, if it is still the
//! version that was read (core specification, section 4.5.1; ruling W8).
//!
//! The read passes the gate as any other call would, before the update asks for its own permit. Updates of one resource
//! follow one another in this process; against others the version protects, where the upstream has one.

use crate::companion;
use crate::errand::{Errand, Freshness};
use crate::failure_map;
use crate::stages::gatekeep::{self, Permitted};
use crate::stages::validate::{Checked, Controls};
use crate::turns::Turn;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::operation::Grouping;
use aqueduct_operations::target::{HttpTarget, Method, Target};
use aqueduct_query::merge::merge_patch;
use aqueduct_safety::gatekeeper::Purpose;
use aqueduct_upstream::{Answer, Prepared, Upstream};
use serde_json::Value;

/// The read that comes before a write, with leave to run.
pub struct ReadFirst<'a> {
    permitted: Permitted<'a>,
    target: &'a HttpTarget,
    prepared: Box<Prepared>,
}

/// The read that an update needs; nothing when it can be sent as it is.
pub fn read_first<'a>(errand: &Errand<'a>, checked: &Checked<'a>) -> Result<Option<ReadFirst<'a>>, Failure> {
    let operation = &checked.entry.operation;
    let is_put = matches!(&operation.target, Target::Http(target) if target.method == Method::Put);
    if !is_put || operation.grouping == Grouping::Flat {
        return Ok(None);
    }
    let Some((entry, standing)) = errand.catalog.companion(checked.entry) else { return Ok(None) };
    let Target::Http(target) = &entry.operation.target else { return Ok(None) };
    let values = companion::values_for(&entry.operation, operation, &checked.values);
    let prepared = Upstream::prepare(&entry.operation, target, &values)
        .map_err(|error| failure_map::unbuildable(error, entry))?;
    let read = Checked {
        entry,
        standing,
        values,
        controls: Controls::default(),
        token: None,
        wants_http: false,
        warnings: Vec::new(),
    };
    let permitted = gatekeep::gatekeep(errand.gatekeeper, read, errand.session, Purpose::ReadBeforeWrite)
        .map_err(|refused| failure_map::refused_on_the_way(*refused, checked.entry))?;
    Ok(Some(ReadFirst { permitted, target, prepared: Box::new(prepared) }))
}

/// A merged update that can be written, and the right to write it.
pub struct Merged {
    /// The request.
    pub prepared: Prepared,
    /// Held until the resource may be changed by others.
    _turn: Turn,
}

/// Reads, compares the version, merges. Nothing is written.
pub async fn merge(
    errand: &Errand<'_>,
    update: &Checked<'_>,
    read: &ReadFirst<'_>,
    (mut prepared, if_match): (Prepared, Option<&str>),
) -> Result<Merged, Failure> {
    let turn = errand.turns.wait_to_update(update.entry, &update.values).await;
    let checked = read.permitted.checked();
    let answer = errand.send(checked, read.target, &read.prepared, Freshness::FromUpstream).await?;
    let version = version(&answer, if_match, update)?;
    // An answer is sound JSON, so this reads it.
    let stored: Value = serde_json::from_str(answer.data.as_str()).unwrap_or(Value::Null);
    let patch = prepared.body_json().unwrap_or_else(|| Value::Object(serde_json::Map::new()));
    prepared.set_json_body(&merge_patch(stored, &patch));
    if let Some(version) = version.filter(|_| update.entry.operation.update.if_match) {
        demand(&mut prepared, &version, update)?;
    }
    Ok(Merged { prepared, _turn: turn })
}

/// Demands that the resource still has this version.
pub fn demand(prepared: &mut Prepared, version: &str, checked: &Checked<'_>) -> Result<(), Failure> {
    prepared.set_header_if_match(version).map_err(|error| failure_map::unbuildable(error, checked.entry))
}

/// The version to write over: the one that was read, which must be the one that the client has seen.
fn version(answer: &Answer, seen: Option<&str>, update: &Checked<'_>) -> Result<Option<String>, Failure> {
    match (answer.etag(), seen) {
        (Some(there), Some(seen)) if seen != "*" && there != seen => {
            Err(failure_map::version_mismatch(update.entry, seen, there))
        }
        (None, Some(seen)) if seen != "*" => Err(failure_map::no_version(update.entry)),
        (there, _) => Ok(there.map(str::to_owned)),
    }
}
