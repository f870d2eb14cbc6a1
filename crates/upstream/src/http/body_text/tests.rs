//! Tests of `body_text`.

use super::{decode, is_json, is_text};

#[test]
fn content_types() {
    for (content_type, text, json) in [
        ("", true, false),
        ("application/json", true, true),
        ("Application/Problem+JSON; charset=utf-8", true, true),
        ("text/json", true, true),
        ("application/x-ndjson", true, false),
        ("text/html", true, false),
        ("application/xml", true, false),
        ("image/svg+xml", true, false),
        ("image/png", false, false),
        ("application/octet-stream", false, false),
        ("application/vnd.ms-excel", false, false),
        ("multipart/mixed", false, false),
    ] {
        assert_eq!((is_text(content_type), is_json(content_type)), (text, json), "{content_type}");
    }
}

#[test]
fn decoding() {
    assert_eq!(decode(b"\xef\xbb\xbfa", "").as_deref(), Ok("a"));
    assert_eq!(decode(b"\xff\xfea\0", "application/json").as_deref(), Ok("a"));
    assert_eq!(decode(b"\xe9", "text/plain; Charset=latin1").as_deref(), Ok("é"));
    assert_eq!(decode("é".as_bytes(), "text/plain; charset=no-such").as_deref(), Ok("é"));
    assert_eq!(decode(b"a\xff", "").as_deref().map_err(|text| &**text), Err("a\u{fffd}"));
}
