//! Signs that mean something to YAML, or nothing where something is expected: marks of documents, odd spaces, tabs, colons,
//! and what stands in front of a text.

use super::{MistakeContext, QUOTE_IT, YamlMistake, mistake};
use crate::LineColumn;
use crate::yaml::lines::{ODD_SPACE, REPLACE_ODD_SPACE, YamlLine};

pub(super) fn second_document(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    if !context.parser_reports("multiple YAML documents") && !context.parser_reports("document end marker") {
        return None;
    }
    if context.sign() == Some('%') {
        return mistake(context.place, "YAML takes a line with '%' in front for a directive", QUOTE_IT)
            .into();
    }
    let marks = |line: &YamlLine<'_>| line.text.starts_with("---") || line.text.starts_with("...");
    let line = std::iter::once(context.here()).chain(context.above()).find(marks)?;
    let message = format!("'{}' ends the document, and more follows", &line.text[..3]);
    mistake(LineColumn::new(line.number, 1), message, "remove this line; a file is one document").into()
}

/// Spaces that only look like spaces, where real ones belong.
pub(super) fn odd_space(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    let line = std::iter::once(context.here())
        .chain(context.above().take(1))
        .find(|line| line.odd_space().is_some())?;
    let column = line.odd_space()?;
    mistake(LineColumn::new(line.number, column), ODD_SPACE, REPLACE_ODD_SPACE).into()
}

pub(super) fn tab(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    let near = [context.here(), context.line(context.place.line + 1)];
    let line = near.into_iter().find(|line| line.indentation().contains('\t') && !line.is_blank())?;
    let column = line.indentation().chars().position(|c| c == '\t')?;
    let place = LineColumn::new(line.number, u32::try_from(column + 1).unwrap_or(u32::MAX));
    mistake(place, "This line is indented with a tab", "indent with spaces only").into()
}

/// Signs that mean something to YAML in front of a value.
pub(super) fn sign_before_text(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    let (message, hint) = match context.sign()? {
        '*' => (
            "YAML takes a text with '*' in front for the name of an anchor, and there is no such anchor",
            QUOTE_IT,
        ),
        '&' => ("YAML takes a text with '&' in front for an anchor", QUOTE_IT),
        '@' => ("YAML keeps '@' for itself in front of a text", QUOTE_IT),
        '`' => ("YAML keeps '`' for itself in front of a text", QUOTE_IT),
        '%' => ("YAML keeps '%' for itself in front of a text", QUOTE_IT),
        '|' | '>' if context.parser_reports("block scalar") => (
            "The text after '|' or '>' begins on the next line",
            "start the text on the next line, indented, or put it in quotes",
        ),
        '-' if context.before().contains(':') => (
            "A list begins on the line below its key",
            "start it on the next line, indented, or put the text in quotes",
        ),
        '?' => ("YAML takes '? ' in front for a key", QUOTE_IT),
        _ => return None,
    };
    mistake(context.place, message, hint).into()
}

pub(super) fn colon_in_text(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    let key = context.before().trim_start().trim_start_matches("- ");
    if context.sign() != Some(':') || !key.contains(": ") {
        return None;
    }
    let hint = if context.outline.brackets.is_empty() {
        QUOTE_IT
    } else {
        "put the text in quotes, or a comma before the next key"
    };
    if key.contains(['“', '”', '„', '‘', '’']) {
        let message = "These quotes are typographic ones, which YAML takes for letters";
        return mistake(context.place, message, "use plain quotes: \" or '").into();
    }
    mistake(context.place, "A text with ': ' in it needs quotes", hint).into()
}

pub(super) fn odd_key(context: &MistakeContext<'_>) -> Option<YamlMistake> {
    if context.parser_reports("into string") && context.sign() == Some(':') {
        return mistake(context.place, "There is no key before this ':'", "write key: value").into();
    }
    if context.parser_reports("expected string scalar") {
        return mistake(
            context.place,
            "A key is a plain text",
            "write key: value, or put the text in quotes",
        )
        .into();
    }
    if context.parser_reports("merge value") {
        return mistake(context.place, "'<<' takes a map from elsewhere in the file", "write the keys out")
            .into();
    }
    let tag = context.before().split_whitespace().last().is_some_and(|word| word.starts_with("!!"));
    tag.then(|| mistake(context.place, "The value does not fit the tag before it", "remove the tag"))
}
