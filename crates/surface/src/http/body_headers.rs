//! What the headers say of a body: one that is compressed, or text in another charset than UTF-8, is refused in plain words.
//!
//! Headers in; nothing, or the reason for the metrics and the response, out.

use super::body::RejectedBody;
use crate::headers::printable;
use axum::response::IntoResponse;
use http::{HeaderMap, StatusCode, header};

/// The refusal of a body that would not be read as it is meant.
pub fn refusal(headers: &HeaderMap) -> Option<RejectedBody> {
    let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    let codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let codings = codings.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    let mut codings = codings.map(<[u8]>::trim_ascii);
    if let Some(coding) = codings.find(|coding| !coding.eq_ignore_ascii_case(b"identity")) {
        let message = format!(
            "The body has Content-Encoding '{}', which is not read here. Send JSON as it is, without this header.\n",
            printable(coding)
        );
        let identity = [(header::ACCEPT_ENCODING, "identity")];
        return Some(RejectedBody {
            reason: "encoding",
            response: (status, identity, message).into_response(),
        });
    }
    let charset = headers.get(header::CONTENT_TYPE).and_then(|kind| charset(kind.as_bytes()))?;
    if ["utf-8", "utf8"].iter().any(|known| charset.eq_ignore_ascii_case(known.as_bytes())) {
        return None;
    }
    let message = format!(
        "The body is in charset '{}', which is not read here. Send UTF-8, with Content-Type: application/json.\n",
        printable(charset)
    );
    Some(RejectedBody { reason: "charset", response: (status, message).into_response() })
}

/// The charset of a content type, without quotes.
fn charset(kind: &[u8]) -> Option<&[u8]> {
    kind.split(|byte| *byte == b';').skip(1).find_map(|parameter| {
        let equals = parameter.iter().position(|byte| *byte == b'=')?;
        let (name, value) = (parameter[..equals].trim_ascii(), parameter[equals + 1..].trim_ascii());
        let value = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value);
        name.eq_ignore_ascii_case(b"charset").then_some(value)
    })
}

#[cfg(test)]
mod tests;
