//! Everything that a hint may say: itself, and what it hides behind an encoding.
//!
//! A hint in; out, the texts that are looked at, the hint first. Base64, hexadecimal digits, percent and backslash escapes, quotes
//! inside of words, shell variables for a space, letters that nobody sees and reversed text are undone. How many are looked at is
//! bounded, and whoever hides more than that is told apart from whoever hides nothing.

use super::folded_text::FoldedText;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// The most texts that are looked at of those that were only written in another way, and of those that were encoded.
const MOST_UNDONE: usize = 32;
const MOST_DECODED: usize = 12;
/// Encoded twice is hidden better, and three times is enough to look for.
const MOST_LAYERS: usize = 3;
/// The shortest run of letters that is taken for an encoding.
const SHORTEST_BASE64: usize = 12;
const SHORTEST_HEX: usize = 12;

/// A text that is looked at.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The text, folded.
    pub folded: FoldedText,
    /// How it was hidden, in a person's words; nothing for the hint itself.
    pub hidden_as: Option<&'static str>,
}

/// All that a hint may say.
#[derive(Debug, Clone)]
pub struct Readings {
    /// The texts, the hint first.
    pub texts: Vec<Reading>,
    /// There are more of them, which nobody has looked at.
    pub is_cut_off: bool,
}

/// A text on its way to being read.
struct WaitingText {
    text: String,
    /// It stood in an encoding.
    is_decoded: bool,
    /// Something may stand in an encoding in it: letters that were put in the place of digits make other words of these.
    may_hold_encoded: bool,
}

/// The readings of a hint.
pub fn readings(hint: &str) -> Readings {
    let texts = vec![Reading { folded: FoldedText::of(hint), hidden_as: None }];
    let mut readings = Readings { texts, is_cut_off: false };
    let (mut undone, mut decoded) = (0, 0);
    let mut waiting = vec![WaitingText { text: hint.to_owned(), is_decoded: false, may_hold_encoded: true }];
    for _ in 0..MOST_LAYERS {
        let mut next = Vec::new();
        for WaitingText { text, is_decoded, may_hold_encoded } in waiting {
            let mut found: Vec<Rewritten> = rewritten(&text);
            found.iter_mut().for_each(|found| found.is_decoded = is_decoded);
            if may_hold_encoded {
                found.extend(encoded(&text));
            }
            for Rewritten { text, hidden_as, is_decoded } in found {
                let folded = FoldedText::of(&text);
                if readings.texts.iter().any(|known| known.folded.plain == folded.plain) {
                    continue;
                }
                let (count, most) =
                    if is_decoded { (&mut decoded, MOST_DECODED) } else { (&mut undone, MOST_UNDONE) };
                if *count == most {
                    readings.is_cut_off = true;
                    continue;
                }
                *count += 1;
                readings.texts.push(Reading { folded, hidden_as: Some(hidden_as) });
                let may_hold_encoded = may_hold_encoded && hidden_as != DIGITS;
                next.push(WaitingText { text, is_decoded, may_hold_encoded });
            }
        }
        waiting = next;
    }
    readings
}

/// A text that another one holds, or is when it is read in another way.
struct Rewritten {
    text: String,
    hidden_as: &'static str,
    is_decoded: bool,
}

impl Rewritten {
    fn new(text: String, hidden_as: &'static str) -> Rewritten {
        Rewritten { text, hidden_as, is_decoded: false }
    }

    fn decoded(text: String, hidden_as: &'static str) -> Rewritten {
        Rewritten { text, hidden_as, is_decoded: true }
    }
}

/// What stands in a text word by word, encoded.
fn encoded(text: &str) -> Vec<Rewritten> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "+/=_-".contains(c)));
    let long = words.filter(|word| word.len() >= SHORTEST_BASE64);
    let each = long.flat_map(|word| {
        let base64 = from_base64(word).map(|text| Rewritten::decoded(text, "base64"));
        base64.into_iter().chain(from_hex(word).map(|text| Rewritten::decoded(text, "hexadecimal digits")))
    });
    each.collect()
}

/// The whole of a text as others read it.
fn rewritten(text: &str) -> Vec<Rewritten> {
    let mut found = Vec::new();
    let mut add = |written: String, hidden_as: &'static str| {
        if written != text {
            found.push(Rewritten::new(written, hidden_as));
        }
    };
    if text.contains(is_tag) {
        let shown = |c: char| if is_tag(c) { tagged(c) } else { c };
        add(text.chars().map(shown).collect(), HIDDEN_LETTERS);
        add(text.chars().filter(|c| is_tag(*c)).map(tagged).collect(), HIDDEN_LETTERS);
    }
    add(unescape(text), "escapes");
    add(unquote(text), "quotes and variables inside of words");
    add(spelt_out(text), "letters that stand alone");
    for one in ['i', 'l'] {
        add(letters_for_digits(text, one), DIGITS);
    }
    if text.contains(['\u{202e}', '\u{202d}', '\u{2067}']) || says_reversed(text) {
        add(text.chars().rev().collect(), "reversed text");
    }
    if text.to_lowercase().contains("rot13") {
        add(text.chars().map(rot13).collect(), "rot13");
    }
    found
}

const DIGITS: &str = "digits for letters";
const HIDDEN_LETTERS: &str = "letters that nobody sees";

/// A sign of Unicode's that stands for one of ASCII and is not seen.
fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0020}'..='\u{e007e}')
}

fn tagged(c: char) -> char {
    u32::from(c).checked_sub(0xe0000).and_then(char::from_u32).unwrap_or(' ')
}

