//! Patterns of names, in files and in rules.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct_operations::danger::NamePattern;
use aqueduct_operations::exposure::Glob;

fuzz_target!(|input: (&str, &str)| {
    let (pattern, name) = input;
    if let Ok(glob) = Glob::parse(pattern) {
        glob.matches(name);
        assert!(pattern.contains('*') || !glob.matches(name) || pattern == name);
    }
    if let Ok(pattern) = NamePattern::parse(pattern) {
        pattern.matches(name);
    }
});
