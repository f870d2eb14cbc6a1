//! How well operations are found, measured on labelled requests; `cargo xtask bench discovery` runs this.
//!
//! In: `--modules DIR` with the documents as npm installs them, `--queries DIR` with `NAME.jsonl` or `NAME.PART.jsonl`, and
//! perhaps `--tokens FILE` with what each request costs (lists by the names of the files), `--metatool DIR`, `--only NAME`
//! and `--misses`. Out: a table for each file and for all together, plain BM25
//! beside it; time and memory with 5,000 operations. It fails below the floors of `floors.rs`, and prints the targets.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program that prints and may stop")]

mod bm25;
mod documents;
mod floors;
mod metatool;
mod queries;
mod scale;
mod tally;
mod together;

use aqueduct_search::{Lexicon, Ranking, SearchIndex, SourceIndex};
use peak_alloc::PeakAlloc;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use bm25::Bm25;
use documents::Operation;
use queries::QueryFile;
use tally::{Found, Tally};

/// Counts what is allocated.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// How many operations a request gets.
const LIMIT: usize = 10;

/// What was asked for on the command line.
#[derive(Debug, Default)]
struct Options {
    modules: PathBuf,
    queries: PathBuf,
    metatool: Option<PathBuf>,
    only: Vec<String>,
    misses: bool,
    lexicon: String,
    /// What each request costs, by the name of its file.
    tokens: Map<String, Value>,
}

fn main() {
    let options = options();
    let lexicon = Arc::new(Lexicon::with(options.lexicon.lines()));
    let mut groups: Vec<(&str, Tally)> = vec![
        ("seen", Tally::default()),
        ("held out, GitHub and Stripe", Tally::default()),
        ("held out, others", Tally::default()),
    ];
    let mut last: Option<(String, Vec<Operation>, SearchIndex, Bm25)> = None;
    let mut brief = Vec::new();
    for file in queries::files(&options.queries) {
        if !options.only.is_empty() && !options.only.iter().any(|only| file.title.starts_with(only.as_str()))
        {
            continue;
        }
        if last.as_ref().is_none_or(|(name, ..)| *name != file.document) {
            let operations = documents::read(&options.modules, &file.document);
            let (index, plain) = build(&operations, &lexicon);
            last = Some((file.document.clone(), operations, index, plain));
        }
        let (_, operations, index, plain) = last.as_ref().unwrap();
        let tokens = options.tokens.get(&file.title);
        let tally = measure(&file, operations, index, plain, tokens, options.misses && !file.is_held_out);
        println!(
            "\n{}{}, {} operations\n{}",
            file.title,
            if file.is_held_out { " (held out)" } else { "" },
            operations.len(),
            tally.table()
        );
        brief.push(format!("{:<22}{}", file.title, tally.line()));
        let group = match (file.is_held_out, file.document.as_str()) {
            (false, _) => 0,
            (true, "github" | "stripe") => 1,
            (true, _) => 2,
        };
        groups[group].1.add_all(&tally);
    }
    for (name, tally) in groups.iter().filter(|(_, tally)| !tally.is_empty()) {
        println!("\n{name}\n{}", tally.table());
    }
    println!("\n{:<22}{}", "", Tally::head());
    brief.iter().for_each(|line| println!("{line}"));
    for (name, tally) in groups.iter().filter(|(_, tally)| !tally.is_empty()) {
        println!("{name:<30}{}", tally.line());
    }
    println!();
    let mut is_held = true;
    for (bounds, (_, tally)) in [floors::GITHUB_AND_STRIPE, floors::OTHERS].iter().zip(&groups[1..]) {
        is_held &= tally.is_empty() || bounds.hold(floors::shares(&tally.ranks()));
    }
    if let Some(folder) = &options.metatool {
        is_held &= floors::METATOOL.hold(metatool::measure(folder, &lexicon));
    }
    if options.only.is_empty() {
        for names in [&["github", "stripe", "asana", "digitalocean"][..], scale::DOCUMENTS] {
            together::measure(&options.modules, &options.queries, names, &lexicon);
        }
        scale::measure(&options.modules, &options.queries, &lexicon);
    }
    if !is_held {
        println!("\na floor was missed");
        std::process::exit(1);
    }
}

fn options() -> Options {
    let mut options = Options::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--modules" => options.modules = words.next().unwrap().into(),
            "--queries" => options.queries = words.next().unwrap().into(),
            "--metatool" => options.metatool = Some(words.next().unwrap().into()),
            "--only" => options.only.extend(words.next().unwrap().split(',').map(str::to_owned)),
            "--lexicon" => options.lexicon.push_str(&read(&words.next().unwrap())),
            "--tokens" => options.tokens = serde_json::from_str(&read(&words.next().unwrap())).unwrap(),
            "--misses" => options.misses = true,
            other => panic!("unknown option {other}"),
        }
    }
    options
}

#[expect(clippy::disallowed_methods, reason = "a program for measuring reads its files")]
fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The index of a document, and plain BM25 over the same texts.
fn build(operations: &[Operation], lexicon: &Arc<Lexicon>) -> (SearchIndex, Bm25) {
    let documents: Vec<_> = operations.iter().map(Operation::document).collect();
    let source = Arc::new(SourceIndex::build(&documents));
    let plain = Bm25::of(operations.iter().map(Operation::plain_text));
    (SearchIndex::of(vec![source], Arc::clone(lexicon)), plain)
}

fn measure(
    file: &QueryFile,
    operations: &[Operation],
    index: &SearchIndex,
    plain: &Bm25,
    tokens: Option<&Value>,
    misses: bool,
) -> Tally {
    let mut tally = Tally::default();
    for (number, query) in file.queries.iter().enumerate() {
        let is_gold = |at: usize| {
            query
                .gold
                .iter()
                .any(|(method, path)| *method == operations[at].method && *path == operations[at].path)
        };
        let start = Instant::now();
        let Ranking { matches, confidence } = index.search(&query.text, |_| true, LIMIT);
        let time = start.elapsed();
        let rank = matches.iter().position(|found| is_gold(found.operation.operation));
        let plain_rank = plain.search(&query.text, LIMIT).into_iter().position(is_gold);
        if misses && rank != Some(0) {
            println!(
                "\n[{}] {} ({})",
                query.kind,
                query.text,
                rank.map_or("-".to_owned(), |rank| (rank + 1).to_string())
            );
            let all = index.search(&query.text, |_| true, index.len()).matches;
            let gold = all.iter().enumerate().find(|(_, found)| is_gold(found.operation.operation));
            let top = all.iter().enumerate().take(3);
            for (at, found) in top.chain(gold) {
                let (operation, parts) = (&operations[found.operation.operation], found.parts);
                println!(
                    "  {:>4} {:.2} = w{:.2} n{:.2} h{:.2} c{:.2} m{:.2} d{:.2} {} {} «{}»",
                    at + 1,
                    found.score,
                    parts.words,
                    parts.name,
                    parts.head,
                    parts.class,
                    parts.meaning,
                    parts.depth,
                    operation.method,
                    operation.path,
                    operation.summary
                );
            }
        }
        let tokens = tokens.and_then(|tokens| tokens[number].as_u64());
        tally.add(&query.kind, Found { rank, plain_rank, time, confidence, tokens });
    }
    tally
}
