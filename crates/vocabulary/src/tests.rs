//! Counts that the tokenizer itself gave, and what holds for every text.
//!
//! `data/known.json` has pairs of a text and its number of tokens.

use crate::table::TokenTable;
use crate::{count, merge, pieces};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use proptest::prelude::{any, proptest};
use sha2::{Digest, Sha256};
use std::io::Read;

/// Texts, each with the number of tokens that tiktoken 0.14 counts in it.
const KNOWN: &str = include_str!("../data/known.json");

/// The counts are those of the real tokenizer: words, code, scripts, space, long runs, and texts made at random.
#[test]
fn counts_of_the_tokenizer() {
    let known: Vec<(String, usize)> = serde_json::from_str(KNOWN).unwrap();
    assert!(known.len() > 70);
    for (text, tokens) in known {
        assert_eq!(count(&text), tokens, "{text:?}");
    }
}

/// The vocabulary as OpenAI publishes it, compressed.
const FILE: &[u8] = include_bytes!("../data/o200k_base.tiktoken.gz");

/// The file is the one that the publisher's own library takes, and all of it is read.
#[test]
fn the_file_is_whole() {
    let mut text = Vec::new();
    GzDecoder::new(FILE).read_to_end(&mut text).unwrap();
    let digest: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d");
    assert_eq!(TokenTable::get().len(), 199_998);
    for line in std::str::from_utf8(&text).unwrap().lines() {
        let (token, rank) = line.split_once(' ').unwrap();
        assert_eq!(TokenTable::get().rank(&STANDARD.decode(token).unwrap()), rank.parse().ok(), "{line}");
    }
    assert!((0..=255).all(|byte| TokenTable::get().rank(&[byte]).is_some()));
}

/// A piece of a megabyte does not take the square of its length.
#[test]
fn long_pieces() {
    let piece = "abcdefghij".repeat(100_000);
    let tokens = count(&piece);
    assert!((100_000..400_000).contains(&tokens), "{tokens}");
}

/// The lowest rank first, as the definition has it, without any cleverness.
fn plainly(piece: &[u8], table: &TokenTable) -> usize {
    if table.rank(piece).is_some() {
        return 1;
    }
    let mut parts: Vec<&[u8]> = piece.chunks(1).collect();
    let mut ends: Vec<usize> = (1..=piece.len()).collect();
    loop {
        let starts: Vec<usize> = std::iter::once(0).chain(ends.iter().copied()).collect();
        let joined = |index: usize| &piece[starts[index]..ends[index + 1]];
        let pairs =
            (0..parts.len().saturating_sub(1)).filter_map(|index| Some((table.rank(joined(index))?, index)));
        let Some((_, index)) = pairs.min() else { return parts.len() };
        parts[index] = joined(index);
        parts.remove(index + 1);
        ends.remove(index);
    }
}

proptest! {
    /// Nothing of a text is lost between its pieces.
    #[test]
    fn pieces_are_the_text(text in any::<String>()) {
        assert_eq!(pieces::of(&text).collect::<String>(), text);
    }

    /// Joining with a heap is joining by the definition.
    #[test]
    fn joined_as_defined(piece in "[a-eA-E'éжя日 ]{0,40}") {
        let table = TokenTable::get();
        assert_eq!(merge::count(piece.as_bytes(), table), plainly(piece.as_bytes(), table));
    }
}
