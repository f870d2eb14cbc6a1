//! What the index counts: stems and pairs of stems, kept as numbers.
//!
//! A stem in, a number of 64 bits out, the same on every machine and in every run. Two stems with one number are not told
//! apart, which among the stems of an index practically never happens.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A stem, a pair of neighbours, or a sequence of stems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u64);

impl Term {
    /// The number of a stem, or of any other text.
    pub fn of(text: &str) -> Term {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Term(mix(hash))
    }

    /// The number of this with another one after it.
    pub fn then(self, next: Term) -> Term {
        Term(mix(self.0.rotate_left(23).wrapping_add(next.0)))
    }

    /// The number of several in a row.
    pub fn sequence(terms: &[Term]) -> Option<Term> {
        terms.iter().copied().reduce(Term::then)
    }
}

/// Spreads the bits, so that the number is its own hash.
fn mix(mut hash: u64) -> u64 {
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^= hash >> 32;
    hash
}

/// A map by term.
pub type TermMap<V> = HashMap<Term, V, BuildHasherDefault<TermHasher>>;

/// A set of terms.
pub type TermSet = HashSet<Term, BuildHasherDefault<TermHasher>>;

/// Takes the number of a term as its hash.
#[derive(Debug, Default, Clone, Copy)]
pub struct TermHasher(u64);

impl Hasher for TermHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}
