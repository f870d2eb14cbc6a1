//! Words of an implementation in the messages of errors: the patterns of the public test runner, told by hand.
//!
//! A message in, the first such word out. The one table: messages are made by it, and servers are judged by it.

/// Words that no message may have, in small letters.
const WORDS: [&str; 6] =
    ["typeerror", "referenceerror", "syntaxerror", "/src/", "/node_modules/", "#<object>"];

/// The first word of an implementation in a message.
pub fn leak(message: &str) -> Option<String> {
    let small = message.to_lowercase();
    let word = WORDS.iter().find(|word| small.contains(**word)).map(|word| (*word).to_owned());
    word.or_else(|| place_in_code(&small)).or_else(|| line_of_a_file(&small))
}

/// True for a message that the public test runner takes for one with leaked internals.
pub fn looks_like_a_leak(message: &str) -> bool {
    leak(message).is_some()
}

/// True for a message that shows where a program and its files are: a stack trace, a path, a type of its language. Unlike the
/// public runner's patterns it leaves plain words alone, such as "at least".
pub fn shows_internals(message: &str) -> bool {
    let small = message.to_lowercase();
    let is_place = |(start, _): (usize, &str)| {
        let word = small[start + 2..].trim_start().trim_start_matches(['\'', '"', '`', '(']);
        let inside = word.split_once(" (").map_or("", |(_, inside)| inside);
        [word, inside].into_iter().any(begins_with_a_path)
    };
    WORDS.iter().any(|word| small.contains(word))
        || line_of_a_file(&small).is_some()
        || small.match_indices("at ").any(is_place)
}

fn begins_with_a_path(text: &str) -> bool {
    let is_drive = || matches!(text.as_bytes(), [drive, b':', b'\\', ..] if drive.is_ascii_lowercase());
    ["/", "file:", "node:", "<anonymous>"].iter().any(|start| text.starts_with(start)) || is_drive()
}

/// `at` with a word after it, as lines of a stack trace begin, wherever the letters stand.
fn place_in_code(small: &str) -> Option<String> {
    small.match_indices("at").find_map(|(start, _)| {
        let after = &small[start + 2..];
        let word = after.trim_start();
        (word.len() < after.len() && !word.is_empty())
            .then(|| format!("at {}", word.split_whitespace().next().unwrap_or_default()))
    })
}

/// A file of a script with the number of a line.
fn line_of_a_file(small: &str) -> Option<String> {
    [".ts:", ".js:"].into_iter().find_map(|end| {
        let has_number = |(start, _): (usize, &str)| {
            small[start + end.len()..].chars().next().is_some_and(|next| next.is_ascii_digit())
        };
        small.match_indices(end).any(has_number).then(|| end.to_owned())
    })
}

#[cfg(test)]
mod tests;
