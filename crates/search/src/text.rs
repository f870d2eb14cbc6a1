//! Text to words, words to stems.
//!
//! Any text in; lower-case words of letters and digits out, with names such as `pullRequest` taken apart; and the stem of a
//! word, which several forms of it share. `clean` takes markup out of descriptions first.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

use crate::wordlists::{IRREGULAR, KEEP_ING, KEEP_ISE, KEEP_SUFFIX};

static BASES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| IRREGULAR.iter().copied().collect());
static WHOLE_ING: LazyLock<HashSet<&str>> = LazyLock::new(|| KEEP_ING.split(' ').collect());
static WHOLE_ISE: LazyLock<Vec<&str>> = LazyLock::new(|| KEEP_ISE.split(' ').collect());
static WHOLE_SUFFIX: LazyLock<HashSet<&str>> = LazyLock::new(|| KEEP_SUFFIX.split(' ').collect());

/// Endings of nouns and adjectives, and what is left of each; the first that fits is taken.
const SUFFIXES: &[(&str, &str)] = &[
    ("ization", "iz"),
    ("ation", "at"),
    ("ition", "it"),
    ("ution", "ut"),
    ("ction", "ct"),
    ("ssion", "ss"),
    ("ption", "pt"),
    ("tion", "t"),
    ("ment", ""),
    ("ness", ""),
    ("able", ""),
    ("ible", ""),
];

/// The words of a text, in order.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_owned()));
    words
}

/// Visits the words of a text, in order.
pub fn each_word(text: &str, mut visit: impl FnMut(&str)) {
    let text =
        if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(compose(text).replace('’', "'")) };
    let mut word = String::new();
    let mut skip_to = 0;
    for (at, char) in text.char_indices() {
        if at < skip_to {
            continue;
        }
        if char.is_alphanumeric() {
            if begins_word(text.as_bytes(), at) {
                take(&mut word, &mut visit);
            }
            if char.is_ascii() {
                word.push(char.to_ascii_lowercase())
            } else {
                word.extend(char.to_lowercase())
            }
            continue;
        }
        let rest = &text[at + char.len_utf8()..];
        if char == '\'' && word.ends_with('n') && is_ending(rest, "t") {
            word.pop();
            take(&mut word, &mut visit);
            visit("not");
            skip_to = at + 2;
            continue;
        }
        take(&mut word, &mut visit);
        if char == '\'' {
            let ending = ["s", "ll", "d", "m", "re", "ve"].iter().find(|ending| is_ending(rest, ending));
            skip_to = ending.map_or(0, |ending| at + 1 + ending.len());
        }
    }
    take(&mut word, &mut visit);
}

fn take(word: &mut String, visit: &mut impl FnMut(&str)) {
    if !word.is_empty() {
        visit(word);
        word.clear();
    }
}

/// Whether a text begins with these letters and no more.
fn is_ending(rest: &str, ending: &str) -> bool {
    let after = rest.get(..ending.len()).filter(|letters| letters.eq_ignore_ascii_case(ending));
    let continues = |next: char| next.is_alphanumeric() || next == '_';
    after.is_some() && !rest[ending.len()..].starts_with(continues)
}

/// Whether a name changes from word to word here: at the `B` of `aB` and of `ABc`.
fn begins_word(bytes: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| bytes[before]) else { return false };
    bytes[at].is_ascii_uppercase()
        && (before.is_ascii_lowercase()
            || before.is_ascii_digit()
            || before.is_ascii_uppercase() && bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase))
}

/// One form for letters that can be written in several (NFKC).
pub fn compose(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfkc().collect())
}

/// Letters without their accents.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    text.nfd().filter(|char| !('\u{300}'..='\u{36f}').contains(char)).collect::<String>().replace('ß', "ss")
}

