//! Files of labelled requests.

use serde_json::Value;
use std::path::Path;

/// Documents whose requests no one looked at while the ranking was made, and parts of others.
const HELD_OUT: &[&str] = &[
    "squareup",
    "box",
    "jira",
    "netlify",
    "sendgrid",
    "mastodon",
    "github.fresh",
    "stripe.fresh",
    "squareup.negated",
    "box.negated",
    "jira.negated",
    "netlify.negated",
    "mastodon.negated",
    "github.negated",
    "stripe.negated",
];

/// One file.
#[derive(Debug)]
pub struct QueryFile {
    /// Its name without the ending.
    pub title: String,
    /// The document that it is about.
    pub document: String,
    pub is_held_out: bool,
    pub queries: Vec<Query>,
}

/// One request and the operations that serve it.
#[derive(Debug)]
pub struct Query {
    pub text: String,
    pub kind: String,
    /// Methods and paths.
    pub gold: Vec<(String, String)>,
}

/// Every file of a folder, in order.
pub fn files(folder: &Path) -> Vec<QueryFile> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

#[expect(clippy::disallowed_methods, reason = "a program for measuring reads its files")]
fn read(path: &Path) -> QueryFile {
    let title = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let text = std::fs::read_to_string(path).unwrap();
    let queries = text.lines().filter(|line| !line.trim().is_empty()).map(|line| {
        let value: Value = serde_json::from_str(line).unwrap();
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        let gold =
            value["gold"].as_array().unwrap().iter().map(|gold| (word(&gold["method"]), word(&gold["path"])));
        Query { text: word(&value["query"]), kind: word(&value["kind"]), gold: gold.collect() }
    });
    QueryFile {
        document: title.split('.').next().unwrap().to_owned(),
        is_held_out: HELD_OUT.contains(&title.as_str()),
        queries: queries.collect(),
        title,
    }
}
