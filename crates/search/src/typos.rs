//! Typing errors.
//!
//! An unknown word in, the known word that it most likely stands for out: one edit away, or two if it is long,
//! where an edit is a letter too many, missing, wrong, or swapped with its neighbour, which is the commonest slip.

use std::collections::HashMap;

/// Known words, by their first letter.
#[derive(Debug, Default, Clone)]
pub struct Spellings {
    by_letter: [Vec<Spelling>; 26],
    count: usize,
}

#[derive(Debug, Clone)]
struct Spelling {
    word: Box<str>,
    letters: u32,
    /// In how many operations it stands.
    frequency: f32,
}

/// A known word and how far it is; the smaller one is the better one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correction<'a> {
    distance: f32,
    frequency: f32,
    /// The known word.
    pub word: &'a str,
}

impl<'a> Correction<'a> {
    fn is_before(&self, other: &Correction<'a>) -> bool {
        let order = self.distance.total_cmp(&other.distance);
        order.then(other.frequency.total_cmp(&self.frequency)).then(self.word.cmp(other.word)).is_lt()
    }

    /// How many edits it takes.
    pub fn edits(&self) -> usize {
        self.distance as usize
    }

    /// The better of two.
    pub fn better(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(if other.is_before(&one) { other } else { one }),
            (one, other) => one.or(other),
        }
    }
}

impl Spellings {
    /// Words with their frequencies.
    pub fn of<'a>(words: impl IntoIterator<Item = (&'a str, f32)>) -> Spellings {
        let mut frequencies: HashMap<&str, f32> = HashMap::new();
        for (word, frequency) in words {
            let known = frequencies.entry(word).or_default();
            *known = known.max(frequency);
        }
        let mut spellings = Spellings::default();
        for (word, frequency) in frequencies {
            spellings.add(word, frequency);
        }
        spellings
    }

    /// Adds a word of at least three letters; another word is left out.
    pub fn add(&mut self, word: &str, frequency: f32) {
        if word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            let spelling = Spelling { word: word.into(), letters: letters(word), frequency };
            self.by_letter[usize::from(word.as_bytes()[0] - b'a')].push(spelling);
            self.count += 1;
        }
    }

    /// Whether a word is one of them.
    pub fn contains(&self, word: &str) -> bool {
        let first = word.bytes().next().filter(u8::is_ascii_lowercase);
        first.is_some_and(|first| {
            self.by_letter[usize::from(first - b'a')].iter().any(|spelling| *spelling.word == *word)
        })
    }

    /// The word that is meant by an unknown one of at least three letters.
    pub fn correct(&self, word: &str) -> Option<Correction<'_>> {
        let bytes = word.as_bytes();
        if bytes.len() < 3 || !bytes.iter().all(u8::is_ascii_lowercase) {
            return None;
        }
        let most = if bytes.len() <= 5 { 1 } else { 2 };
        let mask = letters(word);
        let same_first = &self.by_letter[usize::from(bytes[0] - b'a')];
        let swapped = self.by_letter[usize::from(bytes[1] - b'a')].iter();
        let swapped =
            swapped.filter(|spelling| bytes[0] != bytes[1] && spelling.word.as_bytes()[1] == bytes[0]);
        let mut best: Option<Correction<'_>> = None;
        for spelling in same_first.iter().chain(swapped) {
            let known = spelling.word.as_bytes();
            // Each edit changes at most two of the letters that occur.
            if known.len().abs_diff(bytes.len()) > most
                || (mask ^ spelling.letters).count_ones() as usize > 2 * most
            {
                continue;
            }
            let Some(edits) = distance(bytes, known, most) else { continue };
            let is_swap = edits == 1 && known.len() == bytes.len() && mask == spelling.letters;
            let swap = if is_swap { 0.0 } else { 0.25 };
            let last = if known.last() == bytes.last() { 0.0 } else { 0.2 };
            let first = if known[0] == bytes[0] { 0.0 } else { 0.1 };
            let found = Correction {
                distance: edits as f32 + swap + last + first,
                frequency: spelling.frequency,
                word: &spelling.word,
            };
            best = Correction::better(best, Some(found));
        }
        best
    }
}

/// Which letters occur.
fn letters(word: &str) -> u32 {
    word.bytes().fold(0, |letters, byte| letters | 1 << (byte - b'a'))
}

/// How many edits lie between two words (optimal string alignment); nothing when there are more than `most`.
fn distance(one: &[u8], other: &[u8], most: usize) -> Option<usize> {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for i in 1..=one.len() {
        let mut row = Vec::with_capacity(other.len() + 1);
        row.push(i);
        for j in 1..=other.len() {
            let differs = usize::from(one[i - 1] != other[j - 1]);
            let mut least = (above[j] + 1).min(row[j - 1] + 1).min(above[j - 1] + differs);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        if row.iter().all(|edits| *edits > most) {
            return None;
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|edits| *edits <= most)
}
