//! How well every operation serves a request.
//!
//! Concepts, the class that is asked for and a direction in; for each operation the parts of its score out.

use crate::concepts::{Alternative, Concept, Concepts};
use crate::index::SearchIndex;
use crate::intent;
use crate::ownership;
use crate::query::{Query, is_stop_word};
use crate::term::{Term, TermMap};
use crate::text::stem;
use crate::vectors::{self, DIMENSIONS, Vector, VectorTable};

/// The weights of the parts.
const WORDS: f32 = 10.0;
const NAME: f32 = 2.2;
const HEAD: f32 = 1.7;
const CLASS: f32 = 3.0;
const MEANING: f32 = 10.0;
const OWN: f32 = 1.8;
const DEPTH: f32 = 0.12;
const DEPRECATED: f32 = 1.5;

/// How rare a word counts for the direction: at most, and when no operation has it.
pub const RARITY_AT_MOST: f32 = 5.0;
pub const RARITY_UNKNOWN: f32 = 4.0;

/// What a score is made of. All parts are as they are added, those that are taken off less than 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts {
    /// Words of the request that the operation has, in any of its fields.
    pub words: f32,
    /// How much of the operation's name was asked for.
    pub name: f32,
    /// Whether the last segment of the path was asked for.
    pub head: f32,
    /// Whether it does what the verbs ask for.
    pub class: f32,
    /// Whether it means the like.
    pub meaning: f32,
    /// Whether it is about the caller, where the request is.
    pub own: f32,
    /// A long path.
    pub depth: f32,
    /// Advised against.
    pub deprecated: f32,
    /// Whether the request names its source, where there are several.
    pub source: f32,
    /// Whether it has a place for the values that the request states.
    pub values: f32,
    /// Whether the request has its very name.
    pub called: f32,
}

impl Parts {
    /// The score.
    pub fn sum(&self) -> f32 {
        let by_words = self.words + self.name + self.head + self.class + self.meaning;
        by_words + self.own + self.depth + self.deprecated + self.source + self.values + self.called
    }

    /// How much the operation is about what was asked for. Words count little here: the score compares operations, and says
    /// little where the only word of a request that an API has is one that every API has.
    pub fn likeness(&self) -> f32 {
        self.meaning + 0.05 * self.words + 2.5 * (self.name + self.head) + self.called
    }
}

/// The parts of every operation's score, by its number.
pub fn all(query: &Query, concepts: &Concepts<'_>, index: &SearchIndex) -> Vec<Parts> {
    let mut parts = vec![Parts::default(); index.len()];
    let query_terms = add_words(concepts, index, &mut parts);
    for (term, weight) in &query_terms {
        let rarity = index.rarity(*term).unwrap_or_default();
        index.each(*term, |source| &source.names, |at, name| parts[at].name += weight * name * rarity);
        index.each(*term, |source| &source.heads, |at, head| parts[at].head += weight * head);
    }
    let served = intent::served(query, concepts, index);
    let direction = direction(query, concepts, index);
    let mentions_own = ownership::mentions_own(&query.tokens);
    for (at, (parts, facts)) in parts.iter_mut().zip(&index.facts).enumerate() {
        parts.name *= NAME / (index.name_sums[at] + 1.0);
        let meaning = direction.as_ref().map_or(0.0, |direction| vectors::dot(direction, &index.vectors[at]));
        parts.deprecated = if facts.is_deprecated { -DEPRECATED } else { 0.0 };
        parts.meaning = meaning * MEANING;
        parts.head *= HEAD;
        let classes = facts.class.into_iter().chain(facts.other_class);
        let best = classes.map(|class| served[class as usize]).reduce(f32::max);
        parts.class = CLASS * best.unwrap_or_default();
        parts.own = if mentions_own && facts.is_own { OWN } else { 0.0 };
        parts.depth = -DEPTH * f32::from(facts.depth);
    }
    parts
}

/// Adds the words, and gives with which weight each term was asked for, in a fixed order.
fn add_words(concepts: &Concepts<'_>, index: &SearchIndex, parts: &mut [Parts]) -> Vec<(Term, f32)> {
    let mut query_terms: TermMap<f32> = TermMap::default();
    let mut scratch = Scratch::new(parts.len());
    for concept in &concepts.all {
        for alternative in &concept.alternatives {
            scratch.add(alternative, index);
            note_query_terms(concept, alternative, index, &mut query_terms);
        }
        scratch.take(|at, best| parts[at].words += concept.weight * best);
    }
    let scale = words_scale(concepts, index);
    parts.iter_mut().for_each(|parts| parts.words *= scale);
    let mut query_terms: Vec<(Term, f32)> = query_terms.into_iter().collect();
    query_terms.sort_unstable_by_key(|(term, _)| *term);
    query_terms
}

