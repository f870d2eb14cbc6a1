//! Words of an implementation in the messages of errors: the patterns of the public test runner, told by hand.

/// Words that no message may have, in small letters.
const WORDS: [&str; 6] =
    ["typeerror", "referenceerror", "syntaxerror", "/src/", "/node_modules/", "#<object>"];

/// The first leak in a message.
pub(crate) fn leak(message: &str) -> Option<String> {
    let small = message.to_lowercase();
    let word = WORDS.iter().find(|word| small.contains(**word)).map(|word| (*word).to_owned());
    word.or_else(|| place_in_code(&small)).or_else(|| line_of_a_file(&small))
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
