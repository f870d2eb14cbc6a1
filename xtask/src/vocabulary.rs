//! `cargo xtask vocabulary`: the vocabulary that tokens are counted with, checked or made again.
//!
//! In: nothing, or the file as its publisher has it. Out: nothing when the checksum is right; with a file, the compressed
//! one in `crates/vocabulary/data`.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// Where it is kept.
const KEPT: &str = "crates/vocabulary/data/o200k_base.tiktoken.gz";

/// The checksum of the unpacked file, which the publisher's own library pins too.
const SHA256: &str = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d";

/// Checks what is kept.
#[expect(clippy::disallowed_methods, reason = "a file of this repository")]
pub fn check(root: &Path) -> Result<()> {
    let mut text = Vec::new();
    let file = File::open(root.join(KEPT)).context(KEPT)?;
    GzDecoder::new(file).read_to_end(&mut text).with_context(|| format!("{KEPT} does not unpack"))?;
    compare(&text)?;
    println!("{KEPT} is the published vocabulary");
    Ok(())
}

/// Makes what is kept from the published file.
#[expect(clippy::disallowed_methods, reason = "a file that its user names")]
pub fn make(root: &Path, published: &Path) -> Result<()> {
    let mut text = Vec::new();
    let shown = published.display().to_string();
    File::open(published).and_then(|mut file| file.read_to_end(&mut text)).with_context(|| shown)?;
    compare(&text)?;
    let mut packed = GzEncoder::new(File::create(root.join(KEPT)).context(KEPT)?, Compression::best());
    packed.write_all(&text)?;
    packed.finish()?;
    println!("{KEPT} was written");
    Ok(())
}

fn compare(text: &[u8]) -> Result<()> {
    let digest: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    if digest != SHA256 {
        bail!(
            "the vocabulary has the checksum {digest}, not {SHA256}; fetch it again as crates/vocabulary/data/README.md says"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests;
