//! An operation to the terms of its fields.
//!
//! A document in; for each field its terms, for the name the words that tell it from others, and the words that end its
//! path out. Words are numbered on the way, so that each is stemmed once.

use std::sync::LazyLock;

use crate::document::SearchDocument;
use crate::term::{Term, TermMap, TermSet};
use crate::text::{clean, each_word, first_sentence, prefix, stem};
use crate::verbs::Verbs;
use crate::wordlists::{GENERIC, STOP};

/// The fields: name, path, first sentence, rest of the description, tags, parameters, texts about them, requests.
pub const FIELDS: [Field; 8] = [
    Field { weight: 3.0, length: 0.4, meaning: 1.0 },
    Field { weight: 2.0, length: 0.4, meaning: 0.5 },
    Field { weight: 1.0, length: 0.4, meaning: 0.5 },
    Field { weight: 0.35, length: 0.75, meaning: 0.2 },
    Field { weight: 0.6, length: 0.4, meaning: 0.3 },
    Field { weight: 0.5, length: 0.75, meaning: 0.15 },
    Field { weight: 0.12, length: 0.75, meaning: 0.0 },
    Field { weight: 2.0, length: 0.4, meaning: 0.3 },
];

/// Positions in `FIELDS`.
pub const NAME: usize = 0;
pub const PATH: usize = 1;
pub const FIRST_SENTENCE: usize = 2;
pub const DESCRIPTION: usize = 3;
pub const TAGS: usize = 4;
pub const PARAMETERS: usize = 5;
pub const PARAMETER_TEXTS: usize = 6;
pub const REQUESTS: usize = 7;

/// How a field counts.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// How much a word in it says.
    pub weight: f32,
    /// How much less in a long one: 0 not at all, 1 in proportion.
    pub length: f32,
    /// How much a word in it adds to what the operation means.
    pub meaning: f32,
}

/// How much of a description is read, and how many words about parameters.
const DESCRIPTION_CHARACTERS: usize = 1500;
const PARAMETER_WORDS: usize = 400;

static STOP_STEMS: LazyLock<TermSet> = LazyLock::new(|| stems_of(STOP));
static GENERIC_STEMS: LazyLock<TermSet> = LazyLock::new(|| stems_of(GENERIC));
static HTTP_VERBS: LazyLock<TermSet> = LazyLock::new(|| stems_of("get post put delete patch"));

fn stems_of(list: &str) -> TermSet {
    list.split(' ').map(|word| Term::of(&stem(word))).collect()
}

/// Whether a stem carries no meaning.
pub fn is_stop(stem: Term) -> bool {
    STOP_STEMS.contains(&stem)
}

/// Every word that was seen, with its stem.
#[derive(Debug, Default)]
pub struct WordNumbers {
    numbers: TermMap<u32>,
    /// By number.
    pub words: Vec<IndexedWord>,
}

/// A word as it is written.
#[derive(Debug)]
pub struct IndexedWord {
    /// Its letters.
    pub text: Box<str>,
    /// Its stem.
    pub stem: Term,
    /// How often it was seen.
    pub count: u32,
}

impl WordNumbers {
    /// The stems of a text.
    pub fn stems(&mut self, text: &str) -> Vec<Term> {
        let mut stems = Vec::new();
        self.stems_into(text, &mut stems);
        stems
    }

    fn stems_into(&mut self, text: &str, stems: &mut Vec<Term>) {
        each_word(text, |word| {
            let next = self.words.len() as u32;
            let number = *self.numbers.entry(Term::of(word)).or_insert(next);
            if number == next {
                self.words.push(IndexedWord { text: word.into(), stem: Term::of(&stem(word)), count: 0 });
            }
            let seen = &mut self.words[number as usize];
            seen.count += 1;
            stems.push(seen.stem);
        });
    }
}

/// The terms of one operation.
#[derive(Debug, Default)]
pub struct FieldTerms {
    /// By the positions in `FIELDS`.
    pub fields: [Vec<Term>; FIELDS.len()],
    /// What tells its name from others, each with a weight.
    pub names: Vec<(Term, f32)>,
    /// The last fixed segment of its path.
    pub heads: Vec<Term>,
    /// How many segments the path has.
    pub depth: usize,
}

