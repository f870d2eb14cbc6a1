//! `[search] synonyms`: words of the operator's for the search.
//!
//! A checked file in; lines as the lexicon reads them out, and a finding for each that says nothing.

use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, described};

/// What separates a word from what it means.
const MEANS: &str = "->";

/// Reads all of them.
pub(super) fn read(root: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<String> {
    let Some(list) = root.get("search").and_then(|search| search.get("synonyms")) else { return Vec::new() };
    let mut lines = Vec::new();
    for each in list.elements() {
        let Some(text) = each.node.text() else { continue };
        match line(text) {
            Some(line) => lines.push(line),
            None => found.add(
                each.error("INVALID_VALUE", "This says nothing of two words")
                    .expected("words that mean the same, 'refund, money back', or one that means another, 'ticket -> issue'")
                    .received(described(each.node)),
            ),
        }
    }
    lines
}

/// `refund, money back` is `= refund, money back`; `ticket, case -> issue` is `issue < ticket, case`.
fn line(text: &str) -> Option<String> {
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(',').map(|part| part.replace(['=', '<', '|', '~', '#'], " "));
        parts
            .map(|part| part.trim().to_owned())
            .filter(|part| part.chars().any(char::is_alphanumeric))
            .collect()
    };
    match text.split_once(MEANS) {
        Some((requested, intended)) => {
            let (requested, intended) = (words(requested), words(intended));
            (!requested.is_empty() && !intended.is_empty())
                .then(|| format!("{} < {}", intended.join(" | "), requested.join(", ")))
        }
        None => {
            let same = words(text);
            (same.len() > 1).then(|| format!("= {}", same.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests;
