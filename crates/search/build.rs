//! Packs the texts of `data`, so that the program carries a third of their size. `src/texts.rs` unpacks them.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter, copy};
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;

const TEXTS: [&str; 3] = ["lexicon.txt", "phrases.txt", "languages.txt"];

fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    for name in TEXTS {
        let text = Path::new("data").join(name);
        println!("cargo::rerun-if-changed={}", text.display());
        let packed = BufWriter::new(File::create(Path::new(&out).join(name).with_extension("deflate"))?);
        let mut encoder = DeflateEncoder::new(packed, Compression::best());
        copy(&mut BufReader::new(File::open(&text)?), &mut encoder)?;
        encoder.finish()?.into_inner()?.sync_data()?;
    }
    Ok(())
}
