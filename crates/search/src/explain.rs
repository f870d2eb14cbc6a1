//! Why an operation was found.
//!
//! A request and a match in; the parts of its score, and which words of the request met which words of the operation
//! out. Slower than a search, and for people.

use crate::concepts::{Alternative, Concepts};
use crate::index::SearchIndex;
use crate::query::Query;
use crate::score::{self, Parts};
use crate::search::Match;

/// Where a score comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The score.
    pub score: f32,
    /// What it is made of.
    pub parts: Parts,
    /// What `Parts::words` is made of, the most important first.
    pub evidence: Vec<MatchEvidence>,
}

/// Words of a request that met an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchEvidence {
    /// What was asked, with typing errors corrected.
    pub requested: String,
    /// What the operation has: the same, or what the lexicon has for it.
    pub found: String,
    /// What it adds; less than 0 for what the request excludes.
    pub points: f32,
}

impl SearchIndex {
    /// Explains the score with which an operation was found; nothing when there is no such operation.
    pub fn explain(&self, request: &str, found: &Match) -> Option<Explanation> {
        let number = self.number(found.operation)?;
        let query = Query::read(request, self);
        let concepts = Concepts::of(&query, self);
        let scale = score::words_scale(&concepts, self);
        let mut evidence: Vec<MatchEvidence> = Vec::new();
        for concept in &concepts.all {
            let points = |alternative: &Alternative<'_>| self.points(alternative, number);
            let best = concept.alternatives.iter().map(|found| (found, points(found)));
            let best =
                best.filter(|(_, points)| *points > 0.0).max_by(|one, other| one.1.total_cmp(&other.1));
            evidence.extend(best.map(|(found, points)| MatchEvidence {
                requested: concept.requested.to_string(),
                found: found.text.to_string(),
                points: points * concept.weight * scale,
            }));
        }
        evidence.sort_by(|one, other| other.points.abs().total_cmp(&one.points.abs()));
        Some(Explanation { score: found.score, parts: found.parts, evidence })
    }

    /// What an alternative gives one operation.
    fn points(&self, alternative: &Alternative<'_>, operation: usize) -> f32 {
        let mut points = 0.0;
        for term in &*alternative.terms {
            let rarity = score::rarity_in(alternative, *term, self).unwrap_or_default();
            self.each(
                *term,
                |source| &source.postings,
                |at, amount| {
                    if at == operation {
                        points += rarity * amount;
                    }
                },
            );
        }
        points * alternative.weight
    }
}
