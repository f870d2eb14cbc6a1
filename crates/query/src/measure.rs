//! How many tokens a text costs a model: an estimate of o200k without its vocabulary (ruling W16).
//!
//! In: text, JSON as a rule. Out: a number that is not more than a tenth too low for any kind of text in the tests, and
//! 5 to 25 percent too high for most responses. The text is cut into runs as the tokenizer does it. Three digits cost one,
//! and so does a usual word. Any other run of letters or signs costs what its beginning and each pair of neighbours
//! cost, and one in any case: pairs that are usual inside words cost little, so that words come out cheap and random
//! letters dear. Other characters cost what random text in their script costs: prose there comes out two or three
//! times too high.

mod pairs;
mod scripts;
mod usual;

/// One token; everything is counted in hundredths.
const TOKEN: i64 = 100;
/// What a pair of neighbours costs, by its digit in the table.
#[derive(Clone, Copy)]
struct PairCost {
    /// For each step of the digit.
    step: i64,
    /// Taken off.
    less: i64,
}

/// The cost of a pair of letters.
const LETTERS: PairCost = PairCost { step: 16, less: 21 };
/// The same for a pair of signs.
const SIGNS: PairCost = PairCost { step: 16, less: 20 };
/// The beginning of a run of signs.
const FIRST_SIGN: i64 = 61;
/// A capital letter to begin with; each further one; and small letters behind several.
const CAPITAL: i64 = 19;
const CAPITALS: i64 = 10;
const SMALL_AFTER_CAPITALS: i64 = 12;
/// From so many letters or signs on a run is hardly one that anyone has seen before: no pair is cheap any more.
const LONG_WORD: usize = 14;
const LONG_SIGNS: usize = 6;
const PAIR_OF_LONG_RUN: i64 = 45;

/// What is before a word in the same run: what its beginning costs, and what the whole costs if it is a usual word.
struct MeasuredPrefix {
    any_word: i64,
    usual_word: i64,
}

const NOTHING: MeasuredPrefix = MeasuredPrefix { any_word: 74, usual_word: 100 };
const SPACE: MeasuredPrefix = MeasuredPrefix { any_word: 56, usual_word: 100 };
const DOT: MeasuredPrefix = MeasuredPrefix { any_word: 110, usual_word: 121 };
const SLASH: MeasuredPrefix = MeasuredPrefix { any_word: 150, usual_word: 160 };
const SIGN: MeasuredPrefix = MeasuredPrefix { any_word: 150, usual_word: 198 };

/// An estimate of the o200k tokens of a text.
pub fn tokens(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let (mut at, mut total) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        let before_a_letter = bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        let (end, cost) = match byte {
            b'0'..=b'9' => digits(bytes, at),
            b'a'..=b'z' | b'A'..=b'Z' => word(bytes, at, &NOTHING),
            b' ' if before_a_letter => word(bytes, at + 1, &SPACE),
            b'.' | b'_' if before_a_letter => word(bytes, at + 1, &DOT),
            b'/' | b'-' | b'(' if before_a_letter => word(bytes, at + 1, &SLASH),
            b'!'..=b'~' if before_a_letter => word(bytes, at + 1, &SIGN),
            b'!'..=b'~' => signs(bytes, at),
            b' ' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => signs(bytes, at + 1),
            b' ' | b'\t' | b'\n' | b'\r' => white_space(bytes, at),
            0..=0x7f => (at + 1, TOKEN),
            _ => other(text, at),
        };
        at = end;
        total += cost;
    }
    u64::try_from(total).unwrap_or_default().div_ceil(TOKEN.unsigned_abs())
}

/// Where the bytes that are such end.
fn run(bytes: &[u8], at: usize, such: impl Fn(&u8) -> bool) -> usize {
    at + bytes[at..].iter().take_while(|byte| such(byte)).count()
}

fn digits(bytes: &[u8], at: usize) -> (usize, i64) {
    let end = run(bytes, at, u8::is_ascii_digit);
    (end, (end - at).div_ceil(3) as i64 * TOKEN)
}

/// Capitals, then small letters.
fn word(bytes: &[u8], at: usize, beginning: &MeasuredPrefix) -> (usize, i64) {
    let small = run(bytes, at, u8::is_ascii_uppercase);
    let end = run(bytes, small, u8::is_ascii_lowercase);
    let capitals = small - at;
    if capitals < 2 && stands_alone(bytes, at, end) && usual::is_usual_word(&bytes[at..end]) {
        return (end, beginning.usual_word);
    }
    let mut cost = beginning.any_word;
    if capitals > 0 {
        cost += CAPITAL + (capitals - 1) as i64 * CAPITALS;
    }
    if capitals > 1 && end > small {
        cost += SMALL_AFTER_CAPITALS;
    }
    for (index, pair) in bytes[at..end].windows(2).enumerate() {
        let [first, second] = [pair[0], pair[1]].map(|letter| usize::from((letter | 0x20) - b'a'));
        let pair = pair_cost(pairs::LETTERS[first][second], LETTERS);
        cost += if index < LONG_WORD { pair } else { pair.max(PAIR_OF_LONG_RUN) };
    }
    (end, cost.max(TOKEN))
}

/// False when a letter of another script goes on with the word, as in `naïve`.
fn stands_alone(bytes: &[u8], at: usize, end: usize) -> bool {
    let ascii = |neighbour: Option<&u8>| neighbour.is_none_or(u8::is_ascii);
    ascii(bytes.get(end)) && ascii(at.checked_sub(1).and_then(|before| bytes.get(before)))
}

fn signs(bytes: &[u8], at: usize) -> (usize, i64) {
    let end = run(bytes, at, u8::is_ascii_punctuation);
    if usual::are_usual_signs(&bytes[at..end]) {
        return (end, TOKEN);
    }
    let mut cost = FIRST_SIGN;
    for (index, pair) in bytes[at..end].windows(2).enumerate() {
        let is_line = pair[0] == pair[1];
        let pair = pair_cost(pairs::SIGNS[sign_index(pair[0])][sign_index(pair[1])], SIGNS);
        cost += if index < LONG_SIGNS || is_line { pair } else { pair.max(PAIR_OF_LONG_RUN) };
    }
    (end, cost.max(TOKEN))
}

/// The place of a sign among the signs of ASCII.
fn sign_index(sign: u8) -> usize {
    let not_signs = match sign {
        ..=b'/' => 0,
        b':'..=b'@' => 10,
        b'['..=b'`' => 36,
        _ => 62,
    };
    usize::from(sign - b'!' - not_signs)
}

fn pair_cost(digit: u8, cost: PairCost) -> i64 {
    i64::from(digit - b'0') * cost.step - cost.less
}

/// White space of one kind. The last space before something visible belongs to that.
fn white_space(bytes: &[u8], at: usize) -> (usize, i64) {
    let mut end = run(bytes, at, |byte| *byte == bytes[at]);
    if bytes[at] == b' ' && end > at + 1 && bytes.get(end).is_some_and(u8::is_ascii_graphic) {
        end -= 1;
    }
    let in_one_token = if bytes[at] == b'\r' { 2 } else { 16 };
    (end, (end - at).div_ceil(in_one_token) as i64 * TOKEN)
}

fn other(text: &str, at: usize) -> (usize, i64) {
    let character = text[at..].chars().next();
    character.map_or((text.len(), 0), |character| (at + character.len_utf8(), scripts::cost(character)))
}

#[cfg(test)]
mod tests;
