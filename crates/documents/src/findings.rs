//! Every problem met in one file, each with its place and its source line.
//!
//! Secrets that were found are taken out of everything shown, and a file with endless problems gives a bounded list.

use super::node_cursor::{NodeCursor, shortened};
use super::{Document, LineColumn, MapEntry, SyntaxProblem};
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity, Position};
use aqueduct_operations::secrets::keyed::line_without_values;
use aqueduct_operations::secrets::{MARK, shapes};
use aqueduct_operations::suggest;
use std::collections::BTreeSet;

/// More findings of one kind than this are counted, not listed.
const MOST_ERRORS: usize = 200;
const MOST_WARNINGS: usize = 200;
/// Longer lines are not shown: the column says enough.
const LONGEST_LINE: usize = 1_000;
/// More hidden texts than this are hidden by their lines only.
const MOST_SECRETS: usize = 500;
/// Longer texts are cut: they come from values without end.
const LONGEST_TEXT: usize = 1_500;
/// Longer words have no useful neighbours.
const LONGEST_WORD: usize = 80;
/// More candidates than this are not compared.
const MOST_CANDIDATES: usize = 2_000;

/// One finding on its way into the list.
#[derive(Debug)]
#[must_use = "a finding counts only once it is added"]
pub struct Finding {
    severity: DiagnosticSeverity,
    code: &'static str,
    path: String,
    message: String,
    expected: Option<String>,
    received: Option<String>,
    hint: Option<String>,
    line: u32,
    column: u32,
}

impl Finding {
    /// A finding with nothing but its message.
    pub fn new(
        severity: DiagnosticSeverity,
        code: &'static str,
        path: impl Into<String>,
        LineColumn { line, column }: LineColumn,
        message: impl Into<String>,
    ) -> Finding {
        Finding {
            severity,
            code,
            path: path.into(),
            message: message.into(),
            expected: None,
            received: None,
            hint: None,
            line,
            column,
        }
    }

    /// The same on the key in place of its value.
    pub fn on_key(mut self, entry: &MapEntry) -> Finding {
        (self.line, self.column) = (entry.line, entry.column);
        self
    }

    /// Adds it to the list.
    pub fn add_to(self, found: &mut Findings<'_>) {
        found.add(self);
    }

    /// The same as a warning: what is said of keys that are not applied keeps no file from loading.
    pub(crate) fn softened(mut self) -> Finding {
        self.severity = DiagnosticSeverity::Warning;
        self
    }

    /// Says what would be right.
    pub fn expected(mut self, expected: impl Into<String>) -> Finding {
        self.expected = Some(expected.into());
        self
    }

    /// Says what is there.
    pub fn received(mut self, received: impl Into<String>) -> Finding {
        self.received = Some(received.into());
        self
    }

    /// Says what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Finding {
        self.hint = Some(hint.into());
        self
    }

    /// Says what to do, when something is known.
    pub fn maybe_hint(mut self, hint: Option<String>) -> Finding {
        self.hint = hint.or(self.hint);
        self
    }
}

/// The collector.
#[derive(Debug)]
pub struct Findings<'t> {
    file: &'t str,
    lines: Vec<&'t str>,
    found: Vec<Finding>,
    errors: usize,
    warnings: usize,
    secrets: Vec<String>,
    hidden_lines: BTreeSet<u32>,
}

