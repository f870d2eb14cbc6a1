//! A request to the operations that serve it best.
//!
//! A request and a filter in; operations with their scores, best first, and how sure the first one is out.

use std::cmp::Ordering;

use crate::align::AlignedWords;
use crate::concepts::Concepts;
use crate::index::{OperationRef, SearchIndex};
use crate::query::Query;
use crate::score::{Parts, Scores};
use crate::unknown::UnknownShare;

/// Below this likeness (`Parts::likeness`) a request is hardly ever about what the operation does. Of the requests that were
/// looked at 1 % of those whose first operation is right are below it.
const WEAK: f32 = 4.3;

/// From this likeness and this score on, and so far ahead of the second, the first one is nearly always right.
const LIKE: f32 = 10.0;
const CLEAR: f32 = 14.0;
const AHEAD: f32 = 2.5;

/// From this part of the words and the meaning of the first one on, one of another source is told by all of its texts.
const ALIKE: f32 = 0.85;

/// What a source adds that the request names, and each of the values that an operation has a place for: so many at most, and
/// looked for in so many of the first operations.
const NAMED_SOURCE: f32 = 8.0;
/// More than all the rest: who writes the name of an operation means it.
const CALLED_BY_NAME: f32 = 100.0;
const STATED_VALUE: f32 = 1.5;
const MOST_VALUES: usize = 3;
const LOOKED_AT: usize = 12;

/// What it adds that each word of a request means what a word of an operation means, of so many of the first operations.
const ALIGNED: f32 = 4.0;
const LOOKED_CLOSER_AT: usize = 24;

/// From this part of what the verbs ask for on, an operation does it.
const DOES_IT: f32 = 0.3;

/// What is known of a request besides its words.
#[derive(Clone, Copy)]
pub struct RequestHints<'h> {
    /// The positions of the sources that it names.
    pub sources: &'h [usize],
    /// The operations that it calls by their names.
    pub operations: &'h [OperationRef],
    /// Whether it does so in words that anybody says, so that they may mean another one.
    pub is_plain: bool,
    /// How many of its values an operation has a place for.
    pub values: &'h dyn Fn(OperationRef) -> usize,
}

impl RequestHints<'_> {
    /// Nothing but words.
    pub const NONE: RequestHints<'static> =
        RequestHints { sources: &[], operations: &[], is_plain: false, values: &|_| 0 };

    /// What an operation gains by names.
    fn add_names_to(&self, parts: &mut Parts, operation: OperationRef) {
        parts.source = if self.sources.contains(&operation.source) { NAMED_SOURCE } else { 0.0 };
        parts.called = if self.operations.contains(&operation) { CALLED_BY_NAME } else { 0.0 };
    }

    /// What an operation gains by the values that it has a place for.
    fn add_values_to(&self, parts: &mut Parts, operation: OperationRef) {
        parts.values = STATED_VALUE * (self.values)(operation).min(MOST_VALUES) as f32;
    }
}

/// An operation that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// Which one.
    pub operation: OperationRef,
    /// How well it serves; comparable within one search.
    pub score: f32,
    /// What the score is made of.
    pub parts: Parts,
}

/// How sure the first operation of a ranking is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchConfidence {
    /// It stands far above all others: it is nearly always the right one.
    Clear,
    /// The right one is most likely among the first few.
    Several,
    /// Nothing fits well: a better request, or a look at the groups, is better than a guess.
    Weak,
}

impl MatchConfidence {
    /// As answers have it.
    pub fn name(self) -> &'static str {
        match self {
            MatchConfidence::Clear => "clear",
            MatchConfidence::Several => "several",
            MatchConfidence::Weak => "weak",
        }
    }
}

/// The operations that serve a request, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// What was found.
    pub matches: Vec<Match>,
    /// How sure the first one is.
    pub confidence: MatchConfidence,
    /// How much of the request no operation has.
    pub unknown: UnknownShare,
}

impl SearchIndex {
    /// The operations that serve a request best and that the filter lets through, at most `limit`. The same request gives
    /// the same operations in the same order; those with one score come in the order of their sources.
    pub fn search(&self, request: &str, filter: impl Fn(OperationRef) -> bool, limit: usize) -> Ranking {
        self.search_with(request, RequestHints::NONE, filter, limit)
    }

