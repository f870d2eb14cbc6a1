//! The index of one source, which is kept as long as the source does not change.
//!
//! Documents in; postings, names, and what else does not depend on other sources out.

use crate::document::SearchDocument;
use crate::fields::{self, FIELDS, FieldTerms, WordNumbers};
use crate::lists::Lists;
use crate::ownership;
use crate::phrases;
use crate::term::{Term, TermMap};
use crate::text::{first_sentence, prefix};
use crate::vectors::VectorTable;
use crate::verbs::{OperationClass, class_of, other_class_of};

/// How texts say that an operation is not to be used any more.
const IS_DEPRECATED: [&str; 3] =
    ["operation is deprecated", "endpoint is deprecated", "this method is deprecated"];

/// Marks of it: before what is said instead, and in brackets.
const MARK: &str = "deprecated:";
const MARKS_IN_BRACKETS: [&str; 2] = ["(deprecated)", "[deprecated]"];

/// How much of a description is searched for them.
const DEPRECATED_WITHIN: usize = 200;

/// How soon more of the same word says nothing more.
const SATURATION: f32 = 1.2;

/// One source.
#[derive(Debug, Default)]
pub struct SourceIndex {
    /// The terms, by their number in this source.
    pub(crate) terms: Vec<TermFacts>,
    /// For each term the operations that have it, with how much they have of it.
    pub(crate) postings: Lists<Weighted>,
    /// For each term the operations whose name has it.
    pub(crate) names: Lists<Weighted>,
    /// For each term the operations whose path ends in it.
    pub(crate) heads: Lists<Weighted>,
    /// For each term the operations whose meaning it is a part of.
    pub(crate) meanings: Lists<Weighted>,
    pub(crate) operations: Vec<OperationFacts>,
    /// Words as they are written, with the numbers of their terms.
    pub(crate) spellings: Vec<(Box<str>, u32)>,
}

/// An operation of a list, and a weight.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Weighted {
    pub(crate) operation: u32,
    pub(crate) weight: f32,
}

/// What is known of a term.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TermFacts {
    pub(crate) term: Term,
    /// In how many operations it stands in the name, path, first sentence or tags.
    pub(crate) prominent: u32,
    /// Whether a name or path has it.
    pub(crate) is_name: bool,
    /// Its row in the table of vectors.
    pub(crate) row: Option<u32>,
}

/// What is known of an operation besides its words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OperationFacts {
    pub(crate) class: Option<OperationClass>,
    /// What it does besides, where it says so.
    pub(crate) other_class: Option<OperationClass>,
    pub(crate) depth: u16,
    pub(crate) is_deprecated: bool,
    /// Whether it is about its caller.
    pub(crate) is_own: bool,
}

/// One term in one field of one operation.
#[derive(Clone, Copy, Default)]
struct Occurrence {
    operation: u32,
    field: u8,
    count: u16,
}

impl SourceIndex {
    /// Reads the documents of a source.
    pub fn build(documents: &[SearchDocument<'_>]) -> SourceIndex {
        let mut numbers = WordNumbers::default();
        let mut builder = SourceIndexBuilder::default();
        let phrases = phrases::of(documents);
        let mut operations = Vec::with_capacity(documents.len());
        for (operation, document) in documents.iter().enumerate() {
            let terms = fields::terms_of(document, phrases[operation], &mut numbers);
            operations.push(OperationFacts {
                class: class_of(document),
                other_class: other_class_of(document),
                depth: terms.depth.min(usize::from(u16::MAX)) as u16,
                is_deprecated: document.is_deprecated || says_deprecated(document),
                is_own: ownership::is_of_caller(document),
            });
            builder.add(operation as u32, &terms);
        }
        builder.finish(operations, &numbers)
    }

    /// How many operations there are.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }
}

/// Whether an operation is deprecated by its texts alone: not every document has a mark for it.
fn says_deprecated(document: &SearchDocument<'_>) -> bool {
    [&document.summary, &document.description].into_iter().any(|text| is_marked(text))
}

/// Whether a text marks all that it is about. A mark inside a sentence is one of a parameter or a field that the sentence names.
fn is_marked(text: &str) -> bool {
    let text = prefix(text, DEPRECATED_WITHIN).trim().to_lowercase();
    let begins_sentence = |(at, _): (usize, &str)| {
        let before = text[..at].trim_end_matches(|sign: char| "*_#>!~ ".contains(sign));
        before.is_empty() || before.ends_with(['.', '!', '?', '\n'])
    };
    let (first, _) = first_sentence(&text);
    let is_of_all = |mark: &str| {
        let before = first.trim_end_matches(['.', '*']).strip_suffix(mark).map(str::trim_end);
        text.match_indices(mark).any(begins_sentence)
            || before.is_some_and(|before| !before.ends_with(['`', '"', '\'']))
    };
    IS_DEPRECATED.iter().any(|words| text.contains(words))
        || text.match_indices(MARK).any(begins_sentence)
        || MARKS_IN_BRACKETS.into_iter().any(is_of_all)
}

#[derive(Default)]
struct SourceIndexBuilder {
    numbers: TermMap<u32>,
    terms: Vec<Term>,
    occurrences: Vec<(u32, Occurrence)>,
    /// By operation.
    lengths: Vec<[u32; FIELDS.len()]>,
    names: Vec<(u32, Weighted)>,
    heads: Vec<(u32, Weighted)>,
}

impl SourceIndexBuilder {
    fn number(&mut self, term: Term) -> u32 {
        let next = self.terms.len() as u32;
        let number = *self.numbers.entry(term).or_insert(next);
        if number == next {
            self.terms.push(term);
        }
        number
    }

