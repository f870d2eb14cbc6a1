//! Takes out of an upstream's words what an API should not have said: what looks like a secret, connection strings, queries,
//! stack traces, file paths, private addresses and host names (runtime specification, section 11.3).
//!
//! Text comes in, the same text with `[REDACTED]` in places goes out. It errs on the side of taking out too much.

use aqueduct_operations::address::AddressKind;
use aqueduct_operations::secrets::keyed::words_without_values;
use aqueduct_operations::secrets::{MARK, shapes};
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::LazyLock;

/// Taken out whole.
static ALWAYS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let patterns = [
        // Connection strings.
        r"(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|oracle|ldaps?|sftp|smtps?|clickhouse|cassandra)://\S+",
        r"(?i)\bjdbc:\S+",
        r"(?i)\b(?:server|data source|host|user id|uid)=[^;\n]*;[^\n]*?\b(?:password|pwd)=[^;\s]*;?",
        // Queries.
        r"\b(?:SELECT\s[^\n]{1,2000}?\sFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM)\s[^\n]*",
        r"(?i)\bselect\s[^\n]{1,2000}?\sfrom\s[^\n]{1,2000}?\swhere\s[^\n]*",
        // Frames of stack traces that stand inside a line.
        r"\bat\s+(?:async\s+|new\s+)?[\w.$<>\[\]/]+\s*\([^()\n]*\)",
        r"\bat\s+\S+:\d+(?::\d+)?",
        r#"File "[^"\n]*", line \d+(?:, in \S+)?"#,
        // Files.
        r"(?:file://)?/(?:home|usr|var|etc|opt|tmp|app|srv|root|Users|private|mnt|data|proc|sys|bin|lib|workspace|build|dev|code|www)/[^\s'<>(),;\x22]+",
        r"(?:[\w.@~-]*/)*node_modules/[^\s'<>(),;\x22]+",
        r"/?(?:[\w.@~-]+/)*[\w.@~-]+\.(?:tsx?|jsx?|mjs|cjs|py|rb|php|java|kt|go|rs|cs|cpp|ex|scala):\d+(?::\d+)?",
        r"/(?:[\w.@~-]+/)+[\w.@~-]+\.(?:tsx?|jsx?|mjs|cjs|py|rb|php|java|kt|go|rs|cs|cpp|conf|cfg|ini|env|pem|key|sql|log|db|sqlite3?)\b",
        r"\b[A-Za-z]:\\[^\s'<>,;\x22]+",
        r"\\\\[\w.-]+\\[^\s'<>,;\x22]+",
        // Hosts of a private network.
        r"(?i)\b(?:[a-z0-9-]+\.)+(?:internal|local|localdomain|lan|intranet|corp|svc|home\.arpa)\b(?::\d+)?",
    ];
    patterns.into_iter().filter_map(compile).collect()
});

/// What may be an address; a private one is taken out.
static ADDRESSES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let patterns = [
        r"\b(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?::\d+)?\b",
        r"\[?((?:[0-9A-Fa-f]{0,4}:){2,7}(?:[0-9A-Fa-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?)\]?",
    ];
    patterns.into_iter().filter_map(compile).collect()
});

/// A pattern that does not compile is a mistake that the tests find; it must not take the process down.
fn compile(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

/// The text without what looks like a leak.
pub(super) fn remove_leaks(text: &str) -> String {
    let mut text = shapes::without_likely(remove_stack_traces(text));
    for pattern in ALWAYS.iter() {
        text = replace_matches(text, pattern, |_| MARK.to_owned());
    }
    // After the files, for a mark in the middle of a path would hide the path.
    text = shapes::without_random(words_without_values(text));
    for pattern in ADDRESSES.iter() {
        text = replace_matches(text, pattern, |found| {
            if is_private_address(&found[1]) { MARK.to_owned() } else { found[0].to_owned() }
        });
    }
    text
}

/// Drops the lines of a stack trace.
fn remove_stack_traces(text: &str) -> String {
    let mut in_trace = false;
    let mut remaining = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim_start();
        let is_indented = trimmed.len() < line.len();
        let starts_trace = ["Traceback (most recent", "goroutine ", "stack backtrace:", "Stack trace:"]
            .iter()
            .any(|start| trimmed.starts_with(start));
        let is_frame = (is_indented && (trimmed.starts_with("at ") || trimmed.starts_with("...")))
            || trimmed.starts_with("File \"")
            || is_numbered_frame(trimmed);
        in_trace = starts_trace || is_frame || (in_trace && is_indented);
        if !in_trace {
            remaining.push(line);
        }
    }
    remaining.join("\n")
}

/// `#0 /app/x.php(12)` and `3: core::panicking`.
fn is_numbered_frame(line: &str) -> bool {
    let rest = line.strip_prefix('#').unwrap_or(line);
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    after.len() < rest.len()
        && ((rest.len() < line.len() && after.starts_with(' ') && after.contains(['/', '(']))
            || (after.starts_with(": ") && after.contains("::")))
}

fn replace_matches(text: String, pattern: &Regex, by: impl Fn(&Captures<'_>) -> String) -> String {
    if let Cow::Owned(changed) = pattern.replace_all(&text, by) {
        return changed;
    }
    text
}

/// An address of a private network, or another one that is not public.
fn is_private_address(word: &str) -> bool {
    word.parse::<IpAddr>().is_ok_and(|address| AddressKind::of(address).is_some())
}

#[cfg(test)]
mod tests;
