//! A body on its way to the client that carries something with it until it is gone: written to its end, or given up.
//!
//! A body and what it carries in, the same body out. What is carried is told of the end, and dropped with the body.

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};

/// What a body carries.
pub trait Carried: Send + Unpin + 'static {
    /// The body has been given out to its end.
    fn ended(&mut self) {}
}

impl<C: Carried> Carried for Option<C> {
    fn ended(&mut self) {
        self.iter_mut().for_each(Carried::ended);
    }
}

/// This body, with something that it carries.
pub fn carrying(body: Body, mut carried: impl Carried) -> Body {
    if body.is_end_stream() {
        carried.ended();
    }
    Body::new(Carrying { body, carried })
}

struct Carrying<C> {
    body: Body,
    carried: C,
}

impl<C: Carried> HttpBody for Carrying<C> {
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
            self.carried.ended();
        }
        polled
    }

    // Known beforehand, an answer goes out in one piece with its length.
    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

#[cfg(test)]
mod tests;
