//! Finds row IDs in text.
//!
//! In: a line of a comment. Out: the IDs in it, whole ones only: `R1.2-1` is not found inside `R1.2-11`, nor
//! `X-intro-1` inside `X-intro-10`. An ID that opens a range (`R8.2-1..11`) is marked, because a range hides its rows.

use std::sync::LazyLock;

use regex::Regex;

/// An ID found in text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub id: String,
    /// Whether the writer meant a range of rows.
    pub opens_range: bool,
}

#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled by every test run")]
static ID: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:[RMO]\d+(?:\.\d+)*|C(?:\d+(?:\.\d+)*|A\.\d+|D)|[SX]-[a-z]+)-\d+").unwrap()
});

/// The IDs of a text, in order.
pub(super) fn find(text: &str) -> Vec<Found> {
    ID.find_iter(text)
        .filter(|found| {
            !continues_to_the_left(&text[..found.start()]) && !continues_to_the_right(&text[found.end()..])
        })
        .map(|found| Found { id: found.as_str().to_owned(), opens_range: opens_range(&text[found.end()..]) })
        .collect()
}

fn continues_to_the_left(before: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

fn continues_to_the_right(after: &str) -> bool {
    let mut rest = after.chars();
    match rest.next() {
        Some('-' | '.') => rest.next().is_some_and(char::is_alphanumeric),
        Some(c) => c.is_alphanumeric() || c == '_',
        None => false,
    }
}

fn opens_range(after: &str) -> bool {
    let after = after.trim_start();
    after.starts_with("..") || after.starts_with('…') || after.starts_with("to -") || after.starts_with(", -")
}

#[cfg(test)]
mod tests;
