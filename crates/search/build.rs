//! Packs the texts of `data`, so that the program carries a third of their size. `src/texts.rs` unpacks them.

use std::error::Error;
use std::fs;
use std::path::Path;

use miniz_oxide::deflate::compress_to_vec;

/// The level of compression: it is done once.
const BEST: u8 = 10;

const TEXTS: [&str; 3] = ["lexicon.txt", "phrases.txt", "languages.txt"];

#[expect(clippy::disallowed_methods, reason = "these are files of this crate")]
fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    for name in TEXTS {
        let text = Path::new("data").join(name);
        println!("cargo::rerun-if-changed={}", text.display());
        let packed = compress_to_vec(&fs::read(&text)?, BEST);
        fs::write(Path::new(&out).join(name).with_extension("deflate"), packed)?;
    }
    Ok(())
}
