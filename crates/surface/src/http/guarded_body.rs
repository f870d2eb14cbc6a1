//! A response body with a guard that lives until the body is gone: written to its end, or dropped.
//!
//! A body and a guard in, the same body out. The guard is notified of the end, and dropped with the body.

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};

/// A guard that a body holds.
pub trait BodyGuard: Send + Unpin + 'static {
    /// The body has been given out to its end.
    fn ended(&mut self) {}
}

impl<C: BodyGuard> BodyGuard for Option<C> {
    fn ended(&mut self) {
        self.iter_mut().for_each(BodyGuard::ended);
    }
}

/// This body, with its guard.
pub fn guarded_body(body: Body, mut guard: impl BodyGuard) -> Body {
    if body.is_end_stream() {
        guard.ended();
    }
    Body::new(GuardedBody { body, guard })
}

struct GuardedBody<C> {
    body: Body,
    guard: C,
}

impl<C: BodyGuard> HttpBody for GuardedBody<C> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        let has_ended = match &polled {
            Poll::Ready(None) => true,
            Poll::Ready(Some(_)) => self.body.is_end_stream(),
            Poll::Pending => false,
        };
        if has_ended {
            self.guard.ended();
        }
        polled
    }

    // Known beforehand, a response goes out in one piece with its length.
    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

#[cfg(test)]
mod tests;
