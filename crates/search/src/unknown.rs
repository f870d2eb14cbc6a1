//! How much of a request is about what no operation has.
//!
//! A request in, a share out. Words that no operation has say as much as rare ones, verbs and names nothing.

use crate::concepts::{Alternative, Concepts};
use crate::index::SearchIndex;
use crate::query::{Query, QueryToken, is_stop_word};
use crate::score::{RARITY_AT_MOST, RARITY_UNKNOWN};
use crate::term::TermSet;
use crate::vectors::VectorTable;
use crate::verbs::Verbs;
use crate::wordlists::SERVICES;

/// Words before what something is done in or with, and between them and that.
const BEFORE_PLACE: [&str; 4] = ["in", "to", "on", "with"];
const ARTICLES: [&str; 4] = ["the", "my", "our", "a"];

/// What one has of a service without using it: behind its name they make it a part of what is stated, as do words before a topic or a name.
const OF_SERVICE: [&str; 11] =
    ["link", "links", "url", "urls", "address", "handle", "username", "id", "logo", "icon", "badge"];
const BEFORE_TOPIC: [&str; 7] = ["about", "called", "named", "titled", "mentioning", "containing", "saying"];

/// How much of what a request says no operation has, neither itself nor by a synonym.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownShare {
    /// Less than what is known.
    Little,
    /// More than what is known, or what something is to be done in or with.
    Most,
    /// All of it, or a service is meant that is not here.
    All,
}

impl SearchIndex {
    /// How much of a request is unknown. What is no word of the language is the name of something, and says
    /// nothing but behind words such as "in" or "with".
    pub fn unknown_share(&self, request: &str) -> UnknownShare {
        let query = Query::read(request, self);
        self.unknown_share_of(&query, &Concepts::of(&query, self))
    }

    /// The same of a request that was read.
    pub(crate) fn unknown_share_of(&self, query: &Query, concepts: &Concepts<'_>) -> UnknownShare {
        let (table, verbs) = (VectorTable::get(), Verbs::get());
        let mut seen = TermSet::default();
        let (mut known, mut unknown) = (0.0, 0.0);
        // Of a meaning in several words, such as "start playback", operations must have all.
        let is_had =
            |alternative: &Alternative<'_>| alternative.terms.iter().all(|term| self.rarity(*term).is_some());
        let is_meant = |word: &str| {
            concepts.all.iter().any(|concept| {
                concept.is_known
                    && concept.requested.split(' ').any(|requested| requested == word)
                    && concept.alternatives.iter().any(is_had)
            })
        };
        let (mut has_unknown_place, mut names_service) = (false, false);
        for (at, token) in query.tokens.iter().enumerate() {
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
            } else {
                let is_service = SERVICES.split(' ').any(|service| service == token.word);
                if is_service && is_content(&query.tokens, at) {
                    continue;
                }
                unknown += if table.row(&token.word).is_some() { token.weight * RARITY_UNKNOWN } else { 0.0 };
                has_unknown_place |= is_place(&query.tokens[..at]);
                names_service |= is_service;
            }
        }
        match known {
            _ if names_service => UnknownShare::All,
            known if known > 0.0 && has_unknown_place => UnknownShare::Most,
            known if unknown <= known => UnknownShare::Little,
            0.0 => UnknownShare::All,
            _ => UnknownShare::Most,
        }
    }
}

/// Whether a service is only a part of what a request states: "add our youtube link to the product", "find posts about slack". What
/// something is to be done in or with is meant whatever follows: "put it on our youtube badge".
fn is_content(tokens: &[QueryToken], at: usize) -> bool {
    let follows = |word: &QueryToken| OF_SERVICE.contains(&word.word.as_str());
    let before = |token: &QueryToken| BEFORE_TOPIC.contains(&token.word.as_str());
    !is_place(&tokens[..at]) && tokens.get(at + 1).is_some_and(follows)
        || at.checked_sub(1).is_some_and(|at| before(&tokens[at]))
}

/// Whether what stands behind these words is where or with what something is done: another service perhaps.
fn is_place(before: &[QueryToken]) -> bool {
    let mut earlier = before.iter().rev().map(|token| token.word.as_str());
    earlier.find(|word| !ARTICLES.contains(word)).is_some_and(|word| BEFORE_PLACE.contains(&word))
}
