//! What is usual in responses of APIs and in English prose and is one token: words, with or without a space in front,
//! and the signs of JSON.
//!
//! In: a run of letters or signs. Out: whether it is one of them. A word of up to twelve letters is a number, five
//! bits for a letter, so that looking it up compares one number.

use std::sync::LazyLock;

/// The words, with white space between them.
pub(super) const USUAL: &str = include_str!("../../data/usual_words.txt");

/// True when these signs are usual.
pub(super) fn are_usual_signs(signs: &[u8]) -> bool {
    matches!(
        signs,
        br#"":""#
            | br#"",""#
            | br#"":"#
            | br#",""#
            | br#"{""#
            | br#"":{""#
            | br#"":[""#
            | br#"},{""#
            | br#""},{""#
            | br#"},""#
            | br#""}"#
            | br#""]"#
            | br#"[""#
            | br#"{}"#
            | br#"[]"#
            | br#"://"#
    )
}

/// Longer words do not fit into the number.
const LONGEST: usize = 12;
/// More than twice as many slots as words, so that a word is found, or not, after one or two looks.
const SLOTS: usize = 4096;

static TABLE: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut table = vec![0; SLOTS];
    for number in USUAL.split_ascii_whitespace().filter_map(|word| number(word.as_bytes())) {
        let place = free_or_equal(&table, number);
        table[place] = number;
    }
    table
});

/// True when these letters, whatever their case, are a usual word.
pub(super) fn is_usual_word(letters: &[u8]) -> bool {
    number(letters).is_some_and(|number| TABLE[free_or_equal(&TABLE, number)] == number)
}

fn number(letters: &[u8]) -> Option<u64> {
    let fold = |number, letter: &u8| number << 5 | u64::from(letter & 0x1f);
    (1..=LONGEST).contains(&letters.len()).then(|| letters.iter().fold(0, fold))
}

/// The slot of a number, or the one where it belongs.
fn free_or_equal(table: &[u64], number: u64) -> usize {
    let mut place = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize;
    while table[place] != 0 && table[place] != number {
        place = (place + 1) % SLOTS;
    }
    place
}
