//! Weighed words to what they may mean.
//!
//! The words of a request in; concepts out, each with a weight and with alternatives: the word itself, what the lexicon has
//! for it or for the phrase it is in, words of like meaning where no name has it, and pairs of neighbours.

use std::borrow::Cow;

use crate::fields::is_stop;
use crate::index::SearchIndex;
use crate::lexicon::Meaning;
use crate::query::{Query, QueryToken, is_stop_word};
use crate::term::{Term, TermSet};
use crate::vectors::VectorTable;
use crate::verbs::{Verbs, Votes};

/// What a meaning of the lexicon weighs: of a phrase; of a word beside the word itself, and at most.
const PHRASE_MEANT: f32 = 0.8;
const WORD_MEANT: f32 = 0.65;
const AT_MOST: f32 = 0.95;

/// What a word weighs that only means the like, for a word that no name has.
const NEAR: f32 = 0.7;

/// To which power likeness is taken there: in many dimensions even words that mean the same agree less than by half.
const NEARNESS: f32 = 0.8;

/// What a hint weighs for a word that names have themselves.
const KNOWN: f32 = 0.6;

/// What words weigh: inside a phrase, verbs that every API has, other verbs, pairs of neighbours.
const INSIDE: f32 = 0.5;
const GENERIC_VERB: f32 = 0.35;
const VERB: f32 = 0.8;
const PAIR: f32 = 0.4;

/// One thing that a request speaks of.
#[derive(Debug)]
pub struct Concept<'a> {
    /// As it was said.
    pub requested: Cow<'a, str>,
    /// How much it says; less than 0 for what is excluded.
    pub weight: f32,
    /// Whether it is a phrase or a pair; these are asked for only as far as they weigh.
    pub is_compound: bool,
    /// Whether the operations or the lexicon have it; else only words of like meaning were found.
    pub is_known: bool,
    /// What may be meant; nothing where nobody knows the word.
    pub alternatives: Vec<Alternative<'a>>,
}

/// One thing that may be meant.
#[derive(Debug)]
pub struct Alternative<'a> {
    /// Its stems.
    pub terms: Cow<'a, [Term]>,
    /// As it is written.
    pub text: Cow<'a, str>,
    /// How sure it is.
    pub weight: f32,
    /// How rare its terms count at most.
    pub rarity_cap: Option<f32>,
    /// Whether an operator says so, who knows his words: it is as good as the word itself.
    pub is_taught: bool,
}

/// Everything that a request speaks of.
#[derive(Debug)]
pub struct Concepts<'a> {
    /// In the order of the request, phrases first.
    pub all: Vec<Concept<'a>>,
    /// For each word, whether a phrase has it.
    pub covered: Vec<bool>,
    /// What the phrases ask for.
    pub phrase_votes: Votes,
}

impl<'a> Concepts<'a> {
    /// Looks up the words of a request.
    pub fn of(query: &'a Query, index: &'a SearchIndex) -> Concepts<'a> {
        let mut concepts =
            Concepts { all: Vec::new(), covered: vec![false; query.tokens.len()], phrase_votes: [0.0; 6] };
        concepts.add_phrases(&query.tokens, index);
        concepts.add_words(&query.tokens, index);
        concepts
    }

    /// How much of its words neither the operations nor the lexicon have, up to 1.
    pub fn unknown_part(&self) -> f32 {
        let weight = |is_counted: fn(&Concept<'_>) -> bool| -> f32 {
            let words = self.all.iter().filter(|concept| !concept.is_compound && is_counted(concept));
            words.map(|concept| concept.weight.max(0.0)).sum()
        };
        let all = weight(|_| true);
        if all > 0.0 { 1.0 - weight(|concept| concept.is_known) / all } else { 0.0 }
    }

    fn add_phrases(&mut self, tokens: &'a [QueryToken], index: &'a SearchIndex) {
        for start in 0..tokens.len() {
            let longest = index.lexicon.longest().min(tokens.len() - start);
            let mut sequence = tokens[start].stem;
            for length in 2..=longest {
                let last = &tokens[start + length - 1];
                if last.is_end() {
                    break;
                }
                sequence = sequence.then(last.stem);
                let meanings: Vec<Meaning<'a>> = index.lexicon.meanings(sequence).collect();
                if meanings.is_empty() {
                    continue;
                }
                let phrase = &tokens[start..start + length];
                self.covered[start..start + length].fill(true);
                let weights = phrase.iter().map(|token| token.weight);
                let weight = weights.reduce(|one, other| if other.abs() < one.abs() { other } else { one });
                for meaning in meanings.iter().filter(|_| !phrase[0].is_forbidden) {
                    if let Some(votes) = meaning.terms.first().and_then(|first| Verbs::get().votes(*first)) {
                        for (sum, vote) in self.phrase_votes.iter_mut().zip(votes) {
                            *sum += vote * phrase[0].weight;
                        }
                    }
                }
                let known = meanings.iter().filter(|meaning| is_known(meaning, index));
                let alternatives = known.map(|meaning| Alternative {
                    terms: meaning.terms.into(),
                    text: meaning.text.into(),
                    weight: if meaning.is_taught() { 1.0 } else { PHRASE_MEANT * meaning.weight },
                    rarity_cap: None,
                    is_taught: meaning.is_taught(),
                });
                self.all.push(Concept {
                    requested: phrase
                        .iter()
                        .map(|token| token.word.as_str())
                        .collect::<Vec<_>>()
                        .join(" ")
                        .into(),
                    weight: weight.unwrap_or_default(),
                    is_compound: true,
                    is_known: true,
                    alternatives: alternatives.collect(),
                });
            }
        }
    }

    fn add_words(&mut self, tokens: &'a [QueryToken], index: &'a SearchIndex) {
        let mut seen = TermSet::default();
        for (at, token) in tokens.iter().enumerate() {
            if token.is_end() || is_stop_word(&token.word) || !seen.insert(token.stem) {
                continue;
            }
            let mut alternatives = alternatives(token, index);
            let is_known = !alternatives.is_empty();
            add_near(token, index, &mut alternatives);
            // What is no word of the language is the name of something, and says nothing.
            let is_word = || VectorTable::get().row(&token.word).is_some();
            if !alternatives.is_empty() || !Verbs::get().is_generic(token.stem) && is_word() {
                let weight =
                    token.weight * if self.covered[at] { INSIDE } else { 1.0 } * verb_weight(token.stem);
                self.all.push(Concept {
                    requested: token.word.as_str().into(),
                    weight,
                    is_compound: false,
                    is_known,
                    alternatives,
                });
            }
            let next =
                tokens[at + 1..].iter().take_while(|next| !next.is_end()).find(|next| !is_stop(next.stem));
            let Some(next) = next else { continue };
            let pair = token.stem.then(next.stem);
            if index.rarity(pair).is_some() {
                let text = format!("{} {}", token.word, next.word);
                self.all.push(Concept {
                    requested: text.clone().into(),
                    weight: PAIR * token.weight,
                    is_compound: true,
                    is_known: true,
                    alternatives: vec![Alternative {
                        terms: vec![pair].into(),
                        text: text.into(),
                        weight: 1.0,
                        rarity_cap: None,
                        is_taught: false,
                    }],
                });
            }
        }
    }
}

