//! What a text says, in one short sentence for a list: long texts of others cut to what every reader of the list pays for.
//!
//! A text and a number of characters in; its first sentence that tells something out, on one line, without markup, addresses
//! and notices such as "this endpoint is in preview".

use crate::markup::unmarked;
use crate::sanitize::one_line;

/// How a sentence begins that tells nothing of what is done.
const NOTICES: &[&str] = &[
    "note",
    "notes",
    "n.b.",
    "warning",
    "important",
    "caution",
    "attention",
    "tip",
    "info",
    "beta",
    "preview",
    "experimental",
    "deprecated",
    "deprecation",
    "closing down",
    "early access",
    "alpha",
];

/// Words by which a sentence is a notice wherever they stand.
const NOTICE_PHRASES: &[&str] = &[
    "in public preview",
    "in preview",
    "in private preview",
    "in public beta",
    "in beta",
    "in private beta",
    "in alpha",
    "subject to change",
    "is deprecated",
    "closing down notice",
    "early access",
];

/// Dots that end no sentence.
const ABBREVIATIONS: &[&str] = &["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no.", "incl.", "resp."];

/// The first sentence that tells something, without its period, within `most` characters; empty when there is none.
pub fn first_sentence(text: &str, most: usize) -> String {
    let line = one_line(&unmarked(text));
    let line = without_addresses(&line);
    let told = sentences(&line).into_iter().find(|sentence| !is_notice(sentence)).unwrap_or_default();
    shortened(told.trim_end_matches(['.', ':', ';', ',']).trim(), most)
}

/// The text within `most` characters, cut after a word.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most.saturating_sub(3)).collect();
    let cut = head.rfind(' ').filter(|end| *end > head.len() / 3).unwrap_or(head.len());
    format!("{}...", head[..cut].trim_end_matches([',', ';', ':', '.', '(', ' ']))
}

fn sentences(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    for (at, _) in line.match_indices(['.', '!', '?', ';']) {
        let end = at + 1;
        let is_end = line[end..].starts_with(' ') || end == line.len();
        if is_end && !ends_in_abbreviation(&line[begin..end]) {
            found.push(line[begin..end].trim());
            begin = end;
        }
    }
    found.extend(Some(line[begin..].trim()));
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

fn ends_in_abbreviation(sentence: &str) -> bool {
    let last = sentence.rsplit([' ', '(']).next().unwrap_or_default().to_lowercase();
    // A single letter is an initial.
    ABBREVIATIONS.contains(&last.as_str()) || last.len() == 2 && last.starts_with(char::is_alphabetic)
}

fn is_notice(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let lower = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    // "Note" and "tip" are things as well: "Notes of a lead".
    let ends =
        |rest: &str| rest.is_empty() || rest.starts_with([':', '!', '.', ']']) || rest.starts_with(" that ");
    NOTICES.iter().any(|start| lower.strip_prefix(start).is_some_and(ends))
        || NOTICE_PHRASES.iter().any(|phrase| lower.contains(phrase))
}

fn without_addresses(line: &str) -> String {
    if !line.contains("://") {
        return line.to_owned();
    }
    let words = line.split(' ').filter(|word| !word.contains("://"));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
