//! Lines that do not fit those above: no key, the wrong indentation, a list among keys.
//!
//! A text that could not be read in; the mistake out, if it is one of these, with the indentations that would fit.

use super::{MistakeContext, YamlMistake, mistake};
use crate::LineColumn;

/// `name shop` and `name:shop` are no keys; the parser notices on the next one.
pub(super) fn line_without_colon(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    let is_key_lost = context.parser_reports("expected ':'") || context.parser_reports("mapping values");
    if !is_key_lost || !context.outline.brackets.is_empty() {
        return None;
    }
    let here = context.here();
    let suspects =
        std::iter::once(here).chain(context.above().take(1).filter(|above| above.indent() == here.indent()));
    for line in suspects.filter(|line| !line.text.starts_with("---")) {
        let place = LineColumn::new(line.number, line.first_column());
        if line.colon_without_space() {
            return mistake(place, "There is no space after the colon", "write key: value").into();
        }
        if !line.begins_entry() {
            return mistake(place, "This line has no ': ', so it is no key", "write key: value").into();
        }
    }
    None
}

pub(super) fn deeper_than_above(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    let here = context.here();
    let above = context.above().next()?;
    if context.sign() != Some(':') || !context.outline.brackets.is_empty() || here.indent() <= above.indent()
    {
        return None;
    }
    let message =
        format!("This line is indented deeper than line {}, which has its value already", above.number);
    let hint = format!(
        "align it with the key of line {}, or, if it belongs to the text above, put the whole text in quotes",
        above.number
    );
    mistake(LineColumn::new(here.number, here.first_column()), message, hint).into()
}

/// A line whose indentation or first sign does not fit those above.
pub(super) fn misplaced_line(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    let here = context.here();
    let starts_here = context.before().trim().trim_start_matches('-').is_empty();
    if !starts_here
        || !context.parser_reports("did not find expected")
        || !context.outline.brackets.is_empty()
    {
        return None;
    }
    let place = LineColumn::new(here.number, here.first_column());
    let content = here.text.trim_start();
    if content.starts_with('-') && !content.starts_with("- ") && content.len() > 1 {
        return mistake(place, "There is no space after the '-' of a list", "write - value").into();
    }
    let levels = levels_above(context);
    if levels.contains(&here.indent()) {
        return if here.is_list_entry() {
            let hint = "indent it below the key that it belongs to";
            mistake(place, "A list entry stands among keys", hint).into()
        } else {
            let hint = "align it with the keys of the entry above, or begin it with '- '";
            mistake(place, "A key stands among list entries", hint).into()
        };
    }
    let indent = here.indent();
    let near = [
        levels.iter().filter(|level| **level < indent).max(),
        levels.iter().filter(|level| **level > indent).min(),
    ];
    let near: Vec<String> = near.into_iter().flatten().map(usize::to_string).collect();
    let message = format!("This line is indented by {indent}, which fits no line above");
    mistake(place, message, format!("indent it by {} spaces", near.join(" or "))).into()
}

/// The indentations that a line may have here: those of the lines that it may be a neighbour of.
fn levels_above(context: &MistakeContext<'_>) -> Vec<usize> {
    let mut levels: Vec<usize> = Vec::new();
    for line in context.above().filter(|line| !line.text.starts_with("---")) {
        let least = levels.iter().min().copied().unwrap_or(usize::MAX);
        if line.indent() < least || line.indent() == least && line.is_list_entry() {
            levels.push(line.indent());
            if line.is_list_entry() && line.key_column() < least {
                levels.push(line.key_column());
            }
        }
        if line.indent() == 0 {
            break;
        }
    }
    levels
}
