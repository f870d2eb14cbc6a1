//! MetaTool: 199 tools with a name and a description, and 20,614 requests.
//!
//! In: a checkout of github.com/HowieHwong/MetaTool, of which two files are read. Out: a line, and the shares that were found.
//! The tools are indexed as functions of a program are.

use serde_json::{Map, Value};
use std::path::Path;

use crate::bm25::Bm25;
use crate::floors::{Shares, shares};
use crate::tally::figures;
use crate::tools;

/// Measures all requests.
#[expect(clippy::disallowed_methods, reason = "a program for measuring reads its files")]
pub fn measure(folder: &Path) -> Shares {
    let tools: Map<String, Value> =
        serde_json::from_str(&std::fs::read_to_string(folder.join("dataset/plugin_des.json")).unwrap())
            .unwrap();
    let text =
        String::from_utf8_lossy(&std::fs::read(folder.join("dataset/data/all_clean_data.csv")).unwrap())
            .into_owned();
    let texts = tools.iter().map(|(name, text)| (name.as_str(), text.as_str().unwrap_or_default()));
    let corpus = tools::corpus("metatool", texts);
    let places: Vec<&String> = tools.keys().collect();
    let (index, plain) = (corpus.index(), Bm25::of(corpus.plain_texts()));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for row in rows(&text).iter().skip(1) {
        let [query, tool, ..] = row.as_slice() else { continue };
        let Some(gold) = places.iter().position(|name| *name == tool) else { continue };
        let found = index.search(query, |_| true, 10).matches;
        ours.push(found.iter().position(|at| *at == gold));
        theirs.push(plain.search(query, 10).into_iter().position(|at| at == gold));
    }
    println!("\nMetaTool, {} requests: {} | BM25: {}", ours.len(), figures(&ours), figures(&theirs));
    shares(&ours)
}
/// The rows of a CSV file with quotes.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut is_quoted = false;
    for char in text.chars() {
        let (row, cell) = (rows.len() - 1, rows[rows.len() - 1].len() - 1);
        match char {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => rows[row].push(String::new()),
            '\n' if !is_quoted => rows.push(vec![String::new()]),
            '\r' if !is_quoted => {}
            other => rows[row][cell].push(other),
        }
    }
    rows
}
