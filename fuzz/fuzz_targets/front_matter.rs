//! The YAML between the fences, whatever it is.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct::SourceSettings;

fuzz_target!(|bytes: &[u8]| {
    let file = [b"---\n", bytes, b"\n---\n# Notes\n"].concat();
    aqueduct_adapter_files::load("notes-adapter.md", &file, &SourceSettings::default());
});
