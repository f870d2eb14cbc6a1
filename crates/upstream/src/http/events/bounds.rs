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
mod tests;