/// `d r o p  t a b l e` as two words.
fn spelt_out(text: &str) -> String {
    let parts: Vec<&str> = text.split(' ').collect();
    let is_alone = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_alphabetic);
    let mut out = String::with_capacity(text.len());
    let mut index = 0;
    while index < parts.len() {
        let length = parts[index..].iter().take_while(|part| is_alone(part)).count();
        if length > 2 {
            out.push_str(&parts[index..index + length].concat());
        } else {
            out.push_str(&parts[index..index + length.max(1)].join(" "));
        }
        out.push(' ');
        index += length.max(1);
    }
    out.truncate(out.len().saturating_sub(1));
    out
}

/// `w1pe` and `de1ete`: digits in words that have letters.
fn letters_for_digits(text: &str, one: char) -> String {
    let letter = |c: char| match c {
        '0' => 'o',
        '1' => one,
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        c => c,
    };
    let is_mixed = |word: &str| {
        word.chars().any(char::is_alphabetic)
            && word.chars().any(|c| letter(c) != c)
            && word.chars().count() > 2
    };
    let replaced = text
        .split(' ')
        .map(|word| if is_mixed(word) { word.chars().map(letter).collect() } else { word.to_owned() });
    replaced.collect::<Vec<_>>().join(" ")
}

fn says_reversed(text: &str) -> bool {
    let text = text.to_lowercase();
    ["revers", "backward", "| rev", "|rev", "[::-1]"].iter().any(|word| text.contains(word))
}

fn rot13(c: char) -> char {
    let turned = |c: char, first: u8| char::from(first + (c as u8 - first + 13) % 26);
    match c {
        'a'..='z' => turned(c, b'a'),
        'A'..='Z' => turned(c, b'A'),
        c => c,
    }
}

/// Words and numbers decode to noise; what a person wrote decodes to text.
fn from_base64(word: &str) -> Option<String> {
    let word = word.trim_matches('=');
    let bytes = STANDARD_NO_PAD.decode(word).or_else(|_| URL_SAFE_NO_PAD.decode(word)).ok()?;
    readable(bytes)
}

fn from_hex(word: &str) -> Option<String> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    if digits.len() < SHORTEST_HEX
        || !digits.len().is_multiple_of(2)
        || !digits.bytes().all(|b| b.is_ascii_hexdigit())
    {
        return None;
    }
    let bytes = (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16));
    readable(bytes.collect::<Result<Vec<u8>, _>>().ok()?)
}

fn readable(bytes: Vec<u8>) -> Option<String> {
    // PowerShell encodes its commands in UTF-16.
    let is_wide = bytes.len() > 7
        && bytes.len().is_multiple_of(2)
        && bytes.iter().skip(1).step_by(2).all(|byte| *byte == 0);
    let text = if is_wide {
        bytes.iter().step_by(2).map(|byte| char::from(*byte)).collect()
    } else {
        String::from_utf8(bytes).ok()?
    };
    let is_text = |c: char| c.is_ascii_graphic() || c == ' ' || c == '\n' || c == '\t' || c.is_alphabetic();
    (text.chars().count() > 3 && text.chars().all(is_text)).then_some(text)
}

/// `%72%6d`, `\x72`, `\u0072`, `\162`, `&#114;`.
fn unescape(text: &str) -> String {
    if !text.contains(['%', '\\', '&']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (character, length) = escape_at(rest).unwrap_or((first, first.len_utf8()));
        out.push(character);
        rest = &rest[length..];
    }
    out
}

fn escape_at(text: &str) -> Option<(char, usize)> {
    let number = |prefix: &str, radix: u32, least: usize, most: usize, end: &str| {
        let digits = text.strip_prefix(prefix)?;
        let length = digits.bytes().take(most).take_while(|b| char::from(*b).is_digit(radix)).count();
        if length < least || !digits[length..].starts_with(end) {
            return None;
        }
        let code = u32::from_str_radix(&digits[..length], radix).ok()?;
        char::from_u32(code).map(|c| (c, prefix.len() + length + end.len()))
    };
    number("%", 16, 2, 2, "")
        .or_else(|| number("\\x", 16, 2, 2, ""))
        .or_else(|| number("\\u{", 16, 1, 6, "}"))
        .or_else(|| number("\\u", 16, 4, 4, ""))
        .or_else(|| number("\\", 8, 3, 3, ""))
        .or_else(|| number("&#x", 16, 2, 6, ";"))
        .or_else(|| number("&#", 10, 2, 7, ";"))
}

/// `r''m`, `r\m`, `${IFS}`, `"rm"`, `r"+"m`: what a shell or a program makes one word of.
fn unquote(text: &str) -> String {
    if !text.contains(['\'', '"', '`', '$', '\\', '^']) {
        return text.to_owned();
    }
    let mut out = text.replace("${IFS}", " ").replace("$IFS$9", " ").replace("$IFS", " ");
    for joint in ["'+'", "\"+\"", "' + '", "\" + \"", "''", "\"\"", "`", "$@", "${x}"] {
        out = out.replace(joint, "");
    }
    let all: Vec<char> = out.chars().collect();
    let is_word = |at: Option<usize>| at.and_then(|at| all.get(at)).is_some_and(|c| c.is_alphanumeric());
    let is_inside = |(at, c): &(usize, &char)| {
        matches!(c, '\\' | '\'' | '"' | '^') && is_word(at.checked_sub(1)) && is_word(Some(at + 1))
    };
    all.iter().enumerate().filter(|each| !is_inside(each)).map(|(_, c)| *c).collect()
}

#[cfg(test)]
mod tests;
