//! A confirmation token that a client sends: nothing but the one that was given is worth anything. One of a quota is none: with it the
//! call is asked about as it is without.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct::serde_json::{Map, Value, json};
use aqueduct_fuzz::{runtime, server};

fuzz_target!(|text: &str| {
    let params =
        Map::from_iter([("id".to_owned(), Value::from(1)), ("confirmation_token".to_owned(), json!(text))]);
    let reply = runtime().block_on(server().session().call("delete_note", params));
    let code = reply.failure().map(|failure| failure.code.name()).unwrap_or("it was deleted without a yes");
    let is_asked_about = text.starts_with("quota_continue_") && code == "CONFIRMATION_REQUIRED";
    assert!(is_asked_about || code.starts_with("TOKEN_") || code.starts_with("VALIDATION_"), "{code}");
});
