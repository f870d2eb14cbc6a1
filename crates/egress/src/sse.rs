//! Server-sent events (`text/event-stream`): the parser, and a limit on the size of a line and of an event.
//!
//! Chunks come in as the network delivers them; events go out, or an error once an event is over the limit. Comments are
//! counted by themselves: a server may send them for years to keep a connection open.

use bytes::Bytes;
use futures::{Stream, StreamExt};
use memchr::memchr2;
use sse_stream::SseByteStream;
pub use sse_stream::{Error as SseError, Sse};
use std::io;

/// An event is too large.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// How large, as far as it has come.
    pub size: usize,
    /// Bytes before it that are of other events.
    pub good: usize,
}

/// How far the event that is coming has grown.
#[derive(Debug, Default)]
pub struct EventBounds {
    max_bytes: usize,
    /// Bytes of the whole lines of this event.
    event: usize,
    /// Bytes of the line that is not over yet.
    line: usize,
    is_comment: bool,
    /// The last byte was CR: an LF after it ends no other line.
    after_cr: bool,
}

impl EventBounds {
    /// Allows events of so many bytes.
    pub fn new(max_bytes: usize) -> EventBounds {
        EventBounds { max_bytes, ..EventBounds::default() }
    }

    /// Counts bytes; an event that is too large is the error.
    pub fn admit(&mut self, all: &[u8]) -> Result<(), TooLarge> {
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
            if size > self.max_bytes {
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

/// Parses the events of a stream of bytes, as the HTML standard frames them.
pub fn events<E: std::error::Error + Send + Sync + 'static>(
    bytes: impl Stream<Item = Result<Bytes, E>> + Send,
) -> impl Stream<Item = Result<Sse, SseError>> + Send {
    SseByteStream::new(bytes)
}

/// The same bytes, ended with an error once a single event is too large.
pub fn bounded<E: std::error::Error + Send + Sync + 'static>(
    body: impl Stream<Item = Result<Bytes, E>> + Send,
    max_bytes: usize,
) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let mut bounds = EventBounds::new(max_bytes);
    body.map(move |chunk| {
        let chunk = chunk.map_err(io::Error::other)?;
        bounds.admit(&chunk).map_err(|_| io::Error::other("a message is too long"))?;
        Ok(chunk)
    })
}

#[cfg(test)]
mod tests;
