//! Regular expressions over folded texts, compiled once, all of them looked for in one pass.
//!
//! Patterns in; which of them a text has, out. They are matched byte by byte: the tables of Unicode's letters, many times over, make
//! an automaton that no cache holds. Letters beyond ASCII are taken for parts of words and for what separates them alike, so that
//! nothing is missed that a reader of letters finds.

use super::super::folded_text::FoldedText;
use regex::bytes::{RegexSet, RegexSetBuilder};

/// Memory for the states of an automaton that were come across.
const MOST_MEMORY: usize = 8 << 20;

/// Patterns that were compiled.
#[derive(Debug)]
pub(super) struct PhraseSet(RegexSet);

impl PhraseSet {
    /// Compiles some patterns.
    pub(super) fn of<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Option<PhraseSet> {
        let patterns = patterns.into_iter().map(for_bytes);
        let set = RegexSetBuilder::new(patterns).unicode(false).dfa_size_limit(MOST_MEMORY).build();
        set.ok().map(PhraseSet)
    }

    /// The numbers of the patterns that a text has.
    pub(super) fn found(&self, folded: &str) -> Vec<usize> {
        self.0.matches(folded.as_bytes()).into_iter().collect()
    }
}

/// A pattern of letters as one of bytes: a letter beyond ASCII is part of a word, and a dot stands for the whole of it. Letters of
/// the pattern itself are folded, as the texts are.
fn for_bytes(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len() * 2);
    let mut is_in_class = false;
    let mut characters = pattern.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => match characters.next() {
                Some(kind @ ('w' | 'd')) if is_in_class => written.push_str(&format!("\\{kind}\\x80-\\xff")),
                Some(kind @ ('w' | 'd')) => written.push_str(&format!("[\\{kind}\\x80-\\xff]")),
                escaped => {
                    written.push(c);
                    written.extend(escaped);
                }
            },
            '.' if !is_in_class => written.push_str("(?u:.)"),
            c if c.is_ascii() => {
                is_in_class = c == '[' || is_in_class && c != ']';
                written.push(c);
            }
            c => written.push_str(&format!("(?u:{})", FoldedText::of(&c.to_string()).plain)),
        }
    }
    written
}

#[cfg(test)]
mod tests;
