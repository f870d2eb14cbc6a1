//! The looks of credentials: texts that nothing but a token or a key looks like.
//!
//! A text in; what it holds, or the text without it, out. Words about credentials are no credentials.

use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// What stands in the place of a credential.
pub const HIDDEN: &str = "[REDACTED]";

/// Texts that nothing but a credential looks like, and what each one is.
const SHAPES: &[(&str, &str)] = &[
    ("a GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})"),
    ("a GitLab token", r"\bglpat-[A-Za-z0-9_-]{16,}"),
    ("a Stripe key", r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}"),
    ("a secret key", r"\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}"),
    ("a Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("a Google API key", r"\bAIza[A-Za-z0-9_-]{30,}"),
    ("an AWS access key", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("a JSON Web Token", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    ("a private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    ("a bearer token", r"(?i)\bbearer\s+[A-Za-z0-9._~+/=-]*\d[A-Za-z0-9._~+/=-]{12,}"),
    ("basic credentials", r"(?i)\bbasic\s+(?:[a-z0-9+/]{8,}={1,2}|[a-z+/]*\d[a-z0-9+/]{10,})"),
    ("a URL with a password", r"\b[a-z][a-z0-9+.-]*://[^\s/:@?#]+:[^\s/@?#]+@"),
];

static PATTERNS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    SHAPES.iter().filter_map(|(what, pattern)| Some((*what, Regex::new(pattern).ok()?))).collect()
});

/// What the first credential in a text is, if there is one. Documentation shows where a token goes: `ghp_xxxxxxxx` and
/// `YOUR_TOKEN` are nobody's.
pub fn first_in(text: &str) -> Option<&'static str> {
    if !may_hold(text) {
        return None;
    }
    let real = |pattern: &Regex| pattern.find_iter(text).any(|found| !is_placeholder(found.as_str()));
    PATTERNS.iter().find(|(_, pattern)| real(pattern)).map(|(what, _)| *what)
}

/// Words of which every shape has one. Most texts of a file have none, and large files have many texts.
const SIGNS: [&str; 18] = [
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "_live_",
    "_test_",
    "sk-",
    "xox",
    "aiza",
    "akia",
    "asia",
    "eyj",
    "private key",
    "bearer",
    "basic",
];

fn may_hold(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    SIGNS.iter().any(|sign| text.contains(sign)) || text.contains("://") && text.contains('@')
}

fn is_placeholder(credential: &str) -> bool {
    let word = credential.to_ascii_lowercase();
    ["xxxx", "your", "example", "placeholder", "changeme", "redacted", "user:pass", "username:pass"]
        .iter()
        .any(|part| word.contains(part))
}

/// The text without its credentials.
pub fn scrub(text: String) -> String {
    PATTERNS.iter().fold(text, |text, (_, pattern)| match pattern.replace_all(&text, HIDDEN) {
        Cow::Borrowed(_) => text,
        Cow::Owned(scrubbed) => scrubbed,
    })
}

#[cfg(test)]
mod tests;
