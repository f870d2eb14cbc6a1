//! Quotes: one that is not closed, text after the closing one, and backslashes that mean nothing.
//!
//! A text that could not be read in; the mistake out, if it is one of these. An open quote is reported where it was opened.

use super::{MistakeContext, YamlMistake, mistake};
use crate::LineColumn;
use crate::yaml::outline::OpenDelimiter;

/// What may follow a backslash in double quotes, when no digits come after it.
const KNOWN_ESCAPES: &str = "0abtnvfre \t\"/\\N_LP";

/// The parser stops at the quote; the place of the backslash is more use.
pub(super) fn bad_escape(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    if context.sign() != Some('"')
        || !context.parser_reports("escape") && !context.parser_reports("hexadecimal")
    {
        return None;
    }
    let LineColumn { line, column: quote } = context.place;
    let mut signs = (quote + 1..).zip(context.here().text.chars().skip(quote as usize));
    let mut column = quote;
    while let Some((here, sign)) = signs.next() {
        let escaped = if sign == '\\' { signs.next() } else { None };
        if escaped.is_some_and(|(_, sign)| !KNOWN_ESCAPES.contains(sign)) {
            column = here;
            break;
        }
    }
    let message = "This backslash sequence means nothing in double quotes";
    mistake(
        LineColumn { line, column },
        message,
        "use single quotes, which keep backslashes as they are, or write \\\\",
    )
    .into()
}

fn unclosed(opened: OpenDelimiter) -> YamlMistake {
    let sign = opened.sign;
    let hint = format!("add the closing {sign}; a text of several lines is indented below its key");
    mistake(opened.place, "This quote is not closed", hint)
}

pub(super) fn unclosed_quote(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    if let Some(quote) = context.outline.quote {
        return Some(unclosed(quote));
    }
    if context.parser_reports("unclosed quote") {
        return context.sign().map(|sign| unclosed(OpenDelimiter { sign, place: context.place }));
    }
    // It met the opening quote of another text, lines later, and took that for its end.
    let (quote, end) = context.outline.last_quoted.filter(|(_, end)| *end == context.place.line)?;
    let swallowed = (quote.place.line + 1..=end).any(|number| context.line(number).begins_entry());
    swallowed.then(|| unclosed(quote))
}

pub(super) fn text_after_quote(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    if !context.parser_reports("after single-quoted")
        && !context.parser_reports("after double-quoted")
        && !context.parser_reports("comments must be separated")
    {
        return None;
    }
    let (quote, _) = context.outline.last_quoted?;
    let hint = match context.sign() {
        Some('#') => "put a space before '#'".to_owned(),
        Some('"' | '\'') => "put a comma between two values".to_owned(),
        _ if quote.sign == '\'' => "a ' inside single quotes is written twice: ''".to_owned(),
        _ => "put the whole text in single quotes, or write \\\" for a quote inside it".to_owned(),
    };
    mistake(context.place, "The quoted text ended before this", hint).into()
}
