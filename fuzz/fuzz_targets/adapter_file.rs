//! A whole adapter file. One that loads is written, and what was written loads again.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct::SourceSettings;
use aqueduct_adapter_files::write::{WriteOptions, write};

fuzz_target!(|bytes: &[u8]| {
    let settings = SourceSettings::default();
    let Some(loaded) = aqueduct_adapter_files::load("notes-adapter.md", bytes, &settings).loaded else {
        return;
    };
    let text = write(&loaded, None, &WriteOptions::default());
    let again = aqueduct_adapter_files::load("notes-adapter.md", text.as_bytes(), &settings);
    assert!(again.loaded.is_some(), "{:?}\n{text}", again.diagnostics);
});
