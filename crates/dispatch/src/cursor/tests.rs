//! Tests of `cursor`.

use super::{CursorError, CursorKey, CursorPosition, Fingerprint, PageStart, ResumePoint};
use proptest::prelude::{any, proptest};

fn place() -> CursorPosition {
    let page = PageStart::Link("https://api.example/x?secret=1".to_owned());
    CursorPosition { number: 7, resume: Some(ResumePoint { page, skip: 3, size: 25, before: 25 }) }
}

fn key(byte: u8) -> CursorKey {
    CursorKey::new([byte; 32]).unwrap()
}

/// X-page-13 X-page-14 X-page-15: a cursor is opaque, URL-safe, holds all it needs, and outlives the process.
#[test]
fn sealed_and_opened() {
    let request = Fingerprint([1; 8]);
    let cursor = key(1).seal(&place(), &request).unwrap();
    assert!(cursor.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'), "{cursor}");
    assert_eq!(key(1).open(&cursor, &request), Ok(place()), "another process with the same key");
    assert_eq!(key(2).open(&cursor, &request), Err(CursorError::NotOurs));
    assert_eq!(key(1).open(&cursor, &Fingerprint([2; 8])), Err(CursorError::OtherRequest));
}

proptest! {
    /// X-page-14: no changed cursor is accepted, and no text makes a panic.
    #[test]
    fn changed_cursors(at in any::<proptest::sample::Index>(), flip in 1u8..=255, text in ".{0,200}") {
        let request = Fingerprint([1; 8]);
        let cursor = key(1).seal(&place(), &request).unwrap();
        let mut bytes = cursor.clone().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        let changed = String::from_utf8_lossy(&bytes).into_owned();
        proptest::prop_assert_eq!(key(1).open(&changed, &request), Err(CursorError::NotOurs));
        proptest::prop_assert_eq!(key(1).open(&text, &request), Err(CursorError::NotOurs));
    }
}
