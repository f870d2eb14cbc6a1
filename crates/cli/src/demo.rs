//! The embedded sample: a bookshop with an HTTP API on this machine, and the adapter file that describes it.
//!
//! The word `demo` in place of a source in; the adapter's text and the address of a freshly stocked shop out. Everything is
//! in memory: the shop is gone when the process ends.

mod api;
mod books;
mod orders;
mod reports;
mod seed;
pub mod todos;

pub use api::DemoError;

use aqueduct::{Builder, SourceSettings};
use std::path::Path;

/// The word that stands for the sample among sources.
pub const WORD: &str = "demo";

/// The adapter file's name, as shown in messages.
const FILE: &str = "bookshop-adapter.md";

/// The adapter file. Its base URL is replaced by the address of the open shop.
const TEXT: &str = include_str!("demo/bookshop-adapter.md");

/// True when a source is the sample: its word, unless a file or directory here has that name.
pub fn is_meant(source: &Path) -> bool {
    source == Path::new(WORD) && !source.exists()
}

/// Adds the sample to the sources. It stays open as long as the process; where another base URL is set, none is opened.
pub fn add_to(builder: Builder, mut settings: SourceSettings) -> Result<Builder, DemoError> {
    if settings.base_url.is_none() {
        settings.base_url = Some(api::open()?);
    }
    Ok(builder.adapter_text(FILE, TEXT, settings))
}
