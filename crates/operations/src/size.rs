//! Whether a value is large, so that going through it takes long; and large numbers as people read them.
//!
//! A value and a number of bytes in; out, whether it is larger. The value is looked through only as far as that takes to know.

use serde_json::Value;

/// Bytes of a response, or of an item, from which on work on it is done elsewhere than where connections are served.
pub const LARGE: usize = 256 * 1024;

/// What a value takes besides its text.
const OF_EACH: usize = 8;

/// True when the value, written, has about this many bytes or more.
pub fn is_large(value: &Value, bytes: usize) -> bool {
    let (mut rest, mut size) = (vec![value], 0);
    while let Some(next) = rest.pop() {
        match next {
            Value::Array(items) => rest.extend(items.iter().take(bytes)),
            Value::Object(members) => {
                size += members.keys().map(String::len).sum::<usize>();
                rest.extend(members.values());
            }
            Value::String(text) => size += text.len(),
            _ => {}
        }
        size += OF_EACH;
        if size > bytes || rest.len() > bytes {
            return true;
        }
    }
    false
}

/// A whole number with its thousands apart: `12,345`.
pub fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests;
