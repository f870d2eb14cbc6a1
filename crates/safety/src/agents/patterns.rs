//! Patterns over what agents say that they do next: compiled once, matched in one pass over the words of a hint.
//!
//! In a pattern `*` stands for anything; underscores, spaces, hyphens and other signs separate words and are all the same. `deny`
//! and `requires_approval` match where a word begins, however it is written (see `folded_text`); `auto_approve` matches a whole hint
//! as it is written, and vouches only for what it names.

use super::folded_text::{FoldedText, spelt_words, without_digits, words_of};
use aho_corasick::{AhoCorasick, BuildError};

/// The most patterns of a list, and the longest of them.
pub const MOST_PATTERNS: usize = 10_000;
const LONGEST_PATTERN: usize = 500;

/// Why a list cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    /// Neither a word nor a star.
    #[error("'{0}' names nothing: a pattern needs a letter, a digit or '*'")]
    Empty(String),
    /// It is too long.
    #[error("a pattern has up to {LONGEST_PATTERN} characters")]
    TooLong,
    /// There are too many.
    #[error("a list has up to {MOST_PATTERNS} patterns")]
    TooMany,
}

/// A list that restricts.
#[derive(Debug, Clone)]
pub struct RestrictingPatterns {
    patterns: Vec<String>,
    /// The first pattern that names everything.
    everything: Option<usize>,
    /// As it is written; for hints in which digits stand for letters; for words that are spelt letter by letter; for words that are
    /// written in parts.
    plain: PatternFinder,
    without_digits: PatternFinder,
    spelt: PatternFinder,
    in_parts: PatternFinder,
}

/// The shortest piece that is looked for in words that are written in parts: shorter ones are in many texts by chance.
const SHORTEST_IN_PARTS: usize = 4;

/// One way to write a pattern: the pieces between its stars, in order.
#[derive(Debug, Clone)]
struct PatternForm {
    /// Which pattern.
    pattern: usize,
    pieces: Vec<String>,
    /// It stands where the text begins.
    is_first: bool,
}

/// Finds patterns that are written in one of their ways. Looks for the longest piece of each form first, for all forms at once.
#[derive(Debug, Clone)]
struct PatternFinder {
    automaton: Option<AhoCorasick>,
    /// The form of each piece that is looked for.
    forms: Vec<PatternForm>,
}

/// A hint, prepared for matching.
#[derive(Debug)]
pub struct HintTexts {
    texts: Vec<String>,
    without_digits: Vec<String>,
    spelt: Vec<String>,
    joined: JoinedText,
}

/// A text without what separates its words: `dr op` and `dr\nop` are `drop`.
#[derive(Debug)]
struct JoinedText {
    letters: String,
    /// What begins or ends at each place in it.
    edges: Vec<WordEdge>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordEdge {
    /// Inside of a word.
    None,
    /// A word begins, or the text ends.
    Word,
    /// A letter that stands alone comes after another one: both may be of one word that is spelt.
    NextLetter,
}

impl JoinedText {
    fn of(words: &str) -> JoinedText {
        let (mut letters, mut edges) = (String::with_capacity(words.len()), Vec::with_capacity(words.len()));
        let mut was_alone = false;
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            let is_alone = word.chars().count() == 1;
            edges.push(if was_alone && is_alone { WordEdge::NextLetter } else { WordEdge::Word });
            edges.resize(edges.len() + word.len() - 1, WordEdge::None);
            letters.push_str(word);
            was_alone = is_alone;
        }
        edges.push(WordEdge::Word);
        JoinedText { letters, edges }
    }

    /// Whole words of the text, together: what begins inside of a word, or ends there, is another word.
    fn has_words(&self, from: usize, to: usize) -> bool {
        let edge = |at: usize| self.edges.get(at).copied().unwrap_or(WordEdge::None);
        edge(from) == WordEdge::Word && edge(to) != WordEdge::None
    }

    /// The pieces stand in it as whole words in this order.
    fn has_all(&self, pieces: &[String]) -> bool {
        let mut from = 0;
        for piece in pieces {
            let places =
                self.letters.get(from..).into_iter().flat_map(|rest| rest.match_indices(piece.as_str()));
            let mut ends = places.map(|(at, _)| (from + at, from + at + piece.len()));
            match ends.find(|(start, end)| self.has_words(*start, *end)) {
                Some((_, end)) => from = end,
                None => return false,
            }
        }
        true
    }
}

impl HintTexts {
    /// Prepares a folded hint.
    pub fn of(folded: &FoldedText) -> HintTexts {
        let mut texts = vec![words_of(&folded.plain)];
        push_new(&mut texts, words_of(&folded.split));
        let (mut replaced, mut spelt) = (Vec::new(), spelt_words(&folded.plain));
        for text in [&folded.plain, &folded.split].into_iter().chain(&folded.otherwise) {
            push_new(&mut replaced, words_of(&without_digits(text)));
        }
        for text in &folded.otherwise {
            push_new(&mut texts, words_of(text));
            spelt.extend(spelt_words(text));
        }
        let joined = JoinedText::of(texts.first().map_or("", String::as_str));
        HintTexts { texts, without_digits: replaced, spelt, joined }
    }
}

