//! Credentials that do not belong in a file: texts that look like tokens or keys, found anywhere in it.
//!
//! What is found is never shown: its lines are hidden before the finding is added.

use crate::findings::{Finding, Findings};
use crate::node_cursor::NodeCursor;
use crate::{DocumentNode, LineColumn, NodeValue};
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::secrets::shapes;

/// What to do instead.
pub const ADVICE: &str =
    "remove it, revoke it if it was ever shared, and name an environment variable in 'auth' instead";

/// Reports every text of the tree, keys included, that looks like a credential.
pub fn scan(at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    if let NodeValue::String(text) = &at.node.value {
        report(text, &at.path, LineColumn::new(at.node.line, at.node.column), found);
    }
    for element in at.elements() {
        scan(&element, found);
    }
    for (entry, value) in at.entries() {
        report(&entry.key, &at.path, LineColumn::new(entry.line, entry.column), found);
        scan(&value, found);
    }
}

/// Reports every line of the prose after the front matter that holds a credential.
pub fn scan_prose(prose: &str, first_line: u32, found: &mut Findings<'_>) {
    for (line, text) in (first_line..).zip(prose.lines()) {
        report(text, "", LineColumn::new(line, 1), found);
    }
}

/// Reports every comment of the front matter that holds a credential; a value that looks like a comment has been
/// reported already.
pub fn scan_comments(yaml: &str, found: &mut Findings<'_>) {
    for (line, text) in (1..).zip(yaml.lines()) {
        if let Some(start) = text.find('#')
            && !found.is_hidden(line)
        {
            let column = u32::try_from(text[..start].chars().count() + 1).unwrap_or(u32::MAX);
            report(&text[start..], "", LineColumn { line, column }, found);
        }
    }
}

fn report(text: &str, path: &str, place: LineColumn, found: &mut Findings<'_>) {
    let Some(what) = shapes::first_in(text) else { return };
    hide_lines(place.line, text, found);
    let message = format!("This looks like {what}: files hold no credentials");
    Finding::new(DiagnosticSeverity::Error, "EMBEDDED_CREDENTIAL", path, place, message)
        .hint(ADVICE)
        .add_to(found);
}

/// Reports a value that stands where only a credential would stand.
pub fn report_value(at: &NodeCursor<'_>, message: &str, found: &mut Findings<'_>) {
    hide_value(at.node, found);
    at.error("EMBEDDED_CREDENTIAL", message).hint(ADVICE).add_to(found);
}

/// Keeps a value out of everything that is shown.
pub fn hide_value(node: &DocumentNode, found: &mut Findings<'_>) {
    let text = node.text().unwrap_or_default();
    found.hide_text(text);
    hide_lines(node.line, text, found);
}

/// Hides the lines that a text may stand on: one of several lines is written below its key.
fn hide_lines(first: u32, text: &str, found: &mut Findings<'_>) {
    found.hide_line(first);
    let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    if lines > 1 {
        (1..=lines).for_each(|extra| found.hide_line(first.saturating_add(extra)));
    }
}
