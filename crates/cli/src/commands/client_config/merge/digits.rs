//! Keeps the digits of numbers, which a parser would round.
//!
//! Valid JSON in; JSON with a text in the place of each number, and the numbers, out. Invariant: putting them back gives
//! every number as it was written.

use aqueduct_operations::json_text::{TokenKind, Tokens};

/// The numbers that were taken out.
#[derive(Debug)]
pub struct KeptNumbers {
    mark: String,
    numbers: Vec<String>,
}

/// Puts a text in the place of every number of valid JSON.
pub fn take_out(json: &str) -> (String, KeptNumbers) {
    let mut kept = KeptNumbers { mark: unused_mark(json), numbers: Vec::new() };
    let mut text = String::with_capacity(json.len());
    let mut end = 0;
    for token in Tokens::of(json.as_bytes()).filter(|token| token.kind == TokenKind::Number) {
        text.push_str(&json[end..token.start]);
        text.push_str(&kept.stand_in(kept.numbers.len()));
        end = token.end;
        kept.numbers.push(json[token.start..token.end].to_owned());
    }
    text.push_str(&json[end..]);
    (text, kept)
}

impl KeptNumbers {
    /// The text with the numbers in their places again.
    pub fn put_back(&self, text: String) -> String {
        let opening = format!("\"{}", self.mark);
        let mut parts = text.split(opening.as_str());
        let mut result = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            // What follows the mark is an index and a quotation mark, as `stand_in` wrote them.
            let after = part.split_once('"');
            let found =
                after.and_then(|(index, rest)| Some((self.numbers.get(index.parse::<usize>().ok()?)?, rest)));
            match found {
                Some((number, rest)) => result.extend([number.as_str(), rest]),
                None => result.extend([opening.as_str(), part]),
            }
        }
        result
    }

    fn stand_in(&self, index: usize) -> String {
        format!("\"{}{index}\"", self.mark)
    }
}

/// A word that the file does not hold.
fn unused_mark(json: &str) -> String {
    let mut mark = "aqueduct-keeps-the-number-".to_owned();
    while json.contains(&mark) {
        mark.insert(0, '-');
    }
    mark
}