fn push_new(texts: &mut Vec<String>, text: String) {
    if !texts.contains(&text) {
        texts.push(text);
    }
}

impl RestrictingPatterns {
    /// Compiles a list.
    pub fn new(patterns: &[String]) -> Result<RestrictingPatterns, BadPattern> {
        check(patterns)?;
        let mut forms = Vec::new();
        for (index, text) in patterns.iter().enumerate() {
            let folded = FoldedText::of(text);
            let mut known: Vec<Vec<String>> = Vec::new();
            for text in [&folded.plain, &folded.split].into_iter().chain(&folded.otherwise) {
                let pieces = pieces_of(text);
                let joined: Vec<String> = pieces.iter().map(|piece| joined(piece)).collect();
                for pieces in [pieces, joined] {
                    if !known.contains(&pieces) {
                        known.push(pieces.clone());
                        forms.push(PatternForm { pattern: index, pieces, is_first: false });
                    }
                }
            }
        }
        let everything = forms.iter().filter(|form| form.pieces.is_empty()).map(|form| form.pattern).min();
        let finder = |write: &dyn Fn(&PatternForm) -> PatternForm| {
            PatternFinder::of(forms.iter().map(write).collect()).map_err(|_| BadPattern::TooMany)
        };
        Ok(RestrictingPatterns {
            patterns: patterns.to_vec(),
            everything,
            plain: finder(&PatternForm::clone)?,
            without_digits: finder(&|form| form.written(without_digits))?,
            spelt: finder(&PatternForm::spelt)?,
            in_parts: PatternFinder::of(forms.iter().filter_map(PatternForm::in_parts).collect())
                .map_err(|_| BadPattern::TooMany)?,
        })
    }

    /// The first pattern of the list that names something in the hint.
    pub fn first_match(&self, hint: &HintTexts) -> Option<&str> {
        let mut first = self.everything;
        for (finder, texts) in [
            (&self.plain, &hint.texts),
            (&self.without_digits, &hint.without_digits),
            (&self.spelt, &hint.spelt),
        ] {
            for text in texts {
                first = finder.first_in(text, first);
            }
        }
        first = self.in_parts.first_in_parts(&hint.joined, first);
        self.patterns.get(first?).map(String::as_str)
    }
}

impl PatternForm {
    fn written(&self, write: impl Fn(&str) -> String) -> PatternForm {
        PatternForm { pieces: self.pieces.iter().map(|piece| write(piece)).collect(), ..*self }
    }

    /// A word that was spelt letter by letter has no separators left: a pattern names it when it begins with it.
    fn spelt(&self) -> PatternForm {
        let is_first = self.pieces.first().is_some_and(|piece| piece.starts_with(' '));
        PatternForm { is_first, ..self.written(|piece| piece.replace(' ', "")) }
    }

    /// For words that are written in parts. Nothing of a pattern with a short piece.
    fn in_parts(&self) -> Option<PatternForm> {
        let form = PatternForm { is_first: false, ..self.written(|piece| piece.replace(' ', "")) };
        form.pieces.iter().all(|piece| piece.len() >= SHORTEST_IN_PARTS).then_some(form)
    }

    fn is_in(&self, text: &str) -> bool {
        let begins = !self.is_first || self.pieces.first().is_some_and(|piece| text.starts_with(piece));
        begins && follow_each_other(&self.pieces, text)
    }
}

impl PatternFinder {
    fn of(forms: Vec<PatternForm>) -> Result<PatternFinder, BuildError> {
        let (mut longest, mut kept) = (Vec::new(), Vec::new());
        for form in forms {
            if let Some(piece) = form.pieces.iter().max_by_key(|piece| piece.len()) {
                longest.push(piece.clone());
                kept.push(form);
            }
        }
        let automaton = if longest.is_empty() { None } else { Some(AhoCorasick::new(&longest)?) };
        Ok(PatternFinder { automaton, forms: kept })
    }

    /// The first pattern that the text has, if it comes before this one; else this one.
    fn first_in(&self, text: &str, first: Option<usize>) -> Option<usize> {
        self.first_of(text, first, |_, _| true, |form| form.is_in(text))
    }

    /// The same in words that are written in parts.
    fn first_in_parts(&self, joined: &JoinedText, first: Option<usize>) -> Option<usize> {
        let is_whole = |from, to| joined.has_words(from, to);
        self.first_of(&joined.letters, first, is_whole, |form| joined.has_all(&form.pieces))
    }

