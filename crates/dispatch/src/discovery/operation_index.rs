//! The index by which the operations of a registry are searched: one for each source, joined for all of them.
//!
//! A registry and perhaps the index of the registry before it in, an index out. A source whose operations are the same as
//! before, by pointer, keeps what was built for it, so that a reload reads only what has changed.

use super::documents::{document, source_words};
use super::exact_names::{ExactNames, is_plain};
use super::source_names::is_source_named;
use super::stated_values::{RequestValues, without_quotations};
use aqueduct_operations::naming::words;
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::Target;
use aqueduct_search::{
    Explanation, Lexicon, Match, MatchConfidence, OperationRef, Parts, RequestHints, SearchDocument,
    SearchIndex, SourceIndex, UnknownShare,
};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// Signs with which quotations begin.
const QUOTES: [char; 6] = ['"', '\'', '`', '\u{201c}', '\u{2018}', '«'];

/// The index of all operations.
#[derive(Debug)]
pub struct OperationIndex {
    sources: Vec<IndexedSource>,
    /// The place in the registry of the first operation of each source.
    starts: Vec<usize>,
    joined: SearchIndex,
    names: ExactNames,
    words: SearchWords,
}

/// What was found.
#[derive(Debug)]
pub struct SearchOutcome {
    /// Places in the registry, best first.
    pub matches: Vec<usize>,
    /// What the score of each of them is made of.
    pub parts: Vec<Parts>,
    /// How sure it is that the first one is meant.
    pub confidence: MatchConfidence,
}

/// One source, and the operations that its index was built of.
#[derive(Debug, Clone)]
struct IndexedSource {
    name: String,
    operations: Vec<Arc<Operation>>,
    index: Arc<SourceIndex>,
}

/// What people say instead of what documents say: ours, and what the operator adds.
#[derive(Debug, Clone)]
struct SearchWords {
    synonyms: Vec<String>,
    lexicon: Arc<Lexicon>,
}

impl SearchWords {
    fn of(synonyms: &[String]) -> SearchWords {
        static OURS: OnceLock<Arc<Lexicon>> = OnceLock::new();
        let lexicon = match synonyms {
            [] => Arc::clone(OURS.get_or_init(|| Arc::new(Lexicon::with([])))),
            more => Arc::new(Lexicon::with(more.iter().map(String::as_str))),
        };
        SearchWords { synonyms: synonyms.to_vec(), lexicon }
    }
}

impl OperationIndex {
    /// Indexes every operation of a source; what the server answers itself is not searched for.
    pub fn build(
        entries: &[Arc<RegistryEntry>],
        synonyms: &[String],
        before: Option<&OperationIndex>,
    ) -> OperationIndex {
        let is_of_a_source = |entry: &RegistryEntry| !matches!(entry.operation.target, Target::BuiltIn(_));
        let same_source =
            |one: &Arc<RegistryEntry>, other: &Arc<RegistryEntry>| one.source.name == other.source.name;
        let (mut sources, mut starts, mut begin) = (Vec::new(), Vec::new(), 0);
        for chunk in entries.chunk_by(same_source) {
            if is_of_a_source(&chunk[0]) {
                let operations = chunk.iter().map(|entry| Arc::clone(&entry.operation)).collect();
                sources.push(indexed(operations, &chunk[0].source, before));
                starts.push(begin);
            }
            begin += chunk.len();
        }
        let words = match before {
            Some(before) if before.words.synonyms == synonyms => before.words.clone(),
            _ => SearchWords::of(synonyms),
        };
        let indexes = sources.iter().map(|source| Arc::clone(&source.index)).collect();
        OperationIndex {
            joined: SearchIndex::of(indexes, Arc::clone(&words.lexicon)),
            names: ExactNames::of(entries),
            sources,
            starts,
            words,
        }
    }

