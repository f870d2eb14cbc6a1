//! Everything that a hint may say: itself, and what it hides behind an encoding.
//!
//! A hint in; out, the texts that are looked at, the hint first. Base64, hexadecimal digits, percent and backslash escapes, quotes
//! inside of words, shell variables for a space and reversed text are undone, each bounded in number and length.

use super::folded_text::FoldedText;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// The most texts that are looked at, and the shortest run of letters that is taken for an encoding.
const MOST_READINGS: usize = 12;
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

/// The readings of a hint.
pub fn readings(hint: &str) -> Vec<Reading> {
    let mut readings = vec![Reading { folded: FoldedText::of(hint), hidden_as: None }];
    let mut waiting: Vec<(String, usize)> = vec![(hint.to_owned(), 0)];
    while let Some((text, depth)) = waiting.pop() {
        for (decoded, hidden_as) in decodings(&text) {
            let folded = FoldedText::of(&decoded);
            let is_new = readings.iter().all(|known| known.folded.plain != folded.plain);
            if is_new && readings.len() < MOST_READINGS {
                readings.push(Reading { folded, hidden_as: Some(hidden_as) });
                // Encoded twice is hidden better, and three times is enough to look for.
                if depth < 2 {
                    waiting.push((decoded, depth + 1));
                }
            }
        }
    }
    readings
}

fn decodings(text: &str) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "+/=_-".contains(c)));
    for word in words.filter(|word| word.len() >= SHORTEST_BASE64) {
        if let Some(decoded) = from_base64(word) {
            found.push((decoded, "base64"));
        }
        if let Some(decoded) = from_hex(word) {
            found.push((decoded, "hexadecimal digits"));
        }
    }
    let unescaped = unescape(text);
    if unescaped != text {
        found.push((unescaped, "escapes"));
    }
    let unquoted = unquote(text);
    if unquoted != text {
        found.push((unquoted, "quotes and variables inside of words"));
    }
    let spelt = spelt_out(text);
    if spelt != text {
        found.push((spelt, "letters that stand alone"));
    }
    for one in ['i', 'l'] {
        let letters = letters_for_digits(text, one);
        if letters != text {
            found.push((letters, "digits for letters"));
        }
    }
    if text.contains(['\u{202e}', '\u{202d}', '\u{2067}']) || says_reversed(text) {
        found.push((text.chars().rev().collect(), "reversed text"));
    }
    if text.to_lowercase().contains("rot13") {
        found.push((text.chars().map(rot13).collect(), "rot13"));
    }
    found
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
