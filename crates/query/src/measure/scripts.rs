//! What characters outside of ASCII cost.
//!
//! In: a character. Out: what random text in its range costs for each character in o200k. Ordinary prose costs half
//! of it or a third.

/// The last character of a range, and what each character of the range costs in hundredths of a token.
const RANGES: &[(u32, u16)] = &[
    (0x9f, 200),
    (0xff, 102),  // Latin-1
    (0x17f, 140), // Latin Extended-A
    (0x36f, 195), // more Latin, combining marks
    (0x390, 200), // Greek
    (0x3a9, 100), // Greek capitals
    (0x3b0, 200),
    (0x3ce, 82), // Greek small letters
    (0x3ff, 200),
    (0x40f, 150), // Cyrillic
    (0x42f, 95),  // Cyrillic capitals
    (0x44f, 74),  // Cyrillic small letters
    (0x45f, 150),
    (0x530, 190),
    (0x556, 120), // Armenian capitals
    (0x560, 200),
    (0x587, 92), // Armenian small letters
    (0x5cf, 200),
    (0x5ea, 74), // Hebrew letters
    (0x620, 200),
    (0x64a, 96), // Arabic letters
    (0x6ff, 165),
    (0x7ff, 200),
    (0x8ff, 300),
    (0x97f, 135),  // Devanagari
    (0x9ff, 145),  // Bengali
    (0xaff, 155),  // Gurmukhi, Gujarati
    (0xbff, 172),  // Odia, Tamil
    (0xdff, 160),  // Telugu, Kannada, Malayalam, Sinhala
    (0xe7f, 146),  // Thai
    (0xeff, 200),  // Lao
    (0xfff, 225),  // Tibetan
    (0x109f, 160), // Burmese
    (0x10cf, 240),
    (0x10f0, 90), // Georgian
    (0x10ff, 240),
    (0x11ff, 300),
    (0x137f, 200), // Ethiopic
    (0x177f, 300),
    (0x17ff, 148), // Khmer
    (0x1dff, 300),
    (0x1eff, 168), // Latin with two marks, as in Vietnamese
    (0x200f, 220),
    (0x2026, 120), // dashes, quotes, the ellipsis
    (0x206f, 220),
    (0x22ff, 200), // signs, arrows, mathematics
    (0x23ff, 276),
    (0x24ff, 226),
    (0x27bf, 220), // frames, shapes, symbols
    (0x2fff, 300),
    (0x303f, 170), // CJK punctuation
    (0x309f, 122), // Hiragana
    (0x30ff, 116), // Katakana
    (0x33ff, 266),
    (0x4dbf, 300),
    (0x9fff, 192), // Han
    (0xabff, 300),
    (0xd7a3, 225), // Hangul
    (0xfdff, 300),
    (0xfeff, 200),
    (0xffef, 172), // full width
    (0xffff, 300),
    (0x1d3ff, 400),
    (0x1d7ff, 286), // mathematical letters
    (0x1efff, 400),
    (0x1f2ff, 292),
    (0x1f64f, 222), // emoji
    (0x1faff, 260), // more emoji
];

/// The rest: every byte of it may be a token.
const FOUR_BYTES: u16 = 400;

/// What a character costs, in hundredths of a token.
pub(super) fn cost(character: char) -> i64 {
    let code = u32::from(character);
    let place = RANGES.partition_point(|(last, _)| *last < code);
    i64::from(RANGES.get(place).map_or(FOUR_BYTES, |(_, cost)| *cost))
}