    fn add(&mut self, operation: u32, terms: &FieldTerms) {
        for (field, terms) in terms.fields.iter().enumerate() {
            let mut numbers: Vec<u32> = terms.iter().map(|term| self.number(*term)).collect();
            numbers.sort_unstable();
            for same in numbers.chunk_by(|one, other| one == other) {
                let count = same.len().min(usize::from(u16::MAX)) as u16;
                self.occurrences.push((same[0], Occurrence { operation, field: field as u8, count }));
            }
        }
        self.lengths.push(std::array::from_fn(|field| terms.fields[field].len() as u32));
        for (term, weight) in &terms.names {
            let number = self.number(*term);
            self.names.push((number, Weighted { operation, weight: *weight }));
        }
        for term in &terms.heads {
            let number = self.number(*term);
            self.heads.push((number, Weighted { operation, weight: 1.0 / terms.heads.len() as f32 }));
        }
    }

    fn finish(self, operations: Vec<OperationFacts>, numbers: &WordNumbers) -> SourceIndex {
        let averages: [f32; FIELDS.len()] = std::array::from_fn(|field| {
            let sum: u64 = self.lengths.iter().map(|lengths| u64::from(lengths[field])).sum();
            (sum as f32 / self.lengths.len().max(1) as f32).max(1e-9)
        });
        let common = self.common_words(numbers);
        let table = VectorTable::get();
        let occurrences = Lists::of(self.terms.len(), &self.occurrences);
        let mut index = SourceIndex { operations, ..SourceIndex::default() };
        let mut postings = Vec::new();
        let mut meanings = Vec::new();
        for (number, term) in self.terms.iter().enumerate() {
            let number = number as u32;
            let row = common[number as usize].filter(|_| !fields::is_stop(*term)).and_then(|word| {
                let text = &numbers.words[word as usize].text;
                (text.len() > 1).then(|| table.row(text)).flatten()
            });
            let mut facts = TermFacts { term: *term, prominent: 0, is_name: false, row };
            for in_operation in
                occurrences.get(number).chunk_by(|one, other| one.operation == other.operation)
            {
                let operation = in_operation[0].operation;
                let lengths = &self.lengths[operation as usize];
                let (mut amount, mut meaning, mut is_prominent) = (0.0, 0.0, false);
                for occurrence in in_operation {
                    let field = usize::from(occurrence.field);
                    let rule = FIELDS[field];
                    let long = lengths[field] as f32 / averages[field];
                    amount +=
                        rule.weight * f32::from(occurrence.count) / (1.0 - rule.length + rule.length * long);
                    meaning += rule.meaning;
                    is_prominent |=
                        matches!(field, fields::NAME | fields::PATH | fields::FIRST_SENTENCE | fields::TAGS);
                    facts.is_name |= matches!(field, fields::NAME | fields::PATH);
                }
                facts.prominent += u32::from(is_prominent);
                let weight = amount / (SATURATION + amount) * (SATURATION + 1.0);
                postings.push((number, Weighted { operation, weight }));
                if facts.row.is_some() && meaning > 0.0 {
                    meanings.push((number, Weighted { operation, weight: meaning }));
                }
            }
            index.terms.push(facts);
        }
        let count = self.terms.len();
        index.postings = Lists::of(count, &postings);
        index.meanings = Lists::of(count, &meanings);
        index.names = Lists::of(count, &self.names);
        index.heads = Lists::of(count, &self.heads);
        index.spellings = numbers
            .words
            .iter()
            .filter_map(|word| Some((word.text.clone(), *self.numbers.get(&word.stem)?)))
            .filter(|(_, number)| index.terms[*number as usize].prominent > 0)
            .collect();
        index
    }

    /// For each term the number of the word that it is most often written as.
    fn common_words(&self, numbers: &WordNumbers) -> Vec<Option<u32>> {
        let mut common: Vec<Option<u32>> = vec![None; self.terms.len()];
        for (number, word) in numbers.words.iter().enumerate() {
            let Some(term) = self.numbers.get(&word.stem) else { continue };
            let best = &mut common[*term as usize];
            if best.is_none_or(|best| numbers.words[best as usize].count < word.count) {
                *best = Some(number as u32);
            }
        }
        common
    }
}
