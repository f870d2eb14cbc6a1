//! How well operations are found, measured on labelled requests; `cargo xtask bench discovery` runs this.
//!
//! In: `--modules DIR` with the documents as npm installs them, `--queries DIR` with `NAME.jsonl` or `NAME.PART.jsonl`, and
//! perhaps `--served FILE` with what servers answered, `--minilm FILE`, `--metatool DIR`, `--only NAME` and `--misses`. Out: a
//! table for each file and for all together, the ranking alone, plain BM25 and MiniLM beside it; time and memory with 5,000
//! operations. It fails below the floors and beyond the bounds of `floors.rs`, and prints the targets. `--texts FILE` only writes what is ranked.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program that prints and may stop")]

mod bm25;
mod documents;
mod floors;
mod metatool;
mod others;
mod queries;
mod scale;
mod tally;
mod together;
mod tools;

use aqueduct_dispatch::{OperationIndex, SearchOutcome};
use peak_alloc::PeakAlloc;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bm25::Bm25;
use documents::Corpus;
use others::Others;
use queries::{Query, QueryFile};
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
    others: Others,
    /// Where to write what is ranked.
    texts: Option<PathBuf>,
}

fn main() {
    let options = options();
    if let Some(file) = &options.texts {
        return write_texts(&options, file);
    }
    let unpacked = scale::unpacked_once();
    let mut groups: Vec<(&str, Tally)> = vec![
        ("seen", Tally::default()),
        ("held out, GitHub and Stripe", Tally::default()),
        ("held out, others", Tally::default()),
    ];
    let mut last: Option<(String, Corpus, OperationIndex, Bm25)> = None;
    let mut brief = Vec::new();
    for file in queries::files(&options.queries) {
        if !options.only.is_empty() && !options.only.iter().any(|only| file.title.starts_with(only.as_str()))
        {
            continue;
        }
        if last.as_ref().is_none_or(|(name, ..)| *name != file.document) {
            let corpus = Corpus::read(&options.modules, &[&file.document]);
            let (index, plain) = (corpus.index(), Bm25::of(corpus.plain_texts()));
            last = Some((file.document.clone(), corpus, index, plain));
        }
        let (_, corpus, index, plain) = last.as_ref().unwrap();
        let misses = options.misses && !file.is_held_out;
        let tally = measure(&file, corpus, index, plain, &options.others, misses);
        println!(
            "\n{}{}, {} operations\n{}",
            file.title,
            if file.is_held_out { " (held out)" } else { "" },
            corpus.len(),
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
    let mut pooled = Tally::default();
    groups[1..].iter().for_each(|(_, tally)| pooled.add_all(tally));
    groups.push(("held out, all", pooled));
    let mut is_held = true;
    for (bounds, (_, tally)) in [floors::GITHUB_AND_STRIPE, floors::OTHERS].iter().zip(&groups[1..3]) {
        is_held &= tally.is_empty() || bounds.hold(floors::shares(&tally.ranks()));
    }
    for (name, tally) in &groups[1..] {
        for (text, is_lost) in tally.unbeaten_kinds() {
            println!("{name}, {text}: {}", if is_lost { "LOST" } else { "target missed" });
            is_held &= !is_lost;
        }
    }
    if let Some(folder) = &options.metatool {
        is_held &= floors::METATOOL.hold(metatool::measure(folder));
    }
    if options.only.is_empty() {
        let files = queries::files(&options.queries);
        let all: BTreeSet<&str> = files.iter().map(|file| file.document.as_str()).collect();
        let all: Vec<&str> = all.into_iter().collect();
        for names in [&["github", "stripe", "asana", "digitalocean"][..], &all] {
            together::measure(&options.modules, &options.queries, names, &options.others);
        }
        is_held &= scale::measure(&options.modules, &options.queries, unpacked);
    }
    if !is_held {
        println!("\na floor or a bound was missed");
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
            "--served" => options.others.read_served(&read(&words.next().unwrap())),
            "--minilm" => {
                options.others.minilm = serde_json::from_str(&read(&words.next().unwrap())).unwrap()
            }
            "--texts" => options.texts = Some(words.next().unwrap().into()),
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

/// Writes the text of every operation as plain BM25 takes it, by document.
fn write_texts(options: &Options, file: &Path) {
    let files = queries::files(&options.queries);
    let documents: BTreeSet<&str> = files.iter().map(|file| file.document.as_str()).collect();
    let texts = |name: &str| Corpus::read(&options.modules, &[name]).plain_texts().collect::<Value>();
    let all: Map<String, Value> = documents.iter().map(|name| ((*name).to_owned(), texts(name))).collect();
    std::fs::write(file, serde_json::to_string(&all).unwrap()).unwrap();
}

/// Where the ranking alone and plain BM25 have the first right operation, how sure the ranking is and how long it took.
fn ranked(corpus: &Corpus, index: &OperationIndex, plain: &Bm25, file: &QueryFile, query: &Query) -> Found {
    let is_gold = |at: usize| corpus.is_gold(at, file, query);
    let start = Instant::now();
    let found = index.search(&query.text, |_| true, LIMIT);
    let time = start.elapsed();
    Found {
        ranked: found.matches.into_iter().position(is_gold),
        bm25: plain.search(&query.text, LIMIT).into_iter().position(is_gold),
        time,
        confidence: found.confidence.name(),
        ..Found::default()
    }
}

fn measure(
    file: &QueryFile,
    corpus: &Corpus,
    index: &OperationIndex,
    plain: &Bm25,
    others: &Others,
    misses: bool,
) -> Tally {
    let mut tally = Tally::default();
    for (number, query) in file.queries.iter().enumerate() {
        let found = ranked(corpus, index, plain, file, query);
        if misses && found.ranked != Some(0) {
            explain(corpus, index, file, query);
        }
        let minilm = others.minilm(file, number, |at| corpus.is_gold(at, file, query));
        let served = others.alone(file, number);
        tally.add(&query.kind, Found { minilm, served, ..found });
    }
    tally
}

/// Prints the first three operations and the first right one, with what their scores are made of.
fn explain(corpus: &Corpus, index: &OperationIndex, file: &QueryFile, query: &Query) {
    let SearchOutcome { matches: all, parts, .. } = index.search(&query.text, |_| true, corpus.len());
    let gold = all.iter().position(|at| corpus.is_gold(*at, file, query));
    println!("\n[{}] {}", query.kind, query.text);
    for rank in (0..all.len().min(3)).chain(gold) {
        let (score, parts) = (parts[rank].sum(), parts[rank]);
        println!(
            "  {:>4} {score:.2} = w{:.2} n{:.2} h{:.2} c{:.2} m{:.2} d{:.2} v{:.2} {}",
            rank + 1,
            parts.words,
            parts.name,
            parts.head,
            parts.class,
            parts.meaning,
            parts.depth,
            parts.values,
            corpus.line(all[rank])
        );
    }
}
