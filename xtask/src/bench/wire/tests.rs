//! Tests of `wire`.

use super::{Head, Length, chunks};

#[test]
fn reads_chunks() {
    let whole = b"4\r\nab\r\n\r\n3;x=1\r\ncde\r\n0\r\n\r\n";
    assert_eq!(chunks(whole).unwrap().unwrap(), b"ab\r\ncde");
    for cut in 0..whole.len() {
        assert_eq!(chunks(&whole[..cut]).unwrap(), None, "{cut}");
    }
}

#[test]
fn reads_heads() {
    let head =
        Head::parse(b"HTTP/1.1 202 Accepted\r\nMcp-Session-Id: a1\r\nContent-Length: 7\r\n\r\n").unwrap();
    assert_eq!((head.status, head.session.as_deref()), (202, Some("a1")));
    assert!(matches!(head.length, Length::Known(7)));
}
