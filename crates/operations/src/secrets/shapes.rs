//! The looks of credentials: a table of shapes that tokens and keys have.
//!
//! A text in; what it holds, or the text without it, out. Words about credentials are no credentials. A shape is written in
//! two widths: `certain` for files, which are refused for it, and `likely` for words of others, which only lose it.

use super::MARK;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;

/// A variable or a header without a telling name may hold a key from this length on.
const SHORTEST_KEY: usize = 12;

/// Words of which each shape has one, the shape, and how it is found.
struct SecretShape {
    what: &'static str,
    /// In small letters. Most texts of a file have none, and large files have many texts.
    signs: &'static [&'static str],
    /// Nothing else looks like it.
    certain: &'static str,
    /// It may be the beginning of one, or something else. What is in the group `before` stays.
    likely: &'static str,
}

#[rustfmt::skip]
const SHAPES: &[SecretShape] = &[
    SecretShape { what: "a GitHub token", signs: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
        certain: r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})",
        likely: r"\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_.-]{6,}" },
    SecretShape { what: "a GitLab token", signs: &["glpat-"],
        certain: r"\bglpat-[A-Za-z0-9_-]{16,}",
        likely: r"\bglpat-[A-Za-z0-9_.-]{6,}" },
    SecretShape { what: "a Stripe key", signs: &["_live_", "_test_"],
        certain: r"\b[sprk]k_(?:live|test)_[A-Za-z0-9]{10,}",
        likely: r"\b[sprk]k_(?:live|test)_[A-Za-z0-9_.-]{6,}" },
    SecretShape { what: "a secret key", signs: &["sk-"],
        certain: r"\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}",
        likely: r"\bsk-[A-Za-z0-9_.-]{6,}" },
    SecretShape { what: "a Slack token", signs: &["xox"],
        certain: r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
        likely: r"\bxox[abeoprs]-[A-Za-z0-9_.-]{6,}" },
    SecretShape { what: "a Google API key", signs: &["aiza"],
        certain: r"\bAIza[A-Za-z0-9_-]{30,}",
        likely: r"\bAIza[A-Za-z0-9_.-]{6,}" },
    SecretShape { what: "a Google access token", signs: &["ya29."],
        certain: r"\bya29\.[A-Za-z0-9_-]{20,}",
        likely: r"\bya29\.[A-Za-z0-9_.-]{6,}" },
    SecretShape { what: "an npm token", signs: &["npm_"],
        certain: r"\bnpm_[A-Za-z0-9]{30,}",
        likely: r"\bnpm_[A-Za-z0-9_.-]{6,}" },
    SecretShape { what: "an AWS access key", signs: &["akia", "asia"],
        certain: r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        likely: r"\b(?:AKIA|ASIA)[A-Za-z0-9_.-]{6,}" },
    SecretShape { what: "a JSON Web Token", signs: &["eyj"],
        certain: r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
        likely: r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?" },
    // A certificate is no secret, but no error needs to hold one.
    SecretShape { what: "a private key", signs: &["private key"],
        certain: r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
        likely: r"(?s)-----BEGIN [A-Z ]+-----.*?(?:-----END [A-Z ]+-----|\z)" },
    SecretShape { what: "a bearer token", signs: &["bearer"],
        certain: r"(?i)\bbearer\s+[A-Za-z0-9._~+/=-]*\d[A-Za-z0-9._~+/=-]{12,}",
        likely: r"(?i)\b(?<before>(?:bearer|token|apikey)\s+)(?<digits>[A-Za-z0-9._~+/=-]{8,})" },
    SecretShape { what: "basic credentials", signs: &["basic"],
        certain: r"(?i)\bbasic\s+(?:[a-z0-9+/]{8,}={1,2}|[a-z+/]*\d[a-z0-9+/]{10,})",
        likely: r"(?i)\b(?<before>basic\s+)(?<digits>[A-Za-z0-9._~+/=-]{8,})" },
    SecretShape { what: "a URL with a password", signs: &["@"],
        certain: r"(?i)\b[a-z][a-z0-9+.-]*://[^\s/:@?#]*:[^\s/@?#]+@",
        likely: r"(?i)\b[a-z][a-z0-9+.-]*://[^\s/@:]*:[^\s/@]+@\S+" },
];

