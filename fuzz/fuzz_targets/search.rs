//! A person's words, of any kind and length.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct_search::{Lexicon, SearchDocument, SearchIndex, SourceIndex};
use std::sync::{Arc, LazyLock};

static INDEX: LazyLock<SearchIndex> = LazyLock::new(|| {
    let document = SearchDocument {
        name: "list_notes".into(),
        description: "List the notes of a person".into(),
        ..SearchDocument::default()
    };
    SearchIndex::of(vec![Arc::new(SourceIndex::build(&[document]))], Arc::new(Lexicon::with([])))
});

fuzz_target!(|text: &str| {
    INDEX.search(text, |_| true, 5);
});
