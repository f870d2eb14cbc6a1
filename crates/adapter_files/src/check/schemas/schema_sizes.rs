//! Schemas that lead to more definitions than one may hold: what is beyond accepts anything, and the author should know.
//!
//! The named schemas and each schema that refers to them in; one warning out, for the first that is too large, which names
//! what is not checked. Names only are followed, and only in files that are large enough.

use super::PREFIX;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_schema::definitions::{self, DefinitionLimits, LOCAL};
use aqueduct_schema::references::{each_reference, pointer_name};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// So many that are cut are named.
const NAMED: usize = 3;

/// What each named schema holds and leads to; nothing of a file whose schemas are small.
#[derive(Debug)]
pub(super) struct SchemaSizes {
    most: DefinitionLimits,
    numbers: HashMap<String, usize>,
    schemas: Vec<(usize, Vec<usize>)>,
    is_reported: bool,
}

impl SchemaSizes {
    pub(super) fn of(library: &BTreeMap<String, Json>) -> SchemaSizes {
        SchemaSizes::with(library, DefinitionLimits::OF_ONE)
    }

    fn with(library: &BTreeMap<String, Json>, most: DefinitionLimits) -> SchemaSizes {
        let mut sizes =
            SchemaSizes { most, numbers: HashMap::new(), schemas: Vec::new(), is_reported: false };
        let mut size = 0_usize;
        let weights: Vec<usize> = library.values().map(definitions::weight).collect();
        weights.iter().for_each(|weight| size = size.saturating_add(*weight));
        if library.len() <= most.definitions && size <= most.size {
            return sizes;
        }
        sizes.numbers = library.keys().enumerate().map(|(number, name)| (name.clone(), number)).collect();
        let numbers = &sizes.numbers;
        let leads_to = |json: &Json| {
            definitions::names(json).iter().filter_map(|name| numbers.get(name).copied()).collect()
        };
        sizes.schemas = weights.into_iter().zip(library.values().map(leads_to)).collect();
        sizes
    }

    /// Looks at the schema in this place, until one of the file was too large.
    pub(super) fn look(&mut self, at: &NodeCursor<'_>, json: &Json, found: &mut Findings<'_>) {
        if self.is_reported || self.numbers.is_empty() {
            return;
        }
        let mut first: BTreeSet<usize> = BTreeSet::new();
        each_reference(json, &mut |reference| {
            let name = pointer_name(reference, PREFIX).or_else(|| pointer_name(reference, LOCAL));
            first.extend(name.and_then(|name| self.numbers.get(&name)));
        });
        let cut = self.beyond(first);
        if cut.is_empty() {
            return;
        }
        self.is_reported = true;
        let mut names: Vec<&str> = self
            .numbers
            .iter()
            .filter(|(_, number)| cut.contains(number))
            .map(|(name, _)| name.as_str())
            .collect();
        names.sort_unstable();
        let some: Vec<String> =
            names.iter().take(NAMED).map(|name| format!("'{}'", shortened(name, 60))).collect();
        let more = if names.len() > NAMED { " and others" } else { "" };
        let DefinitionLimits { definitions, size } = self.most;
        let message = format!(
            "This leads to more than {definitions} schemas, or {} MiB of them: {}{more} accept anything",
            size / (1024 * 1024),
            some.join(", "),
        );
        let hint = "others of this file may be too large as well; \
                    refer to fewer schemas, or to smaller ones, for what must be checked";
        at.warning("SCHEMA_TOO_LARGE", message).hint(hint).add_to(found);
    }

    /// The schemas for which there is no room, in the order of `definitions::reach`.
    fn beyond(&self, first: BTreeSet<usize>) -> BTreeSet<usize> {
        let (mut seen, mut cut) = (vec![false; self.schemas.len()], BTreeSet::new());
        let (mut size, mut count, mut level) = (0_usize, 0, first);
        while !level.is_empty() {
            let mut next = BTreeSet::new();
            for number in level {
                seen[number] = true;
                let (weight, leads_to) = &self.schemas[number];
                if count >= self.most.definitions || size > self.most.size {
                    cut.insert(number);
                } else {
                    size = size.saturating_add(*weight);
                    next.extend(leads_to);
                }
                count += 1;
            }
            next.retain(|number: &usize| !seen[*number]);
            level = next;
        }
        cut
    }
}

#[cfg(test)]
mod tests;