/// A word itself, and what the lexicon has for it.
fn alternatives<'a>(token: &'a QueryToken, index: &'a SearchIndex) -> Vec<Alternative<'a>> {
    let is_name = index.is_name(token.stem);
    let rarity = index.rarity(token.stem);
    let known = || index.lexicon.meanings(token.stem).filter(|meaning| is_known(meaning, index));
    // Few names have the short form, and these say no more than those that are written out.
    let written_out = known().find(|meaning| abbreviates(&token.word, meaning.text));
    let rarities = |meaning: &Meaning<'_>| {
        meaning.terms.iter().filter_map(|term| index.rarity(*term)).fold(0.0, f32::max)
    };
    let itself = rarity.map(|rarity| Alternative {
        terms: std::slice::from_ref(&token.stem).into(),
        text: token.word.as_str().into(),
        weight: written_out.as_ref().map_or(1.0, |meaning| (rarities(meaning) / rarity).min(1.0)),
        rarity_cap: None,
        is_taught: false,
    });
    let other_meanings = known().map(|meaning| match written_out == Some(meaning) || meaning.is_taught() {
        true => Alternative {
            terms: meaning.terms.into(),
            text: meaning.text.into(),
            weight: 1.0,
            rarity_cap: None,
            is_taught: meaning.is_taught(),
        },
        false => Alternative {
            terms: meaning.terms.into(),
            text: meaning.text.into(),
            weight: (WORD_MEANT * meaning.weight).min(AT_MOST)
                * if is_name && !meaning.is_same() { KNOWN } else { 1.0 },
            rarity_cap: rarity.filter(|_| is_name),
            is_taught: false,
        },
    });
    itself.into_iter().chain(other_meanings).collect()
}

/// Whether a word is the first letters of several, perhaps in the plural: `pr` of "pull request".
fn abbreviates(word: &str, text: &str) -> bool {
    let is_of = |word: &str| {
        word.len() > 1 && text.split(' ').filter_map(|each| each.chars().next()).eq(word.chars())
    };
    is_of(word) || word.strip_suffix('s').is_some_and(is_of)
}

/// Adds the words of like meaning, for a word that no name has.
fn add_near<'a>(token: &QueryToken, index: &SearchIndex, alternatives: &mut Vec<Alternative<'a>>) {
    if index.is_name(token.stem) || Verbs::get().is_generic(token.stem) {
        return;
    }
    let rarity_cap = index.rarity(token.stem);
    for near in index.near.nearest(&token.word) {
        if !alternatives.iter().any(|one| one.terms.contains(&near.term)) {
            alternatives.push(Alternative {
                terms: vec![near.term].into(),
                text: near.text.into(),
                weight: NEAR * near.likeness.powf(NEARNESS),
                rarity_cap,
                is_taught: false,
            });
        }
    }
}

/// Whether any operation has a word of a meaning.
fn is_known(meaning: &Meaning<'_>, index: &SearchIndex) -> bool {
    meaning.terms.iter().any(|term| index.rarity(*term).is_some())
}

/// What a word weighs as a verb.
fn verb_weight(stem: Term) -> f32 {
    let verbs = Verbs::get();
    if verbs.is_generic(stem) {
        GENERIC_VERB
    } else if verbs.votes(stem).is_some() && !verbs.is_noun(stem) {
        VERB
    } else {
        1.0
    }
}
