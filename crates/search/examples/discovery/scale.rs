//! Time and memory with 5,000 operations of many sources.

use aqueduct_search::{Lexicon, SearchIndex, SourceIndex};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::documents::{self, Operation};
use crate::{MEMORY, queries};

/// Documents that have about 5,000 operations together.
pub const DOCUMENTS: &[&str] = &[
    "github",
    "stripe",
    "asana",
    "linode",
    "plaid",
    "trello",
    "spotify",
    "digitalocean",
    "vimeo",
    "squareup",
    "box",
    "jira",
    "netlify",
    "sendgrid",
    "mastodon",
];

/// How many operations are taken.
const OPERATIONS: usize = 5000;

/// How often each thing is measured.
const RUNS: usize = 5;

/// Measures and prints.
pub fn measure(modules: &Path, folder: &Path, lexicon: &Arc<Lexicon>) {
    let mut sources: Vec<Vec<Operation>> =
        DOCUMENTS.iter().map(|name| documents::read(modules, name)).collect();
    let missing = OPERATIONS.saturating_sub(sources.iter().map(Vec::len).sum());
    let more: Vec<Operation> = documents::read(modules, "github").into_iter().take(missing).collect();
    sources.push(more);
    let texts: Vec<Vec<_>> =
        sources.iter().map(|source| source.iter().map(Operation::document).collect()).collect();
    let build = || -> Vec<Arc<SourceIndex>> {
        texts.iter().map(|texts| Arc::new(SourceIndex::build(texts))).collect()
    };
    let before = MEMORY.current_usage();
    let words = Lexicon::with([]);
    let of_lexicon = MEMORY.current_usage() - before;
    drop(words);
    let before = MEMORY.current_usage();
    let index = SearchIndex::of(build(), Arc::clone(lexicon));
    let memory = MEMORY.current_usage() - before;
    let building = median(RUNS, || drop(build()));
    let built = build();
    let joining = median(RUNS, || drop(SearchIndex::of(built.clone(), Arc::clone(lexicon))));
    let mut times = Vec::new();
    for file in queries::files(folder) {
        for query in &file.queries {
            times.extend(samples(RUNS, || {
                assert!(!index.search(&query.text, |_| true, 10).matches.is_empty());
            }));
        }
    }
    times.sort_by(f64::total_cmp);
    println!(
        "\n{} operations of {} sources: built in {building:.0} ms and joined in {joining:.0} ms (target: 300 ms), \
         {:.1} MB with the lexicon (15 MB); a search takes {:.3} ms (p50), {:.3} ms (p99 of {}; 1 ms)",
        index.len(),
        sources.len(),
        (memory + of_lexicon) as f64 / 1e6,
        times[times.len() / 2],
        times[times.len() * 99 / 100],
        times.len(),
    );
}

/// What each of several runs takes, in milliseconds.
fn samples(runs: usize, mut run: impl FnMut()) -> Vec<f64> {
    let one = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..runs).map(one).collect()
}

/// The median of several runs, in milliseconds: what else a machine does is not measured.
fn median(runs: usize, run: impl FnMut()) -> f64 {
    let mut times = samples(runs, run);
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}
