//! Quotes: one that is not closed, text after the closing one, and backslashes that mean nothing.
//!
//! A text that could not be read in; the mistake out, if it is one of these. An open quote is told where it was opened.

use super::{MistakeContext, YamlMistake, mistake};
use crate::yaml::outline::OpenDelimiter;

/// What may follow a backslash in double quotes, when no digits come after it.
const KNOWN_ESCAPES: &str = "0abtnvfre \t\"/\\N_LP";

/// The parser stops at the quote; the place of the backslash is more use.
pub(super) fn bad_escape(sight: &MistakeContext<'_>) -> Option<YamlMistake> {
    if sight.sign() != Some('"') || !sight.says("escape") && !sight.says("hexadecimal") {
        return None;
    }
    let (line, quote) = sight.place;
    let mut signs = (quote + 1..).zip(sight.here().text.chars().skip(quote as usize));
    let mut column = quote;
    while let Some((here, sign)) = signs.next() {
        let escaped = if sign == '\\' { signs.next() } else { None };
        if escaped.is_some_and(|(_, sign)| !KNOWN_ESCAPES.contains(sign)) {
            column = here;
            break;
        }
    }
    let message = "This backslash sequence means nothing in double quotes";
    mistake((line, column), message, "use single quotes, which keep backslashes as they are, or write \\\\")
        .into()
}

fn unclosed(opened: OpenDelimiter) -> YamlMistake {
    let sign = opened.sign;
    let hint = format!("add the closing {sign}; a text of several lines is indented below its key");
    mistake(opened.place, "This quote is not closed", hint)
}

pub(super) fn unclosed_quote(sight: &MistakeContext<'_>) -> Option<YamlMistake> {
    if let Some(quote) = sight.outline.quote {
        return Some(unclosed(quote));
    }
    if sight.says("unclosed quote") {
        return sight.sign().map(|sign| unclosed(OpenDelimiter { sign, place: sight.place }));
    }
    // It met the opening quote of another text, lines later, and took that for its end.
    let (quote, end) = sight.outline.last_quoted.filter(|(_, end)| *end == sight.place.0)?;
    let swallowed = (quote.place.0 + 1..=end).any(|number| sight.line(number).begins_entry());
    swallowed.then(|| unclosed(quote))
}

pub(super) fn text_after_quote(sight: &MistakeContext<'_>) -> Option<YamlMistake> {
    if !sight.says("after single-quoted")
        && !sight.says("after double-quoted")
        && !sight.says("comments must be separated")
    {
        return None;
    }
    let (quote, _) = sight.outline.last_quoted?;
    let hint = match sight.sign() {
        Some('#') => "put a space before '#'".to_owned(),
        Some('"' | '\'') => "put a comma between two values".to_owned(),
        _ if quote.sign == '\'' => "a ' inside single quotes is written twice: ''".to_owned(),
        _ => "put the whole text in single quotes, or write \\\" for a quote inside it".to_owned(),
    };
    mistake(sight.place, "The quoted text ended before this", hint).into()
}
