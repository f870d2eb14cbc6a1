//! How many tokens a text has, exactly as the tokenizer o200k_base of OpenAI's models counts them.
//!
//! Text in, a number out. The vocabulary is kept compressed in the program and unpacked when the first text is counted, so
//! that a process that never counts pays neither time nor memory for it. `data/README.md` says where it comes from.

mod merge;
mod pieces;
mod table;

use table::TokenTable;

/// The name of the vocabulary.
pub const NAME: &str = "o200k_base";

/// How many tokens a text has. Special tokens are counted as the ordinary text that they are here.
pub fn count(text: &str) -> usize {
    let table = TokenTable::get();
    pieces::of(text).map(|piece| merge::count(piece.as_bytes(), table)).sum()
}

#[cfg(test)]
mod tests;