/// Parts of what documentation writes in the place of a credential.
const PLACEHOLDERS: [&str; 8] =
    ["xxxx", "your", "example", "placeholder", "changeme", "redacted", "user:pass", "username:pass"];

/// Each shape with a pattern of one width.
type Patterns = LazyLock<Vec<(&'static SecretShape, Regex)>>;

/// A pattern that does not compile is a mistake that the tests find; it must not take the process down.
fn compiled(width: fn(&SecretShape) -> &'static str) -> Vec<(&'static SecretShape, Regex)> {
    SHAPES.iter().filter_map(|shape| Some((shape, Regex::new(width(shape)).ok()?))).collect()
}

static CERTAIN: Patterns = LazyLock::new(|| compiled(|shape| shape.certain));
static LIKELY: Patterns = LazyLock::new(|| compiled(|shape| shape.likely));

/// Long words, which may be random.
static LONG: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b[A-Za-z0-9_-]{32,}").ok());

/// What the first credential in a text is, if there is one. Documentation shows where a token goes: `ghp_xxxxxxxx` and
/// `YOUR_TOKEN` are no one's.
pub fn first_in(text: &str) -> Option<&'static str> {
    let small = text.to_ascii_lowercase();
    let may_hold = |shape: &SecretShape| shape.signs.iter().any(|sign| small.contains(sign));
    let real = |pattern: &Regex| pattern.find_iter(text).any(|found| !is_placeholder(found.as_str()));
    let found = CERTAIN.iter().find(|(shape, pattern)| may_hold(shape) && real(pattern));
    found.map(|(shape, _)| shape.what)
}

fn is_placeholder(credential: &str) -> bool {
    let word = credential.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|part| word.contains(part))
}

/// The text without what is a credential for certain.
pub fn without_certain(text: String) -> String {
    CERTAIN.iter().fold(text, |text, (_, pattern)| replaced(text, pattern, |_| MARK.to_owned()))
}

/// The text without whatever is likely to be a credential: it errs on the side of taking out too much.
pub fn without_likely(text: String) -> String {
    LIKELY.iter().fold(text, |text, (_, pattern)| {
        replaced(text, pattern, |found| match (found.name("before"), found.name("digits")) {
            (_, Some(word)) if !has_digit(word.as_str()) => found[0].to_owned(),
            (before, _) => format!("{}{MARK}", before.map_or("", |before| before.as_str())),
        })
    })
}

/// The text without long words that look random.
pub fn without_random(text: String) -> String {
    let Some(long) = LONG.as_ref() else { return MARK.to_owned() };
    replaced(text, long, |found| if looks_random(&found[0]) { MARK.to_owned() } else { found[0].to_owned() })
}

/// The text with its matches replaced.
pub(super) fn replaced(text: String, pattern: &Regex, by: impl Fn(&Captures<'_>) -> String) -> String {
    match pattern.replace_all(&text, by) {
        Cow::Borrowed(_) => text,
        Cow::Owned(changed) => changed,
    }
}

pub(super) fn has_digit(word: &str) -> bool {
    word.bytes().any(|b| b.is_ascii_digit())
}

/// Mixed, and no UUID.
fn looks_random(word: &str) -> bool {
    let count = |test: fn(&u8) -> bool| word.as_bytes().iter().filter(|b| test(b)).count();
    let (digits, upper, lower) =
        (count(u8::is_ascii_digit), count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    let is_uuid = word.len() == 36 && word.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    !is_uuid && upper + lower > 0 && (digits >= 4 || (digits >= 1 && upper >= 1 && lower >= 1))
}

/// True for a value in settings that may be a key, whatever its name: letters and digits without a space, long enough to be
/// hard to guess.
pub fn looks_like_a_key(value: &str) -> bool {
    value.chars().count() >= SHORTEST_KEY
        && value.contains(|c: char| c.is_ascii_alphabetic())
        && has_digit(value)
        && !value.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests;