    /// The operations that serve a request best, by their places in the registry, as far as they are admitted and anything
    /// speaks for them.
    pub fn search(&self, request: &str, admits: impl Fn(usize) -> bool, most: usize) -> SearchOutcome {
        let admits = |operation: OperationRef| admits(self.place(operation));
        let search_words = self.without_values(request);
        let called: Vec<usize> = self.called(request).collect();
        let found = self.with_hints(request, &called, |hints| {
            self.joined.search_with(&search_words, hints, admits, most)
        });
        let speaking = found.matches.into_iter().filter(|found| found.score > 0.0);
        let (matches, parts) = speaking.map(|found| (self.place(found.operation), found.parts)).unzip();
        // It may be meant for somebody else, unless it has a name of ours. What is quoted is a value, whatever it says.
        let unquoted = without_quotations(request);
        let unknown = match called.as_slice() {
            [] if unquoted == search_words => found.unknown,
            [] => self.joined.unknown_share(&unquoted),
            _ => UnknownShare::Little,
        };
        let confidence = match (found.confidence, unknown) {
            (_, UnknownShare::All) => MatchConfidence::Weak,
            (MatchConfidence::Clear, UnknownShare::Most) => MatchConfidence::Several,
            (confidence, _) => confidence,
        };
        SearchOutcome { matches, parts, confidence }
    }

    /// Why the operation in this place, which was found with these parts of a score, serves a request as well as it does.
    pub fn explain(&self, request: &str, place: usize, parts: Parts) -> Option<Explanation> {
        let operation = self.operation_in(place)?;
        let search_words = self.without_values(request);
        self.joined.explain(&search_words, &Match { operation, score: parts.sum(), parts })
    }

    /// A request without what it has in quotes, which is a value, where the rest says what to do and with what.
    fn without_values<'r>(&self, request: &'r str) -> Cow<'r, str> {
        let rest = without_quotations(request);
        let is_shorter = rest.len() < request.len() && request.contains(QUOTES);
        if is_shorter && self.joined.says_what_to_do(&rest) { rest.into() } else { request.into() }
    }

    /// Does something with what a request tells besides its words: the sources that it names, where there are several, and
    /// which operations have a place for its values.
    fn with_hints<T>(&self, request: &str, called: &[usize], work: impl FnOnce(RequestHints<'_>) -> T) -> T {
        let search_words = words(&request.to_lowercase());
        let is_named = |source: &usize| {
            let is_of_others = |word: &str| self.joined.is_prominent_besides(*source, word);
            is_source_named(&self.sources[*source].name, &search_words, is_of_others)
        };
        let is_one = self.sources.len() < 2;
        let named: Vec<usize> =
            (0..self.sources.len()).filter(|source| !is_one && is_named(source)).collect();
        let request_values = RequestValues::of(request);
        let values = |operation: OperationRef| {
            let operation = &self.sources[operation.source].operations[operation.operation];
            request_values.as_ref().map_or(0, |values| values.places_in(operation))
        };
        let is_plain = is_plain(request);
        let called: Vec<OperationRef> = called.iter().filter_map(|place| self.operation_in(*place)).collect();
        work(RequestHints { sources: &named, operations: &called, is_plain, values: &values })
    }

    /// The places of the operations that a request calls by their names.
    fn called(&self, request: &str) -> impl Iterator<Item = usize> {
        self.names.in_request(request, |part| self.joined.says_what_to_do(part))
    }

    /// The operation in this place of the registry, if it is one of a source.
    fn operation_in(&self, place: usize) -> Option<OperationRef> {
        let source = self.starts.partition_point(|start| *start <= place).checked_sub(1)?;
        let operation = place - self.starts[source];
        (operation < self.sources[source].operations.len()).then_some(OperationRef { source, operation })
    }

    fn place(&self, operation: OperationRef) -> usize {
        self.starts[operation.source] + operation.operation
    }

    /// How many sources have the very index that they have in another one.
    #[cfg(test)]
    pub fn shared_with(&self, other: &OperationIndex) -> usize {
        let is_shared = |source: &&IndexedSource| {
            other.sources.iter().any(|each| Arc::ptr_eq(&each.index, &source.index))
        };
        self.sources.iter().filter(is_shared).count()
    }
}

fn indexed(
    operations: Vec<Arc<Operation>>,
    source: &Source,
    before: Option<&OperationIndex>,
) -> IndexedSource {
    let is_same = |known: &&IndexedSource| {
        known.name == source.name
            && known.operations.len() == operations.len()
            && known.operations.iter().zip(&operations).all(|(one, other)| Arc::ptr_eq(one, other))
    };
    if let Some(known) = before.and_then(|before| before.sources.iter().find(is_same)) {
        return known.clone();
    }
    let of_source = source_words(source, &operations);
    let documents: Vec<SearchDocument<'_>> =
        operations.iter().map(|operation| document(operation, &of_source)).collect();
    let index = Arc::new(SourceIndex::build(&documents));
    drop(documents);
    IndexedSource { name: source.name.clone(), operations, index }
}
