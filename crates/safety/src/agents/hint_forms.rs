//! Everything that a hint may say: itself, and what it hides behind an encoding.
//!
//! A hint in; out, the texts that are looked at, the hint first. Base64, whole or in pieces, base32, hexadecimal digits, numbers of characters, percent and
//! backslash escapes, names and tags of HTML, quotes inside of words, shell variables for a space, backspaces, invisible letters
//! and reversed text are undone. How many are looked at is bounded, and a hint that hides more than that is told apart from one
//! that hides nothing.

mod byte_values;
mod cut_base64;

use super::folded_text::FoldedText;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// The most texts that are looked at of those that were only written in another way, of those that were encoded, and of those that
/// were in pieces.
const MOST_UNDONE: usize = 32;
const MOST_DECODED: usize = 12;
const MOST_JOINED: usize = 4;
/// Encoded twice is hidden better, and three times is enough to look for.
const MOST_LAYERS: usize = 3;
/// The shortest run of letters that is taken for an encoding.
const SHORTEST_BASE64: usize = 12;
const SHORTEST_HEX: usize = 12;

/// A text that is looked at.
#[derive(Debug, Clone)]
pub struct HintForm {
    /// The text, folded.
    pub folded: FoldedText,
    /// How it was hidden, in a person's words; nothing for the hint itself.
    pub hidden_as: Option<&'static str>,
}

/// All that a hint may say.
#[derive(Debug, Clone)]
pub struct HintForms {
    /// The texts, the hint first.
    pub texts: Vec<HintForm>,
    /// There are more of them, which no one has looked at.
    pub is_cut_off: bool,
}

/// A text on its way to being read.
struct WaitingText {
    text: String,
    origin: TextOrigin,
    /// Something may stand in an encoding in it: letters that were put in the place of digits make other words of these.
    may_hold_encoded: bool,
}

/// What a text counts as: so many of each are looked at, so that one kind leaves no other unread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextOrigin {
    /// It is written in another way.
    Undone,
    /// It stood in an encoding.
    Decoded,
    /// It stood in an encoding, in pieces.
    Joined,
}

impl TextOrigin {
    fn most(self) -> usize {
        match self {
            TextOrigin::Undone => MOST_UNDONE,
            TextOrigin::Decoded => MOST_DECODED,
            TextOrigin::Joined => MOST_JOINED,
        }
    }
}

/// The readings of a hint.
pub fn hint_forms(hint: &str) -> HintForms {
    let texts = vec![HintForm { folded: FoldedText::of(hint), hidden_as: None }];
    let mut hint_forms = HintForms { texts, is_cut_off: false };
    let mut counts = [0; 3];
    let first = WaitingText { text: hint.to_owned(), origin: TextOrigin::Undone, may_hold_encoded: true };
    let mut waiting = vec![first];
    for _ in 0..MOST_LAYERS {
        let mut next = Vec::new();
        for WaitingText { text, origin, may_hold_encoded } in waiting {
            let mut found: Vec<Rewritten> = rewritten(&text);
            found.iter_mut().for_each(|found| found.origin = origin);
            if may_hold_encoded {
                found.extend(encoded(&text));
                let cut = cut_base64::cut_texts(&text);
                let joined = |text| Rewritten { text, hidden_as: "base64", origin: TextOrigin::Joined };
                found.extend(cut.texts.into_iter().map(joined));
                hint_forms.is_cut_off |= cut.is_cut_off;
            }
            for Rewritten { text, hidden_as, origin } in found {
                let folded = FoldedText::of(&text);
                if hint_forms.texts.iter().any(|known| known.folded.plain == folded.plain) {
                    continue;
                }
                let count = &mut counts[origin as usize];
                if *count == origin.most() {
                    hint_forms.is_cut_off = true;
                    continue;
                }
                *count += 1;
                hint_forms.texts.push(HintForm { folded, hidden_as: Some(hidden_as) });
                let may_hold_encoded = may_hold_encoded && hidden_as != DIGITS;
                next.push(WaitingText { text, origin, may_hold_encoded });
            }
        }
        waiting = next;
    }
    hint_forms
}

/// A text that another one holds, or is when it is read in another way.
struct Rewritten {
    text: String,
    hidden_as: &'static str,
    origin: TextOrigin,
}

impl Rewritten {
    fn new(text: String, hidden_as: &'static str) -> Rewritten {
        Rewritten { text, hidden_as, origin: TextOrigin::Undone }
    }

    fn decoded(text: String, hidden_as: &'static str) -> Rewritten {
        Rewritten { text, hidden_as, origin: TextOrigin::Decoded }
    }
}

/// What stands in a text word by word, encoded.
fn encoded(text: &str) -> Vec<Rewritten> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "+/=_-".contains(c)));
    let long = words.filter(|word| word.len() >= SHORTEST_BASE64);
    let each = long.flat_map(|word| {
        let base64 = from_base64(word).map(|text| Rewritten::decoded(text, "base64"));
        let base32 = from_base32(word).map(|text| Rewritten::decoded(text, "base32"));
        let hex = from_hex(word).map(|text| Rewritten::decoded(text, "hexadecimal digits"));
        base64.into_iter().chain(base32).chain(hex)
    });
    let numbers = byte_values::in_text(text).into_iter();
    each.chain(numbers.map(|text| Rewritten::decoded(text, "numbers of characters"))).collect()
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
    if text.contains('<') {
        add(without_markup(text), "markup inside of words");
    }
    if text.contains(is_backspace) {
        add(taken_back(text), "characters that are taken back");
    }
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

/// Letters and the digits from 2 to 7, five bits each.
fn from_base32(word: &str) -> Option<String> {
    let word = word.trim_end_matches('=');
    let (mut bits, mut held, mut bytes) = (0u32, 0u32, Vec::new());
    for letter in word.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'2'..=b'7' => letter - b'2' + 26,
            _ => return None,
        };
        (bits, held) = (bits << 5 & 0xfff | u32::from(value), held + 5);
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
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
        .or_else(|| NAMED.iter().find(|(name, _)| text.starts_with(name)).map(|(name, c)| (*c, name.len())))
}

/// Signs that HTML has names for.
const NAMED: [(&str, char); 14] = [
    ("&nbsp;", ' '),
    ("&Tab;", ' '),
    ("&NewLine;", '\n'),
    ("&lowbar;", '_'),
    ("&hyphen;", '-'),
    ("&dash;", '-'),
    ("&sol;", '/'),
    ("&period;", '.'),
    ("&amp;", '&'),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&shy;", '\u{ad}'),
    ("&zwj;", '\u{200d}'),
    ("&zwnj;", '\u{200c}'),
];

/// `dr<b></b>op`: tags and comments of HTML, which nobody sees where it is shown.
fn without_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // An end that does not come any more is looked for once.
    let (mut has_tags, mut has_comments) = (true, true);
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let is_comment = after.starts_with("!--");
        let is_tag = after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        let (end, may_end) = if is_comment { ("-->", &mut has_comments) } else { (">", &mut has_tags) };
        let behind = if *may_end && (is_comment || is_tag) { after.split_once(end) } else { None };
        match behind {
            Some((_, behind)) => rest = behind,
            None => {
                *may_end &= !(is_comment || is_tag);
                out.push('<');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn is_backspace(c: char) -> bool {
    matches!(c, '\u{8}' | '\u{7f}')
}

/// What a terminal shows of a text with backspaces in it.
fn taken_back(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_backspace(c) {
            out.pop();
        } else {
            out.push(c);
        }
    }
    out
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
