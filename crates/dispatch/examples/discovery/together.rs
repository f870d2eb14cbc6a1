//! The requests about several documents, asked of all of these documents at once.
//!
//! The names of documents in; a table for what was looked at and one for what is held out, plain BM25 beside it, out.

use std::path::Path;

use crate::bm25::Bm25;
use crate::documents::Corpus;
use crate::others::Others;
use crate::queries;
use crate::ranked;
use crate::tally::{Found, Tally};

/// Measures and prints.
pub fn measure(modules: &Path, folder: &Path, names: &[&str], others: &Others) {
    let corpus = Corpus::read(modules, names);
    let (index, plain) = (corpus.index(), Bm25::of(corpus.plain_texts()));
    let (mut seen, mut held_out) = (Tally::default(), Tally::default());
    for file in queries::files(folder).iter().filter(|file| names.contains(&file.document.as_str())) {
        let tally = if file.is_held_out { &mut held_out } else { &mut seen };
        for (number, query) in file.queries.iter().enumerate() {
            let found = ranked(&corpus, &index, &plain, file, query);
            let served = others.together(names.len(), file, number);
            tally.add(&query.kind, Found { served, ..found });
        }
    }
    for (what, tally) in [("seen", seen), ("held out", held_out)] {
        let count = names.len();
        println!("\n{count} sources together, {} operations, {what}\n{}", corpus.len(), tally.table());
    }
}
