//! Long texts of documents, cut to short ones.
//!
//! Text in, text out; the same text always gives the same, whatever the machine.

use aqueduct_operations::markup::first_paragraph;

/// The first paragraph of a text on one line and without markup, cut at a word with an ellipsis when longer than this.
pub(super) fn brief(text: &str, most: usize) -> String {
    let paragraph = first_paragraph(text);
    let mut line = String::with_capacity(paragraph.len().min(most + 1));
    let mut length = 0;
    for word in paragraph.split_whitespace() {
        let size = word.chars().count();
        if length + usize::from(length > 0) + size > most {
            if length == 0 {
                line.extend(word.chars().take(most.saturating_sub(1)));
            }
            line.push('…');
            return line;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += size;
    }
    line
}

#[cfg(test)]
mod tests;
