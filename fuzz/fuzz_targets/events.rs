//! A stream of server-sent events, in chunks of any size.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct_egress::sse::{bounded, events};
use aqueduct_fuzz::runtime;
use bytes::Bytes;
use futures::{StreamExt, stream};
use std::io;

fuzz_target!(|chunks: Vec<Vec<u8>>| {
    let chunks = chunks.into_iter().map(|chunk| Ok::<Bytes, io::Error>(Bytes::from(chunk)));
    let bytes = bounded(stream::iter(chunks), 512);
    runtime().block_on(events(bytes).for_each(|_| async {}));
});
