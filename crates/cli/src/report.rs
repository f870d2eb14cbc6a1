//! The only place that prints. Data goes to stdout, everything for people to stderr.
//!
//! In `serve`, stdout belongs to the protocol: nothing here writes to it then.

use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::sanitize::seen;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A line that is drawn again and again is no longer than this, so that it stays on one line of a usual terminal.
const MOST_DRAWN: usize = 78;
/// Makes the line of a terminal empty.
const CLEARED: &str = "\r\u{1b}[K";
/// A line is drawn that will be drawn again.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Why a command did not do what was asked, with its exit code.
#[derive(Debug)]
pub struct CommandError {
    /// Which exit code.
    pub exit: Exit,
    /// What to tell the person.
    pub message: String,
}

/// The exit codes; of several, the highest wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// The operation failed.
    Failed = 1,
    /// Wrong usage, or an invalid file or input.
    Invalid = 2,
    /// Wrong configuration, or nothing to serve.
    Configuration = 3,
    /// A file cannot be read or written.
    Io = 4,
}

impl CommandError {
    /// Stops with a message.
    pub fn new(exit: Exit, message: impl Display) -> CommandError {
        CommandError { exit, message: message.to_string() }
    }

    /// The operation failed.
    pub fn failed(message: impl Display) -> CommandError {
        CommandError::new(Exit::Failed, message)
    }

    /// Wrong usage, or an invalid file or input.
    pub fn invalid(message: impl Display) -> CommandError {
        CommandError::new(Exit::Invalid, message)
    }

    /// Wrong configuration, or nothing to serve.
    pub fn configuration(message: impl Display) -> CommandError {
        CommandError::new(Exit::Configuration, message)
    }

    /// A file cannot be read or written.
    pub fn io(message: impl Display) -> CommandError {
        CommandError::new(Exit::Io, message)
    }
}

/// Prints data. A reader that has seen enough, as `head` has, is no failure: the exit code stays that of the work.
pub fn data(text: &str) {
    clear();
    let mut output = std::io::stdout().lock();
    match writeln!(output, "{text}").and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            note(&format!("error: standard output cannot be written: {error}"));
            std::process::exit(Exit::Io as i32);
        }
        Ok(()) | Err(_) => {}
    }
}

/// One line of others' text, without what could make a terminal do something.
pub fn terminal_safe(text: &str) -> String {
    text.chars().map(seen).collect()
}

/// How a line for people is written where programs read it: its level and its text in, the line out.
type LineFormat = fn(&str, &str) -> String;

static LINES: OnceLock<LineFormat> = OnceLock::new();

/// From now on everything for people is written as this says, one line each, as the log is.
pub fn set_line_format(line: LineFormat) {
    // The first caller has reported it already.
    LINES.get_or_init(|| line);
}

/// Tells the person something.
pub fn note(text: &str) {
    print_line("info", text);
}

/// Tells the person where the server listens. Programs look for this line too, and it is the same in every format.
pub fn address(text: &str) {
    print_text(&format!("{text}\n"));
}

fn print_line(level: &str, text: &str) {
    match LINES.get() {
        Some(line) => print_text(&line(level, text.trim_end())),
        None => print_text(&format!("{text}\n")),
    }
}

/// Tells the person why nothing came of it.
pub fn failure(text: &str) {
    print_line("error", &format!("error: {text}"));
}

/// Asks the person something, on the same line as the answer.
pub fn question(text: &str) {
    print_text(&format!("{text} "));
}

/// Draws a line in place of the one that was drawn before; an empty one clears it.
pub fn redraw(line: &str) {
    let line: String = line.chars().take(MOST_DRAWN).collect();
    IS_DRAWN.store(!line.is_empty(), Ordering::Relaxed);
    write(&format!("{CLEARED}{line}"));
}

/// Clears the drawn line, so that what comes next does not stand behind it.
fn clear() {
    if IS_DRAWN.swap(false, Ordering::Relaxed) {
        write(CLEARED);
    }
}

fn print_text(text: &str) {
    clear();
    write(text);
}

/// A person who has closed the terminal cannot be told; the work goes on.
fn write(text: &str) {
    if std::io::stderr().write_all(text.as_bytes()).is_err() {
        tracing::trace!(target: "aqueduct::load", "standard error is closed");
    }
}

/// Prints findings for people. Hints are shown only when asked for by `validate`.
pub fn findings(diagnostics: &[Diagnostic], least: DiagnosticSeverity) {
    for diagnostic in diagnostics.iter().filter(|each| each.severity >= least) {
        let level = if diagnostic.severity == DiagnosticSeverity::Error { "error" } else { "warn" };
        let text = diagnostic.to_string();
        // Those of several lines stand apart.
        print_line(level, &if text.contains('\n') { format!("{text}\n") } else { text });
    }
}
