//! The body of a response, read over the connection that it came on.
//!
//! Frames out; when the body was read to its end, the connection goes back to those that are idle. Dropped before, it is closed.

use super::connection::PlainConnection;
use super::idle::IdleConnections;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// A body, and what it comes over.
pub struct PlainBody {
    incoming: Incoming,
    /// Gone once the body was read to its end.
    connection: Option<PlainConnection>,
    authority: String,
    idle: Arc<IdleConnections>,
}

impl PlainBody {
    /// The body that this connection brings from there.
    pub(super) fn new(
        incoming: Incoming,
        connection: PlainConnection,
        authority: String,
        idle: &Arc<IdleConnections>,
    ) -> PlainBody {
        PlainBody { incoming, connection: Some(connection), authority, idle: Arc::clone(idle) }
    }

    /// Nothing more comes: the connection is free, unless it is over too.
    fn release(&mut self) {
        if let Some(mut connection) = self.connection.take()
            && connection.settle()
        {
            self.idle.put(std::mem::take(&mut self.authority), connection);
        }
    }
}

impl Body for PlainBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let body = self.get_mut();
        // Frames come by the connection alone, which wakes this task: they need not do so again.
        let mut silent = Context::from_waker(Waker::noop());
        let mut frame = Pin::new(&mut body.incoming).poll_frame(&mut silent);
        if frame.is_pending() {
            if let Some(connection) = &mut body.connection {
                connection.drive(context);
            }
            frame = Pin::new(&mut body.incoming).poll_frame(&mut silent);
        }
        if matches!(frame, Poll::Ready(None)) {
            body.release();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

impl Drop for PlainBody {
    fn drop(&mut self) {
        if self.incoming.is_end_stream() {
            self.release();
        }
    }
}

impl fmt::Debug for PlainBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlainBody").field("authority", &self.authority).finish_non_exhaustive()
    }
}
