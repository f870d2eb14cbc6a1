//! A request to the operations that serve it best.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::concepts::Concepts;
use crate::index::{OperationRef, SearchIndex};
use crate::query::Query;
use crate::score::{self, Parts};

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

impl SearchIndex {
    /// The operations that serve a request best and that the filter lets through, best first, at most `limit`. The same
    /// request gives the same operations in the same order; those with one score come in the order of their sources.
    pub fn search(&self, request: &str, filter: impl Fn(OperationRef) -> bool, limit: usize) -> Vec<Match> {
        let query = Query::read(request, self);
        let concepts = Concepts::of(&query, self);
        let parts = score::all(&query, &concepts, self);
        let ranked = parts.iter().enumerate().map(|(number, parts)| Ranked { score: parts.sum(), number });
        let mut heap: BinaryHeap<Ranked> = ranked.collect();
        let mut matches = Vec::with_capacity(limit.min(self.len()));
        while matches.len() < limit
            && let Some(best) = heap.pop()
        {
            let operation = self.operation(best.number);
            if filter(operation) {
                matches.push(Match { operation, score: best.score, parts: parts[best.number] });
            }
        }
        matches
    }
}

/// A place in the order: the higher score first, then the lower number.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    score: f32,
    number: usize,
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
