//! A request as a row of words: what stands in quotes is one word, punctuation is left out.
//!
//! The text of a request in, its words out.

use aqueduct_search::stems;

/// One word of a request, or a text in quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestWord {
    /// As it was written.
    pub text: String,
    /// What it is compared by.
    pub stem: String,
    /// It stood in quotes.
    pub is_quoted: bool,
}

/// Signs that open a quotation, with those that close it.
const QUOTES: [(char, char); 6] =
    [('"', '"'), ('\'', '\''), ('`', '`'), ('\u{201c}', '\u{201d}'), ('\u{2018}', '\u{2019}'), ('«', '»')];

/// Signs beside a word that do not belong to it.
const BESIDE: &[char] =
    &[',', '.', ';', ':', '!', '?', '(', ')', '[', ']', '{', '}', '<', '>', '=', '"', '\''];

impl RequestWord {
    fn of(text: &str, is_quoted: bool) -> RequestWord {
        RequestWord { text: text.to_owned(), stem: stem(text), is_quoted }
    }

    /// A whole number, perhaps behind a `#`.
    pub fn number(&self) -> Option<&str> {
        let digits = self.text.strip_prefix('#').unwrap_or(&self.text);
        let is_number = !digits.is_empty() && digits.len() < 16 && digits.chars().all(|c| c.is_ascii_digit());
        is_number.then_some(digits)
    }

    /// True for what is no word of a language but a name of something: `ci.yml`, `cus_123`, `hello-world`.
    pub fn is_identifier(&self) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.@:".contains(c);
        let joins = |c: char| c.is_ascii_digit() || "-_.".contains(c);
        let has_letters = self.text.chars().any(char::is_alphanumeric);
        !self.is_quoted && has_letters && self.text.chars().all(is_part) && self.text.chars().any(joins)
    }
}

/// What a word is compared by, also where it says little.
pub fn stem(word: &str) -> String {
    stems(word).into_iter().next().unwrap_or_else(|| word.to_lowercase())
}

/// The words of a request.
pub fn request_words(request: &str) -> Vec<RequestWord> {
    let mut words = Vec::new();
    let mut rest = request.trim_start();
    while let Some(first) = rest.chars().next() {
        if let Some((quoted, after)) = quotation(first, rest) {
            words.push(RequestWord::of(quoted, true));
            rest = after.trim_start();
            continue;
        }
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let word = word.trim_matches(BESIDE);
        if !word.is_empty() {
            words.push(RequestWord::of(word, false));
        }
        rest = after.trim_start();
    }
    words
}

/// The words that are in no quotes, with the signs beside them.
pub fn unquoted(request: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = request.trim_start();
    while let Some(first) = rest.chars().next() {
        if let Some((_, after)) = quotation(first, rest) {
            rest = after.trim_start();
            continue;
        }
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        words.push(word);
        rest = after.trim_start();
    }
    words
}

/// A text in quotes at the beginning, and what comes after it.
fn quotation(first: char, rest: &str) -> Option<(&str, &str)> {
    let (_, closing) = QUOTES.iter().find(|(opening, _)| *opening == first)?;
    let inner = &rest[first.len_utf8()..];
    let ends = |after: &str| after.chars().next().is_none_or(|next| !next.is_alphanumeric());
    let end = inner
        .match_indices(*closing)
        .map(|(at, sign)| (at, at + sign.len()))
        .find(|(_, after)| ends(&inner[*after..]))?;
    let quoted = inner[..end.0].trim();
    (!quoted.is_empty()).then_some((quoted, &inner[end.1..]))
}
