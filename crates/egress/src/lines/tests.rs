//! Tests of `lines`.

use super::{BoundedLine, BoundedLines};
use proptest::prelude::{Strategy, any};
use proptest::{collection, prop_assert_eq, proptest};

async fn all(input: &[u8], cap: usize) -> Vec<BoundedLine> {
    let mut lines = BoundedLines::new(input, cap);
    let mut found = Vec::new();
    while let Some(line) = lines.next().await.unwrap() {
        found.push(line);
    }
    found
}

fn whole(text: &str) -> BoundedLine {
    BoundedLine::Whole(text.as_bytes().to_vec())
}

#[tokio::test]
async fn splits_and_bounds() {
    assert_eq!(all(b"a\r\nb\n\nc", 10).await, [whole("a"), whole("b"), whole(""), whole("c")]);
    assert_eq!(all(b"0123456789\nx\n", 10).await, [whole("0123456789"), whole("x")]);
    let long = BoundedLine::TooLong { head: b"0123456789".to_vec(), length: 13 };
    assert_eq!(all(b"0123456789abc\nx\n", 10).await, [long, whole("x")]);
}

/// Who takes whole lines only hears of a long one before its end, and of no line that was cut off.
#[tokio::test]
async fn whole_lines_only() {
    let mut lines = BoundedLines::new(&b"ab\n0123456789\nhalf"[..], 10);
    assert_eq!(lines.next_whole().await.unwrap().unwrap(), b"ab");
    assert_eq!(lines.next_whole().await.unwrap().unwrap(), b"0123456789");
    assert_eq!(lines.next_whole().await.unwrap(), None);
    let endless = tokio::io::AsyncReadExt::chain(&b"0123456789a"[..], tokio::io::repeat(b'x'));
    assert!(BoundedLines::new(endless, 10).next_whole().await.is_err());
}

proptest! {
    /// Whatever comes, the lines are those between the newlines, each one whole or counted.
    #[test]
    fn lines_lie_between_newlines(
        pieces in collection::vec(collection::vec(any::<u8>().prop_filter("no end", |b| *b != b'\n'), 0..40), 1..12),
        cap in 1_usize..30,
    ) {
        let input = pieces.join(&b'\n');
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let found = runtime.block_on(all(&input, cap));
        let mut expected: Vec<BoundedLine> = pieces
            .iter()
            .map(|piece| match piece.len() > cap {
                true => BoundedLine::TooLong { head: piece[..cap].to_vec(), length: piece.len() as u64 },
                false => BoundedLine::Whole(piece.strip_suffix(b"\r").unwrap_or(piece).to_vec()),
            })
            .collect();
        if expected.last() == Some(&BoundedLine::Whole(Vec::new())) {
            expected.pop();
        }
        prop_assert_eq!(found, expected);
    }
}
