//! Compressed bodies, decompressed as they are read.
//!
//! A response as it came in; out, one whose body is what was compressed. What is not compressed, or in a way that was not asked
//! for, stays as it is.

use super::super::SendError;
use super::body::PlainBody;
use crate::response::Response;

#[cfg(not(feature = "compression"))]
pub(super) const KNOWN: Option<&str> = None;

/// The compressions that are undone here.
#[cfg(feature = "compression")]
pub(super) const KNOWN: Option<&str> = Some("zstd,gzip,deflate,br");

#[cfg(not(feature = "compression"))]
pub(super) async fn decoded(response: http::Response<PlainBody>) -> Result<Response, SendError> {
    Ok(Response::from(response))
}

/// The response without its compression.
#[cfg(feature = "compression")]
pub(super) async fn decoded(response: http::Response<PlainBody>) -> Result<Response, SendError> {
    use crate::response::BoxError;
    use http_body_util::BodyExt;
    use std::future::ready;
    use tower_http::decompression::Decompression;
    use tower_service::Service;

    if !response.headers().contains_key(http::header::CONTENT_ENCODING) {
        return Ok(Response::from(response));
    }
    // A service that has its response already: only the way back is needed.
    let mut received = Some(response);
    let received =
        tower::service_fn(move |_: http::Request<()>| ready(received.take().ok_or(SendError::Taken)));
    let decoded = Box::pin(Decompression::new(received).call(http::Request::new(()))).await?;
    Ok(Response::from(decoded.map(|body| body.map_err(BoxError::from).boxed())))
}
