//! How much of a request is about what no operation has.
//!
//! A request in, a share out. Words that nobody has say as much as rare ones, verbs and names nothing.

use crate::concepts::{Alternative, Concepts};
use crate::index::SearchIndex;
use crate::query::{Query, is_stop_word};
use crate::score::{RARITY_AT_MOST, RARITY_UNKNOWN};
use crate::term::TermSet;
use crate::vectors::VectorTable;
use crate::verbs::Verbs;

/// How much of what a request says no operation has, neither itself nor by a synonym.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownShare {
    /// Less than what is known.
    Little,
    /// More than what is known.
    Most,
    /// All of it.
    All,
}

impl SearchIndex {
    /// How much of a request is unknown. What is no word of the language is the name of something and says nothing.
    pub fn unknown_share(&self, request: &str) -> UnknownShare {
        let query = Query::read(request, self);
        let concepts = Concepts::of(&query, self);
        let (table, verbs) = (VectorTable::get(), Verbs::get());
        let mut seen = TermSet::default();
        let (mut known, mut unknown) = (0.0, 0.0);
        // Of a meaning in several words, such as "start playback", operations must have all.
        let is_had =
            |alternative: &Alternative<'_>| alternative.terms.iter().all(|term| self.rarity(*term).is_some());
        let is_meant = |word: &str| {
            concepts.all.iter().any(|concept| {
                concept.is_known
                    && concept.asked.split(' ').any(|asked| asked == word)
                    && concept.alternatives.iter().any(is_had)
            })
        };
        for token in &query.tokens {
            let is_verb = verbs.votes(token.stem).is_some() && !verbs.is_noun(token.stem);
            if token.is_end()
                || token.weight <= 0.0
                || is_stop_word(&token.word)
                || is_verb
                || !seen.insert(token.stem)
            {
                continue;
            }
            if let Some(rarity) = self.rarity(token.stem) {
                known += token.weight * rarity.min(RARITY_AT_MOST);
            } else if is_meant(&token.word) {
                known += token.weight * RARITY_UNKNOWN;
            } else if table.row(&token.word).is_some() {
                unknown += token.weight * RARITY_UNKNOWN;
            }
        }
        match known {
            known if unknown <= known => UnknownShare::Little,
            0.0 => UnknownShare::All,
            _ => UnknownShare::Most,
        }
    }
}
