//! Characters that are written as the numbers of their bytes, one after the other: `72 6d`, `0x72,0x6d`, `114 109`, `chr(114)+chr(109)`.
//!
//! A text in; what such numbers in it say out, read as hexadecimal, decimal and binary ones.

use super::readable;

/// The fewest numbers that are taken for a text.
const FEWEST: usize = 4;

/// What stands between numbers where a program puts them together.
const JOINTS: [&str; 4] = ["chr", "char", "string", "fromcharcode"];

/// The ways to write a number: its base, and how many digits it has.
const WAYS: [(u32, std::ops::RangeInclusive<usize>); 3] = [(16, 2..=2), (10, 2..=3), (2, 8..=8)];

/// The texts that the numbers of a text stand for.
pub fn in_text(text: &str) -> Vec<String> {
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let words: Vec<&str> = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty() && !JOINTS.iter().any(|joint| joint.eq_ignore_ascii_case(word)))
        .collect();
    WAYS.into_iter().flat_map(|(base, digits)| of_base(&words, base, &digits)).collect()
}

fn of_base(words: &[&str], base: u32, digits: &std::ops::RangeInclusive<usize>) -> Vec<String> {
    let byte = |word: &&str| {
        let written = if base == 16 { word.strip_prefix("0x").unwrap_or(word) } else { word };
        let fits = digits.contains(&written.len()) && written.bytes().all(|b| char::from(b).is_digit(base));
        fits.then(|| u8::from_str_radix(written, base).ok()).flatten()
    };
    let values: Vec<Option<u8>> = words.iter().map(byte).collect();
    let runs = values.split(Option::is_none).filter(|run| run.len() >= FEWEST);
    runs.filter_map(|run| readable(run.iter().copied().flatten().collect())).collect()
}
