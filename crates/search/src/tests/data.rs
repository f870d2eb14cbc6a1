//! The shipped data are what `data/README.md` says.

use sha2::{Digest, Sha256};

use crate::vectors::{DIMENSIONS, VectorTable, dot, unit};
use crate::{texts, vectors};

const README: &str = include_str!("../../data/README.md");

/// Every file has the checksum that the page names, and what is in the program is small.
#[test]
fn the_files_are_those_of_the_page() {
    let files = [
        ("lexicon.txt", texts::lexicon().into_bytes()),
        ("languages.txt", texts::languages().into_bytes()),
        ("phrases.txt", texts::phrases().into_bytes()),
        ("table.bin", vectors::FILE.to_vec()),
    ];
    for (name, content) in &files {
        let digest: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(README.contains(&format!("{digest}  {name}")), "{digest}  {name} is not in data/README.md");
    }
    assert!(vectors::FILE.len() + texts::packed_length() < 4_000_000);
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
    assert!(table.len() <= usize::from(u16::MAX), "indexes keep rows in 16 bits");
    let near = dot(&vector("invoice"), &vector("bill"));
    let far = dot(&vector("invoice"), &vector("guitar"));
    assert!(near > far + 0.3, "{near} {far}");
    let direction = |word: &str| table.direction(table.row(word).unwrap());
    for (other, exact) in [("bill", near), ("guitar", far), ("invoice", 1.0)] {
        let likeness = direction("invoice").widened().likeness(&direction(other));
        assert!((likeness - exact).abs() < 0.001, "{other}: {likeness} {exact}");
    }
    assert!(table.is_common("house") && !table.is_common("hosue"));
    assert_eq!(table.row("no such word"), None);
}

/// Every line of the texts says something.
#[test]
fn every_line_is_read() {
    for line in lines(&texts::lexicon()) {
        assert!(line.starts_with('=') || line.contains('<'), "{line}");
    }
    for line in lines(&texts::phrases()) {
        assert!(
            line.split_once('\t')
                .is_some_and(|(operation, phrases)| operation.contains(" /") && !phrases.is_empty()),
            "{line}"
        );
    }
    for line in lines(&texts::languages()) {
        assert_eq!(line.split(';').count(), 11, "{line}");
    }
}

/// The lines of a text but for remarks.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}
