//! Values behind the name of a credential in a text: `api_token: hunter2`, `"password"="x"`.
//!
//! A text in, the same without them out. Of a line of a file everything behind the name goes, for a value may have spaces; of
//! words of others the one word behind it, for they go on.

use super::MARK;
use super::names::{NamePlace, pattern};
use super::shapes::{has_digit, replaced};
use crate::naming::snake_case;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// A name with a word of a secret anywhere in it, and the beginning of its value.
static IN_LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = pattern(NamePlace::Text, r"[\w-]*");
    Regex::new(&format!(r#"(?i)({names})(["']?\s*[:=]\s*)[^\s{{\[&*#]"#)).ok()
});

/// A name that ends in one, and its value: what is counted, as in `tokens=4096`, stays.
static IN_WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = pattern(NamePlace::Text, "");
    Regex::new(&format!(r#"(?i)({names}["']?\s*[=:]\s*["']?)([^\s"',;&]{{4,}})"#)).ok()
});

/// Keys like these hold names and places, which may be shown.
const NAMES_AND_PLACES: [&str; 5] = ["_env", "_name", "_url", "_uri", "_origins"];

/// Keys that begin like these, or have `per` in them, say how much of something there may be: of the tokens that models
/// count, no secret has a most or a price.
const MEASURES: [&str; 5] = ["max", "min", "most", "least", "cost"];

/// A line of a file as far as the first name of a secret, which its mark follows.
pub fn line_without_values(line: &str) -> String {
    let Some(pattern) = IN_LINE.as_ref() else { return MARK.to_owned() };
    let keys = |found: Captures<'_>| Some((found.get(1)?.range(), found.get(2)?.end()));
    let mut secrets = pattern.captures_iter(line).filter_map(keys);
    match secrets.find(|(key, _)| !is_harmless(&line[key.clone()])) {
        Some((_, value)) => format!("{}{MARK}", &line[..value]),
        None => line.to_owned(),
    }
}

/// True for a key whose value may be shown, though a word of a secret is in it.
fn is_harmless(key: &str) -> bool {
    let name = snake_case(key);
    let mut words = name.split('_');
    let is_measure =
        words.next().is_some_and(|first| MEASURES.contains(&first)) || words.any(|word| word == "per");
    is_measure || NAMES_AND_PLACES.iter().any(|end| key.to_lowercase().ends_with(end))
}

/// Words of others without the values in them. `token: expired` says something; `token: 4f7a90c2` is one.
pub fn words_without_values(text: String) -> String {
    let Some(pattern) = IN_WORDS.as_ref() else { return MARK.to_owned() };
    replaced(text, pattern, |found| {
        let (name, word) = (&found[1], &found[2]);
        let is_assigned = name.trim_end_matches(['"', '\'']).ends_with('=');
        let is_value = is_assigned || (word.len() >= 8 && has_digit(word));
        if is_value { format!("{name}{MARK}") } else { found[0].to_owned() }
    })
}

#[cfg(test)]
mod tests;
