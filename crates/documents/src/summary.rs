//! Long texts of others, cut to what a list can afford.
//!
//! A text and a number of characters in, a text of one line out, without markup: whole when it is short, else cut after a
//! sentence or, failing that, after a word.

use aqueduct_operations::markup::unmarked;

/// The text on one line, within `most` characters.
pub fn brief(text: &str, most: usize) -> String {
    let text = unmarked(text);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((cut, _)) = line.char_indices().nth(most) else { return line };
    let head = &line[..cut];
    let is_worth_it = |end: &usize| *end > head.len() / 3;
    if let Some(end) = head.rfind(". ").map(|dot| dot + 1).filter(is_worth_it) {
        return head[..end].to_owned();
    }
    let head: String = line.chars().take(most.saturating_sub(3)).collect();
    let end = head.rfind(' ').filter(is_worth_it).unwrap_or(head.len());
    format!("{}...", head[..end].trim_end_matches([',', ';', ':', ' ']))
}

#[cfg(test)]
mod tests;
