//! How well every operation serves a request.
//!
//! Concepts, the class that is asked for and a direction in; for each operation the parts of its score out.

use crate::concepts::{Alternative, Concept, Concepts};
use crate::index::{RARITY_POWER, SearchIndex};
use crate::intent;
use crate::ownership;
use crate::query::{Query, is_stop_word};
use crate::source_index::OperationFacts;
use crate::term::{Term, TermMap};
use crate::text::stem;
use crate::vectors::{self, DIMENSIONS, Direction, Vector, VectorTable, WideDirection};
use crate::verbs::{OperationClass, Votes};

/// The weights of the parts.
const WORDS: f32 = 10.0;
const NAME: f32 = 2.2;
const HEAD: f32 = 1.7;
const CLASS: f32 = 3.0;
const MEANING: f32 = 12.0;
/// What likeness counts at most.
const ALIKE: f32 = 10.0;
const OWN: f32 = 1.8;
const DEPTH: f32 = 0.12;
const DEPRECATED: f32 = 1.5;

/// How much more the meaning counts where nothing of a request is known: the less is known of it, the less its few known words tell.
const MEANING_OF_UNKNOWN: f32 = 0.8;

/// How rare a word counts for the direction: at most, and when no operation has it.
pub const RARITY_AT_MOST: f32 = 5.0;
pub const RARITY_UNKNOWN: f32 = 4.0;

/// How much of its rarity a word counts that nobody knows, or that was only found by words of like meaning.
const UNSURE: f32 = 0.3;

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
    /// How like it is, with what all operations have in common; no part of the score.
    pub alike: f32,
    /// Whether its words mean what those of the request mean, each for itself.
    pub aligned: f32,
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
        let by_words = self.words + self.name + self.head + self.class + self.meaning + self.aligned;
        by_words + self.own + self.depth + self.deprecated + self.source + self.values + self.called
    }

    /// How much the operation is about what was asked for. Words count little here: the score compares operations, and says
    /// little where the only word of a request that an API has is one that every API has.
    pub fn likeness(&self) -> f32 {
        self.alike + 0.05 * self.words + 2.5 * (self.name + self.head) + self.called
    }
}

/// What a request gives every operation.
#[derive(Debug)]
pub struct Scores {
    words: Vec<f32>,
    names: Vec<f32>,
    heads: Vec<f32>,
    /// For each class, how well an operation of it serves.
    served: Votes,
    /// Where the request points to, and the same without what all operations have in common.
    raw: Option<Vector>,
    own: Option<WideDirection>,
    mentions_own: bool,
    /// What likeness of meaning counts for this request.
    meaning_weight: f32,
}

impl Scores {
    /// Looks at every operation.
    pub fn of(query: &Query, concepts: &Concepts<'_>, index: &SearchIndex) -> Scores {
        let mut words = vec![0.0; index.len()];
        let query_terms = add_words(concepts, index, &mut words);
        let (mut names, mut heads) = (vec![0.0; index.len()], vec![0.0; index.len()]);
        for (term, weight) in &query_terms {
            let rarity = index.rarity(*term).unwrap_or_default();
            index.each(*term, |source| &source.names, |at, name| names[at] += weight * name * rarity);
            index.each(*term, |source| &source.heads, |at, head| heads[at] += weight * head);
        }
        let raw = direction(query, concepts, index);
        let own = raw.as_ref().map(|raw| {
            let mut own = *raw;
            if let Some(common) = &index.common {
                vectors::add(&mut own, common, -1.0);
            }
            Direction::of(&own).widened()
        });
        Scores {
            words,
            names,
            heads,
            served: intent::served(query, concepts, index),
            raw,
            own,
            mentions_own: ownership::mentions_own(&query.tokens),
            meaning_weight: MEANING * (1.0 + MEANING_OF_UNKNOWN * concepts.unknown_part()),
        }
    }

    /// What an operation's parts sum up to. Of most of them nothing else is asked.
    pub fn sum(&self, at: usize, index: &SearchIndex) -> f32 {
        let facts = &index.facts[at];
        let by_name = self.names[at] * NAME / (index.name_sums[at] + 1.0) + self.heads[at] * HEAD;
        let by_words = self.words[at] + by_name + self.meaning_weight * self.meaning(at, index);
        let own = if self.mentions_own && facts.is_own { OWN } else { 0.0 };
        let deprecated = if facts.is_deprecated { DEPRECATED } else { 0.0 };
        by_words + CLASS * self.class(facts) + own - DEPTH * f32::from(facts.depth) - deprecated
    }

    /// What points elsewhere than all operations do at the mean has nothing to do with the request: that is not held against it.
    fn meaning(&self, at: usize, index: &SearchIndex) -> f32 {
        self.own.as_ref().map_or(0.0, |own| own.likeness(&index.directions[at]).max(0.0))
    }

