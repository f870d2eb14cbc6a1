//! The usual mistakes in YAML, in our own words: what is wrong, where it began, and how to mend it.
//!
//! A text, the place where reading stopped and the parser's words in; a problem out. The lines around the place say more
//! than the parser, which often notices a mistake long after it was made; its words are used for what is left.

mod brackets;
mod layout;
mod quotes;
mod signs;

use super::lines::YamlLine;
use super::outline::YamlOutline;
use crate::{LineColumn, SyntaxProblem};

/// Text that YAML would take for something else.
const QUOTE_IT: &str = "put the text in quotes";

/// A text that could not be read, and where.
struct MistakeContext<'t> {
    lines: Vec<&'t str>,
    place: LineColumn,
    /// The parser's words, without the place.
    parser: &'t str,
    outline: YamlOutline,
}

/// A mistake that was recognised.
struct YamlMistake {
    place: LineColumn,
    message: String,
    hint: String,
}

/// One way to recognise a mistake.
type LikelyMistake = fn(&MistakeContext<'_>) -> Option<YamlMistake>;

/// Surest first: each one may rely on those before it having found nothing.
const GUESSES: &[LikelyMistake] = &[
    signs::second_document,
    signs::odd_space,
    signs::tab,
    quotes::bad_escape,
    quotes::unclosed_quote,
    quotes::text_after_quote,
    brackets::mismatched_bracket,
    brackets::unclosed_bracket,
    brackets::stray_bracket,
    brackets::braces_in_text,
    signs::sign_before_text,
    signs::odd_key,
    signs::colon_in_text,
    layout::line_without_colon,
    layout::deeper_than_above,
    layout::misplaced_line,
];

/// Says what is wrong with a text that the parser gave up on at this place.
pub(super) fn explain(text: &str, place: LineColumn, parser: &str) -> SyntaxProblem {
    let lines: Vec<&str> = text.lines().collect();
    let parser = parser.split(" at line ").next().unwrap_or_default();
    let outline = YamlOutline::before(&lines, place);
    let context = MistakeContext { lines, place, parser, outline };
    let mistake = GUESSES.iter().find_map(|guess| guess(&context)).unwrap_or_else(|| {
        mistake(place, "This is not valid YAML", format!("look here and on the line above: {parser}"))
    });
    let YamlMistake { place: LineColumn { line, column }, message, hint } = mistake;
    SyntaxProblem { message, hint: Some(hint), line, column }
}

fn mistake(place: LineColumn, message: impl Into<String>, hint: impl Into<String>) -> YamlMistake {
    YamlMistake { place, message: message.into(), hint: hint.into() }
}

impl<'t> MistakeContext<'t> {
    fn line(&self, number: u32) -> YamlLine<'t> {
        let index = (number as usize).checked_sub(1);
        YamlLine { number, text: index.and_then(|index| self.lines.get(index)).copied().unwrap_or_default() }
    }

    /// The line where reading stopped.
    fn here(&self) -> YamlLine<'t> {
        self.line(self.place.line)
    }

    /// The lines with something on them before this one, nearest first.
    fn above(&self) -> impl Iterator<Item = YamlLine<'t>> + '_ {
        (1..self.place.line).rev().map(|number| self.line(number)).filter(|line| !line.is_blank())
    }

    /// What stands where reading stopped.
    fn sign(&self) -> Option<char> {
        self.here().text.chars().nth(self.place.column.saturating_sub(1) as usize)
    }

    /// The part of the line before the place.
    fn before(&self) -> &'t str {
        let text = self.here().text;
        let end = text.char_indices().nth(self.place.column.saturating_sub(1) as usize);
        end.map_or(text, |(end, _)| &text[..end])
    }

    fn parser_reports(&self, words: &str) -> bool {
        self.parser.contains(words)
    }
}
