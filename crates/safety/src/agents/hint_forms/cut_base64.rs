//! Base64 that spaces and line ends cut in pieces.
//!
//! A text in; out, what runs of its words say when they are read as one, and whether any were left unread. From each word on it is
//! decoded for as long as that gives text, so that words of a person before and after it do not matter, and most end at once.

use super::{SHORTEST_BASE64, from_base64};

/// Letters that are decoded for each letter of a text, and for any text: enough unless somebody wants it to take long.
const WORK_PER_LETTER: usize = 8;
const LEAST_WORK: usize = 1024;

/// What was found.
pub struct CutTexts {
    /// The texts.
    pub texts: Vec<String>,
    /// There may be more.
    pub is_cut_off: bool,
}

/// The texts that words of this one hold together.
pub fn cut_texts(text: &str) -> CutTexts {
    let mut work = WORK_PER_LETTER * text.len() + LEAST_WORK;
    let mut texts = Vec::new();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || "+/=_-".contains(c);
    for run in text.split(|c| !is_part(c)) {
        let words: Vec<&str> = run.split_whitespace().collect();
        let mut start = 0;
        while start + 1 < words.len() {
            if work == 0 {
                return CutTexts { texts, is_cut_off: true };
            }
            let length = readable_words(&words[start..], &mut work);
            let found = (length > 1).then(|| decoded(&words[start..start + length])).flatten();
            start += if found.is_some() { length } else { 1 };
            texts.extend(found);
        }
    }
    // The last run may have taken the rest of it.
    CutTexts { texts, is_cut_off: work == 0 }
}

/// What these words say as one. Twelve letters of a sentence are text by accident in one of some hundred sentences, so that so few
/// have to look like base64.
fn decoded(words: &[&str]) -> Option<String> {
    let whole = words.concat();
    let is_long = whole.len() >= SHORTEST_BASE64 + 4;
    let looks_encoded = || whole.ends_with('=') || !words.iter().all(|word| is_plain_word(word));
    (is_long || whole.len() >= SHORTEST_BASE64 && looks_encoded()).then(|| from_base64(&whole)).flatten()
}

/// A word as people write it: small letters, perhaps after a capital one.
fn is_plain_word(word: &str) -> bool {
    let rest = word.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(word);
    rest.bytes().all(|letter| letter.is_ascii_lowercase())
}

/// How many of these words are text when they are decoded as one.
fn readable_words(words: &[&str], work: &mut usize) -> usize {
    let (mut decoder, mut readable) = (TextDecoder::default(), 0);
    for (index, word) in words.iter().enumerate() {
        let letters = word.trim_end_matches('=');
        *work = work.saturating_sub(word.len());
        if *work == 0 || !letters.bytes().all(|letter| decoder.takes(letter)) {
            break;
        }
        if decoder.may_end() {
            readable = index + 1;
        }
        if letters.len() < word.len() {
            break;
        }
    }
    readable
}

/// Decodes letter by letter, and sees whether that can be text.
#[derive(Default)]
struct TextDecoder {
    bits: u32,
    held: u32,
    /// Bytes that have to come before a character of several is whole.
    open: u8,
}

impl TextDecoder {
    /// False once it is no text.
    fn takes(&mut self, letter: u8) -> bool {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return false,
        };
        (self.bits, self.held) = ((self.bits << 6 | u32::from(value)) & 0xffff, self.held + 6);
        if self.held < 8 {
            return true;
        }
        self.held -= 8;
        self.takes_byte((self.bits >> self.held & 0xff) as u8)
    }

    fn takes_byte(&mut self, byte: u8) -> bool {
        if self.open > 0 {
            self.open -= 1;
            return matches!(byte, 0x80..=0xbf);
        }
        match byte {
            // Every other byte of UTF-16 is a zero.
            0 | b'\t' | b'\n' | b' '..=b'~' => {}
            0xc2..=0xdf => self.open = 1,
            0xe0..=0xef => self.open = 2,
            0xf0..=0xf4 => self.open = 3,
            _ => return false,
        }
        true
    }

    /// True where an encoder can have ended: nothing is left over.
    fn may_end(&self) -> bool {
        self.open == 0 && self.held < 6 && self.bits & ((1 << self.held) - 1) == 0
    }
}
