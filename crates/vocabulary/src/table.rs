//! The vocabulary: every token with its rank.
//!
//! What `build.rs` packed of the file in, a table out, made once: the bytes of all tokens, and how long each is. The rank of a token
//! is its place; the lower it is, the earlier two neighbours are joined to this token.

use miniz_oxide::inflate::decompress_to_vec;
use std::collections::HashMap;
use std::sync::LazyLock;

const LENGTHS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/lengths.deflate"));
const TOKENS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokens.deflate"));

/// Ranks by token.
#[derive(Debug)]
pub struct TokenTable {
    ranks: HashMap<Vec<u8>, u32>,
}

static TABLE: LazyLock<TokenTable> = LazyLock::new(|| TokenTable::read(LENGTHS, TOKENS));

impl TokenTable {
    /// The table, unpacked when it is first asked for.
    pub fn get() -> &'static TokenTable {
        &TABLE
    }

    /// The rank of a token; nothing when these bytes are none.
    pub fn rank(&self, bytes: &[u8]) -> Option<u32> {
        self.ranks.get(bytes).copied()
    }

    /// How many tokens there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Unpacks both. They are a part of the program, and a test holds them to the file and its checksum; without them every byte
    /// would be a token, which is too many and never too few.
    fn read(lengths: &[u8], tokens: &[u8]) -> TokenTable {
        let lengths = decompress_to_vec(lengths).unwrap_or_default();
        let tokens = decompress_to_vec(tokens).unwrap_or_default();
        let mut rest = tokens.as_slice();
        let mut ranks = HashMap::with_capacity(lengths.len());
        for (rank, length) in (0..).zip(&lengths) {
            let Some((token, after)) = rest.split_at_checked(usize::from(*length)) else { break };
            ranks.insert(token.to_vec(), rank);
            rest = after;
        }
        debug_assert!(!ranks.is_empty() && rest.is_empty(), "the vocabulary cannot be read");
        TokenTable { ranks }
    }
}
