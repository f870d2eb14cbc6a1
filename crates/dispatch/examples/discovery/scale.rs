//! Time and memory with 5,000 operations of many sources.

use aqueduct_operations::registry::LoadedSource;
use std::path::Path;
use std::time::Instant;

use crate::documents::{self, Corpus};
use crate::{MEMORY, floors, queries, tools};

/// Documents that have about 5,000 operations together.
const DOCUMENTS: &[&str] = &[
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

/// What the first index of a program takes besides itself: the texts and tables that are unpacked once, which is the lexicon,
/// the phrases, other languages and patterns. To be asked before anything else was indexed.
pub fn unpacked_once() -> usize {
    let corpus = tools::corpus("air", [("list_flights", "Lists flights")].into_iter());
    let before = MEMORY.current_usage();
    let index = corpus.index();
    // One in another language, with a typing error, so that all of it is there.
    drop(index.search("la lista de todos los vuelos, xyzzyx/abc", |_| true, 10));
    drop(index);
    MEMORY.current_usage() - before
}

/// Measures and prints, with the memory that was taken once before; true when every bound is met.
pub fn measure(modules: &Path, folder: &Path, unpacked: usize) -> bool {
    let mut sources: Vec<LoadedSource> =
        DOCUMENTS.iter().map(|name| documents::load(modules, name)).collect();
    let missing = OPERATIONS.saturating_sub(sources.iter().map(|source| source.operations.len()).sum());
    let mut more = documents::load(modules, "github");
    more.operations.truncate(missing);
    more.source.name = "more".to_owned();
    sources.push(more);
    let count = sources.len();
    let corpus = Corpus::of(sources);
    let before = MEMORY.current_usage();
    let index = corpus.index();
    let memory = MEMORY.current_usage() - before;
    let building = median(RUNS, || drop(corpus.index()));
    let joining = median(RUNS, || drop(corpus.index_after(&index)));
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
        "\n{} operations of {count} sources: indexed in {building:.0} ms, and in {joining:.0} ms where none has changed; {:.1} MB \
         of index and {:.1} MB that are unpacked once; a search takes {:.3} ms at the median of {}",
        corpus.len(),
        memory as f64 / 1e6,
        unpacked as f64 / 1e6,
        times[times.len() / 2],
        times.len(),
    );
    let held = [
        floors::SEARCH.hold(times[times.len() * 99 / 100]),
        floors::BUILDING.hold(building),
        floors::MEMORY.hold((memory + unpacked) as f64 / 1e6),
    ];
    held.into_iter().all(|is_met| is_met)
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
