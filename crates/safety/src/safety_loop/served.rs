//! The operations that are served here, as hints name them: by the public name, or by the name in the source.
//!
//! The entries of a registry in; out, which of them a hint names, and how dangerous the worst of these is. Another source's
//! operation of the same name is another operation: where two sources share a name, the hint has to say which one is meant.

use crate::agents::folded_text::{FoldedText, words_of};
use aho_corasick::AhoCorasick;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::operation::RegistryEntry;
use std::collections::HashMap;
use std::sync::Arc;

/// What is served.
#[derive(Debug, Default)]
pub struct ServedOperations {
    /// Names of what is more than safe, as words.
    names: Vec<(String, DangerLevel)>,
    finder: Option<AhoCorasick>,
    /// Names that several sources have: the public names, as words.
    shared: HashMap<String, Vec<String>>,
}

/// A hint as words.
#[derive(Debug)]
pub(super) struct HintWords([String; 2]);

impl HintWords {
    pub(super) fn of(hint: &str) -> HintWords {
        let folded = FoldedText::of(hint);
        HintWords([words_of(&folded.plain), words_of(&folded.split)])
    }

    fn contain(&self, name: &str) -> bool {
        self.0.iter().any(|text| text.contains(name))
    }

    /// The same without these names.
    fn without(&self, names: &[&str]) -> HintWords {
        HintWords(
            self.0
                .each_ref()
                .map(|text| names.iter().fold(text.clone(), |text, name| text.replace(name, " \u{b7} "))),
        )
    }
}

impl ServedOperations {
    /// The operations of sources, each with its public name.
    pub fn of<'e>(entries: impl Iterator<Item = &'e Arc<RegistryEntry>>) -> ServedOperations {
        let mut holders: HashMap<&str, Vec<&RegistryEntry>> = HashMap::new();
        for entry in entries {
            holders.entry(&entry.operation.name).or_default().push(entry);
        }
        let (mut names, mut shared) = (Vec::new(), HashMap::new());
        for (name, entries) in holders {
            let public: Vec<String> = entries.iter().map(|entry| words(&entry.public_name)).collect();
            let levels = entries.iter().map(|entry| entry.operation.danger.level);
            names.extend(public.iter().cloned().zip(levels.clone()));
            if let [_, _, ..] = entries.as_slice() {
                shared.insert(name.to_owned(), public);
            }
            // Anyone who does not say which one may mean the worst of them.
            names.extend(levels.max().map(|worst| (words(name), worst)));
        }
        names.retain(|(_, level)| *level > DangerLevel::Safe);
        names.sort_unstable();
        names.dedup();
        let finder = AhoCorasick::new(names.iter().map(|(name, _)| name));
        if let Err(error) = &finder {
            tracing::debug!(target: "aqueduct::agents", %error, "names of operations are looked for one by one");
        }
        ServedOperations { names, finder: finder.ok(), shared }
    }

    /// The level of the worst operation that a hint names. Nothing if it names none, or only what is safe.
    pub(super) fn worst_in(&self, hint: &HintWords) -> Option<DangerLevel> {
        let level_of = |text: &String| match &self.finder {
            Some(finder) => finder
                .find_overlapping_iter(text)
                .filter_map(|found| self.names.get(found.pattern().as_usize()))
                .map(|(_, level)| *level)
                .max(),
            None => self.names.iter().filter(|(name, _)| text.contains(name)).map(|(_, level)| *level).max(),
        };
        hint.0.iter().filter_map(level_of).max()
    }

    /// True when a hint names this operation, and not one of another source that is called the same.
    pub(super) fn is_named(&self, hint: &HintWords, entry: &RegistryEntry) -> bool {
        let public = words(&entry.public_name);
        let Some(holders) = self.shared.get(&entry.operation.name) else {
            return hint.contain(&public) || hint.contain(&words(&entry.operation.name));
        };
        // `shop__delete` stands in `test_shop__delete` too.
        let longer: Vec<&str> = holders
            .iter()
            .filter(|other| **other != public && other.contains(&public))
            .map(String::as_str)
            .collect();
        hint.without(&longer).contain(&public)
    }
}

/// A name as words, with a space on either side.
fn words(name: &str) -> String {
    words_of(&FoldedText::of(name).plain)
}

#[cfg(test)]
mod tests;
