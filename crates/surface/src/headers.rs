//! Headers of requests as guards read them: a header in, its text out where it stands there once.

use http::{HeaderMap, HeaderName};

/// What a client wrote, so short and plain that it can be shown to it.
pub fn printable(text: &[u8]) -> String {
    String::from_utf8_lossy(text).chars().filter(|c| c.is_ascii_graphic()).take(40).collect()
}

/// The text of a header that stands there once.
pub fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}
