//! Tests of `sse`.

use super::{EventBounds, TooLarge, bounded};
use bytes::Bytes;
use futures::{StreamExt, stream};
use proptest::{prop_assert_eq, proptest};

fn admitted(most: usize, pieces: &[&str]) -> bool {
    let mut bounds = EventBounds::new(most);
    pieces.iter().all(|piece| bounds.admit(piece.as_bytes()).is_ok())
}

#[test]
fn lines_and_events() {
    for (pieces, is_admitted) in [
        (&["data: 1234"][..], true),
        (&["data: 12345"], false),
        (&["data: ", "1234", "5"], false),
        (&["data\n", "data\n"], true),
        (&["data\r\n", "data\r", "data"], false),
        (&["data\ndata\ndata"], false),
        (&["data\ndata\n\n", "data\ndata\r\n\r\ndata\ndata\r", "\r", "data\ndata"], true),
        // The LF belongs to the CR: this is no empty line.
        (&["data\r", "\ndata\r", "\ndata"], false),
        (&[": comment\n", ": comment\n", ": comment\n"], true),
        (&[": commentcomment"], false),
        (&["data\n: comment\ndata\n"], true),
    ] {
        assert_eq!(admitted(10, pieces), is_admitted, "{pieces:?}");
    }
}

#[test]
fn what_came_before_is_good() {
    let mut bounds = EventBounds::new(10);
    assert_eq!(bounds.admit(b"data\n\ndata: 123456\n\n"), Err(TooLarge { size: 12, good: 6 }));
    let mut bounds = EventBounds::new(10);
    assert_eq!(bounds.admit(b"data\n: 1234567890\n"), Err(TooLarge { size: 12, good: 0 }));
}

/// PEERS 7: an event without end is given up; a long stream of short ones is not.
#[tokio::test]
async fn events_are_bounded() {
    let passes = async |chunks: &'static [&'static str]| {
        let body =
            stream::iter(chunks).map(|chunk| Ok::<_, std::io::Error>(Bytes::from_static(chunk.as_bytes())));
        bounded(body, 12).all(|chunk| async move { chunk.is_ok() }).await
    };
    assert!(passes(&["data: ab\n\ndata: ab\n", "\ndata: ab\r\n\r\ndata: ab\n\n"]).await);
    assert!(!passes(&["data: ab", "cdefg"]).await);
    assert!(!passes(&["data: ab\n", "data: cd\n"]).await, "lines of one event count together");
}

proptest! {
    /// However the network cuts a stream, it is judged alike.
    #[test]
    fn cuts_do_not_matter(text in "(data|:|\r|\n|\r\n|x){0,30}", cut in 0usize..60) {
        let cut = cut.min(text.len());
        let whole = admitted(12, &[&text]);
        prop_assert_eq!(admitted(12, &[&text[..cut], &text[cut..]]), whole);
    }
}
