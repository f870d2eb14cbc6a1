//! Tests of `body`.

use super::{BodyFormat, format_of};

#[test]
fn formats_of_media_types() {
    for (media, format) in [
        ("application/json; charset=utf-8", BodyFormat::Json),
        ("application/vnd.github+json", BodyFormat::Json),
        ("application/x-www-form-urlencoded", BodyFormat::Form),
        ("multipart/mixed", BodyFormat::Multipart),
        ("Text/Markdown", BodyFormat::Text),
        ("application/xml", BodyFormat::Text),
        ("image/png", BodyFormat::Bytes),
    ] {
        assert_eq!(format_of(media), format, "{media}");
    }
}
