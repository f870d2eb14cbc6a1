//! What people say, and what API documents say instead.
//!
//! Lines of text in: `= a, b, c` means each for each other; `x | y < a, b~` means that who says a or b may mean x or y,
//! and b is a weaker hint. A word or several in a row looked up, the words that may be meant out, each with a weight.

use std::collections::BTreeSet;

use crate::term::{Term, TermMap};
use crate::text::{each_word, stem};
use crate::texts;
use crate::typos::Spellings;
use crate::wordlists::VERBS;

/// The weight of words in one `=` group.
const SAME: f32 = 1.2;

/// How much more what operators say weighs, so that it is told from all that is shipped: they know their own words.
const TAUGHT: f32 = 1.5;
const IS_TAUGHT: f32 = 1.4;

/// The weight of a hint, and what `~` makes of it.
const HINT: f32 = 1.0;
const WEAKER: f32 = 0.6;

/// Words that may be meant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meaning<'a> {
    /// Their stems, in order.
    pub terms: &'a [Term],
    /// As they were written.
    pub text: &'a str,
    /// How sure it is.
    pub weight: f32,
}

impl Meaning<'_> {
    /// Whether the two sides are the same, and not only a hint.
    pub fn is_same(&self) -> bool {
        self.weight > HINT
    }

    /// Whether an operator says so.
    pub fn is_taught(&self) -> bool {
        self.weight > IS_TAUGHT
    }
}

/// Every word and phrase that stands for others.
#[derive(Debug, Default)]
pub struct Lexicon {
    /// What can be meant, each once: its stems and how it is written.
    targets: Vec<(Box<[Term]>, Box<str>)>,
    /// What is asked, in order, each with where its meanings begin; they end where the next ones begin.
    keys: Vec<(Term, u32)>,
    /// The numbers of what may be meant, with their weights.
    meanings: Vec<(u32, f32)>,
    longest: usize,
    spellings: Spellings,
}

/// A lexicon while its lines are read.
#[derive(Debug, Default)]
struct LexiconReader {
    targets: Vec<(Box<[Term]>, Box<str>)>,
    /// The number of each target.
    numbers: TermMap<u32>,
    /// For what is asked the numbers of what may be meant, with their weights.
    meanings: TermMap<Vec<(u32, f32)>>,
    longest: usize,
    /// What weights are multiplied by.
    factor: f32,
    /// The words that lines are written with.
    words: BTreeSet<String>,
}

impl Lexicon {
    /// What is shipped, and lines that operators added.
    pub fn with<'a>(extra: impl IntoIterator<Item = &'a str>) -> Lexicon {
        Lexicon::read(texts::lexicon().lines(), extra)
    }

    /// Only these lines.
    pub fn of<'a>(lines: impl IntoIterator<Item = &'a str>) -> Lexicon {
        Lexicon::read(lines, [])
    }

    fn read<'a, 'b>(
        shipped: impl IntoIterator<Item = &'a str>,
        taught: impl IntoIterator<Item = &'b str>,
    ) -> Lexicon {
        let mut reader = LexiconReader { longest: 1, factor: 1.0, ..LexiconReader::default() };
        shipped.into_iter().for_each(|line| reader.read(line));
        reader.factor = TAUGHT;
        taught.into_iter().for_each(|line| reader.read(line));
        reader.finish()
    }

    /// What a word or phrase may mean.
    pub fn meanings(&self, keys: Term) -> impl ExactSizeIterator<Item = Meaning<'_>> {
        let meanings = match self.keys.binary_search_by_key(&keys, |(term, _)| *term) {
            Ok(at) => {
                let end = self.keys.get(at + 1).map_or(self.meanings.len(), |(_, next)| *next as usize);
                &self.meanings[self.keys[at].1 as usize..end]
            }
            Err(_) => &[],
        };
        meanings.iter().map(|(target, weight)| {
            let (terms, text) = &self.targets[*target as usize];
            Meaning { terms, text, weight: *weight }
        })
    }

    /// How many words the longest phrase has.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The words that it is written with, and the verbs.
    pub fn spellings(&self) -> &Spellings {
        &self.spellings
    }
}

impl LexiconReader {
    /// The lexicon in as little memory as it takes.
    fn finish(mut self) -> Lexicon {
        self.words.extend(VERBS.iter().flat_map(|(list, _)| list.split(' ')).map(str::to_owned));
        let mut spellings = Spellings::default();
        for word in &self.words {
            spellings.add(word, 0.5);
        }
        let mut found: Vec<(Term, Vec<(u32, f32)>)> = self.meanings.into_iter().collect();
        found.sort_unstable_by_key(|(keys, _)| *keys);
        let count = found.iter().map(|(_, meanings)| meanings.len()).sum();
        let (mut keys, mut meanings) = (Vec::with_capacity(found.len()), Vec::with_capacity(count));
        for (term, of_term) in found {
            keys.push((term, meanings.len() as u32));
            meanings.extend(of_term);
        }
        let mut targets = self.targets;
        targets.shrink_to_fit();
        Lexicon { targets, keys, meanings, longest: self.longest, spellings }
    }

    fn read(&mut self, line: &str) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(group) = line.strip_prefix('=') {
            let group: Vec<&str> = group.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
            for keys in &group {
                group.iter().for_each(|meant| self.add(keys, meant, SAME));
            }
        } else if let Some((meant, keys)) = line.split_once('<') {
            for keys in keys.split(',').map(str::trim).filter(|part| !part.is_empty()) {
                meant.split('|').for_each(|meant| self.add(keys, meant.trim(), HINT));
            }
        }
    }

    fn add(&mut self, keys: &str, meant: &str, weight: f32) {
        let weight = self.factor * if keys.contains('~') { weight * WEAKER } else { weight };
        each_word(keys, |word| {
            if word.len() > 3 {
                self.words.insert(word.to_owned());
            }
        });
        let (keys, terms) = (stems(keys), stems(meant));
        let (Some(key), Some(target)) = (Term::sequence(&keys), Term::sequence(&terms)) else { return };
        if keys == terms {
            return;
        }
        self.longest = self.longest.max(keys.len());
        let next = self.targets.len() as u32;
        let target = *self.numbers.entry(target).or_insert(next);
        if target == next {
            self.targets.push((terms.into(), meant.replace('~', "").into()));
        }
        let meanings = self.meanings.entry(key).or_default();
        match meanings.iter_mut().find(|(known, _)| *known == target) {
            Some((_, known)) => *known = known.max(weight),
            None => meanings.push((target, weight)),
        }
    }
}

/// The stems of a text, in order.
fn stems(text: &str) -> Vec<Term> {
    let mut stems = Vec::new();
    each_word(text, |word| stems.push(Term::of(&stem(word))));
    stems
}
