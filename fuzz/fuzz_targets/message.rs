//! Bytes on the standard input of a server: it answers or ends, and never hangs.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct::CancellationToken;
use aqueduct_fuzz::{runtime, server};
use std::io::Cursor;
use std::time::Duration;

fuzz_target!(|bytes: &[u8]| {
    let serving =
        server().serve_streams(Cursor::new(bytes.to_vec()), tokio::io::sink(), CancellationToken::new());
    let ended = runtime().block_on(async { tokio::time::timeout(Duration::from_secs(8), serving).await });
    assert!(ended.is_ok(), "the server did not end with its input");
});
