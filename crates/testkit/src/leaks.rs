//! Looks for a verification code in everything that is not the operator's, in every writing that anyone thought of.
//!
//! Texts are compared in small letters and digits alone, so that separators, quotes, percent signs, two bytes a letter and line breaks
//! hide nothing. A code that was cut in pieces is found by its pieces.

use aqueduct_operations::digest::Digest;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write;
use std::path::Path;

/// Signs of a code, in the order of their values.
const SIGNS: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Ten signs of five bits do not stand anywhere by chance.
const PIECE: usize = 10;

/// What was looked at, and what for.
#[derive(Debug, Default)]
pub struct Searched {
    texts: Vec<(String, String)>,
}

impl Searched {
    /// One more text.
    pub fn add(&mut self, place: &str, bytes: &[u8]) {
        self.texts.push((place.to_owned(), squeezed(bytes)));
    }

    /// Every file in a folder, by name and content.
    #[expect(clippy::disallowed_methods, reason = "a test reads what its own server has left")]
    pub fn add_files(&mut self, folder: &Path) {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            self.add("the name of a file", path.as_os_str().as_encoded_bytes());
            if path.is_dir() {
                self.add_files(&path);
            } else {
                self.add(&path.display().to_string(), &std::fs::read(&path).expect("it can be read"));
            }
        }
    }

    /// Where a code stands, and how it is written there.
    pub fn places(&self, code: &str) -> Vec<String> {
        self.places_of(&[forms(code), digests(code)].concat())
    }

    /// Where a token stands. Of one that is too long to be guessed the store keeps a digest without salt, which does not count.
    pub fn places_of_token(&self, token: &str) -> Vec<String> {
        self.places_of(&forms(token))
    }

    fn places_of(&self, forms: &[(String, String)]) -> Vec<String> {
        let found = |(place, text): &(String, String)| {
            let form = forms.iter().find(|(_, form)| text.contains(form.as_str()));
            form.map(|(name, _)| format!("{place}, {name}"))
        };
        self.texts.iter().filter_map(found).collect()
    }

    /// True when a text stands somewhere.
    pub fn has(&self, text: &str) -> bool {
        let text = squeezed(text.as_bytes());
        self.texts.iter().any(|(_, each)| each.contains(&text))
    }
}

fn squeezed(bytes: &[u8]) -> String {
    let kept = bytes.iter().filter(|byte| byte.is_ascii_alphanumeric());
    kept.map(|byte| char::from(byte.to_ascii_lowercase())).collect()
}

/// A code in all writings that it can be read from, each by its name.
fn forms(code: &str) -> Vec<(String, String)> {
    let signs = signs_of(code);
    let mut forms = Vec::new();
    let mut add = |name: &str, text: String| forms.push((name.to_owned(), squeezed(text.as_bytes())));
    for from in 0..=signs.len() - PIECE {
        let piece = &signs[from..from + PIECE];
        add("in pieces", piece.to_owned());
        add("in pieces, backwards", piece.chars().rev().collect());
        add("turned by thirteen letters", piece.chars().map(turned).collect());
        add("as it may be mistyped", piece.replace('0', "o").replace('1', "l"));
        add("as it may be mistyped", piece.replace('0', "o").replace('1', "i"));
    }
    for parity in [0, 1] {
        add("every other sign", signs.chars().skip(parity).step_by(2).collect());
    }
    for text in texts(code) {
        add(
            "in hexadecimal digits, or percent signs",
            each_byte(&text, |out, byte| write!(out, "{byte:02x}")),
        );
        add("in decimal numbers", each_byte(&text, |out, byte| write!(out, "{byte}")));
        add("in octal numbers", each_byte(&text, |out, byte| write!(out, "{byte:o}")));
        add("in bits", each_byte(&text, |out, byte| write!(out, "{byte:08b}")));
        add("in escapes of JSON", each_byte(&text, |out, byte| write!(out, "u{byte:04x}")));
        add("in escapes of programs", each_byte(&text, |out, byte| write!(out, "x{byte:02x}")));
        add("in entities", each_byte(&text, |out, byte| write!(out, "#x{byte:x}")));
        add("in base32", base32(text.as_bytes()));
        // Wherever it stands in what was encoded; the signs at its ends depend on its neighbours.
        for shift in 0..3 {
            let encoded = STANDARD.encode(format!("{}{text}", "\0".repeat(shift)));
            let inner = encoded.trim_end_matches('=');
            add("in base64", inner[shift * 4 / 3 + usize::from(shift > 0)..inner.len() - 1].to_owned());
        }
    }
    let bits: String =
        signs.chars().filter_map(|sign| SIGNS.find(sign)).fold(String::new(), |mut bits, value| {
            write!(bits, "{value:05b}").expect("a text takes it");
            bits
        });
    for padded in [format!("{bits}00"), format!("00{bits}")] {
        let nibble = |at: usize| u8::from_str_radix(&padded[at..at + 4], 2).expect("these are bits");
        let hex = (0..padded.len() / 4).map(|at| format!("{:x}", nibble(at * 4)));
        add("as a number", hex.collect());
    }
    forms
}

fn digests(code: &str) -> Vec<(String, String)> {
    let digest = |text: String| ("as a digest without salt".to_owned(), Digest::of_text(&text).hex());
    texts(code).into_iter().map(digest).collect()
}

/// With its separators and without, in capitals and in small letters.
fn texts(code: &str) -> [String; 4] {
    let signs = signs_of(code);
    [signs.clone(), code.to_owned(), signs.to_lowercase(), code.to_lowercase()]
}

fn signs_of(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).collect()
}

fn each_byte(text: &str, write: impl Fn(&mut String, u8) -> std::fmt::Result) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        write(&mut out, byte).expect("a text takes it");
        out
    })
}

fn turned(sign: char) -> char {
    match sign {
        'A'..='Z' => char::from((sign as u8 - b'A' + 13) % 26 + b'A'),
        other => other,
    }
}

fn base32(bytes: &[u8]) -> String {
    let bits: String = each_byte(std::str::from_utf8(bytes).expect("a code is ASCII"), |out, byte| {
        write!(out, "{byte:08b}")
    });
    let whole = bits.as_bytes().chunks_exact(5);
    whole
        .map(|five| {
            let value = five.iter().fold(0_usize, |value, bit| value * 2 + usize::from(bit - b'0'));
            char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value])
        })
        .collect()
}

#[cfg(test)]
mod tests;
