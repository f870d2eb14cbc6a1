//! Letters and signs of other scripts that are taken for those of ASCII.
//!
//! A character in, the one that a reader sees in it out. Two tables: one of our own for what is commonly used to disguise words, and
//! the data of Unicode for all that can be taken for one another (UTS 39). Letters in other fonts and widths are in neither, because
//! compatibility normalisation makes ordinary letters of them.

use std::collections::HashMap;
use std::sync::LazyLock;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

/// What is seen, and what looks like it. Capitals stand apart where the small letter looks like another one.
#[rustfmt::skip]
const TABLE: &[(char, &str)] = &[
    ('a', "аɑαᴀⲁ"), ('b', "ьвбʙƅᏏ"), ('c', "сϲᴄⲥ"), ('d', "ԁᴅđɗժ"), ('e', "еєεᴇҽɛ"), ('f', "ꜰƒғ"),
    ('g', "ɡɢցġ"), ('h', "нһʜհħ"), ('i', "іıɪιⲓї˛ͺ"), ('j', "јᴊյ"), ('k', "кᴋκⲕ"), ('l', "ʟłⅼӏ"),
    ('m', "мᴍⲙ"), ('n', "пոηɴⲛ"), ('o', "оοσςօᴏøⲟ"), ('p', "рρᴘⲣþ"), ('q', "ԛզ"), ('r', "гʀɾᴦ"),
    ('s', "ѕꜱʂ"), ('t', "тτᴛŧⲧ"), ('u', "սυᴜμц"), ('v', "νѵᴠʋ"), ('w', "ԝωᴡɯш"), ('x', "хχⲭ"),
    ('y', "уγʏү"), ('z', "ᴢʐ"),
    ('A', "АΑᎪꓮ"), ('B', "ВΒᏴꓐ"), ('C', "СϹᏟꓚ𐔜"), ('D', "ᎠꓓĐ"), ('E', "ЕΕᎬꓰЄ"), ('F', "ꓝϜ"), ('G', "Ꮐꓖ"),
    ('H', "НΗᎻꓧ"), ('I', "ІΙꓲ"), ('J', "ЈᎫꓙ"), ('K', "КΚᏦꓗ"), ('L', "ᏞꓡŁ"), ('M', "МΜᎷꓟ"), ('N', "Νꓠ"),
    ('O', "ОΟꓳØ"), ('P', "РΡᏢꓑ"), ('Q', "Ԛ"), ('R', "ᎡᏒꓣ"), ('S', "ЅᏚꓢ"), ('T', "ТΤᎢꓔ"), ('U', "ꓴ"),
    ('V', "ᏙꓦѴ"), ('W', "ᎳᏔꓪԜ"), ('X', "ХΧꓫ"), ('Y', "УΥᎩꓬ"), ('Z', "ΖᏃꓜ"),
    ('-', "‐‑‒–—―−⁃﹘"), ('/', "∕⁄╱⧸"), ('*', "∗⁎✱٭"), ('|', "∣ǀ│"), ('_', "‿⁔"), ('\'', "‘’‛′"), ('"', "“”„‟″"),
    (',', "‚"), (';', ";"), (':', "׃∶꞉"), ('.', "․"), ('~', "∼˜"), ('<', "‹"), ('>', "›"), ('\\', "∖⧵"),
];

static SEEN: LazyLock<HashMap<char, char>> =
    LazyLock::new(|| TABLE.iter().flat_map(|(seen, alike)| alike.chars().map(|c| (c, *seen))).collect());

/// Alphabets that stand in one row somewhere, in order: letters in circles and squares, and those of flags.
const ROWS: [char; 3] = ['\u{1f150}', '\u{1f170}', '\u{1f1e6}'];

/// The letter of ASCII that a reader sees, or the character itself. Our own table has the first word.
pub(super) fn seen(c: char) -> char {
    let known = commonly_seen(c);
    if known != c || c.is_ascii() || has_own_meaning(c) {
        return known;
    }
    in_data(c).filter(char::is_ascii_alphabetic).unwrap_or(c)
}

/// The letter of ASCII that a reader sees in a small letter: where itself is like none, that of its capital.
pub(super) fn small_seen(c: char) -> char {
    let known = seen(c);
    if known != c || c.is_ascii() {
        return known;
    }
    let capital = other_case(c).map_or(c, seen);
    if capital.is_ascii_alphabetic() { capital.to_ascii_lowercase() } else { c }
}

/// The letter or digit of ASCII that a reader sees, or the character itself. Unicode has the first word.
pub(super) fn seen_by_unicode(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let known = in_data(c).unwrap_or_else(|| commonly_seen(c));
    if known != c { known } else { other_case(c).and_then(in_data).unwrap_or(c) }
}

/// What the data of Unicode says.
fn in_data(c: char) -> Option<char> {
    let mut buffer = [0; 4];
    let mut letter = None;
    let mut is_marked = false;
    for part in skeleton(c.encode_utf8(&mut buffer)) {
        if is_combining_mark(part) {
            is_marked = true;
        } else if letter.replace(part).is_some() {
            return None;
        }
    }
    // A letter with a mark is that letter, unless we know better; a sign with one, such as that of a currency, is not.
    let is_letter = !is_marked || c.is_alphabetic() && commonly_seen(c) == c;
    letter.filter(|letter| letter.is_ascii_alphanumeric() && is_letter)
}

/// The same letter, large or small.
fn other_case(c: char) -> Option<char> {
    let mut written: Vec<char> =
        if c.is_lowercase() { c.to_uppercase().collect() } else { c.to_lowercase().collect() };
    written.pop().filter(|other| written.is_empty() && !other.is_ascii() && *other != c)
}

/// Signs that stand between numbers, and before a word, where they are no letters.
fn has_own_meaning(c: char) -> bool {
    matches!(c, '×' | '⨯' | '⨉' | '✕' | '✖' | '╳' | '⤫' | '⤬' | '¡')
}

/// What our own table and the rows say.
pub(super) fn commonly_seen(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let in_row = ROWS.iter().find_map(|first| {
        let place = u32::from(c).checked_sub(u32::from(*first)).filter(|place| *place < 26)?;
        char::from_u32(u32::from('a') + place)
    });
    in_row.or_else(|| SEEN.get(&c).copied()).unwrap_or(c)
}

/// Everything that looks like this character.
#[cfg(test)]
pub(super) fn alike(seen: char) -> &'static str {
    TABLE.iter().find(|(each, _)| *each == seen).map_or("", |(_, alike)| alike)
}

#[cfg(test)]
mod tests;
