//! Tests of `lines`.

use super::{InputLine, InputLines};
use proptest::prelude::{Strategy, any};
use proptest::{collection, prop_assert_eq, proptest};

async fn all(input: &[u8], cap: usize) -> Vec<InputLine> {
    let mut lines = InputLines::new(input, cap);
    let mut found = Vec::new();
    while let Some(line) = lines.next().await.unwrap() {
        found.push(line);
    }
    found
}

fn whole(text: &str) -> InputLine {
    InputLine::Whole(text.as_bytes().to_vec())
}

#[tokio::test]
async fn splits_and_bounds() {
    assert_eq!(all(b"a\r\nb\n\nc", 10).await, [whole("a"), whole("b"), whole(""), whole("c")]);
    assert_eq!(all(b"0123456789\nx\n", 10).await, [whole("0123456789"), whole("x")]);
    let long = InputLine::TooLong { head: b"0123456789".to_vec(), length: 13 };
    assert_eq!(all(b"0123456789abc\nx\n", 10).await, [long, whole("x")]);
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
        let mut expected: Vec<InputLine> = pieces
            .iter()
            .map(|piece| match piece.len() > cap {
                true => InputLine::TooLong { head: piece[..cap].to_vec(), length: piece.len() as u64 },
                false => InputLine::Whole(piece.strip_suffix(b"\r").unwrap_or(piece).to_vec()),
            })
            .collect();
        if expected.last() == Some(&InputLine::Whole(Vec::new())) {
            expected.pop();
        }
        prop_assert_eq!(found, expected);
    }
}
