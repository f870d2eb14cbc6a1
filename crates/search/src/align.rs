//! Whether the words of an operation mean what those of a request mean, each for itself.
//!
//! A request and an operation in; how near each word of the request comes to one of the operation out, the rarer words counting more.
//! A direction of the whole says less of a request that speaks of several things.

use crate::index::SearchIndex;
use crate::query::{Query, is_stop_word};
use crate::score::{RARITY_AT_MOST, RARITY_UNKNOWN};
use crate::vectors::{RowDirection, VectorTable};
use crate::verbs::Verbs;

/// How many words are looked at: of a request, and of an operation.
const OF_REQUEST: usize = 12;
const OF_OPERATION: usize = 24;

/// How many letters a word has at least: what is shorter mostly stands for several words.
const LETTERS: usize = 3;

/// What a verb counts that every API has.
const GENERIC_VERB: f32 = 0.5;

/// The words of a request, with their directions and how much each says.
#[derive(Debug)]
pub struct AlignedWords {
    words: Vec<(RowDirection, f32)>,
    sum: f32,
    /// How near the words of operations are that were looked at, by their rows: one operation has many words of the next.
    known: Vec<(u32, Nearness)>,
}

/// How near a word is to each of the request's.
type Nearness = [f32; OF_REQUEST];

impl AlignedWords {
    /// The words that say most.
    pub fn of(query: &Query, index: &SearchIndex) -> AlignedWords {
        let table = VectorTable::get();
        let mut rows: Vec<(f32, u32)> = Vec::new();
        for token in &query.tokens {
            let counts = token.weight > 0.0 && token.word.len() >= LETTERS && !is_stop_word(&token.word);
            let Some(row) = table.row(&token.word).filter(|_| counts) else { continue };
            if rows.iter().all(|(_, known)| *known != row) {
                let rarity = index.rarity(token.stem).unwrap_or(RARITY_UNKNOWN).min(RARITY_AT_MOST);
                let verb = if Verbs::get().is_generic(token.stem) { GENERIC_VERB } else { 1.0 };
                rows.push((token.weight * rarity * verb, row));
            }
        }
        rows.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        rows.truncate(OF_REQUEST);
        let words: Vec<_> =
            rows.into_iter().map(|(weight, row)| (table.row_direction(row), weight)).collect();
        AlignedWords { sum: words.iter().map(|(_, weight)| weight).sum(), words, known: Vec::new() }
    }

    /// How near the words of an operation come, up to 1.
    pub fn to(&mut self, operation: usize, index: &SearchIndex) -> f32 {
        if self.sum <= 0.0 {
            return 0.0;
        }
        let mut nearest = [0.0_f32; OF_REQUEST];
        for row in index.own_rows.get(operation as u32).iter().take(OF_OPERATION) {
            for (nearest, near) in nearest.iter_mut().zip(self.nearness(u32::from(*row))) {
                *nearest = nearest.max(near);
            }
        }
        let weighed = self.words.iter().zip(nearest).map(|((_, weight), nearest)| weight * nearest);
        weighed.sum::<f32>() / self.sum
    }

    fn nearness(&mut self, row: u32) -> Nearness {
        if let Some((_, known)) = self.known.iter().find(|(known, _)| *known == row) {
            return *known;
        }
        let direction = VectorTable::get().row_direction(row);
        let mut nearness = [0.0; OF_REQUEST];
        for (to, (word, _)) in nearness.iter_mut().zip(&self.words) {
            *to = word.likeness(&direction);
        }
        self.known.push((row, nearness));
        nearness
    }
}
