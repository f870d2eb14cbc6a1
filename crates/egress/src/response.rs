//! A response of a server: its head, and its body piece by piece.
//!
//! Whatever client it came through and however it was compressed on its way, it is read in the same way.

use crate::client::PlainBody;
use bytes::Bytes;
use http::response::Parts;
use http::{HeaderMap, StatusCode};
use http_body::{Body, Frame};
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use std::error::Error;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Any error.
pub(crate) type BoxError = Box<dyn Error + Send + Sync>;

/// Why a body ends before its end: the connection broke, or its compression is not what its head says.
#[derive(Debug, thiserror::Error)]
#[error("the body cannot be read to its end")]
pub struct ReadError(#[source] BoxError);

/// A response whose body is still to be read. Dropped before that, it closes its connection.
#[derive(Debug)]
pub struct Response {
    head: Parts,
    body: ResponseBody,
}

#[derive(Debug)]
enum ResponseBody {
    /// As it came.
    Plain(PlainBody),
    /// As another client gives it, or decompressed.
    Other(BoxBody<Bytes, BoxError>),
}

impl Response {
    /// The status.
    pub fn status(&self) -> StatusCode {
        self.head.status
    }

    /// The headers. Those that describe a compression are gone once it is undone.
    pub fn headers(&self) -> &HeaderMap {
        &self.head.headers
    }

    /// The headers, to be taken.
    pub fn headers_mut(&mut self) -> &mut HeaderMap {
        &mut self.head.headers
    }

    /// How many bytes are still to come, where that is known.
    pub fn content_length(&self) -> Option<u64> {
        match &self.body {
            ResponseBody::Plain(body) => body.size_hint().exact(),
            ResponseBody::Other(body) => body.size_hint().exact(),
        }
    }

    /// The next piece of the body; nothing at its end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, ReadError> {
        loop {
            let Some(frame) = poll_fn(|context| self.body.poll_frame(context)).await else { return Ok(None) };
            // What is no data is a header after the body, which nobody asks for.
            if let Ok(data) = frame.map_err(ReadError)?.into_data() {
                return Ok(Some(data));
            }
        }
    }
}

impl ResponseBody {
    fn poll_frame(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match self {
            ResponseBody::Plain(body) => {
                Pin::new(body).poll_frame(context).map(|frame| Some(frame?.map_err(BoxError::from)))
            }
            ResponseBody::Other(body) => Pin::new(body).poll_frame(context),
        }
    }
}

impl From<http::Response<PlainBody>> for Response {
    fn from(response: http::Response<PlainBody>) -> Response {
        let (head, body) = response.into_parts();
        Response { head, body: ResponseBody::Plain(body) }
    }
}

impl From<http::Response<BoxBody<Bytes, BoxError>>> for Response {
    fn from(response: http::Response<BoxBody<Bytes, BoxError>>) -> Response {
        let (head, body) = response.into_parts();
        Response { head, body: ResponseBody::Other(body) }
    }
}

impl From<http::Response<reqwest::Body>> for Response {
    fn from(response: http::Response<reqwest::Body>) -> Response {
        Response::from(response.map(|body| body.map_err(BoxError::from).boxed()))
    }
}

impl From<reqwest::Response> for Response {
    fn from(response: reqwest::Response) -> Response {
        Response::from(http::Response::<reqwest::Body>::from(response))
    }
}
