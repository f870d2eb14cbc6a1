//! Plain BM25 over one text for each operation, to compare with.
//!
//! Texts in, the operations whose words a request has out. It compares stems, those of the ranking: without that it finds less
//! than is published for it (MetaTool .413 / .600), and would be no measure.

use aqueduct_search::stems;
use std::collections::HashMap;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Words that every text has.
const STOP: &str = "a an and any are as at be by can could do does for from have how i if in is it me my of on or our \
    please should so some that the there they this to us want was we what when where which who will with would you your";

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
            let words = words(&text);
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
        for word in words(query) {
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

/// The stems of lower-case runs of letters and digits without the words that every text has, with names such as `listUsers` taken
/// apart. What the ranking leaves out besides stays as it is.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for char in text.chars() {
        if !char.is_alphanumeric() || char.is_uppercase() && before.is_lowercase() {
            words.push(String::new());
        }
        if char.is_alphanumeric() {
            let last = words.len() - 1;
            words[last].extend(char.to_lowercase());
        }
        before = char;
    }
    words.retain(|word| !word.is_empty() && !STOP.split(' ').any(|stop| stop == word));
    words.into_iter().map(|word| stems(&word).pop().unwrap_or(word)).collect()
}
