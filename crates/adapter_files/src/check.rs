//! Judges each block of an adapter file and turns it into the types of the rest of the program.
//!
//! `document::keys` has looked at names and types before; here it is about meaning. A block that cannot be understood has
//! been reported and is left out.

pub(crate) mod auth;
pub(crate) mod body;
mod cache;
mod category;
mod controls;
mod danger;
mod danger_patterns;
mod deprecation;
mod error_mapping;
mod examples;
mod header;
mod lifecycle;
pub(crate) mod mapping;
mod operation;
mod origin;
mod params;
mod path;
mod presets;
mod rate_limits;
mod relationships;
pub(crate) mod response;
pub(crate) mod returns;
pub(crate) mod schemas;
pub(crate) mod server;
pub(crate) mod siblings;
mod target;
mod trust;
pub(crate) mod types;
mod update;
mod writing;

pub use auth::check_auth;
pub use rate_limits::check_rate_limits;
pub use target::{check_base_url, check_headers};

pub(super) use operation::{DraftOperation, DraftTarget};
pub(super) use target::{Address, TargetBlock};

use aqueduct_documents::NodeValue;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::lifecycle::Lifecycle;
use aqueduct_operations::rate_limits::DeclaredLimits;
use aqueduct_operations::response::{Relationship, UpdateRule};
use aqueduct_operations::source::Source;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_operations::types::TypeDef;
use aqueduct_source_kind::autonomy;
use danger_patterns::DangerPatterns;
use params::SharedParams;
use siblings::SiblingOperations;
use std::sync::Arc;

/// A file that was understood: its source, and what is put together with the operator's settings.
pub(super) struct CheckedFile<'a> {
    pub source: Source,
    pub target: TargetBlock,
    pub auth: Auth,
    pub trust: Option<TrustLevel>,
    pub operations: Vec<DraftOperation<'a>>,
    pub rate_limits: Option<DeclaredLimits>,
}

/// Judges the whole front matter.
pub(super) fn adapter<'a>(
    root: &NodeCursor<'a>,
    prefix: Option<&str>,
    found: &mut Findings<'_>,
) -> Option<CheckedFile<'a>> {
    let mut source = header::check(root, prefix, found);
    let trust = trust::check(root, source.as_mut().map(|source| &mut source.info), found);
    let target = root.get("target").and_then(|at| target::check(&at, found));
    let auth = root
        .get("auth")
        .filter(|at| at.node.value != NodeValue::Null)
        .map_or(Some(Auth::None), |at| check_auth(&at, found));
    let shared = SharedParams::read(root, found);
    let mut types = types::check(root, found);
    let compat = root.get("compat");
    let flag = |key: &str, absent: bool| compat.as_ref().and_then(|at| at.flag(key)).unwrap_or(absent);
    let flat_update = flag("flat_update", false);
    let patterns = DangerPatterns::read(root, found);
    let mut operations = operation::all(
        root,
        &operation::OperationContext { shared: &shared, types: &types, flat_update, patterns: &patterns },
        found,
    );
    patterns.warn_of_idle(&operations, found);
    check_protocol(root, &operations, found);
    let relationships = connect(root, &shared, &mut types, &mut operations, found);
    let error_rules = error_mapping::check(root, &operations, found);
    let rate_limits = root
        .get("rate_limits")
        .filter(|at| at.node.value != NodeValue::Null)
        .map(|at| check_rate_limits(&at, found));
    if let Some(block) = root.get("safety") {
        autonomy::check_patterns(&block, found);
    }
    let depth = root.whole("max_relationship_depth").and_then(|depth| u64::try_from(depth).ok());
    let source = Source {
        concurrency: root.text("concurrency").and_then(Concurrency::parse).unwrap_or_default(),
        camel_case_aliases: flag("camel_case", true),
        types,
        cache: cache::of(root).unwrap_or_default(),
        error_rules,
        relationships,
        max_relationship_depth: depth.unwrap_or(Source::MAX_RELATIONSHIP_DEPTH),
        autonomy: root.get("safety").map(|block| autonomy::read(&block)),
        ..source?
    };
    Some(CheckedFile { source, target: target?, auth: auth?, trust, operations, rate_limits })
}

/// Operations of an API are requests, those of an MCP server are tools.
fn check_protocol(root: &NodeCursor<'_>, operations: &[DraftOperation<'_>], found: &mut Findings<'_>) {
    let Some(target) = root.get("target") else { return };
    let is_server = target.text("protocol") == Some("mcp");
    for draft in operations.iter().filter(|draft| draft.operation.target.mapping.tool.is_some() != is_server)
    {
        let (message, expected) = if is_server {
            ("The protocol is mcp, and this is an HTTP request", "TOOL name, such as TOOL read_file")
        } else {
            ("A tool is called over MCP, and the protocol is rest", "METHOD /path, or protocol: mcp")
        };
        let at = draft.at.get("maps_to").unwrap_or_else(|| draft.at.clone());
        at.error("PROTOCOL_MISMATCH", message).expected(expected).add_to(found);
    }
    for draft in operations.iter().filter(|_| is_server) {
        for key in ["base_url", "auth", "body"] {
            if let Some(at) = draft.at.get(key) {
                let message = format!("'{key}' is about HTTP requests and has no effect on a tool");
                at.warning("NO_EFFECT", message).hint("remove it").add_to(found);
            }
        }
    }
}

/// What an operation says about others.
struct OperationRules {
    update: UpdateRule,
    invalidates: Option<Vec<String>>,
    lifecycle: Option<Arc<Lifecycle>>,
}

/// What refers to operations of the same file, once all of them are known.
fn connect<'a>(
    root: &NodeCursor<'a>,
    shared: &SharedParams<'a>,
    types: &mut [TypeDef],
    operations: &mut [DraftOperation<'a>],
    found: &mut Findings<'_>,
) -> Vec<Relationship> {
    let siblings = SiblingOperations::of(root, operations, &shared.context.budget);
    let mut fetches = relationships::fetches(root, &siblings, found);
    for each in types.iter_mut() {
        each.fetch = fetches.remove(&each.name);
    }
    let relationships = relationships::check(root, types, &siblings, found);
    let mut rules: Vec<OperationRules> = Vec::with_capacity(operations.len());
    for draft in operations.iter() {
        rules.push(OperationRules {
            update: update::check(draft, &siblings, found),
            invalidates: cache::invalidates(draft, &siblings, found),
            lifecycle: lifecycle::check(draft, &siblings, found),
        });
        deprecation::check_replacement(draft, &siblings, found);
    }
    let levels = trust::overrides(root, operations, &siblings, found);
    for (draft, OperationRules { update, invalidates, lifecycle }) in operations.iter_mut().zip(rules) {
        (draft.operation.update, draft.operation.invalidates) = (update, invalidates);
        draft.operation.lifecycle = lifecycle;
    }
    for (index, level) in levels {
        operations[index].operation.trust = Some(level);
    }
    relationships
}
