//! One line of YAML, looked at by itself: its indentation, its key, and spaces that only look like spaces.
//!
//! A line in; plain answers out. Nothing here knows of the lines around it.

/// What is wrong with a space that is none.
pub(super) const ODD_SPACE: &str =
    "This is a non-breaking space, or another sign that only looks like a space";
/// What to do about it.
pub(super) const REPLACE_ODD_SPACE: &str = "replace it by a plain space";

/// A line and its number.
#[derive(Debug, Clone, Copy)]
pub(super) struct YamlLine<'t> {
    pub number: u32,
    pub text: &'t str,
}

impl<'t> YamlLine<'t> {
    /// True when there is nothing on it, or a comment only.
    pub(super) fn is_blank(&self) -> bool {
        let content = self.text.trim();
        content.is_empty() || content.starts_with('#')
    }

    /// The white space in front.
    pub(super) fn indentation(&self) -> &'t str {
        let content = self.text.trim_start();
        &self.text[..self.text.len() - content.len()]
    }

    /// How deep it is indented.
    pub(super) fn indent(&self) -> usize {
        self.indentation().chars().count()
    }

    /// The column of the first sign, from 1.
    pub(super) fn first_column(&self) -> u32 {
        u32::try_from(self.indent() + 1).unwrap_or(u32::MAX)
    }

    /// True for `- value`.
    pub(super) fn is_list_entry(&self) -> bool {
        let content = self.text.trim();
        content == "-" || content.starts_with("- ")
    }

    /// How deep the key of a list entry is indented.
    pub(super) fn key_column(&self) -> usize {
        let dashes = self.text.trim_start().chars().take_while(|c| *c == '-' || *c == ' ').count();
        self.indent() + dashes
    }

    /// True for `key: value`, `key:` and list entries.
    pub(super) fn begins_entry(&self) -> bool {
        self.is_list_entry() || self.text.contains(": ") || self.text.trim_end().ends_with(':')
    }

    /// True for `key:value`.
    pub(super) fn colon_without_space(&self) -> bool {
        let content = self.text.trim().trim_start_matches("- ");
        content.split_once(':').is_some_and(|(key, value)| {
            let is_word = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-$".contains(c));
            is_word && !value.is_empty() && !value.starts_with([' ', '\t', '/'])
        })
    }

    /// The column of a sign that looks like a space and stands where a plain one belongs: in the indentation, or after a
    /// colon or a dash.
    pub(super) fn odd_space(&self) -> Option<u32> {
        let mut before = ' ';
        let mut in_front = true;
        for (column, sign) in (1..).zip(self.text.chars()) {
            if is_odd_space(sign) && (in_front || matches!(before, ':' | '-')) {
                return Some(column);
            }
            in_front &= sign == ' ';
            before = sign;
        }
        None
    }
}

/// True for signs that look like a space, or like nothing, and are no space to YAML.
pub(super) fn is_odd_space(sign: char) -> bool {
    matches!(
        sign,
        '\u{a0}' | '\u{2000}'..='\u{200d}' | '\u{202f}' | '\u{205f}' | '\u{2060}' | '\u{3000}' | '\u{feff}'
    )
}
