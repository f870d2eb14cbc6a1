//! Time and memory with 5,000 operations of many sources.

use aqueduct_search::{Lexicon, SearchIndex, SourceIndex};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::documents::{self, Operation};
use crate::queries;

/// Documents that have about 5,000 operations together.
const DOCUMENTS: &[&str] = &[
    "github", "stripe", "asana", "linode", "plaid", "trello", "spotify", "digitalocean", "vimeo", "squareup", "box",
    "jira", "netlify", "sendgrid", "mastodon",
];

/// How many operations are taken.
const OPERATIONS: usize = 5000;

/// Measures and prints.
pub fn measure(modules: &Path, folder: &Path, lexicon: &Arc<Lexicon>) {
    let mut sources: Vec<Vec<Operation>> = DOCUMENTS.iter().map(|name| documents::read(modules, name)).collect();
    let missing = OPERATIONS.saturating_sub(sources.iter().map(Vec::len).sum());
    let more: Vec<Operation> = documents::read(modules, "github").into_iter().take(missing).collect();
    sources.push(more);
    let texts: Vec<Vec<_>> =
        sources.iter().map(|source| source.iter().map(Operation::document).collect()).collect();
    let start = Instant::now();
    let built: Vec<Arc<SourceIndex>> = texts.iter().map(|texts| Arc::new(SourceIndex::build(texts))).collect();
    let of_sources = start.elapsed();
    let joining = Instant::now();
    let index = SearchIndex::of(built, Arc::clone(lexicon));
    let joined = joining.elapsed();
    let mut times = Vec::new();
    for file in queries::files(folder) {
        for query in &file.queries {
            let start = Instant::now();
            let found = index.search(&query.text, |_| true, 10).matches;
            times.push(start.elapsed().as_micros());
            assert!(!found.is_empty());
        }
    }
    times.sort_unstable();
    println!(
        "\n{} operations of {} sources: built in {:.0} ms and joined in {:.0} ms; a search takes {} µs (p50), {} µs (p99)",
        index.len(),
        sources.len(),
        of_sources.as_secs_f64() * 1e3,
        joined.as_secs_f64() * 1e3,
        times[times.len() / 2],
        times[times.len() * 99 / 100],
    );
}
