//! The shipped data are what `data/README.md` says.

use sha2::{Digest, Sha256};

use crate::vectors::{DIMENSIONS, VectorTable, dot, unit};
use crate::{language, lexicon, phrases, vectors};

const README: &str = include_str!("../../data/README.md");

/// Every file has the checksum that the page names, and all together are small.
#[test]
fn the_files_are_those_of_the_page() {
    let files: [(&str, &[u8]); 4] = [
        ("lexicon.txt", lexicon::FILE.as_bytes()),
        ("languages.txt", language::FILE.as_bytes()),
        ("phrases.txt", phrases::FILE.as_bytes()),
        ("table.bin", vectors::FILE),
    ];
    for (name, content) in files {
        let digest: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(README.contains(&format!("{digest}  {name}")), "{digest}  {name} is not in data/README.md");
    }
    assert!(files.iter().map(|(_, content)| content.len()).sum::<usize>() < 4_000_000);
}

/// The table is whole, and words of like meaning lie close in it.
#[test]
fn the_table_is_read() {
    let table = VectorTable::get();
    let vector = |word: &str| {
        let mut vector = table.vector(table.row(word).unwrap());
        unit(&mut vector);
        vector
    };
    assert_eq!(vector("invoice").len(), DIMENSIONS);
    let near = dot(&vector("invoice"), &vector("bill"));
    let far = dot(&vector("invoice"), &vector("guitar"));
    assert!(near > far + 0.3, "{near} {far}");
    assert!(table.is_common("house") && !table.is_common("hosue"));
    assert_eq!(table.row("no such word"), None);
}

/// Every line of the texts says something.
#[test]
fn every_line_is_read() {
    let lines = |text: &'static str| {
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
    };
    for line in lines(lexicon::FILE) {
        assert!(line.starts_with('=') || line.contains('<'), "{line}");
    }
    for line in lines(phrases::FILE) {
        assert!(
            line.split_once('\t')
                .is_some_and(|(operation, phrases)| operation.contains(" /") && !phrases.is_empty()),
            "{line}"
        );
    }
    for line in lines(language::FILE) {
        assert_eq!(line.split(';').count(), 11, "{line}");
    }
}
