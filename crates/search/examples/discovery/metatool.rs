//! MetaTool: 199 tools with a name and a description, and 20,614 requests.
//!
//! In: a checkout of github.com/HowieHwong/MetaTool, of which two files are read. Out: a line, and the shares that were found.

use aqueduct_search::{Lexicon, SearchDocument, SearchIndex, SourceIndex};
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;

use crate::bm25::Bm25;
use crate::floors::{Shares, shares};
use crate::tally::figures;

/// Measures all requests.
#[expect(clippy::disallowed_methods, reason = "a program for measuring reads its files")]
pub fn measure(folder: &Path, lexicon: &Arc<Lexicon>) -> Shares {
    let tools: Map<String, Value> =
        serde_json::from_str(&std::fs::read_to_string(folder.join("dataset/plugin_des.json")).unwrap())
            .unwrap();
    let text =
        String::from_utf8_lossy(&std::fs::read(folder.join("dataset/data/all_clean_data.csv")).unwrap())
            .into_owned();
    let names: Vec<&String> = tools.keys().collect();
    let description = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let documents: Vec<SearchDocument<'_>> = tools
        .iter()
        .map(|(name, value)| SearchDocument {
            summary: name.as_str().into(),
            description: description(value).into(),
            ..SearchDocument::default()
        })
        .collect();
    let plain = Bm25::of(tools.iter().map(|(name, value)| format!("{name} {}", description(value))));
    let source = Arc::new(SourceIndex::build(&documents));
    let index = SearchIndex::of(vec![source], Arc::clone(lexicon));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for row in rows(&text).iter().skip(1) {
        let [query, tool, ..] = row.as_slice() else { continue };
        let Some(gold) = names.iter().position(|name| *name == tool) else { continue };
        let found = index.search(query, |_| true, 10).matches;
        ours.push(found.iter().position(|found| found.operation.operation == gold));
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
