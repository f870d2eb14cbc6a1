//! The `cache` block of a file or an operation: whether answers are kept, and how long where their headers are silent; and
//! which kept answers a change makes stale.
//!
//! A block in; a rule out, for GET only, or the names of operations.

use super::operation::DraftOperation;
use super::response::block;
use super::siblings::SiblingOperations;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_operations::category::Category;
use aqueduct_operations::exposure::glob::Glob;
use aqueduct_operations::response::CacheRule;
use aqueduct_operations::target::Method;
use std::collections::BTreeSet;
use std::time::Duration;

/// What is declared, when something is.
pub(super) fn of(owner: &NodeCursor<'_>) -> Option<CacheRule> {
    let at = block(owner, "cache")?;
    let ttl = at.whole("ttl_seconds").and_then(|seconds| u64::try_from(seconds).ok());
    Some(CacheRule { enabled: at.flag("enabled").unwrap_or(true), ttl: ttl.map(Duration::from_secs) })
}

/// What an operation declares: only answers of GET are kept.
pub(super) fn of_operation(
    operation: &NodeCursor<'_>,
    method: Method,
    found: &mut Findings<'_>,
) -> Option<CacheRule> {
    let rule = of(operation)?;
    let at = block(operation, "cache")?;
    let about_keeping = ["enabled", "ttl_seconds"].into_iter().find_map(|key| at.get(key));
    if method == Method::Get {
        // A GET that only says what it changes says nothing of its answers.
        return (about_keeping.is_some() || at.get("invalidates").is_none()).then_some(rule);
    }
    let idle = if at.get("invalidates").is_some() { about_keeping } else { Some(at) };
    if let Some(at) = idle {
        let message = format!("Only answers of GET are kept, so 'cache' has no effect on a {method}");
        at.warning("NO_EFFECT", message).hint("remove it").add_to(found);
    }
    None
}

/// The operations whose kept answers are stale after this one, when it says which.
pub(super) fn invalidates(
    draft: &DraftOperation<'_>,
    siblings: &SiblingOperations<'_, '_>,
    found: &mut Findings<'_>,
) -> Option<Vec<String>> {
    let at = block(&draft.at, "cache")?.get("invalidates")?;
    let changes = draft.operation.category != Category::Read
        || draft.operation.target.mapping.method != Method::Get
        || draft.operation.non_idempotent;
    let why = match &draft.operation.target.mapping.tool {
        Some(_) => Some("answers of tools are not kept"),
        None => (!changes).then_some("a READ changes nothing"),
    };
    if let Some(why) = why {
        let message = format!("'invalidates' has no effect here: {why}");
        at.warning("NO_EFFECT", message).hint("remove it").add_to(found);
        return None;
    }
    let mut names: BTreeSet<String> = BTreeSet::new();
    for each in at.elements() {
        let Some(word) = each.node.text().map(str::trim).filter(|word| !word.is_empty()) else { continue };
        let pattern = Glob::of_text(word);
        let known = names.len();
        names.extend(siblings.names().filter(|name| pattern.matches(name)).map(str::to_owned));
        if names.len() > known || siblings.names().any(|name| pattern.matches(name)) {
            continue;
        }
        let hint = siblings.nearest(word, found);
        let message = format!("There is no operation '{}'", shortened(word, 80));
        each.error("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
    }
    Some(names.into_iter().collect())
}
