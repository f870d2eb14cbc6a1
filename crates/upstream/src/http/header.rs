//! Which headers may be set: a name or a value comes in, a checked one goes out (runtime specification, section 11.4).
//!
//! Invariant: nothing from an adapter, a parameter or an operator frames a message, or breaks out of its line.

use crate::error::RequestBuildError;
use http::header::{HeaderName, HeaderValue};

/// Headers that frame a message: only the HTTP client sets them.
const FRAMING: [&str; 9] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A name that may be set.
pub(crate) fn name(name: &str) -> Result<HeaderName, RequestBuildError> {
    let refused = || RequestBuildError::HeaderName(name.to_owned());
    let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused())?;
    if is_framing(&header) { Err(refused()) } else { Ok(header) }
}

/// True for headers that only the HTTP client itself may set.
pub(crate) fn is_framing(header: &HeaderName) -> bool {
    FRAMING.contains(&header.as_str()) || header.as_str().starts_with("proxy-")
}

/// CR, LF, NUL and the other control characters make no header value.
pub(crate) fn value(text: &str) -> Option<HeaderValue> {
    HeaderValue::from_bytes(text.as_bytes()).ok()
}
