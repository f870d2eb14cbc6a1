//! Packs the vocabulary of `data` without its Base64 and its ranks, which the order of the tokens tells: the program carries six
//! tenths of the file. `src/table.rs` unpacks it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use miniz_oxide::deflate::compress_to_vec;
use std::error::Error;
use std::fs;
use std::io::Read;
use std::path::Path;

/// The level of compression: it is done once.
const BEST: u8 = 10;

const FILE: &str = "data/o200k_base.tiktoken.gz";

#[expect(clippy::disallowed_methods, reason = "these are files of this crate")]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={FILE}");
    let out = std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    let mut text = String::new();
    GzDecoder::new(fs::read(FILE)?.as_slice()).read_to_string(&mut text)?;
    let (mut lengths, mut tokens) = (Vec::new(), Vec::new());
    for (rank, line) in text.lines().enumerate() {
        let (token, written) = line.split_once(' ').ok_or("a line without a rank")?;
        if written.parse() != Ok(rank) {
            return Err("a token out of its order".into());
        }
        let token = STANDARD.decode(token)?;
        lengths.push(u8::try_from(token.len())?);
        tokens.extend(token);
    }
    for (name, bytes) in [("lengths", lengths), ("tokens", tokens)] {
        fs::write(Path::new(&out).join(name).with_extension("deflate"), compress_to_vec(&bytes, BEST))?;
    }
    Ok(())
}
