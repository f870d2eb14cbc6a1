//! Whether a request is mostly about what no operation has.
//!
//! A request in, yes or no out. Words that nobody has say as much as rare ones, verbs and names nothing.

use crate::concepts::Concepts;
use crate::index::SearchIndex;
use crate::query::{Query, is_stop_word};
use crate::score::{RARITY_AT_MOST, RARITY_UNKNOWN};
use crate::term::TermSet;
use crate::vectors::VectorTable;
use crate::verbs::Verbs;

impl SearchIndex {
    /// True when the words of a request that no operation has, neither itself nor by a synonym, say more than those that are
    /// known. What is no word of the language is the name of something and says nothing.
    pub fn is_mostly_unknown(&self, request: &str) -> bool {
        let query = Query::read(request, self);
        let concepts = Concepts::of(&query, self);
        let (table, verbs) = (VectorTable::get(), Verbs::get());
        let mut seen = TermSet::default();
        let (mut known, mut unknown) = (0.0, 0.0);
        for (token, is_covered) in query.tokens.iter().zip(&concepts.covered) {
            let is_verb = verbs.votes(token.stem).is_some() && !verbs.is_noun(token.stem);
            if token.is_end()
                || token.weight <= 0.0
                || is_stop_word(&token.word)
                || is_verb
                || !seen.insert(token.stem)
            {
                continue;
            }
            let is_meant =
                || concepts.all.iter().any(|concept| concept.is_known && concept.asked == token.word);
            if let Some(rarity) = self.rarity(token.stem) {
                known += token.weight * rarity.min(RARITY_AT_MOST);
            } else if *is_covered || is_meant() {
                known += token.weight * RARITY_UNKNOWN;
            } else if table.row(&token.word).is_some() {
                unknown += token.weight * RARITY_UNKNOWN;
            }
        }
        unknown > known
    }
}
