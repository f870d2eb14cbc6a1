//! Which addresses the operator's page takes: those of this machine, and no others.

use super::{OperatorListen, USUAL, listen};
use crate::report::Exit;

#[test]
fn addresses_of_this_machine() {
    assert_eq!(listen(None, None).unwrap(), OperatorListen::Usual(USUAL));
    assert_eq!(listen(Some("none"), None).unwrap(), OperatorListen::Nowhere);
    for (text, address) in [
        ("127.0.0.1:7433", "127.0.0.1:7433"),
        ("127.0.0.2:0", "127.0.0.2:0"),
        ("[::1]:9000", "[::1]:9000"),
        ("localhost:9000", "127.0.0.1:9000"),
    ] {
        assert_eq!(listen(Some(text), None).unwrap(), OperatorListen::At(address.parse().unwrap()), "{text}");
    }
}

/// S5: the page is on loopback, whatever is asked for.
#[test]
fn other_addresses_are_refused() {
    for text in [
        "0.0.0.0:7433",
        "[::]:7433",
        "192.168.1.5:7433",
        "10.0.0.1:1",
        "[2001:db8::1]:1",
        "[::ffff:10.0.0.1]:1",
    ] {
        let error = listen(Some(text), None).unwrap_err();
        assert!(error.message.contains("reached from other machines"), "{text}: {error:?}");
        assert_eq!(error.exit, Exit::Invalid);
    }
    for text in
        ["", "7433", "example.com:7433", "localhost", "localhost:x", "127.0.0.1", "http://127.0.0.1:7433"]
    {
        let error = listen(Some(text), None).unwrap_err();
        assert!(error.message.contains("no address of this machine"), "{text}: {error:?}");
    }
}
