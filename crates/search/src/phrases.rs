//! What people say for the operations of well-known APIs.
//!
//! The operations of a source in; for each what people say instead of its name out, if the source is one of the APIs of
//! `data/phrases.txt`. It is one when most of its methods and paths are there, wherever it is served.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::document::SearchDocument;
use crate::fields::is_meaningful;
use crate::term::{Term, TermMap};
use crate::texts;

/// The phrases: `# NAME` begins an API, a line is a method, a path, a tab, and phrases with semicolons between them.
static TEXT: LazyLock<String> = LazyLock::new(texts::phrases);

/// How many operations of a source must be those of an API, at least and in part.
const AT_LEAST: usize = 3;
const PART: f32 = 0.6;

static APIS: LazyLock<TermMap<Vec<(u16, &str)>>> = LazyLock::new(|| read(&TEXT));

/// For each document the phrases of its operation, with semicolons between them.
pub fn of(documents: &[SearchDocument<'_>]) -> Vec<&'static str> {
    let found: Vec<&[(u16, &'static str)]> = documents
        .iter()
        .map(|document| APIS.get(&key(&document.method, &document.path)).map_or(&[][..], Vec::as_slice))
        .collect();
    let mut counts: HashMap<u16, usize> = HashMap::new();
    for (api, _) in found.iter().copied().flatten() {
        *counts.entry(*api).or_default() += 1;
    }
    let best = counts.into_iter().max_by_key(|(api, count)| (*count, *api));
    let is_one = |count: usize| count >= AT_LEAST && count as f32 >= PART * documents.len() as f32;
    let api = best.filter(|(_, count)| is_one(*count)).map(|(api, _)| api);
    let of_api = |found: &&[(u16, &'static str)]| {
        found.iter().find(|(of, _)| Some(*of) == api).map_or("", |(_, text)| *text)
    };
    found.iter().map(of_api).collect()
}

fn read(text: &'static str) -> TermMap<Vec<(u16, &'static str)>> {
    let mut apis: TermMap<Vec<(u16, &str)>> = TermMap::default();
    let mut api = 0;
    for line in text.lines() {
        if line.starts_with('#') {
            api += 1;
        } else if let Some((operation, phrases)) = line.split_once('\t')
            && let Some((method, path)) = operation.split_once(' ')
        {
            apis.entry(key(method, path)).or_default().push((api, phrases));
        }
    }
    apis.values_mut().for_each(Vec::shrink_to_fit);
    apis
}

/// One number for a method and a path, whatever its parameters are called and whatever version it names.
fn key(method: &str, path: &str) -> Term {
    let segments = path.split('/').filter(|segment| is_meaningful(segment));
    let segments = segments.map(|segment| if segment.contains('{') { "{}" } else { segment });
    segments.map(Term::of).fold(Term::of(method), Term::then)
}
