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
}

/// Every word and phrase that stands for others.
#[derive(Debug, Default)]
pub struct Lexicon {
    /// What can be meant, each once: its stems and how it is written.
    targets: Vec<(Box<[Term]>, Box<str>)>,
    numbers: TermMap<u32>,
    /// For what is asked the numbers of what may be meant, with their weights.
    meanings: TermMap<Vec<(u32, f32)>>,
    longest: usize,
    spellings: Spellings,
}

impl Lexicon {
    /// What is shipped, and lines that operators added.
    pub fn with<'a>(extra: impl IntoIterator<Item = &'a str>) -> Lexicon {
        let shipped = texts::lexicon();
        let mut lines: Vec<&str> = shipped.lines().collect();
        for line in extra {
            lines.push(line);
        }
        Lexicon::of(lines)
    }

    /// Only these lines.
    pub fn of<'a>(lines: impl IntoIterator<Item = &'a str>) -> Lexicon {
        let mut lexicon = Lexicon { longest: 1, ..Lexicon::default() };
        let mut words = BTreeSet::new();
        for line in lines {
            lexicon.read(line, &mut words);
        }
        words.extend(VERBS.iter().flat_map(|(list, _)| list.split(' ')).map(str::to_owned));
        for word in words {
            lexicon.spellings.add(&word, 0.5);
        }
        lexicon
    }

    /// What a word or phrase may mean.
    pub fn meanings(&self, asked: Term) -> impl ExactSizeIterator<Item = Meaning<'_>> {
        let meanings = self.meanings.get(&asked).map_or(&[][..], Vec::as_slice);
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

    fn read(&mut self, line: &str, words: &mut BTreeSet<String>) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(group) = line.strip_prefix('=') {
            let group: Vec<&str> = group.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
            for asked in &group {
                group.iter().for_each(|meant| self.add(asked, meant, SAME, words));
            }
        } else if let Some((meant, asked)) = line.split_once('<') {
            for asked in asked.split(',').map(str::trim).filter(|part| !part.is_empty()) {
                meant.split('|').for_each(|meant| self.add(asked, meant.trim(), HINT, words));
            }
        }
    }

    fn add(&mut self, asked: &str, meant: &str, weight: f32, words: &mut BTreeSet<String>) {
        let weight = if asked.contains('~') { weight * WEAKER } else { weight };
        each_word(asked, |word| {
            if word.len() > 3 {
                words.insert(word.to_owned());
            }
        });
        let (asked, terms) = (stems(asked), stems(meant));
        let (Some(key), Some(target)) = (Term::sequence(&asked), Term::sequence(&terms)) else { return };
        if asked == terms {
            return;
        }
        self.longest = self.longest.max(asked.len());
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
