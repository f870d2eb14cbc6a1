//! A filter and an order over one item.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct::serde_json::{Value, from_str};
use aqueduct_fuzz::item;
use aqueduct_query::{filter::Filter, sort::Sort};

fuzz_target!(|input: (&str, &str)| {
    let (asked, json) = input;
    let (Ok(asked), Ok(_)) = (from_str::<Value>(asked), from_str::<Value>(json)) else { return };
    if let Ok(filter) = Filter::parse(&asked) {
        filter.matches(&item(json));
    }
    if let Ok(sort) = Sort::parse(&asked, None) {
        sort.positions([item(json), item(json)]);
    }
});
