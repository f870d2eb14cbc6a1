//! The requests about several documents, asked of all of these documents at once.
//!
//! The names of documents in; a table for what was looked at and one for what is held out, plain BM25 beside it, out.

use aqueduct_search::{Lexicon, Ranking, SearchIndex, SourceIndex};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::LIMIT;
use crate::bm25::Bm25;
use crate::documents::{self, Operation};
use crate::others::Others;
use crate::queries::{self, QueryFile};
use crate::tally::{Found, Tally};

/// Measures and prints.
pub fn measure(modules: &Path, folder: &Path, names: &[&str], lexicon: &Arc<Lexicon>, others: &Others) {
    let sources: Vec<Vec<Operation>> = names.iter().map(|name| documents::read(modules, name)).collect();
    let build = |source: &Vec<Operation>| {
        let texts: Vec<_> = source.iter().map(Operation::document).collect();
        Arc::new(SourceIndex::build(&texts))
    };
    let index = SearchIndex::of(sources.iter().map(build).collect(), Arc::clone(lexicon));
    let plain = Bm25::of(sources.iter().flatten().map(Operation::plain_text));
    let (mut seen, mut held_out) = (Tally::default(), Tally::default());
    for file in queries::files(folder) {
        let Some(source) = names.iter().position(|name| *name == file.document) else { continue };
        let tally = if file.is_held_out { &mut held_out } else { &mut seen };
        add(&file, source, &sources, &index, &plain, others, tally);
    }
    for (what, tally) in [("seen", seen), ("held out", held_out)] {
        let count = names.len();
        println!("\n{count} sources together, {} operations, {what}\n{}", index.len(), tally.table());
    }
}

fn add(
    file: &QueryFile,
    source: usize,
    sources: &[Vec<Operation>],
    index: &SearchIndex,
    plain: &Bm25,
    others: &Others,
    tally: &mut Tally,
) {
    let before: usize = sources[..source].iter().map(Vec::len).sum();
    for (number, query) in file.queries.iter().enumerate() {
        let is_gold = |operation: &Operation| {
            query.gold.iter().any(|(method, path)| *method == operation.method && *path == operation.path)
        };
        let start = Instant::now();
        let Ranking { matches, .. } = index.search(&query.text, |_| true, LIMIT);
        let time = start.elapsed();
        let ranked = matches
            .iter()
            .map(|found| found.operation)
            .position(|found| found.source == source && is_gold(&sources[source][found.operation]));
        let bm25 = plain.search(&query.text, LIMIT).into_iter().position(|at| {
            at.checked_sub(before).and_then(|at| sources[source].get(at)).is_some_and(is_gold)
        });
        tally.add(
            &query.kind,
            Found { ranked, bm25, minilm: None, time, served: others.together(sources.len(), file, number) },
        );
    }
}
