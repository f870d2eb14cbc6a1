//! Percent-encoding and the text form of values: `encodeURIComponent`, decoding, and how a value is written where only
//! text fits (runtime specification, sections 6.2.1 and 6.5).

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::Value;
use std::borrow::Cow;

/// What `encodeURIComponent` leaves alone: letters, digits and `-_.!~*'()`.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// In a query the quote is encoded too, as every URL parser does.
const QUERY: &AsciiSet = &COMPONENT.add(b'\'');

/// Reserved characters that a query may hold without ending a value: not `&`, `#`, `+`, nor the brackets.
const RESERVED_IN_QUERY: &AsciiSet = &QUERY
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'@')
    .remove(b'$')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// Reserved characters that a path segment may hold: no slash, nothing that ends the path.
const RESERVED_IN_PATH: &AsciiSet = &COMPONENT
    .remove(b':')
    .remove(b'@')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// What a form leaves alone; the brackets too, because that is how nested fields are named and read.
const FORM: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'[')
    .remove(b']')
    .remove(b' ');

/// What a cookie's value may not hold (RFC 6265, section 4.1.1), and the percent sign.
const COOKIE: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'%').add(b',').add(b';').add(b'\\');

/// Encodes a whole value for a path segment: UTF-8, upper-case hex.
pub(crate) fn path_component(text: &str) -> String {
    utf8_percent_encode(text, COMPONENT).to_string()
}

/// Encodes a whole key or value for a query, a cookie or a form.
pub(crate) fn component(text: &str) -> String {
    utf8_percent_encode(text, QUERY).to_string()
}

/// Encodes a value for a path segment, reserved characters kept where they cannot end the segment.
pub(crate) fn reserved_in_path(text: &str) -> String {
    utf8_percent_encode(text, RESERVED_IN_PATH).to_string()
}

/// Encodes a value for a query, reserved characters and valid `%XX` kept where they cannot end the value.
pub(crate) fn reserved_in_query(text: &str) -> String {
    let is_hex = |text: &str, index: usize| text.as_bytes().get(index).is_some_and(u8::is_ascii_hexdigit);
    let mut out = String::with_capacity(text.len());
    for (index, piece) in text.split('%').enumerate() {
        if index > 0 {
            out.push_str(if is_hex(piece, 0) && is_hex(piece, 1) { "%" } else { "%25" });
        }
        out.extend(utf8_percent_encode(piece, RESERVED_IN_QUERY));
    }
    out
}

/// Encodes a key or value as forms do: a space is a plus, brackets stay.
pub(crate) fn form(text: &str) -> String {
    utf8_percent_encode(text, FORM).to_string().replace(' ', "+")
}

/// Encodes a value for a cookie, no more than is needed: few servers decode what they find there.
pub(crate) fn cookie(text: &str) -> String {
    utf8_percent_encode(text, COOKIE).to_string()
}

/// True when the text is made of unreserved characters and valid `%XX` only, with one `%XX` or more.
pub(crate) fn is_encoded(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_hex = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_hexdigit);
    let mut index = 0;
    let mut seen = false;
    while let Some(&byte) = bytes.get(index) {
        match byte {
            b'%' if is_hex(index + 1) && is_hex(index + 2) => {
                seen = true;
                index += 3;
            }
            b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => index += 1,
            _ if byte.is_ascii_alphanumeric() => index += 1,
            _ => return false,
        }
    }
    // Bytes that are no text would fail to decode: such a value counts as not encoded.
    seen && percent_decode_str(text).decode_utf8().is_ok()
}

/// Decodes `%XX`; bytes that are no text are replaced.
pub(crate) fn decode_lossy(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

/// The text of a value outside a JSON body: arrays comma-joined, objects as JSON; none for null.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => Some(items.iter().filter_map(text).collect::<Vec<_>>().join(",")),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests;
