//! The words of a text as the search compares them, for others that compare words.

use crate::query::is_stop_word;
use crate::text::{stem, words};

/// The stems of the words that say something, in order.
pub fn stems(text: &str) -> Vec<String> {
    words(text).iter().filter(|word| !is_stop_word(word)).map(|word| stem(word)).collect()
}
