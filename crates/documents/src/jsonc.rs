//! JSON text into the same tree as YAML, with what people write into such files: comments, and commas before a closing
//! bracket.
//!
//! Text in; a tree, or the first mistake with its place, out. Nesting is capped, so that a hostile file costs an error.

use super::{Document, DocumentNode, MapEntry, NodeValue, SyntaxProblem, take_repeated};

/// Deeper nesting than this is refused.
const MAX_DEPTH: usize = 100;

/// Reads one document.
pub fn parse(text: &str) -> Result<Document, SyntaxProblem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = JsoncReader { rest: text.chars().peekable(), line: 1, column: 1 };
    reader.skip_blank()?;
    let root = reader.value(0)?;
    reader.skip_blank()?;
    match reader.peek() {
        None => Ok(take_repeated(root)),
        Some(_) => Err(reader.problem("There is something after the end of the document")),
    }
}

struct JsoncReader<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    line: u32,
    column: u32,
}

type JsoncResult<T> = Result<T, SyntaxProblem>;

impl JsoncReader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.line = self.line.saturating_add(1);
            self.column = 1;
        } else {
            self.column = self.column.saturating_add(1);
        }
        Some(c)
    }

    fn take_while(&mut self, is_part: impl Fn(&char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(&is_part) {
            taken.push(c);
            self.next();
        }
        taken
    }

    fn problem(&self, message: &str) -> SyntaxProblem {
        SyntaxProblem { message: message.to_owned(), hint: None, line: self.line, column: self.column }
    }

    /// White space and comments.
    fn skip_blank(&mut self) -> JsoncResult<()> {
        loop {
            match self.peek() {
                Some(c) if c.is_ascii_whitespace() => {
                    self.next();
                }
                Some('/') => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) -> JsoncResult<()> {
        let start = self.problem("This comment has no end");
        self.next();
        match self.next() {
            Some('/') => {
                self.take_while(|c| *c != '\n');
                Ok(())
            }
            Some('*') => {
                let mut before = ' ';
                while let Some(c) = self.next() {
                    if before == '*' && c == '/' {
                        return Ok(());
                    }
                    before = c;
                }
                Err(start)
            }
            _ => Err(SyntaxProblem { message: "A value was expected".to_owned(), ..start }),
        }
    }

    fn value(&mut self, depth: usize) -> JsoncResult<DocumentNode> {
        let (line, column) = (self.line, self.column);
        if depth > MAX_DEPTH {
            return Err(self.problem("Values are nested too deep"));
        }
        let value = match self.peek() {
            Some('{') => self.map(depth)?,
            Some('[') => self.list(depth)?,
            Some('"') => NodeValue::String(self.string()?),
            Some('-' | '0'..='9') => self.number()?,
            Some(c) if c.is_ascii_alphabetic() => self.word()?,
            Some('\'') => {
                let hint = Some("write it in double quotes".to_owned());
                return Err(SyntaxProblem { hint, ..self.problem("A text was expected") });
            }
            Some(_) => return Err(self.problem("A value was expected")),
            None => return Err(self.problem("The document ends too early")),
        };
        Ok(DocumentNode { value, line, column })
    }

    fn map(&mut self, depth: usize) -> JsoncResult<NodeValue> {
        self.next();
        let mut entries = Vec::new();
        loop {
            self.skip_blank()?;
            match self.peek() {
                Some('}') => {
                    self.next();
                    return Ok(NodeValue::Map(entries));
                }
                Some('"') => {}
                Some(_) => return Err(self.problem("A key in double quotes was expected")),
                None => return Err(self.problem("A '}' is missing")),
            }
            let (line, column) = (self.line, self.column);
            let key = self.string()?;
            self.skip_blank()?;
            if self.peek() != Some(':') {
                return Err(self.problem("A ':' was expected after the key"));
            }
            self.next();
            self.skip_blank()?;
            let node = self.value(depth + 1)?;
            entries.push(MapEntry { key, line, column, node });
            self.separator('}')?;
        }
    }

    fn list(&mut self, depth: usize) -> JsoncResult<NodeValue> {
        self.next();
        let mut elements = Vec::new();
        loop {
            self.skip_blank()?;
            if self.peek() == Some(']') {
                self.next();
                return Ok(NodeValue::List(elements));
            }
            elements.push(self.value(depth + 1)?);
            self.separator(']')?;
        }
    }

    /// A comma, which may stand before the closing bracket too.
    fn separator(&mut self, close: char) -> JsoncResult<()> {
        self.skip_blank()?;
        match self.peek() {
            Some(',') => {
                self.next();
                Ok(())
            }
            Some(c) if c == close => Ok(()),
            Some(_) => Err(self.problem(&format!("A ',' or '{close}' was expected"))),
            None => Err(self.problem(&format!("A '{close}' is missing"))),
        }
    }

    fn string(&mut self) -> JsoncResult<String> {
        let start = self.problem("This text has no closing quote");
        self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some('\n') | None => return Err(start),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> JsoncResult<char> {
        let problem = SyntaxProblem {
            hint: Some("write a backslash itself as \\\\".to_owned()),
            ..self.problem("This is no escape of JSON")
        };
        Ok(match self.next() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let first = self.four_digits().ok_or_else(|| problem.clone())?;
                return Ok(self.after_unit(first));
            }
            _ => return Err(problem),
        })
    }

    /// The character that a UTF-16 unit begins. Half a pair stands for nothing.
    fn after_unit(&mut self, first: u16) -> char {
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        let mut ahead = self.rest.clone();
        if ahead.next() != Some('\\') || ahead.next() != Some('u') {
            return char::REPLACEMENT_CHARACTER;
        }
        self.next();
        self.next();
        let second = self.four_digits().unwrap_or(0);
        let pair = char::decode_utf16([first, second]).next();
        pair.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn four_digits(&mut self) -> Option<u16> {
        (0..4).try_fold(0u16, |unit, _| {
            let digit = self.peek()?.to_digit(16)?;
            self.next();
            Some(unit << 4 | u16::try_from(digit).ok()?)
        })
    }

    fn number(&mut self) -> JsoncResult<NodeValue> {
        let problem = self.problem("This is no number of JSON");
        let text = self.take_while(|c| c.is_ascii_alphanumeric() || "+-.".contains(*c));
        // The reader of JSON is asked, because Rust takes numbers that JSON does not have.
        let number: serde_json::Number = serde_json::from_str(&text).map_err(|_| problem)?;
        Ok(number
            .as_i64()
            .map_or_else(|| NodeValue::Float(number.as_f64().unwrap_or(f64::MAX)), NodeValue::Integer))
    }

    fn word(&mut self) -> JsoncResult<NodeValue> {
        let problem = self.problem("A value was expected");
        let word = self.take_while(char::is_ascii_alphanumeric);
        match word.as_str() {
            "true" => Ok(NodeValue::Bool(true)),
            "false" => Ok(NodeValue::Bool(false)),
            "null" => Ok(NodeValue::Null),
            _ => Err(SyntaxProblem { hint: Some("put text in double quotes".to_owned()), ..problem }),
        }
    }
}

#[cfg(test)]
mod tests;
