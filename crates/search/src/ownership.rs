//! What is the caller's own: "my issues" are those of the caller.
//!
//! A request, or an operation, in; whether it is about the caller out.

use crate::document::SearchDocument;
use crate::query::{QueryToken, is_stop_word};
use crate::text::words;
use crate::verbs::Verbs;

/// Words with which one speaks of what is one's own.
const OWN: [&str; 3] = ["my", "mine", "myself"];
/// Segments of paths that stand for the caller.
const SEGMENTS: [&str; 5] = ["me", "self", "myself", "current", "current_user"];
/// Words before "user" that make it the caller.
const CALLING: [&str; 4] = ["authenticated", "current", "calling", "logged"];

/// Whether a request asks for what is the caller's own. What else it speaks of before is what it asks for: "who starred my project"
/// asks for others.
pub fn mentions_own(tokens: &[QueryToken]) -> bool {
    let is_own = |token: &QueryToken| OWN.contains(&token.word.as_str());
    let says_little = |token: &QueryToken| is_stop_word(&token.word) || Verbs::get().is_generic(token.stem);
    tokens.iter().find(|token| is_own(token) || !says_little(token)).is_some_and(is_own)
}

/// Whether an operation is about its caller, by its path or by what it is called. The one user of a path that names none is
/// the caller: `/user/repos`.
pub fn is_of_caller(document: &SearchDocument<'_>) -> bool {
    let segments: Vec<&str> = document.path.split('/').filter(|segment| !segment.is_empty()).collect();
    let is_parameter = |segment: Option<&&str>| segment.is_some_and(|segment| segment.starts_with('{'));
    let in_path = segments.iter().enumerate().any(|(at, segment)| {
        SEGMENTS.contains(segment) || at == 0 && *segment == "user" && !is_parameter(segments.get(1))
    });
    let is_named = |text: &str| {
        words(text).windows(2).any(|pair| CALLING.contains(&pair[0].as_str()) && pair[1].starts_with("user"))
    };
    in_path || is_named(&document.summary) || is_named(&document.name)
}
