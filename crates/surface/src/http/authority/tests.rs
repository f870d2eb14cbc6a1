//! Tests of `authority`.

use super::HostAndPort;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::{collection, prop_assert, prop_assert_eq, proptest};
use std::net::IpAddr;
use url::{Host, Url};

/// What a browser would connect to: the host and the port of a URL, if all of the text is about them.
fn as_a_browser_reads_it(text: &str) -> Option<Host<String>> {
    let url = Url::parse(&format!("http://{text}/")).ok()?;
    let is_plain = url.username().is_empty()
        && url.password().is_none()
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none();
    url.host().map(|host| host.to_owned()).filter(|_| is_plain)
}

fn is_local_to_a_browser(text: &str) -> bool {
    match as_a_browser_reads_it(text) {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        None => false,
    }
}

/// Texts of the pieces that hosts are made of, put together in any way.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("localhost"),
        Just("127.0.0.1"),
        Just("[::1]"),
        Just("::1"),
        Just("[::ffff:127.0.0.1]"),
        Just("evil.com"),
        Just("."),
        Just(":"),
        Just("@"),
        Just("/"),
        Just("\\"),
        Just("#"),
        Just("?"),
        Just("["),
        Just("]"),
        Just("%"),
        Just("80"),
        Just("7300"),
        Just("0x7f.1"),
        Just("2130706433"),
        Just(" "),
        Just("\t"),
        Just(","),
        Just("%00"),
        Just("LOCALHOST"),
        Just("１２７.0.0.1"),
        Just("-"),
        Just("_"),
        Just("%25eth0"),
        Just("user:pw@"),
    ];
    collection::vec(piece, 1..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Whatever is taken for an address or for `localhost` is that to a browser too, and to anyone who reads it again.
    #[test]
    fn nothing_else_passes(text in prop_oneof![hostile(), any::<String>()]) {
        if let Some(read) = HostAndPort::parse(&text) {
            prop_assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b".:-_[]".contains(&b)), "{text}");
            prop_assert_eq!(HostAndPort::parse(&read.to_string()), Some(read.clone()));
            if read.cannot_be_rebound() {
                prop_assert!(is_local_to_a_browser(&text), "{text}");
            }
        }
    }

    /// Every address is read, with a port and without, and a word more makes it something else.
    #[test]
    fn addresses_pass(address in any::<IpAddr>(), port in any::<u16>(), more in "[a-z.@/]{1,8}") {
        let text = match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        for good in [text.clone(), format!("{text}:{port}")] {
            prop_assert!(HostAndPort::parse(&good).is_some_and(|it| it.cannot_be_rebound()), "{good}");
        }
        for bad in [format!("{text}{more}"), format!("{more}@{text}"), format!("{text}:{port}{more}"), format!("{more}{text}")] {
            prop_assert!(!HostAndPort::parse(&bad).is_some_and(|it| it.cannot_be_rebound()), "{bad}");
        }
    }
}

#[test]
fn forms() {
    for good in ["localhost", "LOCALHOST:80", "a.b-c_d.example:65535", "[::1]", "[::1]:0", "192.0.2.7:1"] {
        let read = HostAndPort::parse(good).unwrap_or_else(|| panic!("{good}"));
        assert_eq!(read.to_string(), good.to_lowercase());
    }
    for bad in [
        "",
        ".",
        "localhost.",
        "a..b",
        "localhost:",
        "localhost:65536",
        "localhost:+1",
        "localhost:1:1",
        "[::1",
        "[::1].evil.com",
        "[::1]evil",
        "evil.com@127.0.0.1",
        "[fe80::1%25eth0]",
        "a b",
        "a/b",
        "::1",
        "ä.example",
    ] {
        assert_eq!(HostAndPort::parse(bad), None, "{bad}");
    }
    let (scheme, read) = HostAndPort::of_origin("https://app.example:8443").unwrap();
    assert_eq!((scheme, read.to_string().as_str()), ("https", "app.example:8443"));
    for bad in [
        "null",
        "",
        "app.example",
        "://app.example",
        "https://app.example/",
        "https://a@b",
        "https://[::1].b",
    ] {
        assert_eq!(HostAndPort::of_origin(bad), None, "{bad}");
    }
}

#[test]
fn lists() {
    let listed = ["tools.example".to_owned(), "other.example:80".to_owned()];
    let is_listed = |text: &str| HostAndPort::parse(text).unwrap().is_among(&listed);
    assert!(is_listed("Tools.Example") && is_listed("tools.example:443") && is_listed("other.example:80"));
    assert!(!is_listed("other.example") && !is_listed("other.example:81") && !is_listed("x.tools.example"));
}
