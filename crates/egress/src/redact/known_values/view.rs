//! A text as somebody sees it who undoes its escapes, with the place in the original of every byte.
//!
//! A text in; the same with JSON escapes or percent-encoding undone out, or nothing where no escape stands for anything
//! that is looked for. A place in a view leads back to whole escapes, so that none is cut.

use super::Alphabet;
use aqueduct_operations::json_text::unicode_escape;
use memchr::{memchr, memchr_iter};
use std::borrow::Cow;
use std::ops::Range;

/// A text, seen in some way.
pub(super) struct TextView<'t> {
    bytes: Cow<'t, [u8]>,
    /// Where each byte begins in the original, and at the end where that ends; nothing for the original itself.
    offsets: Option<Vec<u32>>,
}

impl<'t> TextView<'t> {
    /// The original.
    pub fn whole(text: &'t [u8]) -> TextView<'t> {
        TextView { bytes: Cow::Borrowed(text), offsets: None }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The place in the original of a part.
    pub fn span(&self, part: Range<usize>) -> Range<usize> {
        self.offset(part.start)..self.offset(part.end)
    }

    /// With `%XX` undone.
    pub fn percent_decoded(&self, alphabet: &Alphabet) -> Option<TextView<'static>> {
        let bytes = self.bytes();
        let hides = |at: usize| percent(&bytes[at..]).is_some_and(|byte| alphabet.has(byte) || byte == b'%');
        memchr_iter(b'%', bytes).any(hides).then(|| self.decode_escapes(b'%', percent_escape))
    }

    /// With `%XX` undone and `+` as the space that it is in forms.
    pub fn with_spaces(&self, alphabet: &Alphabet) -> Option<TextView<'static>> {
        let is_form = alphabet.has(b' ') && memchr(b'+', self.bytes()).is_some();
        is_form.then(|| {
            let mut view = self.decode_escapes(b'%', percent_escape);
            // Only what stood there as it is means a space.
            let offsets = view.offsets.as_deref().unwrap_or_default();
            let is_plus = |index: usize| offsets[index + 1] - offsets[index] == 1;
            let pluses: Vec<usize> = memchr_iter(b'+', &view.bytes).filter(|index| is_plus(*index)).collect();
            for index in pluses {
                view.bytes.to_mut()[index] = b' ';
            }
            view
        })
    }

    /// With the escapes of JSON undone.
    pub fn unescaped(&self, alphabet: &Alphabet) -> Option<TextView<'static>> {
        let bytes = self.bytes();
        let hides = |at: usize| {
            escape(&bytes[at..]).is_some_and(|(decoded, length)| {
                // A short escape stands in nearly every text; one for a letter, in none without a reason.
                let stands_for = decoded.as_slice();
                stands_for.iter().any(|byte| alphabet.has(*byte))
                    || length > 2 && stands_for.iter().any(|byte| matches!(byte, b'\\' | b'%'))
                    || stands_for == b"\\" && matches!(bytes.get(at + 2), Some(b'u' | b'/'))
            })
        };
        memchr_iter(b'\\', bytes).any(hides).then(|| self.decode_escapes(b'\\', escape))
    }

    /// With each escape, which begins with this byte, as what it stands for.
    fn decode_escapes(
        &self,
        sign: u8,
        read: impl Fn(&[u8]) -> Option<(Decoded, usize)>,
    ) -> TextView<'static> {
        let bytes = self.bytes();
        let mut out = Vec::with_capacity(bytes.len());
        let mut offsets = Vec::with_capacity(bytes.len() + 1);
        let mut at = 0;
        while at < bytes.len() {
            let escape = if bytes[at] == sign { read(&bytes[at..]) } else { None };
            let (decoded, length) = escape.unwrap_or((Decoded::byte(bytes[at]), 1));
            let offset = self.short_offset(at);
            for byte in decoded.as_slice() {
                out.push(*byte);
                offsets.push(offset);
            }
            at += length;
        }
        offsets.push(self.short_offset(bytes.len()));
        TextView { bytes: Cow::Owned(out), offsets: Some(offsets) }
    }

    fn offset(&self, at: usize) -> usize {
        match &self.offsets {
            None => at,
            Some(offsets) => {
                offsets.get(at).map_or(0, |offset| usize::try_from(*offset).unwrap_or(usize::MAX))
            }
        }
    }

    /// A place in four bytes: no text here is as long as they can say.
    fn short_offset(&self, at: usize) -> u32 {
        u32::try_from(self.offset(at)).unwrap_or(u32::MAX)
    }
}

/// What an escape stands for: up to four bytes.
#[derive(Clone, Copy)]
struct Decoded {
    bytes: [u8; 4],
    length: usize,
}

impl Decoded {
    fn byte(byte: u8) -> Decoded {
        Decoded { bytes: [byte, 0, 0, 0], length: 1 }
    }

    fn character(character: char) -> Decoded {
        let mut bytes = [0; 4];
        let length = character.encode_utf8(&mut bytes).len();
        Decoded { bytes, length }
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// The byte of `%XX`.
fn percent(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    u8::try_from(digit(1)? * 16 + digit(2)?).ok()
}

fn percent_escape(text: &[u8]) -> Option<(Decoded, usize)> {
    percent(text).map(|byte| (Decoded::byte(byte), 3))
}

/// What an escape of JSON stands for, and its length.
fn escape(text: &[u8]) -> Option<(Decoded, usize)> {
    let short = |byte: u8| Some((Decoded::byte(byte), 2));
    match text.get(1)? {
        byte @ (b'"' | b'\\' | b'/') => short(*byte),
        b'n' => short(b'\n'),
        b't' => short(b'\t'),
        b'r' => short(b'\r'),
        b'b' => short(8),
        b'f' => short(12),
        b'u' => unicode_escape(text).map(|(character, length)| (Decoded::character(character), length)),
        _ => None,
    }
}