/// Takes a document apart.
pub fn terms_of(document: &SearchDocument<'_>, phrases: &str, numbers: &mut WordNumbers) -> FieldTerms {
    let segments: Vec<&str> = document.path.split('/').filter(|segment| is_meaningful(segment)).collect();
    let fixed: Vec<&str> = segments.iter().copied().filter(|segment| !segment.starts_with('{')).collect();
    let description = clean(prefix(&document.description, 2 * DESCRIPTION_CHARACTERS));
    let (first, rest) = first_sentence(&description);
    let identifier = numbers.stems(&document.name);
    let without_verb = || identifier.iter().copied().filter(|term| !HTTP_VERBS.contains(term));
    let name: Vec<Term> =
        if document.summary.is_empty() { without_verb().collect() } else { numbers.stems(&document.summary) };
    let in_path: Vec<Vec<Term>> = segments.iter().map(|segment| numbers.stems(segment)).collect();

    let names = distinct(name.iter().copied().chain(without_verb()));
    let mut pairs: Vec<Term> = pairs(&name).chain(pairs(&identifier)).collect();
    pairs.extend(in_path.iter().flat_map(|segment| self::pairs(segment)));
    let in_fixed: Vec<Vec<Term>> = fixed.iter().map(|segment| numbers.stems(segment)).collect();
    let nouns = |segment: &Vec<Term>| {
        let counts = |term: &Term| !GENERIC_STEMS.contains(term) && !Verbs::get().is_generic(*term);
        distinct(segment.iter().copied().filter(counts))
    };
    let heads = in_fixed.iter().rev().map(nouns).find(|heads| !heads.is_empty()).unwrap_or_default();

    let mut terms = FieldTerms { heads, depth: segments.len(), ..FieldTerms::default() };
    terms.names = distinct_names(&names, in_fixed.iter().flatten().copied());
    terms.fields[NAME] = names;
    terms.fields[NAME].extend(distinct(pairs.into_iter()));
    terms.fields[PATH] = distinct(in_path.into_iter().flatten());
    let first = numbers.stems(first);
    terms.fields[FIRST_SENTENCE] = first.iter().copied().chain(self::pairs(&first)).collect();
    terms.fields[DESCRIPTION] = numbers.stems(prefix(rest, DESCRIPTION_CHARACTERS));
    for tag in &document.tags {
        numbers.stems_into(tag, &mut terms.fields[TAGS]);
    }
    for parameter in &document.parameters {
        if !parameter.is_in_path {
            numbers.stems_into(&parameter.name, &mut terms.fields[PARAMETERS]);
            for value in &parameter.values {
                numbers.stems_into(value, &mut terms.fields[PARAMETERS]);
            }
        }
        if terms.fields[PARAMETER_TEXTS].len() < PARAMETER_WORDS {
            numbers.stems_into(&clean(&parameter.description), &mut terms.fields[PARAMETER_TEXTS]);
        }
    }
    terms.fields[PARAMETER_TEXTS].truncate(PARAMETER_WORDS);
    for request in document.triggers.iter().chain(&document.examples).chain([&document.when_to_use]) {
        numbers.stems_into(request, &mut terms.fields[REQUESTS]);
    }
    for phrase in phrases.split(';') {
        let stems = numbers.stems(phrase);
        terms.fields[REQUESTS].extend(self::pairs(&stems));
        terms.fields[REQUESTS].extend(stems);
    }
    terms
}

/// Whether a segment of a path is more than a version or a prefix that all paths have.
pub fn is_meaningful(segment: &str) -> bool {
    let digits = segment.strip_prefix('v').unwrap_or(segment);
    let is_version = !digits.is_empty()
        && digits.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    !(segment.is_empty() || is_version || segment == "api" || segment == "rest")
}

/// Neighbours, without what means nothing.
fn pairs(terms: &[Term]) -> impl Iterator<Item = Term> {
    let counts = terms.iter().copied().filter(|term| !is_stop(*term));
    counts.clone().zip(counts.skip(1)).map(|(one, next)| one.then(next))
}

/// Each once, in the order in which they came.
fn distinct(terms: impl Iterator<Item = Term>) -> Vec<Term> {
    let mut seen = TermSet::default();
    terms.filter(|term| seen.insert(*term)).collect()
}

/// The words of the name, and at half their weight those that only the path has.
fn distinct_names(names: &[Term], in_path: impl Iterator<Item = Term>) -> Vec<(Term, f32)> {
    let counts = |term: &Term| !is_stop(*term) && !GENERIC_STEMS.contains(term);
    let mut weighed: Vec<(Term, f32)> =
        names.iter().copied().filter(counts).map(|term| (term, 1.0)).collect();
    for term in distinct(in_path.filter(counts)) {
        if !names.contains(&term) {
            weighed.push((term, 0.5));
        }
    }
    weighed
}
