//! The names of definitions: one for each schema of a document that others refer to, the same in all of them.
//!
//! Where a schema stands in, with what its author calls it; a name out that needs no escapes and that no other has.

use super::super::library::{DocumentSet, PartLocation};
use super::DefinitionVariant;
use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

/// The names that were given so far.
#[derive(Debug, Default)]
pub(in crate::read) struct DefinitionNames {
    by_meaning: HashMap<(PartLocation, DefinitionVariant), String>,
    by_name: HashMap<String, (PartLocation, DefinitionVariant)>,
}

impl DefinitionNames {
    /// The name of a definition. `wanted` is what it is called, if anything.
    pub(super) fn of(
        &mut self,
        node: PartLocation,
        variant: DefinitionVariant,
        wanted: Option<&str>,
    ) -> String {
        if let Some(known) = self.by_meaning.get(&(node, variant)) {
            return known.clone();
        }
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
        let letters = wanted.unwrap_or_default().chars();
        let wanted: String = letters.map(|letter| if plain(letter) { letter } else { '_' }).collect();
        let wanted = if wanted.is_empty() { "definition".to_owned() } else { wanted };
        let mut name = wanted.clone();
        let mut number = 2;
        while self.by_name.contains_key(&name) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        self.by_meaning.insert((node, variant), name.clone());
        self.by_name.insert(name.clone(), (node, variant));
        name
    }

    /// What has this name.
    pub(super) fn meaning(&self, name: &str) -> Option<(PartLocation, DefinitionVariant)> {
        self.by_name.get(name).copied()
    }
}

impl DocumentSet {
    /// The names of definitions. Never held while anything else is done: schemas are put together on several threads.
    pub(super) fn names(&self) -> MutexGuard<'_, DefinitionNames> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
