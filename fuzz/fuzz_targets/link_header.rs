//! The `Link` headers of an answer.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct_upstream::next_link;

fuzz_target!(|values: Vec<&str>| {
    if let Some(link) = next_link(values.iter().copied()) {
        assert!(values.iter().any(|value| value.contains(link)));
    }
});