    /// The same with what is known besides.
    pub fn search_with(
        &self,
        request: &str,
        hints: RequestHints<'_>,
        filter: impl Fn(OperationRef) -> bool,
        limit: usize,
    ) -> Ranking {
        let query = Query::read(request, self);
        let concepts = Concepts::of(&query, self);
        let scores = Scores::of(&query, &concepts, self);
        let mut ranked: Vec<Ranked> = (0..self.len())
            .map(|number| Ranked { score: scores.sum(number, self), number: number as u32 })
            .collect();
        for source in hints.sources {
            ranked[self.numbers_of(*source)].iter_mut().for_each(|ranked| ranked.score += NAMED_SOURCE);
        }
        for number in hints.operations.iter().filter_map(|operation| self.number(*operation)) {
            ranked[number].score += CALLED_BY_NAME;
        }
        let mut aligned = AlignedWords::of(&query, self);
        // The second one says how sure the first one is.
        let mut matches = Vec::new();
        each_in_order(ranked, |best| {
            let number = best.number as usize;
            let operation = self.operation(number);
            if filter(operation) {
                let mut parts = scores.parts(number, self);
                hints.add_names_to(&mut parts, operation);
                if matches.len() < LOOKED_CLOSER_AT {
                    parts.alike = scores.likeness(number, self);
                    parts.aligned = ALIGNED * aligned.to(number, self);
                }
                matches.push(Match { operation, score: parts.sum(), parts });
            }
            matches.len() < limit.max(LOOKED_CLOSER_AT)
        });
        matches.sort_by(|one: &Match, other: &Match| other.score.total_cmp(&one.score));
        for found in matches.iter_mut().take(LOOKED_AT) {
            hints.add_values_to(&mut found.parts, found.operation);
            found.score = found.parts.sum();
        }
        matches.sort_by(|one, other| other.score.total_cmp(&one.score));
        // Who writes the name of an operation means that one, but not who only says the words.
        let is_called = !hints.is_plain && matches.first().is_some_and(|first| first.parts.called > 0.0);
        let is_doubtful = || {
            self.is_doubtful(&query, &concepts, &matches[0])
                || hints.sources.is_empty() && self.has_rival(&query, &concepts, &matches)
        };
        let confidence = match confidence(&matches, is_called, DOES_IT * scores.most_for_class()) {
            MatchConfidence::Clear if query.forbids || !is_called && is_doubtful() => {
                MatchConfidence::Several
            }
            confidence => confidence,
        };
        matches.truncate(limit);
        Ranking { matches, confidence, unknown: self.unknown_share_of(&query, &concepts) }
    }

    /// Whether an operation of another source does the same with all the things that the request speaks of: which source is meant,
    /// words do not tell.
    fn has_rival(&self, query: &Query, concepts: &Concepts<'_>, matches: &[Match]) -> bool {
        let Some((first, others)) = matches.split_first() else { return false };
        let alike = |found: &Match| found.parts.words + found.parts.name + found.parts.meaning;
        let is_rival = |other: &Match| {
            let is_alike = alike(other) >= ALIKE * alike(first);
            other.operation.source != first.operation.source
                && other.parts.class > 0.0
                && other.parts.class >= first.parts.class
                && self
                    .number(other.operation)
                    .is_some_and(|number| self.has_every_noun(query, concepts, number, is_alike))
        };
        others.iter().take(LOOKED_AT).any(is_rival)
    }

    /// Whether a first match that is far ahead has not the thing that the request speaks of.
    fn is_doubtful(&self, query: &Query, concepts: &Concepts<'_>, first: &Match) -> bool {
        let number = self.number(first.operation);
        number.is_some_and(|number| self.lacks_a_noun(query, concepts, number))
    }
}

fn confidence(matches: &[Match], is_called: bool, does_it: f32) -> MatchConfidence {
    let Some(first) = matches.first() else { return MatchConfidence::Weak };
    let ahead = matches.get(1).map_or(first.score, |second| first.score - second.score);
    let likeness = first.parts.likeness();
    // Another one that has a place for more of what the request states may be meant.
    let has_most_values = matches.iter().all(|other| other.parts.values <= first.parts.values);
    // What does something else than the verbs ask for is found by its nouns alone.
    let does_it = first.parts.class >= does_it || is_called;
    if likeness < WEAK {
        MatchConfidence::Weak
    } else if ahead >= AHEAD && first.score >= CLEAR && likeness >= LIKE && has_most_values && does_it {
        MatchConfidence::Clear
    } else {
        MatchConfidence::Several
    }
}

/// A place in the order: the higher score first, then the lower number.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    score: f32,
    number: u32,
}

/// How many are put in order at first; four times as many where these do not suffice.
const FIRST_IN_ORDER: usize = 64;

/// Visits the best first, as long as more is wanted. What is never visited is never put in order.
fn each_in_order(mut ranked: Vec<Ranked>, mut visit: impl FnMut(Ranked) -> bool) {
    let (mut rest, mut count) = (&mut ranked[..], FIRST_IN_ORDER);
    while !rest.is_empty() {
        if count < rest.len() {
            rest.select_nth_unstable_by(count, |one, other| other.cmp(one));
        }
        let (first, others) = rest.split_at_mut(count.min(rest.len()));
        first.sort_unstable_by(|one, other| other.cmp(one));
        if !first.iter().all(|best| visit(*best)) {
            return;
        }
        (rest, count) = (others, 4 * count);
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}