/// What the sum of the concepts is multiplied by, so that long and short requests count alike.
pub fn words_scale(concepts: &Concepts<'_>, index: &SearchIndex) -> f32 {
    let reach = |alternative: &Alternative<'_>| {
        let rarities = alternative.terms.iter().filter_map(|term| rarity_in(alternative, *term, index));
        alternative.weight * rarities.sum::<f32>()
    };
    let of_concept = |concept: &Concept<'_>| {
        concept.weight.max(0.0) * concept.alternatives.iter().map(reach).fold(0.0, f32::max)
    };
    let most: f32 = concepts.all.iter().map(of_concept).sum();
    if most > 0.0 { WORDS / most } else { 1.0 }
}

/// How rare a term counts as a part of an alternative.
pub fn rarity_in(alternative: &Alternative<'_>, term: Term, index: &SearchIndex) -> Option<f32> {
    let rarity = index.rarity(term)?;
    Some(alternative.rarity_cap.map_or(rarity, |cap| rarity.min(cap)))
}

/// Remembers the best weight with which each term was asked for.
fn note_query_terms(
    concept: &Concept<'_>,
    alternative: &Alternative<'_>,
    index: &SearchIndex,
    query_terms: &mut TermMap<f32>,
) {
    if concept.weight <= 0.0 {
        return;
    }
    let weight = alternative.weight * if concept.is_compound { concept.weight.min(1.0) } else { 1.0 };
    for term in alternative.terms.iter().filter(|term| index.rarity(**term).is_some()) {
        let best = query_terms.entry(*term).or_default();
        *best = best.max(weight);
    }
}

/// The best alternative of a concept for each operation, without visiting all operations.
struct Scratch {
    best: Vec<f32>,
    sum: Vec<f32>,
    touched: Vec<u32>,
}

impl Scratch {
    fn new(operations: usize) -> Scratch {
        Scratch { best: vec![0.0; operations], sum: vec![0.0; operations], touched: Vec::new() }
    }

    /// Adds an alternative.
    fn add(&mut self, alternative: &Alternative<'_>, index: &SearchIndex) {
        let mut summed: Vec<u32> = Vec::new();
        for term in &*alternative.terms {
            let Some(rarity) = rarity_in(alternative, *term, index) else { continue };
            index.each(
                *term,
                |source| &source.postings,
                |at, amount| {
                    if self.sum[at] == 0.0 {
                        summed.push(at as u32);
                    }
                    self.sum[at] += rarity * amount;
                },
            );
        }
        for at in summed {
            let sum = std::mem::take(&mut self.sum[at as usize]) * alternative.weight;
            let best = &mut self.best[at as usize];
            if *best == 0.0 {
                self.touched.push(at);
            }
            *best = best.max(sum);
        }
    }

    /// Gives what was found, and begins anew.
    fn take(&mut self, mut visit: impl FnMut(usize, f32)) {
        for at in self.touched.drain(..) {
            visit(at as usize, std::mem::take(&mut self.best[at as usize]));
        }
    }
}

/// Where the words of a request point to; nothing when the table has none of them. A word that an operator has taught points to
/// what it means.
fn direction(query: &Query, concepts: &Concepts<'_>, index: &SearchIndex) -> Option<Vector> {
    let table = VectorTable::get();
    let mut sum = [0.0; DIMENSIONS];
    let mut add = |word: &str, stem: Term, weight: f32| {
        if let Some(row) = table.row(word) {
            let rarity = index.rarity(stem).unwrap_or(RARITY_UNKNOWN).min(RARITY_AT_MOST);
            vectors::add(&mut sum, &table.vector(row), weight * rarity);
        }
    };
    let mut taught: Vec<&str> = Vec::new();
    for concept in concepts.all.iter().filter(|concept| concept.weight > 0.0) {
        let Some(meant) = concept.alternatives.iter().find(|each| each.is_taught) else { continue };
        taught.extend(concept.requested.split(' '));
        meant.text.split(' ').for_each(|word| add(word, Term::of(&stem(word)), concept.weight));
    }
    let mut seen: Vec<(&str, f32)> = Vec::new();
    for token in &query.tokens {
        let word = token.word.as_str();
        if word.is_empty()
            || token.weight <= 0.0
            || is_stop_word(word)
            || taught.contains(&word)
            || seen.contains(&(word, token.weight))
        {
            continue;
        }
        seen.push((word, token.weight));
        add(word, token.stem, token.weight);
    }
    let is_known = sum.iter().any(|number| *number != 0.0);
    vectors::unit(&mut sum);
    is_known.then_some(sum)
}