impl<'t> Findings<'t> {
    /// An empty list for a file and its text.
    pub fn new(file: &'t str, text: &'t str) -> Findings<'t> {
        Findings {
            file,
            lines: text.lines().collect(),
            found: Vec::new(),
            errors: 0,
            warnings: 0,
            secrets: Vec::new(),
            hidden_lines: BTreeSet::new(),
        }
    }

    /// Adds one.
    pub fn add(&mut self, finding: Finding) {
        let (count, most) = match finding.severity {
            DiagnosticSeverity::Error => (&mut self.errors, MOST_ERRORS),
            DiagnosticSeverity::Warning | DiagnosticSeverity::Hint => (&mut self.warnings, MOST_WARNINGS),
        };
        *count += 1;
        if *count <= most {
            self.found.push(finding);
        }
    }

    /// Adds text that could not be read at all.
    pub fn add_syntax(&mut self, code: &'static str, problem: SyntaxProblem) {
        let place = LineColumn::new(problem.line, problem.column);
        self.add(
            Finding::new(DiagnosticSeverity::Error, code, "", place, problem.message)
                .maybe_hint(problem.hint),
        );
    }

    /// Adds every key that was written twice: an error, or a warning where the first one counts.
    pub fn add_repeated(&mut self, document: &Document, severity: DiagnosticSeverity) {
        let counts = if severity == DiagnosticSeverity::Error { "" } else { "; that one counts" };
        for repeated in &document.repeated {
            let message = format!("This key is already set on line {}{counts}", repeated.first_line);
            let place = LineColumn::new(repeated.line, repeated.column);
            self.add(
                Finding::new(severity, "DUPLICATE_KEY", &repeated.path, place, message)
                    .hint("keep one of the two"),
            );
        }
    }

    /// True when something keeps the file from loading.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Takes a text out of everything that will be shown.
    pub fn hide_text(&mut self, secret: &str) {
        for part in secret.lines().map(str::trim).filter(|part| part.len() >= 4) {
            if self.secrets.len() < MOST_SECRETS {
                self.secrets.push(part.to_owned());
            }
        }
    }

    /// Shows nothing of a line but where it starts.
    pub fn hide_line(&mut self, line: u32) {
        self.hidden_lines.insert(line);
    }

    /// True when nothing of this line is shown.
    pub fn is_hidden(&self, line: u32) -> bool {
        self.hidden_lines.contains(&line)
    }

    /// True when all that follows a key on its line is a comment.
    pub(super) fn has_comment_after(&self, line: u32, key: &str) -> bool {
        let text = (line as usize).checked_sub(1).and_then(|index| self.lines.get(index));
        let after = text.and_then(|text| text.split_once(key)).map(|(_, after)| after);
        after.is_some_and(|after| after.trim_start_matches(['"', '\'', ':', ' ']).starts_with('#'))
    }

    /// `did you mean 'x'?`, when a candidate resembles the word.
    pub fn nearest<'a>(&self, word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
        let comparable = self.comparable(word, candidates)?;
        let nearest = suggest::nearest(word, comparable.iter().copied(), 1).first().copied();
        // A slip in a short word, as in `form`, leaves little that is alike.
        nearest.or_else(|| suggest::misspelt(word, comparable)).map(|name| format!("did you mean '{name}'?"))
    }

    /// `did you mean 'x'?`, when the word is a slip of a candidate: for words that must not be guessed.
    pub fn misspelt<'a>(&self, word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
        let comparable = self.comparable(word, candidates)?;
        suggest::misspelt(word, comparable).map(|name| format!("did you mean '{name}'?"))
    }

    /// The candidates that a word is compared with; nothing when what is found from now on may not be shown.
    fn comparable<'a>(
        &self,
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<Vec<&'a str>> {
        let is_full = self.errors > MOST_ERRORS || self.warnings > MOST_WARNINGS;
        (word.len() <= LONGEST_WORD && !is_full).then(|| {
            candidates.into_iter().filter(|each| each.len() <= LONGEST_WORD).take(MOST_CANDIDATES).collect()
        })
    }

    /// Says what to do about what was found at this path, better than was known when it was found.
    pub fn advise(&mut self, path: &str, hint: &str) {
        for finding in self.found.iter_mut().filter(|finding| finding.path == path) {
            finding.hint = Some(hint.to_owned());
        }
    }

    /// Says what would be right in the place of what was found at this path, better than was known when it was found.
    pub fn expect(&mut self, path: &str, expected: &str) {
        for finding in self.found.iter_mut().filter(|finding| finding.path == path) {
            finding.expected = Some(expected.to_owned());
        }
    }

    /// The list, in the order of the file.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|finding| (finding.line, finding.column));
        let mut diagnostics: Vec<Diagnostic> =
            found.into_iter().map(|finding| self.diagnostic(finding)).collect();
        for (count, most, severity, what) in [
            (self.errors, MOST_ERRORS, DiagnosticSeverity::Error, "errors"),
            (self.warnings, MOST_WARNINGS, DiagnosticSeverity::Warning, "warnings and hints"),
        ] {
            if count > most {
                let message = format!("{} more {what} are not shown", count - most);
                diagnostics.push(self.diagnostic(Finding::new(
                    severity,
                    "TOO_MANY",
                    "",
                    LineColumn::START,
                    message,
                )));
            }
        }
        diagnostics
    }

    fn diagnostic(&self, finding: Finding) -> Diagnostic {
        let hidden = self.hidden_lines.contains(&finding.line);
        Diagnostic {
            severity: finding.severity,
            code: finding.code,
            path: self.shown_text(finding.path),
            message: self.shown_text(finding.message),
            expected: finding.expected.map(|text| self.shown_text(text)),
            received: finding
                .received
                .filter(|_| !hidden)
                .map(|text| self.shown_text(line_without_values(&text))),
            hint: finding.hint.map(|text| self.shown_text(text)),
            position: Position {
                file: self.file.to_owned(),
                line: finding.line,
                column: finding.column,
                source_line: self.shown_line(finding.line),
            },
        }
    }

    fn shown_text(&self, text: String) -> String {
        shortened(&self.without_secrets(text), LONGEST_TEXT)
    }

    fn without_secrets(&self, text: String) -> String {
        self.secrets.iter().fold(shapes::without_certain(text), |text, secret| {
            if text.contains(secret.as_str()) { text.replace(secret.as_str(), MARK) } else { text }
        })
    }

    fn shown_line(&self, line: u32) -> String {
        let Some(text) = (line as usize).checked_sub(1).and_then(|index| self.lines.get(index)) else {
            return String::new();
        };
        if text.len() > LONGEST_LINE {
            return String::new();
        }
        if self.hidden_lines.contains(&line) {
            let key = text.split_inclusive([':', '=']).next().filter(|key| key.len() < text.len());
            return self.without_secrets(format!("{} {MARK}", key.unwrap_or_default()));
        }
        self.without_secrets(line_without_values(text))
    }
}

impl NodeCursor<'_> {
    /// A finding that keeps the file from loading, placed on this value.
    pub fn error(&self, code: &'static str, message: impl Into<String>) -> Finding {
        self.finding(DiagnosticSeverity::Error, code, message)
    }

    /// A key that must be there and is not.
    pub fn missing_key(&self, key: &str, message: impl Into<String>) -> Finding {
        Finding { path: self.path_of(key), ..self.error("MISSING_KEY", message) }.received("undefined")
    }

    /// A finding to look into, placed on this value.
    pub fn warning(&self, code: &'static str, message: impl Into<String>) -> Finding {
        self.finding(DiagnosticSeverity::Warning, code, message)
    }

    /// A matter of style, placed on this value.
    pub fn notice(&self, code: &'static str, message: impl Into<String>) -> Finding {
        self.finding(DiagnosticSeverity::Hint, code, message)
    }

    fn finding(
        &self,
        severity: DiagnosticSeverity,
        code: &'static str,
        message: impl Into<String>,
    ) -> Finding {
        Finding::new(severity, code, &self.path, LineColumn::new(self.node.line, self.node.column), message)
    }
}

#[cfg(test)]
mod tests;
