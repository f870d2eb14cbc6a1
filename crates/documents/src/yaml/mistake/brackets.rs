//! Brackets: not closed, closed twice, of the wrong kind, and braces inside a text.
//!
//! A text that could not be read in; the mistake out, if it is one of these. An open bracket is reported where it was opened.

use super::{MistakeContext, QUOTE_IT, YamlMistake, mistake};
use crate::LineColumn;
use crate::yaml::outline::{OpenDelimiter, YamlOutline};

pub(super) fn mismatched_bracket(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    let sign = context.sign().filter(|_| context.parser_reports("mismatched bracket"))?;
    let message = format!("The bracket that closes this '{sign}' is of another kind");
    mistake(context.place, message, format!("add the missing '{}'", closing(sign))).into()
}

fn closing(sign: char) -> char {
    if sign == '[' { ']' } else { '}' }
}

pub(super) fn unclosed_bracket(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    let here = context.here();
    let opened = match (context.outline.brackets.last(), context.sign()) {
        (_, Some(sign)) if context.parser_reports("unclosed bracket") => {
            OpenDelimiter { sign, place: context.place }
        }
        // A line that begins an entry no deeper than the one with the bracket is not inside it.
        (Some(opened), _)
            if opened.place.line < here.number
                && (here.is_blank() || here.indent() <= context.line(opened.place.line).indent()) =>
        {
            *opened
        }
        _ => return None,
    };
    let end = LineColumn::new(opened.place.line + 1, 1);
    let comments = YamlOutline::before(&context.lines, end).comments_in_brackets;
    if let Some(comment) = comments.into_iter().find(|place| place.line == opened.place.line) {
        let hint = "put a text with '#' in quotes";
        return mistake(comment, "'#' begins a comment, so the rest of the line is not read", hint).into();
    }
    let (sign, close) = (opened.sign, closing(opened.sign));
    mistake(opened.place, format!("This '{sign}' is not closed"), format!("add the closing '{close}'")).into()
}

pub(super) fn stray_bracket(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    let sign = context.sign().filter(|sign| "]},".contains(*sign))?;
    let message = match sign {
        ',' => "There is nothing before this comma".to_owned(),
        _ => format!("Nothing is open that this '{sign}' could close"),
    };
    mistake(context.place, message, "remove it, or put the text in quotes").into()
}

pub(super) fn braces_in_text(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    let sign = context.sign().filter(|sign| "[{".contains(*sign))?;
    let before = context.before();
    if !context.outline.brackets.is_empty() && !before.ends_with(['[', '{', ',', ' ']) {
        let message = format!("Inside brackets, a text with '{sign}' in it needs quotes");
        return mistake(context.place, message, "put the text in quotes, such as \"GET /users/{id}\"").into();
    }
    before.ends_with('{').then(|| {
        let place = LineColumn::new(context.place.line, context.place.column.saturating_sub(1).max(1));
        mistake(place, "A text with '{{' in front needs quotes", QUOTE_IT)
    })
}