/// The stem of a lower-case word.
pub fn stem(word: &str) -> String {
    if WHOLE_ING.contains(word) {
        return word.to_owned();
    }
    if let Some(singular) = word.strip_suffix('s').filter(|singular| WHOLE_ING.contains(singular)) {
        return singular.to_owned();
    }
    let mut stem = BASES.get(word).copied().unwrap_or(word).to_owned();
    if stem.len() <= 3 {
        return stem;
    }
    american(&mut stem);
    singular(&mut stem);
    participle(&mut stem);
    if !WHOLE_SUFFIX.contains(stem.as_str()) {
        let fits = |suffix: &&(&str, &str)| stem.ends_with(suffix.0) && stem.len() >= suffix.0.len() + 4;
        if let Some((suffix, left)) = SUFFIXES.iter().find(fits) {
            stem.truncate(stem.len() - suffix.len());
            stem.push_str(left);
        }
    }
    if stem.len() > 4 && stem.ends_with('e') {
        stem.pop();
    }
    if stem.len() > 4 && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    stem
}

/// `organise` as `organize`.
fn american(stem: &mut String) {
    if stem.len() <= 6 || WHOLE_ISE.iter().any(|ending| stem.ends_with(ending)) {
        return;
    }
    for ending in ["ise", "ises", "ised", "ising", "isation", "isations"] {
        if stem.ends_with(ending) {
            let at = stem.len() - ending.len() + 1;
            stem.replace_range(at..=at, "z");
            return;
        }
    }
}

fn singular(stem: &mut String) {
    if stem.len() > 4 && stem.ends_with("ies") {
        stem.truncate(stem.len() - 3);
        stem.push('y');
    } else if stem.len() > 4
        && ["sses", "ches", "shes", "xes", "zes"].iter().any(|ending| stem.ends_with(ending))
    {
        stem.truncate(stem.len() - 2);
    } else if stem.ends_with('s')
        && !["ss", "us", "sis", "xis"].iter().any(|ending| stem.ends_with(ending))
        && !["this", "his", "paris", "redis", "tennis", "iris", "debris", "is"].contains(&stem.as_str())
    {
        stem.pop();
    }
}

/// `running` and `planned` without their endings.
fn participle(stem: &mut String) {
    for ending in ["ing", "ed"] {
        let Some(base) = stem.strip_suffix(ending) else { continue };
        if base.chars().count() < 3 || !base.contains(['a', 'e', 'i', 'o', 'u', 'y']) {
            continue;
        }
        let length = base.len();
        stem.truncate(length);
        let bytes = stem.as_bytes();
        if length > 3 && bytes[length - 1] == bytes[length - 2] && bytes[length - 1].is_ascii() {
            let last = bytes[length - 1];
            if !b"lsz".contains(&last) || last == b'l' && length > 5 {
                stem.pop();
            }
        }
        return;
    }
}

/// A description without tags, link targets, addresses and entities.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(['<', '&', '[']) && !text.contains("://") {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let skipped = match char {
            '<' => rest.find('>').filter(|end| *end > 1).map(|end| end + 1),
            ']' if rest[1..].starts_with('(') => rest.find(')').map(|end| end + 1),
            'h' if rest.starts_with("http://") || rest.starts_with("https://") => {
                Some(rest.find(char::is_whitespace).unwrap_or(rest.len()))
            }
            _ => None,
        };
        if let Some(skipped) = skipped {
            cleaned.push(' ');
            rest = &rest[skipped..];
        } else if char == '&'
            && let Some((entity, plain)) = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity))
        {
            cleaned.push_str(plain);
            rest = &rest[entity.len()..];
        } else {
            cleaned.push(char);
            rest = &rest[char.len_utf8()..];
        }
    }
    Cow::Owned(cleaned)
}

const ENTITIES: &[(&str, &str)] =
    &[("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " ")];

/// The first sentence of a description, of at most 300 characters, and what follows it.
pub fn first_sentence(text: &str) -> (&str, &str) {
    let text = text.trim();
    let mut before = ' ';
    let end = text.char_indices().find(|(_, char)| {
        let ends = *char == '\n' || char.is_whitespace() && matches!(before, '.' | '!' | '?');
        before = *char;
        ends
    });
    let (first, rest) = end.map_or((text, ""), |(at, _)| (&text[..at], text[at..].trim_start()));
    (prefix(first, 300), rest)
}

/// At most so many characters of a text.
pub fn prefix(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(at, _)| &text[..at])
}
