//! Keeps the digits of numbers, which a parser would round.
//!
//! Valid JSON in; JSON with a text in the place of each number, and the numbers, out. Invariant: putting them back gives
//! every number as it was written.

use std::ops::Range;

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
    for place in places(json) {
        text.push_str(&json[end..place.start]);
        text.push_str(&kept.stand_in(kept.numbers.len()));
        end = place.end;
        kept.numbers.push(json[place].to_owned());
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

/// Where numbers stand: outside strings, nothing else has digits in it.
fn places(json: &str) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut is_text = false;
    let mut is_escaped = false;
    for (index, byte) in json.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'-' | b'0'..=b'9' => match places.last_mut() {
                Some(last) if last.end == index => last.end += 1,
                _ => places.push(index..index + 1),
            },
            b'+' | b'.' | b'e' | b'E' => {
                if let Some(last) = places.last_mut().filter(|last| last.end == index) {
                    last.end += 1;
                }
            }
            _ => {}
        }
    }
    places
}

/// A word that the file does not hold.
fn unused_mark(json: &str) -> String {
    let mut mark = "aqueduct-keeps-the-number-".to_owned();
    while json.contains(&mark) {
        mark.insert(0, '-');
    }
    mark
}
