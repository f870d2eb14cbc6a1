//! A text cut into the pieces that tokens never cross: words, numbers of up to three digits, punctuation, space.
//!
//! Text in, its pieces in order out; together they are the text. The pattern is that of the tokenizer, but for its one
//! look-ahead (`\s+(?!\S)`: of space before a word the last character belongs to the word), which is done by hand.

use regex::Regex;
use std::sync::LazyLock;

static PATTERN: LazyLock<Result<Regex, regex::Error>> = LazyLock::new(|| Regex::new(&pattern()));

fn pattern() -> String {
    let (upper, lower) = (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]");
    let (before, after) = (r"[^\r\n\p{L}\p{N}]?", "(?i:'s|'t|'re|'ve|'m|'ll|'d)?");
    [
        format!("{before}{upper}*{lower}+{after}"),
        format!("{before}{upper}+{lower}*{after}"),
        r"\p{N}{1,3}".to_owned(),
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*".to_owned(),
        r"\s*[\r\n]+".to_owned(),
        r"\s+".to_owned(),
    ]
    .join("|")
}

/// The pieces of a text.
pub fn of(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at == text.len() {
            return None;
        }
        // Every character begins one of the alternatives, so a match begins where the last one ended.
        let found = PATTERN.as_ref().ok().and_then(|pattern| pattern.find_at(text, at));
        let end = found.map_or(text.len(), |found| without_lead(text, at, found.end()));
        let piece = &text[at..end];
        at = end;
        Some(piece)
    })
}

/// The end of a piece: space that leads to a word leaves its last character to the word.
fn without_lead(text: &str, start: usize, end: usize) -> usize {
    let piece = &text[start..end];
    let is_space = piece.chars().all(char::is_whitespace) && !piece.ends_with(['\r', '\n']);
    match piece.char_indices().next_back() {
        Some((last, _)) if is_space && last > 0 && end < text.len() => start + last,
        _ => end,
    }
}
