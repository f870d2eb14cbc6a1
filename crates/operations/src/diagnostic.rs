//! A problem found while loading: where it is, what was expected, what was found, what to do. Printed with its source
//! line; every problem of a file is reported, not the first.

use crate::named_enum::named_enum;
use crate::sanitize::{escaped, seen};
use serde::Serialize;
use std::fmt;

/// One finding about a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: DiagnosticSeverity,
    /// The machine's word for it, such as `UNKNOWN_KEY`.
    pub code: &'static str,
    /// The place in the document: `operations.read[0].params.owner`; empty for the whole file.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The place in the file.
    #[serde(flatten)]
    pub position: Position,
}

/// A place in a file. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Position {
    /// The file as the user named it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
    /// The text of that line.
    pub source_line: String,
}

named_enum! {
    /// How bad a finding is.
    #[derive(PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum DiagnosticSeverity {
        /// A matter of style.
        Hint = "hint",
        /// It loads, but look at it.
        Warning = "warning",
        /// It does not load.
        Error = "error",
    }
}

impl Diagnostic {
    /// A finding about a file, or about whatever this names, as a whole.
    pub fn about(
        file: impl Into<String>,
        severity: DiagnosticSeverity,
        code: &'static str,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            path: String::new(),
            message: message.into(),
            expected: None,
            received: None,
            hint: None,
            position: Position { file: file.into(), line: 1, column: 1, source_line: String::new() },
        }
    }
}

/// `FILE:LINE:COL: error[CODE] PATH: MESSAGE`, then the line with a mark under the column.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { file, line, column, source_line } = &self.position;
        // All of it may be quoted from the file, whose text must not pass for ours.
        write!(f, "{}:{line}:{column}: {}[{}] ", escaped(file), self.severity.name(), self.code)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", escaped(&self.path))?;
        }
        f.write_str(&escaped(&self.message))?;
        if let Some(expected) = &self.expected {
            write!(f, " (expected {}", escaped(expected))?;
            if let Some(received) = &self.received {
                write!(f, ", found {}", escaped(received))?;
            }
            f.write_str(")")?;
        }
        if !source_line.trim().is_empty() {
            let (shown, mark) = window(source_line, *column as usize);
            write!(f, "\n{line:>5} | {shown}\n      | {:mark$}^", "")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n      = {}", escaped(hint))?;
        }
        Ok(())
    }
}

/// The part of a long line around the column, and where the mark goes. One character takes the place of each that
/// could change how the line looks, so that the mark stays right.
fn window(line: &str, column: usize) -> (String, usize) {
    const WIDTH: usize = 100;
    let characters: Vec<char> = line.trim_end().chars().map(seen).collect();
    let mark = column.saturating_sub(1).min(characters.len());
    let start = mark.saturating_sub(WIDTH / 2);
    let shown: String = characters.iter().skip(start).take(WIDTH).collect();
    (shown, mark - start)
}

#[cfg(test)]
mod tests;
