//! The vocabulary: every token with its rank.
//!
//! The compressed file in, a table out, made once. A line of the file is a token in Base64, a space and its rank; the lower
//! the rank, the earlier two neighbours are joined to this token.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use std::collections::HashMap;
use std::io::Read;
use std::sync::LazyLock;

/// The vocabulary as OpenAI publishes it, compressed.
pub const FILE: &[u8] = include_bytes!("../data/o200k_base.tiktoken.gz");

/// Ranks by token.
#[derive(Debug)]
pub struct TokenTable {
    ranks: HashMap<Vec<u8>, u32>,
}

static TABLE: LazyLock<TokenTable> = LazyLock::new(|| TokenTable::read(FILE));

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

    /// Reads the file. It is a part of the program, and a test holds its checksum and the number of its tokens; without it
    /// every byte would be a token, which is too many and never too few.
    fn read(file: &[u8]) -> TokenTable {
        let mut text = String::new();
        let unpacked = GzDecoder::new(file).read_to_string(&mut text);
        let line = |line: &str| {
            let (token, rank) = line.split_once(' ')?;
            Some((STANDARD.decode(token).ok()?, rank.parse().ok()?))
        };
        let ranks: Option<HashMap<Vec<u8>, u32>> = text.lines().map(line).collect();
        debug_assert!(unpacked.is_ok() && ranks.is_some(), "the vocabulary cannot be read");
        TokenTable { ranks: ranks.unwrap_or_default() }
    }
}
