//! The index of several sources at once.
//!
//! The indexes of the sources in; what depends on all of them out: how rare each term is, how much a name says, what an
//! operation means, and the words that typing errors are corrected to.

use std::ops::Range;
use std::sync::Arc;

use crate::lexicon::Lexicon;
use crate::lists::Lists;
use crate::near::NearWords;
use crate::source_index::{OperationFacts, SourceIndex, Weighted};
use crate::term::{Term, TermMap, TermSet};
use crate::text::stem;
use crate::typos::Spellings;
use crate::vectors::{self, DIMENSIONS, Direction, Vector, VectorTable};

/// How much an occurrence outside the prominent fields counts for the rarity of a term.
const ELSEWHERE: f32 = 0.25;

/// How rare a term is that all operations have.
const EVERYWHERE: f32 = 0.1;

/// How much a word adds to what an operation means, at least, that tells what it is: one of its name, path or first sentence.
const OWN_MEANING: f32 = 0.5;

/// To which power the rarity of a word is taken for what an operation means, and a request: there the words of every operation say
/// something, too.
pub const RARITY_POWER: f32 = 0.7;

/// How many operations have half of what they have in common taken off: of two or three it is not known what is common.
const FEW: f32 = 20.0;

/// An operation: the position of its source, and its own position among the documents of that source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperationRef {
    /// The position of the source.
    pub source: usize,
    /// The position of the document.
    pub operation: usize,
}

/// All sources.
#[derive(Debug, Default)]
pub struct SearchIndex {
    pub(crate) lexicon: Arc<Lexicon>,
    sources: Vec<Arc<SourceIndex>>,
    /// The number of the first operation of each source, and of all operations.
    starts: Vec<u32>,
    numbers: TermMap<u32>,
    terms: Vec<TermSum>,
    /// For each term its sources, and its number there.
    places: Lists<(u32, u32)>,
    pub(crate) facts: Vec<OperationFacts>,
    /// How much all words of the name say together.
    pub(crate) name_sums: Vec<f32>,
    /// What each operation means, without what all of them have in common.
    pub(crate) directions: Vec<Direction>,
    /// How long each was before its length became 1.
    pub(crate) lengths: Vec<f32>,
    /// What all of them have in common.
    pub(crate) common: Option<Box<Vector>>,
    /// For each operation the rows of the words that tell what it is. The table has fewer than 16 bits can count.
    pub(crate) own_rows: Lists<u16>,
    pub(crate) spellings: Spellings,
    pub(crate) near: NearWords,
}

/// What is known of a term over all sources.
#[derive(Debug, Clone, Copy, Default)]
struct TermSum {
    prominent: u32,
    all: u32,
    is_name: bool,
    rarity: f32,
}

impl SearchIndex {
    /// Joins sources. Costs little beside building them.
    pub fn of(sources: Vec<Arc<SourceIndex>>, lexicon: Arc<Lexicon>) -> SearchIndex {
        let mut index = SearchIndex { lexicon, sources, ..SearchIndex::default() };
        index.starts.push(0);
        let mut places = Vec::new();
        for (position, source) in index.sources.iter().enumerate() {
            index.facts.extend(&source.operations);
            index.starts.push(index.facts.len() as u32);
            for (number, facts) in source.terms.iter().enumerate() {
                let next = index.terms.len() as u32;
                let sum = *index.numbers.entry(facts.term).or_insert(next);
                if sum == next {
                    index.terms.push(TermSum::default());
                }
                places.push((sum, (position as u32, number as u32)));
                let sum = &mut index.terms[sum as usize];
                sum.prominent += facts.prominent;
                sum.all += source.postings.get(number as u32).len() as u32;
                sum.is_name |= facts.is_name;
            }
        }
        index.places = Lists::of(index.terms.len(), &places);
        let operations = index.facts.len() as f32;
        for term in &mut index.terms {
            term.rarity = rarity(term, operations);
        }
        index.sum_names_and_meanings();
        index.spellings = index.all_spellings();
        index.near = index.near_words();
        index
    }

    /// How many operations there are.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// How rare a term is; nothing when no operation has it.
    pub(crate) fn rarity(&self, term: Term) -> Option<f32> {
        self.sum(term).map(|sum| sum.rarity)
    }

    /// Whether a name or path has it.
    pub(crate) fn is_name(&self, term: Term) -> bool {
        self.sum(term).is_some_and(|sum| sum.is_name)
    }

    /// Whether a name, path, first sentence or tag of another source than this one has a word.
    pub fn is_prominent_besides(&self, source: usize, word: &str) -> bool {
        let Some(number) = self.numbers.get(&Term::of(&stem(word))) else { return false };
        let is_prominent = |(other, number): &(u32, u32)| {
            *other as usize != source && self.sources[*other as usize].terms[*number as usize].prominent > 0
        };
        self.places.get(*number).iter().any(is_prominent)
    }

    /// The numbers of the operations of a source.
    pub(crate) fn numbers_of(&self, source: usize) -> Range<usize> {
        let at = |source: usize| self.starts.get(source).map_or(0, |start| *start as usize);
        at(source)..at(source + 1).max(at(source))
    }

