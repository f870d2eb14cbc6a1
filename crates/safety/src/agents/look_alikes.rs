//! Letters and signs of other scripts that are taken for those of ASCII.
//!
//! A character in, the one that a reader sees in it out. The table holds what is commonly used to disguise words; letters in other
//! fonts and widths are not in it, because compatibility normalisation makes ordinary letters of them.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What is seen, and what looks like it. Capitals stand apart where the small letter looks like another one.
#[rustfmt::skip]
const TABLE: &[(char, &str)] = &[
    ('a', "аɑαᴀⲁ"), ('b', "ьвбʙƅᏏ"), ('c', "сϲᴄⲥ"), ('d', "ԁᴅđɗժ"), ('e', "еєεᴇҽɛ"), ('f', "ꜰƒғ"),
    ('g', "ɡɢցġ"), ('h', "нһʜհħ"), ('i', "іıɪιⲓї"), ('j', "јᴊյ"), ('k', "кᴋκⲕ"), ('l', "ʟłⅼӏ"),
    ('m', "мᴍⲙ"), ('n', "пոηɴⲛ"), ('o', "оοσօᴏøⲟ"), ('p', "рρᴘⲣþ"), ('q', "ԛզ"), ('r', "гʀɾᴦ"),
    ('s', "ѕꜱʂ"), ('t', "тτᴛŧⲧ"), ('u', "սυᴜμц"), ('v', "νѵᴠʋ"), ('w', "ԝωᴡɯш"), ('x', "хχⲭ"),
    ('y', "уγʏү"), ('z', "ᴢʐ"),
    ('A', "АΑᎪꓮ"), ('B', "ВΒᏴꓐ"), ('C', "СϹᏟꓚ"), ('D', "ᎠꓓĐ"), ('E', "ЕΕᎬꓰЄ"), ('F', "ꓝϜ"), ('G', "Ꮐꓖ"),
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

/// The character of ASCII that a reader sees, or the character itself.
pub(super) fn seen(c: char) -> char {
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
