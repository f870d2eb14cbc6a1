//! Tests of `front_matter`.

use super::{decode, split};

fn message(text: &str) -> String {
    let problem = split(text).unwrap_err();
    format!("{}:{}", problem.line, problem.message)
}

/// R3.1-3 R3.2-1: front matter opens on line 1.
#[test]
fn opens_on_the_first_line() {
    for text in ["", "# Title\n", "\n---\na: 1\n---\n", " ---\na: 1\n---\n", "---- \na: 1\n---\n"] {
        assert!(message(text).starts_with("1:The first line must be '---'"), "{text:?}");
    }
}

/// R3.2-2: the closing delimiter stands alone on its line.
#[test]
fn closes_alone_on_a_line() {
    let parts = split("---\na: x --- y\nb: ---z\n  --- \nc: 1\n---\nbody").unwrap();
    assert_eq!(parts.yaml, "---\na: x --- y\nb: ---z\n  --- \nc: 1\n");
    assert!(message("---\na: 1\n--- x\n").starts_with("3:The front matter has no end"));
    assert!(message("---\n").starts_with("1:The front matter has no end"));
}

/// R3.2-4: the rest is documentation, and may be absent.
#[test]
fn prose_follows() {
    let parts = split("---\na: 1\n---\n\n# T\n---\nx").unwrap();
    assert_eq!((parts.prose, parts.prose_line), ("\n# T\n---\nx", 4));
    assert_eq!(split("---\na: 1\n---").unwrap().prose, "");
}

/// A line of dashes between two blocks would end the front matter, and half of the file would be prose.
#[test]
fn ends_too_early() {
    let early = "---\nname: x\n---\ntarget:\n  a: 1\noperations:\n---\n";
    assert_eq!(message(early), "3:The front matter ends here, but 'target' stands below");
    assert!(split("---\ntarget:\noperations:\n---\ntarget: a word in prose\n").is_ok());
}

#[test]
fn line_ends_and_marks() {
    let parts = split("--- \r\na: 1\r\n---\t\r\nbody\r\n").unwrap();
    assert_eq!((parts.yaml, parts.prose), ("--- \r\na: 1\r\n", "body\r\n"));
    assert_eq!(decode(b"\xef\xbb\xbf---\n").unwrap(), "---\n");
    let problem = decode(b"---\nab\xff\n").unwrap_err();
    assert_eq!((problem.line, problem.column), (2, 3));
    let problem = decode(b"---\na: \0\n").unwrap_err();
    assert_eq!((problem.line, problem.column), (2, 4));
    assert!(message("---\n\n# note\n---\n").ends_with("The front matter is empty"));
}
