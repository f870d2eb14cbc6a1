//! Whether an operation has the things that a request speaks of, and whether that of another source has them as well.
//!
//! A request and operations in, yes or no out. What has everything that was said but the thing that it is said of was found by
//! its verbs alone, and is not surely meant.

use crate::concepts::Concepts;
use crate::index::SearchIndex;
use crate::intent::is_verb_at;
use crate::query::{Query, QueryToken, is_stop_word};
use crate::term::Term;
use crate::verbs::{OperationClass, Verbs};

/// What a word weighs, at least, that is neither an aside nor excluded.
const MIN_NOUN_WEIGHT: f32 = 0.5;

impl SearchIndex {
    /// True when names of operations have a noun of the request, and this operation has neither the noun nor what the lexicon
    /// has for it. The first noun is mostly what it is about, and must be in its own name or path; of what deletes all must be: there a
    /// mistake costs most.
    pub(crate) fn lacks_a_noun(&self, query: &Query, concepts: &Concepts<'_>, operation: usize) -> bool {
        let deletes = self.facts[operation].class == Some(OperationClass::Delete);
        let mut nouns = self.nouns(query).enumerate();
        nouns.any(|(at, noun)| !self.has_noun(concepts, noun, operation, deletes || at == 0))
    }

    /// True when an operation has every noun of the request in its own name or path, and there is one; where it is much like another,
    /// one of them there, and the others anywhere: a tool has in its parameters what an endpoint has in its path.
    pub(crate) fn has_every_noun(
        &self,
        query: &Query,
        concepts: &Concepts<'_>,
        operation: usize,
        is_alike: bool,
    ) -> bool {
        let has = |noun: &str, in_name: bool| self.has_noun(concepts, noun, operation, in_name);
        self.nouns(query).any(|noun| has(noun, true)) && self.nouns(query).all(|noun| has(noun, !is_alike))
    }

    /// True when a request says what is to be done, and with a thing that names of operations have.
    pub fn says_what_to_do(&self, request: &str) -> bool {
        let query = Query::read(request, self);
        (0..query.tokens.len()).any(|at| is_verb_at(&query.tokens, at)) && self.nouns(&query).next().is_some()
    }

    /// The words of a request that names of operations have and that are no verbs in it.
    fn nouns<'q>(&self, query: &'q Query) -> impl Iterator<Item = &'q str> {
        let verbs = Verbs::get();
        let is_noun = move |(at, token): &(usize, &QueryToken)| {
            let can_be_noun = verbs.votes(token.stem).is_none()
                || verbs.is_noun(token.stem) && !is_verb_at(&query.tokens, *at);
            can_be_noun
                && token.weight >= MIN_NOUN_WEIGHT
                && !is_stop_word(&token.word)
                && self.is_name(token.stem)
        };
        query.tokens.iter().enumerate().filter(is_noun).map(|(_, token)| token.word.as_str())
    }

    /// Whether an operation has a word, one of its meanings, or a phrase that it is a part of.
    fn has_noun(&self, concepts: &Concepts<'_>, word: &str, operation: usize, in_name: bool) -> bool {
        let mentions_it = |requested: &str| requested.split(' ').any(|each| each == word);
        let concepts = concepts.all.iter();
        concepts
            .filter(|concept| concept.is_known && concept.weight > 0.0 && mentions_it(&concept.requested))
            .flat_map(|concept| &concept.alternatives)
            .any(|alternative| {
                let mut terms = alternative.terms.iter();
                terms.len() > 0 && terms.all(|term| self.has_term(*term, operation, in_name))
            })
    }

    fn has_term(&self, term: Term, operation: usize, in_name: bool) -> bool {
        match in_name {
            true => self.has(term, operation, |source| &source.names),
            false => self.has(term, operation, |source| &source.postings),
        }
    }
}
