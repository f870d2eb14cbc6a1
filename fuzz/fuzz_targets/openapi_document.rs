//! An OpenAPI or Swagger document. References to files are read by nobody.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct::SourceSettings;

fuzz_target!(|bytes: &[u8]| {
    aqueduct_openapi::load_bytes(
        "https://api.example.com/openapi.json",
        bytes.to_vec(),
        &SourceSettings::default(),
        None,
    );
});
