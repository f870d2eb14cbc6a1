//! The patterns in the JSON text of a document, without parsing it: most documents have none that cannot be used.
//!
//! Text in; the patterns that cannot be used with their places out. Places are worked out only when there are some.

use super::{PatternChecker, UnusablePattern};
use aqueduct_operations::json_text::{JsonTokenKind, JsonTokens};
use aqueduct_schema::Keyword;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

const PATTERN: &str = "\"pattern\"";
const BY_PATTERN: &str = "\"patternProperties\"";

/// The patterns of a document that cannot be used.
pub fn in_text(text: &str, judge: &mut PatternChecker) -> Vec<UnusablePattern> {
    let mut suspects: Vec<(usize, &'static str)> = Vec::new();
    for (at, _) in text.match_indices(PATTERN) {
        let Some(value) = value_after(text, at + PATTERN.len()).filter(|value| value.starts_with('"')) else {
            continue;
        };
        let pattern = first::<String>(value);
        suspects.extend(pattern.and_then(|pattern| Some((at, judge.words(&pattern)?))));
    }
    for (at, _) in text.match_indices(BY_PATTERN) {
        let Some(value) = value_after(text, at + BY_PATTERN.len()).filter(|value| value.starts_with('{'))
        else {
            continue;
        };
        let named = first::<BTreeMap<String, IgnoredAny>>(value).unwrap_or_default();
        suspects.extend(named.keys().filter_map(|pattern| Some((at, judge.words(pattern)?))));
    }
    if suspects.is_empty() {
        return Vec::new();
    }
    suspects.sort_unstable();
    placed(text, &suspects)
}

/// What follows a key, from its first character on.
fn value_after(text: &str, end: usize) -> Option<&str> {
    text.get(end..)?.trim_start().strip_prefix(':').map(str::trim_start)
}

/// The first value of a text; what follows it does not matter.
fn first<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::Deserializer::from_str(text).into_iter().next()?.ok()
}

/// A step on the way to a place.
enum PathStep {
    Key(String),
    Index(usize),
}

/// Walks through the text once, and keeps the way to where it is. What stands in data or in a text is no pattern.
fn placed(text: &str, suspects: &[(usize, &'static str)]) -> Vec<UnusablePattern> {
    let mut way: Vec<PathStep> = Vec::new();
    let mut found = Vec::new();
    let mut suspects = suspects.iter().peekable();
    for token in JsonTokens::of(text.as_bytes()) {
        match token.kind {
            JsonTokenKind::OpenObject => way.push(PathStep::Key(String::new())),
            JsonTokenKind::OpenArray => way.push(PathStep::Index(0)),
            JsonTokenKind::Close => drop(way.pop()),
            JsonTokenKind::Comma => {
                if let Some(PathStep::Index(index)) = way.last_mut() {
                    *index += 1;
                }
            }
            JsonTokenKind::String => {
                let Some(&&(suspect, words)) = suspects.peek() else { break };
                if let Some(PathStep::Key(last)) = way.last_mut()
                    && value_after(text, token.end).is_some()
                {
                    *last = text.get(token.start..token.end).and_then(first::<String>).unwrap_or_default();
                    if token.start == suspect && !is_in_data(&way) {
                        found.push(UnusablePattern::new(path_of(&way), words));
                    }
                }
                while suspects.next_if(|(suspect, _)| *suspect < token.end).is_some() {}
            }
            JsonTokenKind::Colon | JsonTokenKind::Number | JsonTokenKind::Word => {}
        }
    }
    found
}

/// A property may be called like a keyword whose value is data, but only a schema stands below `properties`.
fn is_in_data(way: &[PathStep]) -> bool {
    let named = |index: usize| matches!(way.get(index), Some(PathStep::Key(key)) if key == "properties");
    way.iter().enumerate().any(|(index, step)| {
        let is_name = index > 0 && named(index - 1);
        matches!(step, PathStep::Key(key) if !is_name && (Keyword::is_data(key) || key.starts_with("x-")))
    })
}

fn path_of(way: &[PathStep]) -> String {
    let mut place = String::new();
    for step in way {
        match step {
            PathStep::Index(index) => place.push_str(&format!("[{index}]")),
            PathStep::Key(key) if place.is_empty() => place.push_str(key),
            PathStep::Key(key) => place.push_str(&format!(".{key}")),
        }
    }
    place
}
