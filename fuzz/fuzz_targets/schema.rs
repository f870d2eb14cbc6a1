//! A JSON Schema, and a value held against it within a bounded amount of work.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct::serde_json::{Value, from_str};
use aqueduct_schema::{Meter, first_mistake, from_schema};

fuzz_target!(|input: (&str, &str)| {
    let (schema, value) = input;
    let (Ok(schema), Ok(value)) = (from_str::<Value>(schema), from_str::<Value>(value)) else { return };
    if first_mistake(&schema).is_some() {
        return;
    }
    let read = from_schema(&schema);
    let meter = Meter::new(100_000);
    drop(read.problems_within(&value, &meter));
    drop(read.normalise_within(&value, &meter));
    read.sample("note");
});
