//! A request as a model sends it: whatever it is, there is a reply, and the reply can be written.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct::serde_json::{Map, Value, from_slice};
use aqueduct_fuzz::{runtime, server};

fuzz_target!(|bytes: &[u8]| {
    let Ok(request) = from_slice::<Map<String, Value>>(bytes) else { return };
    let reply = runtime().block_on(server().session().send(request));
    assert!(from_slice::<Value>(reply.to_json().as_bytes()).is_ok());
});
