//! What an API or a tool answers, as JSON, to a request with controls. Two lines: the request, the answer.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct::serde_json::{Map, Value, from_str};
use aqueduct_fuzz::{answer_with, runtime, server};

fuzz_target!(|text: &str| {
    let Some((request, answer)) = text.split_once('\n') else { return };
    let (Ok(params), Ok(answer)) = (from_str::<Map<String, Value>>(request), from_str::<Value>(answer))
    else {
        return;
    };
    answer_with(answer);
    let reply = runtime().block_on(server().session().call("list_notes", params));
    assert!(from_str::<Value>(&reply.to_json()).is_ok());
});
