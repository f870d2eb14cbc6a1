//! The bytes of a response: a response comes in, its body goes out, read up to the limit and counted after decompression
//! (runtime specification, section 11.5).

use crate::error::UpstreamError;
use crate::http::send::{RequestAttempts, transport};
use crate::http::transport_error;
use aqueduct_egress::response::Response;

/// Bytes of memory taken on the word of a `Content-Length`.
const MOST_RESERVED: usize = 1024 * 1024;

/// What came.
pub(super) enum ResponseBody {
    /// All of it.
    Whole(Vec<u8>),
    /// Something whose compression is broken.
    Broken,
}

/// Reads the body; over the limit it is an error, and the rest is not read.
pub(super) async fn read(
    call: &RequestAttempts<'_>,
    response: &mut Response,
) -> Result<ResponseBody, UpstreamError> {
    let limit = call.shared.settings.max_response_size;
    let announced = response.content_length().unwrap_or_default();
    if announced > limit {
        return Err(UpstreamError::TooLarge { limit, actual: announced });
    }
    let mut bytes =
        Vec::with_capacity(usize::try_from(announced).unwrap_or(MOST_RESERVED).min(MOST_RESERVED));
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return Ok(ResponseBody::Whole(bytes)),
            Err(error) => {
                let Some(kind) = transport_error::reading(&error) else { return Ok(ResponseBody::Broken) };
                return Err(transport(call.site(), kind));
            }
        }
        let seen = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if seen > limit {
            return Err(UpstreamError::TooLarge { limit, actual: seen });
        }
    }
}

#[cfg(test)]
mod tests;
