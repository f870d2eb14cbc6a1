//! Plain BM25 over one text for each operation, to compare with.
//!
//! Texts in, the operations whose words a request has out. It compares stems and leaves out what says nothing, as the ranking
//! does: without that it finds less than is published for it (MetaTool .413 / .600), and would be no measure.

use aqueduct_search::stems;
use std::collections::HashMap;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The index.
#[derive(Debug)]
pub struct Bm25 {
    postings: HashMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
}

impl Bm25 {
    pub fn of(texts: impl Iterator<Item = String>) -> Bm25 {
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (at, text) in texts.enumerate() {
            let words = stems(&text);
            lengths.push(words.len() as f64);
            let mut counts: HashMap<String, f64> = HashMap::new();
            for word in words {
                *counts.entry(word).or_default() += 1.0;
            }
            for (word, count) in counts {
                postings.entry(word).or_default().push((at, count));
            }
        }
        Bm25 { postings, lengths }
    }

    /// The best operations; those with one score in the order of the document.
    pub fn search(&self, query: &str, limit: usize) -> Vec<usize> {
        let count = self.lengths.len() as f64;
        let average = self.lengths.iter().sum::<f64>() / count.max(1.0);
        let mut scores = vec![0.0; self.lengths.len()];
        for word in stems(query) {
            let Some(postings) = self.postings.get(&word) else { continue };
            let frequency = postings.len() as f64;
            let rarity = (1.0 + (count - frequency + 0.5) / (frequency + 0.5)).ln();
            for (at, amount) in postings {
                let long = 1.0 - B + B * self.lengths[*at] / average;
                scores[*at] += rarity * amount * (K1 + 1.0) / (amount + K1 * long);
            }
        }
        let mut order: Vec<usize> = (0..scores.len()).filter(|at| scores[*at] > 0.0).collect();
        order.sort_by(|one, other| scores[*other].total_cmp(&scores[*one]));
        order.truncate(limit);
        order
    }
}