    fn class(&self, facts: &OperationFacts) -> f32 {
        let served = |class: Option<OperationClass>| class.map(|class| self.served[class as usize]);
        match (served(facts.class), served(facts.other_class)) {
            (Some(one), Some(other)) => one.max(other),
            (one, other) => one.or(other).unwrap_or_default(),
        }
    }

    /// What an operation's score is made of.
    pub fn parts(&self, at: usize, index: &SearchIndex) -> Parts {
        let facts = &index.facts[at];
        Parts {
            words: self.words[at],
            name: self.names[at] * NAME / (index.name_sums[at] + 1.0),
            head: self.heads[at] * HEAD,
            class: CLASS * self.class(facts),
            meaning: self.meaning_weight * self.meaning(at, index),
            own: if self.mentions_own && facts.is_own { OWN } else { 0.0 },
            depth: -DEPTH * f32::from(facts.depth),
            deprecated: if facts.is_deprecated { -DEPRECATED } else { 0.0 },
            ..Parts::default()
        }
    }

    /// The most that an operation can have for doing what is asked for.
    pub fn most_for_class(&self) -> f32 {
        CLASS * self.served.iter().copied().fold(0.0, f32::max)
    }

    /// How like a request and an operation are, with what all operations have in common: up to 10.
    pub fn likeness(&self, at: usize, index: &SearchIndex) -> f32 {
        let Some(raw) = &self.raw else { return 0.0 };
        let own = index.directions[at].vector();
        let shared = index.common.as_ref().map_or(0.0, |common| vectors::dot(raw, common));
        ALIKE * (shared + index.lengths[at] * vectors::dot(raw, &own))
    }
}

/// Adds the words, and gives with which weight each term was asked for, in a fixed order.
fn add_words(concepts: &Concepts<'_>, index: &SearchIndex, words: &mut [f32]) -> Vec<(Term, f32)> {
    let mut query_terms: TermMap<f32> = TermMap::default();
    let mut scratch = Scratch::new(words.len());
    let scale = words_scale(concepts, index);
    for concept in &concepts.all {
        for alternative in &concept.alternatives {
            scratch.add(alternative, index);
            note_query_terms(concept, alternative, index, &mut query_terms);
        }
        scratch.take(|at, best| words[at] += scale * concept.weight * best);
    }
    let mut query_terms: Vec<(Term, f32)> = query_terms.into_iter().collect();
    query_terms.sort_unstable_by_key(|(term, _)| *term);
    query_terms
}

/// What the sum of the concepts is multiplied by, so that long and short requests count alike. What no operation has counts there, too:
/// where it is most of a request, its few other words say little.
pub fn words_scale(concepts: &Concepts<'_>, index: &SearchIndex) -> f32 {
    let reach = |alternative: &Alternative<'_>| {
        let rarities = alternative.terms.iter().filter_map(|term| rarity_in(alternative, *term, index));
        alternative.weight * rarities.sum::<f32>()
    };
    let of_concept = |concept: &Concept<'_>| {
        let least = if concept.is_known { 0.0 } else { UNSURE * RARITY_UNKNOWN };
        concept.weight.max(0.0) * concept.alternatives.iter().map(reach).fold(least, f32::max)
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
    summed: Vec<u32>,
}

impl Scratch {
    fn new(operations: usize) -> Scratch {
        Scratch {
            best: vec![0.0; operations],
            sum: vec![0.0; operations],
            touched: Vec::new(),
            summed: Vec::new(),
        }
    }

    /// Adds an alternative.
    fn add(&mut self, alternative: &Alternative<'_>, index: &SearchIndex) {
        if let [term] = *alternative.terms {
            return self.add_term(term, alternative, index);
        }
        let (sums, summed) = (&mut self.sum, &mut self.summed);
        for term in &*alternative.terms {
            let Some(rarity) = rarity_in(alternative, *term, index) else { continue };
            index.each(
                *term,
                |source| &source.postings,
                |at, amount| {
                    if sums[at] == 0.0 {
                        summed.push(at as u32);
                    }
                    sums[at] += rarity * amount;
                },
            );
        }
        for at in self.summed.drain(..) {
            let sum = std::mem::take(&mut self.sum[at as usize]) * alternative.weight;
            let best = &mut self.best[at as usize];
            if *best == 0.0 {
                self.touched.push(at);
            }
            *best = best.max(sum);
        }
    }

    /// The same of an alternative of one term, as most are: there is nothing to sum up.
    fn add_term(&mut self, term: Term, alternative: &Alternative<'_>, index: &SearchIndex) {
        let Some(rarity) = rarity_in(alternative, term, index) else { return };
        let (bests, touched) = (&mut self.best, &mut self.touched);
        index.each(
            term,
            |source| &source.postings,
            |at, amount| {
                let best = &mut bests[at];
                if *best == 0.0 {
                    touched.push(at as u32);
                }
                let points = rarity * amount * alternative.weight;
                if points > *best {
                    *best = points;
                }
            },
        );
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
            vectors::add(&mut sum, &table.vector(row), weight * rarity.powf(RARITY_POWER));
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
