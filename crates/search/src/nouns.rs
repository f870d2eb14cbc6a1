//! Whether an operation has the things that a request speaks of.
//!
//! A request and an operation in, yes or no out. What has everything that was said but the thing that it is said of was found by
//! its verbs alone, and is not surely meant.

use crate::concepts::Concepts;
use crate::index::SearchIndex;
use crate::intent::is_verb_at;
use crate::query::{Query, is_stop_word};
use crate::term::Term;
use crate::verbs::{OperationClass, Verbs};

/// What a word weighs, at least, that is neither an aside nor excluded.
const SAID: f32 = 0.5;

impl SearchIndex {
    /// True when names of operations have a noun of the request, and this operation has neither the noun nor what the lexicon
    /// has for it. What deletes must have it in its own name or path: there a mistake costs most.
    pub(crate) fn lacks_a_noun(&self, query: &Query, concepts: &Concepts<'_>, operation: usize) -> bool {
        let deletes = self.facts[operation].class == Some(OperationClass::Delete);
        let verbs = Verbs::get();
        query.tokens.iter().enumerate().any(|(at, token)| {
            let can_be_noun = verbs.votes(token.stem).is_none()
                || verbs.is_noun(token.stem) && !is_verb_at(&query.tokens, at);
            let is_noun =
                can_be_noun && token.weight >= SAID && !is_stop_word(&token.word) && self.is_name(token.stem);
            is_noun && !self.has_noun(concepts, &token.word, operation, deletes)
        })
    }

    /// Whether an operation has a word, one of its meanings, or a phrase that it is a part of.
    fn has_noun(&self, concepts: &Concepts<'_>, word: &str, operation: usize, in_name: bool) -> bool {
        let speaks_of_it = |asked: &str| asked.split(' ').any(|each| each == word);
        let concepts = concepts.all.iter();
        concepts
            .filter(|concept| concept.is_known && concept.weight > 0.0 && speaks_of_it(&concept.asked))
            .flat_map(|concept| &concept.alternatives)
            .any(|alternative| {
                let mut terms = alternative.terms.iter();
                terms.len() > 0 && terms.all(|term| self.has_term(*term, operation, in_name))
            })
    }

    fn has_term(&self, term: Term, operation: usize, in_name: bool) -> bool {
        let mut has = false;
        let mut visit = |at: usize, _: f32| has |= at == operation;
        match in_name {
            true => self.each(term, |source| &source.names, &mut visit),
            false => self.each(term, |source| &source.postings, &mut visit),
        }
        has
    }
}
