//! Schemas before they were written held against those that came back.
//!
//! Two sources in; whether two of their schemas are the same out. Definitions that schemas share are compared once for all
//! of them, so the work grows with the file and not with what each schema leads to.

use super::super::schemas::{all_users, shared_by};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_schema::{Definitions, LazySchema, definitions};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// What is known of the schemas of two sources.
pub(super) struct ComparedSchemas<'l> {
    shared: Option<ComparedDefinitions<'l>>,
    compared: HashMap<(*const LazySchema, *const LazySchema), bool>,
}

/// The definitions of each source.
struct ComparedDefinitions<'l> {
    before: &'l Arc<dyn Definitions>,
    after: &'l Arc<dyn Definitions>,
    /// Names that do not lead to the same in both.
    differing: HashSet<String>,
}

impl<'l> ComparedSchemas<'l> {
    pub(super) fn of(before: &'l LoadedSource, after: &'l LoadedSource) -> ComparedSchemas<'l> {
        let (before, after) = (shared_by(before), shared_by(after));
        let shared = match (before.as_slice(), after.as_slice()) {
            ([(before, names)], [(after, _)]) => {
                let (one, other) = (before.reachable(names.clone()), after.reachable(names.clone()));
                Some(ComparedDefinitions { before, after, differing: differing(&one, &other) })
            }
            _ => None,
        };
        ComparedSchemas { shared, compared: HashMap::new() }
    }

    pub(super) fn are_same(
        &mut self,
        one: Option<&Arc<LazySchema>>,
        other: Option<&Arc<LazySchema>>,
    ) -> bool {
        let (Some(one), Some(other)) = (one, other) else { return one.is_none() == other.is_none() };
        let pair = (Arc::as_ptr(one), Arc::as_ptr(other));
        if let Some(known) = self.compared.get(&pair) {
            return *known;
        }
        // The order of keys means nothing, neither here nor there.
        let is_same = self.by_parts(one, other).unwrap_or_else(|| one.document() == other.document());
        self.compared.insert(pair, is_same);
        is_same
    }

    /// The answer for schemas whose definitions are compared already.
    fn by_parts(&self, one: &LazySchema, other: &LazySchema) -> Option<bool> {
        let ComparedDefinitions { before, after, differing } = self.shared.as_ref()?;
        let (one, one_of) = one.own()?;
        let (other, other_of) = other.own()?;
        if !Arc::ptr_eq(before, one_of) || !Arc::ptr_eq(after, other_of) {
            return None;
        }
        Some(one == other && !definitions::names(&one).iter().any(|name| differing.contains(name)))
    }
}

/// Names that mean, or lead to, something else in the other definitions.
fn differing(before: &BTreeMap<String, Value>, after: &BTreeMap<String, Value>) -> HashSet<String> {
    let changed: Vec<&String> =
        before.iter().filter(|(name, json)| after.get(*name) != Some(json)).map(|(name, _)| name).collect();
    if changed.is_empty() {
        return HashSet::new();
    }
    let mut users: HashMap<String, Vec<&String>> = HashMap::new();
    for (name, json) in before {
        for to in definitions::names(json) {
            users.entry(to).or_default().push(name);
        }
    }
    all_users(changed, &users)
}
