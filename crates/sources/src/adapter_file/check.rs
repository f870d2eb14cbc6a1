//! Judges each block of an adapter file and turns it into what the rest of the program speaks of.
//!
//! `document::keys` has looked at names and types before; here it is about meaning. A block that cannot be understood has
//! been reported and is left out.

mod auth;
mod danger;
mod examples;
mod header;
mod mapping;
mod operation;
mod params;
mod returns;
mod target;
mod types;

pub use auth::check_auth;
pub use target::{check_base_url, check_headers};

pub(super) use header::Header;
pub(super) use operation::Draft;
pub(super) use target::{CLIENT_HEADERS, TargetBlock};

use crate::document::Value;
use crate::document::cursor::Cursor;
use crate::document::findings::Findings;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_operations::types::TypeDef;
use params::Shared;

/// A file that was understood.
pub(super) struct Checked {
    pub header: Header,
    pub target: TargetBlock,
    pub auth: Auth,
    pub trust: Option<TrustLevel>,
    pub concurrency: Concurrency,
    pub camel_case_aliases: bool,
    pub types: Vec<TypeDef>,
    pub operations: Vec<Draft>,
}

/// Judges the whole front matter.
pub(super) fn adapter(root: &Cursor<'_>, prefix: Option<&str>, found: &mut Findings<'_>) -> Option<Checked> {
    let header = header::check(root, prefix, found);
    let target = root.get("target").and_then(|at| target::check(&at, found));
    let auth = root
        .get("auth")
        .filter(|at| at.node.value != Value::Null)
        .map_or(Some(Auth::None), |at| check_auth(&at, found));
    let shared = Shared::read(root, found);
    let types = types::check(root, found);
    let compat = root.get("compat");
    let flag = |key: &str, absent: bool| compat.as_ref().and_then(|at| at.flag(key)).unwrap_or(absent);
    let flat_update = flag("flat_update", false);
    let operations =
        operation::all(root, &operation::Context { shared: &shared, types: &types, flat_update }, found);
    Some(Checked {
        header: header?,
        target: target?,
        auth: auth?,
        trust: root.get("trust").and_then(|at| TrustLevel::parse(at.text("level")?)),
        concurrency: root.text("concurrency").and_then(Concurrency::parse).unwrap_or_default(),
        camel_case_aliases: flag("camel_case", true),
        types,
        operations,
    })
}
