//! The words of the operations that lie nearest to a word that they do not have.
//!
//! Words with their directions in; for any other word those of like meaning out, the nearest first. This is what is left
//! where neither the operations nor the lexicon know a word.

use crate::term::Term;
use crate::vectors::{Signs, VectorTable, different_signs};

/// How far two words must agree, and how many are taken.
const AT_LEAST: f32 = 0.31;
const MOST: usize = 8;

/// In how many signs words differ, at most, that agree so far. Those that agree least differ in 102 of 256 at the mean, those that
/// have nothing to do with each other in 128; and counting them costs a tenth of comparing the directions.
const SIGNS: u32 = 116;

/// The words that operations have, with their directions.
#[derive(Debug, Default)]
pub struct NearWords {
    /// Stems, and their rows in the table of vectors.
    words: Vec<(Term, u32)>,
    /// In the same order the signs of their directions: that is what is looked at of all.
    signs: Vec<Signs>,
}

/// A word that lies near.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearWord {
    /// Its stem.
    pub term: Term,
    /// As the table writes it.
    pub text: &'static str,
    /// How far it agrees, up to 1.
    pub likeness: f32,
}

impl NearWords {
    /// Stems with their rows in the table of vectors, each once.
    pub fn of(words: impl Iterator<Item = (Term, u32)>) -> NearWords {
        let table = VectorTable::get();
        let mut words: Vec<(Term, u32)> = words.collect();
        words.shrink_to_fit();
        let signs = words.iter().map(|(_, row)| table.direction(*row).signs()).collect();
        NearWords { words, signs }
    }

    /// The nearest to a word; none for one that the table does not have.
    pub fn nearest(&self, word: &str) -> Vec<NearWord> {
        let table = VectorTable::get();
        let Some(row) = table.row(word) else { return Vec::new() };
        let (own, signs) = (table.row_direction(row), table.direction(row).signs());
        // By itself, so that a processor looks at several at once.
        let may_agree: Vec<bool> =
            self.signs.iter().map(|other| different_signs(&signs, other) <= SIGNS).collect();
        let mut near: Vec<(f32, Term, u32)> = self
            .words
            .iter()
            .zip(may_agree)
            .filter(|(_, may_agree)| *may_agree)
            .map(|((term, row), _)| (own.likeness(&table.row_direction(*row)), *term, *row))
            .filter(|(likeness, ..)| *likeness >= AT_LEAST)
            .collect();
        near.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        near.truncate(MOST);
        near.into_iter()
            .map(|(likeness, term, row)| NearWord { term, text: table.word(row), likeness })
            .collect()
    }
}
