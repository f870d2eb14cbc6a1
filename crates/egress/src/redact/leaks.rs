//! Takes out of an upstream's words what an API should not have said: tokens, connection strings, queries, stack traces,
//! file paths, private addresses and host names (runtime specification, section 11.3).
//!
//! Text comes in, the same text with `[REDACTED]` in places goes out. It errs on the side of taking out too much.

use super::MARK;
use aqueduct_operations::address::AddressKind;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::LazyLock;

/// Taken out whole.
static ALWAYS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let patterns = [
        // Tokens by their shape.
        r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?",
        r"\b(?:gh[pousr]_|github_pat_|[sprk]k_(?:live|test)_|sk-|xox[abeprs]-|AKIA|ASIA|AIza|glpat-|npm_|ya29\.)[A-Za-z0-9_.-]{6,}",
        r"(?s)-----BEGIN [A-Z ]+-----.*?(?:-----END [A-Z ]+-----|\z)",
        // Connection strings and URLs with a password.
        r"(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|oracle|ldaps?|sftp|smtps?|clickhouse|cassandra)://\S+",
        r"(?i)\bjdbc:\S+",
        r"(?i)\b[a-z][a-z0-9+.-]*://[^\s/@:]*:[^\s/@]+@\S+",
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

/// Decides by the first two groups of a match; the second is taken out.
type LeakTest = fn(&str, &str) -> bool;

/// Taken out where the test says so.
static SOMETIMES: LazyLock<Vec<(Regex, LeakTest)>> = LazyLock::new(|| {
    let tests: [(&str, LeakTest); 5] = [
        (r"(?i)\b((?:bearer|basic|token|apikey)\s+)([A-Za-z0-9._~+/=-]{8,})", |_, word| has_digit(word)),
        (
            r#"(?i)\b((?:[a-z]+[_-])*(?:api[_-]?key|token|secret|password|passwd|pwd|authorization|signature|sig|credential)["']?\s*[=:]\s*["']?)([^\s"',;&]{4,})"#,
            |name, word| {
                name.trim_end_matches(['"', '\'']).ends_with('=') || (word.len() >= 8 && has_digit(word))
            },
        ),
        (r"\b()([A-Za-z0-9_-]{32,})", |_, word| looks_random(word)),
        (r"\b()(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?::\d+)?\b", |_, word| is_private_address(word)),
        (r"()\[?((?:[0-9A-Fa-f]{0,4}:){2,7}(?:[0-9A-Fa-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?)\]?", |_, word| {
            is_private_address(word)
        }),
    ];
    tests.into_iter().filter_map(|(pattern, test)| Some((compile(pattern)?, test))).collect()
});

/// A pattern that does not compile is a mistake that the tests find; it must not take the process down.
fn compile(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

/// The text without what looks like a leak.
pub(super) fn remove_leaks(text: &str) -> String {
    let mut text = remove_stack_traces(text);
    for pattern in ALWAYS.iter() {
        text = replace_matches(text, pattern, |_| MARK.to_owned());
    }
    for (pattern, is_leak) in SOMETIMES.iter() {
        text = replace_matches(text, pattern, |found| {
            if is_leak(&found[1], &found[2]) { format!("{}{MARK}", &found[1]) } else { found[0].to_owned() }
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

fn has_digit(word: &str) -> bool {
    word.bytes().any(|b| b.is_ascii_digit())
}

/// Long, mixed, and no UUID.
fn looks_random(word: &str) -> bool {
    let count = |test: fn(&u8) -> bool| word.as_bytes().iter().filter(|b| test(b)).count();
    let (digits, upper, lower) =
        (count(u8::is_ascii_digit), count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    let is_uuid = word.len() == 36 && word.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    !is_uuid && upper + lower > 0 && (digits >= 4 || (digits >= 1 && upper >= 1 && lower >= 1))
}

#[cfg(test)]
mod tests;
