//! Tests of `phrase_set`: matching bytes misses nothing that matching letters finds.

use super::{FoldedText, PhraseSet, for_bytes};
use crate::agents::risk::{commands, phrases};
use proptest::prelude::*;
use regex::Regex;
use std::sync::LazyLock;

#[test]
fn letters_beyond_ascii_are_parts_of_words_and_between_them() {
    let set = PhraseSet::of([
        r"ignore\W+(?:\w+\W+){0,2}rules",
        r"world.readable",
        r"\brm\b",
        "endgültig|навсегда|영구",
    ]);
    let set = set.unwrap();
    for (text, number) in [
        ("ignore all the rules", 0),
        ("ignore 所有 the rules", 0),
        ("ignore—rules", 0),
        ("ignore дюжину прочих rules", 0),
        ("world·readable", 1),
        ("日rm日", 2),
        ("endgültig", 3),
        ("Навсегда", 3),
        ("영구 삭제", 3),
    ] {
        assert!(set.found(&FoldedText::of(text).plain).contains(&number), "{text}");
    }
    for text in ["ignore one two three rules", "world readables of rme", "worldreadable"] {
        assert!(!set.found(&FoldedText::of(text).plain).contains(&0), "{text}");
        assert!(!set.found(&FoldedText::of(text).plain).contains(&2), "{text}");
    }
}

/// A set that cannot be compiled would find nothing.
#[test]
fn every_pattern_compiles() {
    let all: Vec<&str> = commands::patterns().chain(phrases::patterns()).collect();
    assert!(all.len() > 40);
    for pattern in &all {
        assert!(PhraseSet::of([*pattern]).is_some(), "{pattern}: {}", for_bytes(pattern));
    }
    assert!(PhraseSet::of(all).is_some());
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(vec![
            "ignore", "bypass", "rules", "safety", "disable", "audit", "delete", "from", "users", "where", "rm", "-rf", "/",
            "drop", "table", "curl", "|", "sh", "without", "asking", "logs", "history", "make", "public", "reset", "password",
            "is", "safe", "risk", "score", "0", "git", "push", "--force", "find", "-exec", "chmod", "777", "permanent", "add",
            "admin", "set", "update", "1=1", ";", "kill", "-9", "sign", "contract", "schedule", "deletion", "close", "account",
        ]).prop_map(str::to_owned),
        1 => "[a-zß-ÿа-я日本\u{a0}—·_]{1,6}",
    ]
}

/// The same patterns, matched by letters and by bytes.
static BOTH: LazyLock<(Vec<Regex>, PhraseSet)> = LazyLock::new(|| {
    let all: Vec<&str> = commands::patterns().chain(phrases::patterns()).collect();
    let letters = all.iter().map(|pattern| Regex::new(pattern).unwrap()).collect();
    (letters, PhraseSet::of(all).unwrap())
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_is_missed(words in prop::collection::vec((word(), "[ —.,_日é]{1,2}"), 1..14)) {
        let text: String = words.into_iter().map(|(word, gap)| format!("{word}{gap}")).collect();
        let folded = FoldedText::of(&text).plain;
        let (letters, bytes) = &*BOTH;
        let bytes = bytes.found(&folded);
        for (number, pattern) in letters.iter().enumerate() {
            prop_assert!(!pattern.is_match(&folded) || bytes.contains(&number), "{:?} {}", folded, pattern);
        }
    }
}
