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

/// How a sentence begins that adds to one before it.
const AFTERTHOUGHTS: &[&str] =
    &["however", "otherwise", "in addition", "additionally", "furthermore", "also,"];

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

/// Signs between a notice and what it is about.
const AFTER_LABEL: &[&str] = &[" - ", " \u{2013} ", " \u{2014} "];

/// Where a part of a sentence ends that can stand alone.
const CLAUSES: &[&str] = &[
    ", ",
    "; ",
    ": ",
    " (",
    " - ",
    " that ",
    " which ",
    " where ",
    " when ",
    " because ",
    " if ",
    " so ",
    " and ",
    " including ",
];

/// Words with which no sentence ends.
#[rustfmt::skip]
const NEVER_LAST: &[&str] = &[
    "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "with", "from", "into", "as", "and", "or", "but", "nor",
    "that", "which", "who", "whose", "where", "when", "if", "is", "are", "was", "be", "can", "may", "will", "must", "you",
    "your", "its", "their", "this", "these", "not", "do", "does", "than", "via", "using", "including", "containing", "e.g", "i.e",
];

/// The first sentence that tells something, without its period, within `most` characters; empty when there is none.
pub fn first_sentence(text: &str, most: usize) -> String {
    let line = one_line(&unmarked(text));
    let line = without_addresses(&line);
    let sentence_text =
        sentences(&line).into_iter().find(|sentence| !is_notice(sentence)).unwrap_or_default();
    let sentence_text = without_labels(sentence_text.trim_end_matches(['.', ':', ';', ',']).trim());
    if sentence_text.chars().count() <= most {
        sentence_text.to_owned()
    } else {
        clause(sentence_text, most).to_owned()
    }
}

/// A sentence without the notices before and behind it: `Closing down - List classrooms`, `Remove a token (beta)`.
fn without_labels(sentence: &str) -> &str {
    let lower = sentence.to_lowercase();
    let before =
        NOTICES.iter().flat_map(|notice| AFTER_LABEL.iter().map(move |sign| format!("{notice}{sign}")));
    let skipped = before.into_iter().find(|label| lower.starts_with(label)).map_or(0, |label| label.len());
    let rest = sentence.get(skipped..).unwrap_or(sentence);
    let Some((sentence_text, label)) = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) else {
        return rest;
    };
    if NOTICES.contains(&label.to_lowercase().as_str()) { sentence_text } else { rest }
}

/// The beginning of a sentence that is too long, as far as it makes sense: up to the last clause within `most` characters, else
/// up to a word that can be the last one.
fn clause(sentence: &str, most: usize) -> &str {
    let end = sentence.char_indices().nth(most).map_or(sentence.len(), |(end, _)| end);
    let head = &sentence[..end];
    let last = CLAUSES.iter().filter_map(|sign| head.rfind(sign)).filter(|at| *at > head.len() / 2).max();
    let whole_words = if sentence[end..].starts_with(' ') { end } else { head.rfind(' ').unwrap_or(end) };
    let mut sentence_text =
        head[..last.unwrap_or(whole_words)].trim_end_matches([',', ';', ':', '.', '(', ' ']);
    while let Some((before, word)) = sentence_text.rsplit_once(' ')
        && NEVER_LAST.contains(&word.to_lowercase().as_str())
    {
        sentence_text = before.trim_end_matches([',', ';', ':', '.', '(', ' ']);
    }
    without_open_bracket(sentence_text)
}

/// A text up to a bracket that it opens and does not close.
fn without_open_bracket(text: &str) -> &str {
    match text.rfind(" (").filter(|at| *at > 0 && !text[*at..].contains(')')) {
        Some(at) => text[..at].trim_end_matches([',', ';', ':', '.', ' ']),
        None => text,
    }
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
        || AFTERTHOUGHTS.iter().any(|start| lower.starts_with(start))
        // What a person does on a page is nothing that a request does.
        || lower.starts_with("you can ") && lower.contains("dashboard")
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
