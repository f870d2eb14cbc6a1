//! The texts of `data`, which are packed in the program (`build.rs`).
//!
//! Nothing in, a whole text out. Whoever keeps parts of one keeps the text.

use flate2::read::DeflateDecoder;
use std::io::Read;

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

/// A test holds every text to its checksum; one that could not be read would only make the ranking worse.
fn unpacked(packed: &[u8]) -> String {
    let mut text = String::new();
    let read = DeflateDecoder::new(packed).read_to_string(&mut text);
    debug_assert!(read.is_ok(), "a text cannot be unpacked");
    text
}
