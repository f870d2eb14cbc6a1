//! The texts of `data`, which are packed in the program (`build.rs`).
//!
//! Nothing in, a whole text out. A caller that keeps a part of one keeps the whole text.

use miniz_oxide::inflate::decompress_to_vec;

const LEXICON: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/lexicon.deflate"));
const PHRASES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/phrases.deflate"));
const LANGUAGES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/languages.deflate"));

/// What people say, and what API documents say instead.
pub fn lexicon() -> String {
    unpacked(LEXICON)
}

/// What people say for the operations of well-known APIs.
pub fn phrases() -> String {
    unpacked(PHRASES)
}

/// Words of other languages.
pub fn languages() -> String {
    unpacked(LANGUAGES)
}

/// How long all of them are in the program.
#[cfg(test)]
pub fn packed_length() -> usize {
    [LEXICON, PHRASES, LANGUAGES].iter().map(|packed| packed.len()).sum()
}

/// A test holds every text to its checksum; one that could not be read would only make the ranking worse.
fn unpacked(packed: &[u8]) -> String {
    let text = decompress_to_vec(packed).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    debug_assert!(text.is_some(), "a text cannot be unpacked");
    text.unwrap_or_default()
}
