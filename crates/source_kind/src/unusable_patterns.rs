//! Patterns that no value can be held against: too large, or of no form that is known here. Told when a source is loaded.
//!
//! Schemas, or the text of a document with schemas in it, in; each such pattern with its place out. Nothing is compiled, and a
//! pattern that is used often is looked at once.

mod text;

pub use text::in_text;

use aqueduct_schema::{Keyword, Pattern, PatternError};
use serde_json::Value as Json;
use std::collections::HashMap;

/// The code of the diagnostics.
pub const UNUSABLE_PATTERN: &str = "UNUSABLE_PATTERN";
/// So many are named; of the others it is said how many there are.
const MOST_NAMED: usize = 20;
/// Patterns that are looked at; no source has more of its own.
const MOST_JUDGED: usize = 20_000;

/// A pattern that cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub struct UnusablePattern {
    /// Where it is: `components.schemas.Pet.pattern`.
    pub place: String,
    /// What comes of it.
    pub words: String,
}

impl UnusablePattern {
    fn new(place: String, words: &str) -> UnusablePattern {
        UnusablePattern { place, words: words.to_owned() }
    }
}

/// The first of many, and how many more there are.
pub fn first_of(mut found: Vec<UnusablePattern>) -> Vec<UnusablePattern> {
    let more = found.len().saturating_sub(MOST_NAMED);
    found.truncate(MOST_NAMED);
    if more > 0 {
        found.push(UnusablePattern::new(String::new(), &format!("{more} more patterns cannot be used")));
    }
    found
}

/// What is known of the patterns of a source.
#[derive(Debug, Default)]
pub struct PatternChecker(HashMap<String, Option<&'static str>>);

impl PatternChecker {
    /// What is wrong with a pattern.
    pub fn words(&mut self, pattern: &str) -> Option<&'static str> {
        if let Some(known) = self.0.get(pattern) {
            return *known;
        }
        if self.0.len() >= MOST_JUDGED {
            return None;
        }
        let words = Pattern::fault(pattern).map(|fault| match fault {
            PatternError::TooLarge => {
                "The pattern is too large to be used: no text can be held against it, and calls with one are refused"
            }
            PatternError::Invalid(_) => "This is no regular expression that is known here: it is not checked",
        });
        self.0.insert(pattern.to_owned(), words);
        words
    }
}

/// Those of one schema.
pub fn in_schema(schema: &Json, judge: &mut PatternChecker) -> Vec<UnusablePattern> {
    let mut found = Vec::new();
    if is_any_in(schema, judge) {
        look(schema, "", judge, &mut found);
    }
    found
}

/// True when there may be one: places are worked out only then. Files of thousands of schemas have none.
pub fn is_any_in(schema: &Json, judge: &mut PatternChecker) -> bool {
    match schema {
        Json::Array(elements) => elements.iter().any(|each| is_any_in(each, judge)),
        Json::Object(members) => members.iter().any(|(key, value)| match (key.as_str(), value) {
            ("pattern", Json::String(pattern)) => judge.words(pattern).is_some(),
            ("patternProperties", Json::Object(named)) => {
                named.iter().any(|(name, schema)| judge.words(name).is_some() || is_any_in(schema, judge))
            }
            (key, _) if Keyword::is_data(key) => false,
            (_, value) => is_any_in(value, judge),
        }),
        _ => false,
    }
}

fn look(schema: &Json, place: &str, judge: &mut PatternChecker, found: &mut Vec<UnusablePattern>) {
    let below = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match schema {
        Json::Array(elements) => {
            let indexed = elements.iter().enumerate();
            indexed.for_each(|(index, each)| look(each, &format!("{place}[{index}]"), judge, found));
        }
        Json::Object(members) => {
            for (key, value) in members {
                match value {
                    Json::String(pattern) if key == "pattern" => {
                        let words = judge.words(pattern);
                        found.extend(words.map(|words| UnusablePattern::new(below(key), words)));
                    }
                    _ if Keyword::is_data(key) => {}
                    Json::Object(named) if Keyword::is_schema_map(key) => {
                        for (name, schema) in named {
                            let is_pattern = key == "patternProperties";
                            let words = is_pattern.then(|| judge.words(name)).flatten();
                            found.extend(words.map(|words| UnusablePattern::new(below(key), words)));
                            look(schema, &format!("{}.{name}", below(key)), judge, found);
                        }
                    }
                    value => look(value, &below(key), judge, found),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
