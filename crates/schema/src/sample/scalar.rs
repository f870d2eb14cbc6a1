//! Plain values that may fit: numbers within bounds, texts of a format, a length or a pattern.
//!
//! Bounds and a word in; candidates out, best first. The caller takes the first that passes.

use super::pattern;
use crate::shape::Shape;
use serde_json::{Value, json};

/// No text is longer than this.
const LONGEST_TEXT: u64 = 4_096;

/// Numbers that may be within these bounds, 1 where it fits; multiples of the step where there is one. What is one step inside
/// of a bound is there for bounds that are not allowed themselves.
pub fn numbers(low: Option<f64>, high: Option<f64>, step: Option<f64>) -> impl Iterator<Item = Value> {
    let near = step.unwrap_or(1.0);
    let up = move |number: f64| step.map_or(number, |step| (number / step).ceil() * step);
    let down = move |number: f64| step.map_or(number, |step| (number / step).floor() * step);
    let low = low.map(up).into_iter().flat_map(move |low| [low, low + near]);
    let high = high.map(down).into_iter().flat_map(move |high| [high, high - near]);
    [up(1.0), 0.0]
        .into_iter()
        .chain(low)
        .chain(high)
        .map(|number| if number.fract() == 0.0 { json!(number as i64) } else { json!(number) })
}

/// Texts that may fit: one of the format, the word as long as it has to be, and one of the pattern that passes.
pub fn texts(shape: &Shape, word: &str, passes: &dyn Fn(&String) -> bool) -> Vec<String> {
    let by_format = shape.format.as_ref().and_then(|format| format.sample()).map(str::to_owned);
    let by_pattern = shape.pattern.as_ref().and_then(|pattern| pattern::sample(pattern.as_str(), passes));
    by_format.into_iter().chain([of_length(shape, word)]).chain(by_pattern).collect()
}

/// The word, repeated or cut to fit.
fn of_length(shape: &Shape, word: &str) -> String {
    let word = if word.is_empty() { "example" } else { word };
    let length = word.chars().count() as u64;
    let most = shape.max_length.unwrap_or(LONGEST_TEXT).min(LONGEST_TEXT);
    let wanted = length.max(shape.min_length.unwrap_or(0)).min(most);
    word.chars().cycle().take(usize::try_from(wanted).unwrap_or(0)).collect()
}
