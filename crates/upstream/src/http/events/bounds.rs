//! Counts the bytes of a stream of events, so that no line and no event grows without bound.
//!
//! Bytes come in as the network cuts them; whether the event that they belong to is still small enough goes out. Comments
//! are counted by themselves: a server may send them for years to keep a connection open.

use memchr::memchr2;

/// An event is too large.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge {
    /// How large, as far as it has come.
    pub(super) size: usize,
    /// Bytes before it that are of other events.
    pub(super) good: usize,
}

/// How far the event that is coming has grown.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    most_bytes: usize,
    /// Bytes of the whole lines of this event.
    event: usize,
    /// Bytes of the line that is not over yet.
    line: usize,
    is_comment: bool,
    /// The last byte was CR: an LF after it ends no other line.
    after_cr: bool,
}

impl Bounds {
    pub(super) fn new(most_bytes: usize) -> Bounds {
        Bounds { most_bytes, ..Bounds::default() }
    }

    /// Counts bytes; an event that is too large is the error.
    pub(super) fn admit(&mut self, all: &[u8]) -> Result<(), TooLarge> {
        let mut bytes = all;
        let mut good = 0;
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_cr) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = memchr2(b'\r', b'\n', bytes);
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            if self.line == 0 {
                self.is_comment = piece.first() == Some(&b':');
            }
            self.line += piece.len();
            let size = self.line + if self.is_comment { 0 } else { self.event };
            if size > self.most_bytes {
                return Err(TooLarge { size, good });
            }
            let Some(end) = end else { return Ok(()) };
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            self.end_line();
            if self.event == 0 {
                good = all.len() - bytes.len();
            }
        }
        Ok(())
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        match (line, self.is_comment) {
            (0, _) => self.event = 0,
            (_, true) => {}
            // Its end counts too, so that a flood of short lines does not stay unseen.
            (line, false) => self.event += line + 1,
        }
    }
}

#[cfg(test)]
mod tests {
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
}