    /// Whether a word is in use: a name, path, first sentence or tag has it, or more than one operation.
    pub(crate) fn is_in_use(&self, term: Term) -> bool {
        self.sum(term).is_some_and(|sum| sum.prominent > 0 || sum.all > 1)
    }

    fn sum(&self, term: Term) -> Option<&TermSum> {
        self.numbers.get(&term).map(|number| &self.terms[*number as usize])
    }

    /// Visits every operation of one of a term's lists, with its weight there.
    pub(crate) fn each(
        &self,
        term: Term,
        list: impl Fn(&SourceIndex) -> &Lists<Weighted>,
        mut visit: impl FnMut(usize, f32),
    ) {
        let Some(number) = self.numbers.get(&term) else { return };
        for (source, number) in self.places.get(*number) {
            let start = self.starts[*source as usize];
            for weighted in list(&self.sources[*source as usize]).get(*number) {
                visit((start + weighted.operation) as usize, weighted.weight);
            }
        }
    }

    /// Whether one of a term's lists has an operation. Sources and the operations of a list are in order.
    pub(crate) fn has(
        &self,
        term: Term,
        operation: usize,
        list: impl Fn(&SourceIndex) -> &Lists<Weighted>,
    ) -> bool {
        let Some(number) = self.numbers.get(&term) else { return false };
        let OperationRef { source, operation } = self.operation(operation);
        let places = self.places.get(*number);
        let Ok(at) = places.binary_search_by_key(&(source as u32), |(source, _)| *source) else {
            return false;
        };
        let weighted = list(&self.sources[source]).get(places[at].1);
        weighted.binary_search_by_key(&(operation as u32), |weighted| weighted.operation).is_ok()
    }

    /// Which operation has a number.
    pub(crate) fn operation(&self, number: usize) -> OperationRef {
        let source = self.starts.partition_point(|start| *start as usize <= number) - 1;
        OperationRef { source, operation: number - self.starts[source] as usize }
    }

    /// The number of an operation.
    pub(crate) fn number(&self, operation: OperationRef) -> Option<usize> {
        let source = self.sources.get(operation.source)?;
        (operation.operation < source.len())
            .then(|| self.starts[operation.source] as usize + operation.operation)
    }

    fn sum_names_and_meanings(&mut self) {
        let table = VectorTable::get();
        self.name_sums = vec![0.0; self.facts.len()];
        let mut vectors: Vec<Vector> = vec![[0.0; DIMENSIONS]; self.facts.len()];
        let mut own_rows = Vec::new();
        for (source, start) in self.sources.iter().zip(&self.starts) {
            for (number, facts) in source.terms.iter().enumerate() {
                let rarity = self.sum(facts.term).map_or(0.0, |sum| sum.rarity);
                for name in source.names.get(number as u32) {
                    self.name_sums[(start + name.operation) as usize] += name.weight * rarity;
                }
                let Some(row) = facts.row else { continue };
                let vector = table.vector(row);
                let weight = rarity.powf(RARITY_POWER);
                for meaning in source.meanings.get(number as u32) {
                    let operation = start + meaning.operation;
                    vectors::add(&mut vectors[operation as usize], &vector, meaning.weight * weight);
                    if meaning.weight >= OWN_MEANING {
                        own_rows.push((operation, row as u16));
                    }
                }
            }
        }
        self.own_rows = Lists::of(self.facts.len(), &own_rows);
        let mut common = [0.0; DIMENSIONS];
        for vector in &mut vectors {
            vectors::unit(vector);
            vectors::add(&mut common, vector, 1.0);
        }
        let part = 1.0 / (vectors.len() as f32 + FEW);
        common.iter_mut().for_each(|number| *number *= part);
        // As much memory as they take, and no more.
        self.lengths.reserve_exact(vectors.len());
        self.directions.reserve_exact(vectors.len());
        for vector in &mut vectors {
            vectors::add(vector, &common, -1.0);
            self.lengths.push(vectors::dot(vector, vector).sqrt());
            self.directions.push(Direction::of(vector));
        }
        self.common = Some(Box::new(common));
    }

    /// The words of names, paths, first sentences and tags.
    fn near_words(&self) -> NearWords {
        let mut seen = TermSet::default();
        let facts = self.sources.iter().flat_map(|source| &source.terms).filter(|facts| facts.prominent > 0);
        let words = facts.filter_map(|facts| Some((facts.term, facts.row?)));
        NearWords::of(words.filter(|(term, _)| seen.insert(*term)))
    }

    fn all_spellings(&self) -> Spellings {
        let frequency = |term: Term| self.sum(term).map_or(0.0, frequency);
        Spellings::of(self.sources.iter().flat_map(|source| {
            let of_source = source.spellings.iter();
            of_source.map(move |(word, number)| (&**word, frequency(source.terms[*number as usize].term)))
        }))
    }
}

/// In how many operations a term stands.
fn frequency(term: &TermSum) -> f32 {
    term.prominent as f32 + ELSEWHERE * (term.all - term.prominent) as f32
}

fn rarity(term: &TermSum, operations: f32) -> f32 {
    let frequency = frequency(term);
    if frequency >= operations {
        return EVERYWHERE;
    }
    (1.0 + (operations - frequency + 0.5) / (frequency + 0.5)).ln()
}
