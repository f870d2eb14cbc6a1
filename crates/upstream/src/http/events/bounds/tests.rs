//! Tests of `bounds`.

use super::{Bounds, TooLarge};
use proptest::{prop_assert_eq, proptest};

fn admitted(most: usize, pieces: &[&str]) -> bool {
    let mut bounds = Bounds::new(most);
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
    let mut bounds = Bounds::new(10);
    assert_eq!(bounds.admit(b"data\n\ndata: 123456\n\n"), Err(TooLarge { size: 12, good: 6 }));
    let mut bounds = Bounds::new(10);
    assert_eq!(bounds.admit(b"data\n: 1234567890\n"), Err(TooLarge { size: 12, good: 0 }));
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
