//! Texts that YAML reads without complaint, but not as they were meant: words taken for a tag or an anchor and left out,
//! and keys that begin with a sign that only looks like a space.
//!
//! A text and its tree in; the first such place out.

use super::super::{DocumentNode, LineColumn, NodeValue, SyntaxProblem};
use super::lines::{ODD_SPACE, REPLACE_ODD_SPACE, is_odd_space};
use std::collections::HashSet;

/// The first place at which something would be lost.
pub(super) fn first(text: &str, root: &DocumentNode) -> Option<SyntaxProblem> {
    let has_odd_space = text.contains(is_odd_space);
    let has_words = text.contains(['!', '&']);
    if !has_odd_space && !has_words {
        return None;
    }
    MisparsedSearch { lines: text.lines().collect(), uses: names_after(text, '*') }.in_node(root)
}

struct MisparsedSearch<'t> {
    lines: Vec<&'t str>,
    /// The anchors that are used.
    uses: HashSet<&'t str>,
}

impl MisparsedSearch<'_> {
    fn in_node(&self, node: &DocumentNode) -> Option<SyntaxProblem> {
        match &node.value {
            NodeValue::String(_) => self.before_text(node),
            NodeValue::List(elements) => elements.iter().find_map(|each| self.in_node(each)),
            NodeValue::Map(entries) => entries.iter().find_map(|entry| {
                if entry.key.starts_with(is_odd_space) && !self.is_quoted(entry.line, entry.column) {
                    return Some(problem(
                        ODD_SPACE,
                        REPLACE_ODD_SPACE,
                        LineColumn::new(entry.line, entry.column),
                    ));
                }
                self.in_node(&entry.node)
            }),
            _ => None,
        }
    }

    /// True when a text in quotes begins here: its spaces are meant.
    fn is_quoted(&self, line: u32, column: u32) -> bool {
        let line = (line as usize).checked_sub(1).and_then(|index| self.lines.get(index));
        let first = line.and_then(|line| line.chars().nth((column as usize).saturating_sub(1)));
        matches!(first, Some('"' | '\''))
    }

    /// A tag that has no meaning, or an anchor that nothing uses, in front of a text.
    fn before_text(&self, node: &DocumentNode) -> Option<SyntaxProblem> {
        let line = self.lines.get((node.line as usize).checked_sub(1)?)?;
        let end = line
            .char_indices()
            .nth(node.column.saturating_sub(1) as usize)
            .map_or(line.len(), |(end, _)| end);
        let before = line.get(..end)?.trim_end();
        let word = before.rsplit([' ', '\t', '[', '{', ',']).next()?;
        // The end of a key in quotes, or of another text in quotes.
        if word.ends_with([':', '"', '\'']) {
            return None;
        }
        let column = u32::try_from(before.chars().count() - word.chars().count() + 1).ok()?;
        let message = match word.chars().next()? {
            '!' if !word.starts_with("!!") => {
                "YAML takes a word with '!' in front for a tag, and leaves it out"
            }
            '&' if !self.uses.contains(&word[1..]) => {
                "YAML takes a word with '&' in front for an anchor, and leaves it out"
            }
            _ => return None,
        };
        Some(problem(message, "put the text in quotes", LineColumn::new(node.line, column)))
    }
}

fn problem(message: &str, hint: &str, LineColumn { line, column }: LineColumn) -> SyntaxProblem {
    SyntaxProblem { message: message.to_owned(), hint: Some(hint.to_owned()), line, column }
}

/// Every name that stands directly after this sign.
fn names_after(text: &str, sign: char) -> HashSet<&str> {
    text.split(sign)
        .skip(1)
        .filter_map(|rest| rest.split([' ', '\t', '\n', '\r', ',', ']', '}']).next())
        .collect()
}
