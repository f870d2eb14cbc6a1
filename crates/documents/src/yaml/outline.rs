//! What stands open in a YAML text just before a place: quotes and brackets, as a reader with a pencil would mark them.
//!
//! A text and a place in; the open quote, the open brackets and the last quoted text out. It follows texts that are no
//! YAML as far as they make sense, because it is asked only about those.

use crate::LineColumn;

/// A quote or a bracket that was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenDelimiter {
    pub sign: char,
    pub place: LineColumn,
}

/// What was seen before the place.
#[derive(Debug, Default)]
pub(super) struct YamlOutline {
    /// The quote that the place is inside of.
    pub quote: Option<OpenDelimiter>,
    /// The brackets that the place is inside of, outermost first.
    pub brackets: Vec<OpenDelimiter>,
    /// The last quoted text that came to its end: its opening quote, and the line of the closing one.
    pub last_quoted: Option<(OpenDelimiter, u32)>,
    /// Comments that stand inside brackets.
    pub comments_in_brackets: Vec<LineColumn>,
    /// A value may begin here.
    at_start: bool,
    /// The column at which the innermost entry of this line begins, from 0.
    entry: usize,
    /// Lines that are indented deeper than this belong to a block of text.
    text_block: Option<usize>,
}

impl YamlOutline {
    /// Everything before the place.
    pub(super) fn before(lines: &[&str], place: LineColumn) -> YamlOutline {
        let mut outline = YamlOutline::default();
        for (number, line) in (1_u32..).zip(lines) {
            if number > place.line {
                break;
            }
            let most =
                if number == place.line { place.column.saturating_sub(1) as usize } else { usize::MAX };
            let seen: Vec<char> = line.chars().take(most).collect();
            outline.read_line(number, &seen);
        }
        outline
    }

    fn read_line(&mut self, number: u32, line: &[char]) {
        let indent = line.iter().take_while(|c| c.is_whitespace()).count();
        if let Some(deeper_than) = self.text_block {
            if indent == line.len() || indent > deeper_than {
                return;
            }
            self.text_block = None;
        }
        if self.quote.is_none() {
            self.at_start = true;
            self.entry = indent;
        }
        let mut index = indent;
        while let Some(sign) = line.get(index).copied() {
            let place = LineColumn::new(number, u32::try_from(index + 1).unwrap_or(u32::MAX));
            let next = line.get(index + 1).copied();
            if let Some(quote) = self.quote {
                index += self.in_quote(quote, sign, next, number);
                continue;
            }
            let spaced = index == 0 || line[index - 1].is_whitespace();
            if sign == '#' && spaced {
                if !self.brackets.is_empty() {
                    self.comments_in_brackets.push(place);
                }
                return;
            }
            index += self.outside_quotes(sign, next, place, &line[index..]);
            if self.text_block.is_some() {
                return;
            }
        }
    }

    /// Reads one sign inside a quoted text; gives how many were used up.
    fn in_quote(&mut self, quote: OpenDelimiter, sign: char, next: Option<char>, line: u32) -> usize {
        if quote.sign == '"' && sign == '\\' || sign == '\'' && quote.sign == sign && next == Some(sign) {
            return 2;
        }
        if sign == quote.sign {
            self.last_quoted = Some((quote, line));
            self.quote = None;
            self.at_start = false;
        }
        1
    }

    fn outside_quotes(&mut self, sign: char, next: Option<char>, place: LineColumn, rest: &[char]) -> usize {
        let before_space = next.is_none_or(char::is_whitespace);
        let in_brackets = !self.brackets.is_empty();
        let column = place.column as usize - 1;
        match sign {
            _ if sign.is_whitespace() => {}
            ':' if before_space || in_brackets && next.is_some_and(|c| ",[]{}".contains(c)) => {
                self.at_start = true;
            }
            '"' | '\'' if self.at_start => self.quote = Some(OpenDelimiter { sign, place }),
            '[' | '{' if self.at_start || in_brackets => {
                self.brackets.push(OpenDelimiter { sign, place });
                self.at_start = true;
            }
            ']' | '}' if in_brackets => {
                self.brackets.pop();
                self.at_start = false;
            }
            ',' if in_brackets => self.at_start = true,
            '-' | '?' if self.at_start && !in_brackets && before_space => self.entry = column,
            '|' | '>' if self.at_start && !in_brackets => self.text_block = Some(self.entry),
            // An anchor or a tag stands before the value.
            '&' | '!' if self.at_start => {
                return rest.iter().take_while(|c| !c.is_whitespace()).count();
            }
            _ => {
                if self.at_start && !in_brackets && begins_key(rest) {
                    self.entry = column;
                }
                self.at_start = false;
            }
        }
        1
    }
}

/// True when what begins here is `key: value` or `key:`.
fn begins_key(rest: &[char]) -> bool {
    rest.last() == Some(&':') || rest.windows(2).any(|pair| pair[0] == ':' && pair[1].is_whitespace())
}

#[cfg(test)]
mod tests;
