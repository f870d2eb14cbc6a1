//! The forms in which a secret is looked for: itself, its hexadecimal digits, and its letters in base64.
//!
//! A secret in; byte strings out, each with the soonest that it can begin again after itself. In base64 a secret gives other
//! letters by where it begins in the text that was encoded: three ways, of which the letters count that are its alone.

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};
use std::ops::Range;
use zeroize::Zeroizing;

/// Fewer letters of base64 than these may stand in any text.
const FEWEST_LETTERS: usize = 6;

/// How a form is found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SecretEncoding {
    /// It is what it is.
    Exact,
    /// The letters on both sides may hold a part of it too.
    Base64,
}

/// One form of one secret.
#[derive(Clone)]
pub(super) struct SecretForm {
    text: Zeroizing<Vec<u8>>,
    pub encoding: SecretEncoding,
    /// How far after its beginning it can begin again.
    pub period: usize,
}

impl SecretForm {
    pub fn bytes(&self) -> &[u8] {
        &self.text
    }
}

/// Every form of these secrets, each once.
pub(super) fn of<'s>(secrets: impl Iterator<Item = &'s str>) -> Vec<SecretForm> {
    let mut forms: Vec<SecretForm> = Vec::new();
    for secret in secrets {
        let bytes = secret.as_bytes();
        add(&mut forms, Zeroizing::new(bytes.to_vec()), SecretEncoding::Exact);
        for digits in [b"0123456789abcdef", b"0123456789ABCDEF"] {
            add(&mut forms, hex(bytes, digits), SecretEncoding::Exact);
        }
        for alphabet in [&STANDARD, &URL_SAFE] {
            let engine = GeneralPurpose::new(alphabet, NO_PAD);
            for before in 0..3 {
                let letters = letters(bytes, before, &engine);
                if letters.len() >= FEWEST_LETTERS {
                    add(&mut forms, letters, SecretEncoding::Base64);
                }
            }
        }
    }
    forms
}

fn add(forms: &mut Vec<SecretForm>, text: Zeroizing<Vec<u8>>, encoding: SecretEncoding) {
    if !forms.iter().any(|known| known.bytes() == text.as_slice()) {
        forms.push(SecretForm { period: period(&text), text, encoding });
    }
}

fn hex(bytes: &[u8], digits: &[u8; 16]) -> Zeroizing<Vec<u8>> {
    let mut out = Zeroizing::new(Vec::with_capacity(bytes.len() * 2));
    for byte in bytes {
        out.push(digits[usize::from(byte >> 4)]);
        out.push(digits[usize::from(byte & 15)]);
    }
    out
}

/// The letters that depend on the secret alone when so many bytes come before it in the group of three.
fn letters(bytes: &[u8], before: usize, engine: &GeneralPurpose) -> Zeroizing<Vec<u8>> {
    let mut text = Zeroizing::new(vec![0; before]);
    text.extend_from_slice(bytes);
    let encoded = Zeroizing::new(engine.encode(text.as_slice()));
    let first = (before * 8).div_ceil(6);
    let last = text.len() * 8 / 6;
    Zeroizing::new(encoded.as_bytes().get(first..last).unwrap_or_default().to_vec())
}

/// The finding with the letters beside it that hold bits of it and of its neighbours, and with its padding.
pub(super) fn with_shared_letters(text: &[u8], span: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = span;
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte);
    if start > 0 && text.get(start - 1).is_some_and(is_letter) {
        start -= 1;
    }
    if text.get(end).is_some_and(is_letter) {
        end += 1;
    }
    while text.get(end) == Some(&b'=') {
        end += 1;
    }
    start..end
}

/// The smallest period of a text: by how much it must be moved to lie on itself.
fn period(text: &[u8]) -> usize {
    let mut borders = vec![0_usize; text.len()];
    let mut length = 0;
    for index in 1..text.len() {
        while length > 0 && text[index] != text[length] {
            length = borders[length - 1];
        }
        if text[index] == text[length] {
            length += 1;
        }
        borders[index] = length;
    }
    (text.len() - borders.last().copied().unwrap_or(0)).max(1)
}

#[cfg(test)]
mod tests;