    fn first_of(
        &self,
        text: &str,
        mut first: Option<usize>,
        may_stand: impl Fn(usize, usize) -> bool,
        is_in: impl Fn(&PatternForm) -> bool,
    ) -> Option<usize> {
        let mut checked: Vec<bool> = Vec::new();
        for found in self.automaton.iter().flat_map(|automaton| automaton.find_overlapping_iter(text)) {
            if !may_stand(found.start(), found.end()) {
                continue;
            }
            let index = found.pattern().as_usize();
            let Some(form) = self.forms.get(index) else { continue };
            if first.is_some_and(|first| first <= form.pattern) {
                continue;
            }
            checked.resize(self.forms.len(), false);
            if !std::mem::replace(&mut checked[index], true) && is_in(form) {
                first = Some(form.pattern);
            }
        }
        first
    }
}

/// A list that lets hints pass.
#[derive(Debug, Clone)]
pub struct ApprovingPatterns {
    patterns: Vec<(String, Vec<String>)>,
}

/// An `auto_approve` pattern that fits a hint.
#[derive(Debug, PartialEq, Eq)]
pub struct Approved<'p> {
    /// The pattern.
    pub pattern: &'p str,
    /// What its stars cover: the pattern says nothing about that.
    pub beside: String,
}

impl ApprovingPatterns {
    /// Compiles a list.
    pub fn new(patterns: &[String]) -> Result<ApprovingPatterns, BadPattern> {
        check(patterns)?;
        let compiled = patterns.iter().map(|text| {
            let folded = FoldedText::of(text);
            (text.clone(), folded.split.split('*').map(|piece| words_of(piece).trim().to_owned()).collect())
        });
        Ok(ApprovingPatterns { patterns: compiled.collect() })
    }

    /// The first pattern that fits the whole hint.
    pub fn first_match(&self, folded: &FoldedText) -> Option<Approved<'_>> {
        let text = words_of(&folded.split);
        let text = text.trim();
        self.patterns
            .iter()
            .find_map(|(pattern, pieces)| beside(pieces, text).map(|beside| Approved { pattern, beside }))
    }
}

/// What the stars of a pattern cover, if the pieces between them are the whole rest of the text.
fn beside(pieces: &[String], text: &str) -> Option<String> {
    let (first, others) = pieces.split_first()?;
    let mut rest = after_words(text, first)?;
    let Some((last, middle)) = others.split_last() else {
        return rest.is_empty().then(String::new);
    };
    let mut covered = String::new();
    for piece in middle.iter().filter(|piece| !piece.is_empty()) {
        let at = rest.find(piece.as_str())?;
        covered.push_str(&rest[..at]);
        rest = rest[at + piece.len()..].trim_start();
    }
    let end = if last.is_empty() { rest } else { rest.strip_suffix(last.as_str())? };
    covered.push_str(end);
    Some(covered)
}

/// What follows these words at the start of a text; the last of them is a whole word.
fn after_words<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(words)?;
    if words.is_empty() || rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix(' ')
}

fn check(patterns: &[String]) -> Result<(), BadPattern> {
    if patterns.len() > MOST_PATTERNS {
        return Err(BadPattern::TooMany);
    }
    for text in patterns {
        if text.chars().count() > LONGEST_PATTERN {
            return Err(BadPattern::TooLong);
        }
        if !text.contains('*') && words_of(&FoldedText::of(text).plain).trim().is_empty() {
            return Err(BadPattern::Empty(text.clone()));
        }
    }
    Ok(())
}

/// The pieces between the stars of a pattern. A piece with no star before it begins with a word, one with no star after it ends
/// with one.
fn pieces_of(folded: &str) -> Vec<String> {
    let parts: Vec<&str> = folded.split('*').collect();
    let last = parts.len() - 1;
    let piece = |(index, part): (usize, &&str)| {
        let words = words_of(part);
        let mut piece = words.trim();
        if piece.is_empty() {
            return None;
        }
        let begins = index == 0 || part.starts_with(|c: char| !c.is_alphanumeric());
        let ends = index == last || part.ends_with(|c: char| !c.is_alphanumeric());
        piece = if begins { words[..words.len() - 1].trim_end() } else { piece };
        Some(if ends { format!("{piece} ") } else { piece.to_owned() })
    };
    parts.iter().enumerate().filter_map(piece).collect()
}

/// A piece whose words are written as one: `deleteall` for `delete_all`.
fn joined(piece: &str) -> String {
    let inner = piece.trim().replace(' ', "");
    let start = if piece.starts_with(' ') { " " } else { "" };
    let end = if piece.ends_with(' ') { " " } else { "" };
    format!("{start}{inner}{end}")
}

/// True when the pieces stand in the text in this order. Two of them may share the space between them.
fn follow_each_other(pieces: &[String], text: &str) -> bool {
    let mut from = 0;
    for piece in pieces {
        let start =
            if piece.starts_with(' ') && from > 0 && text[..from].ends_with(' ') { from - 1 } else { from };
        match text.get(start..).and_then(|rest| rest.find(piece.as_str())) {
            Some(at) => from = start + at + piece.len(),
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests;
