//! Tests of `destination`, and of the address rules that it rests on.

use super::{RedirectError, redirected, site_scope};
use aqueduct_operations::address::{AddressKind, AddressScope, check_host, check_resolved, is_loopback};
use aqueduct_testkit::operation::site;
use url::Url;

fn literal(url: &str) -> Option<AddressKind> {
    check_host(&Url::parse(url).unwrap(), AddressScope::Public).err()
}

/// Ruling S7: every way to write a private host as an address is seen through.
#[test]
fn literals_in_disguise() {
    for (url, kind) in [
        ("http://127.0.0.1/", AddressKind::Loopback),
        ("http://2130706433/", AddressKind::Loopback),
        ("http://0x7f000001/", AddressKind::Loopback),
        ("http://0177.0.0.1/", AddressKind::Loopback),
        ("http://127.1/", AddressKind::Loopback),
        ("http://[::1]/", AddressKind::Loopback),
        ("http://[::ffff:127.0.0.1]/", AddressKind::Loopback),
        ("http://[::ffff:7f00:1]/", AddressKind::Loopback),
        ("http://[::127.0.0.1]/", AddressKind::Loopback),
        ("http://[64:ff9b::7f00:1]/", AddressKind::Loopback),
        ("http://[2002:7f00:1::]/", AddressKind::Loopback),
        ("http://0/", AddressKind::Unspecified),
        ("http://[::]/", AddressKind::Unspecified),
        ("http://10.1.2.3/", AddressKind::Private),
        ("http://0xa010203/", AddressKind::Private),
        ("http://169.254.169.254/latest", AddressKind::Metadata),
        ("http://0xa9fea9fe/latest", AddressKind::Metadata),
        ("http://[fd00:ec2::254]/", AddressKind::Metadata),
        ("http://%31%32%37.0.0.1/", AddressKind::Loopback),
        ("http://①②⑦.0.0.1/", AddressKind::Loopback),
    ] {
        assert_eq!(literal(url), Some(kind), "{url}");
    }
    assert_eq!(literal("https://93.184.216.34/"), None);
    assert_eq!(literal("https://api.example.com/"), None);
}

/// Ruling S7: a metadata service is called for no one; a private address for the base URL that names it.
#[test]
fn metadata_is_refused_whoever_names_it() {
    for host in [
        "169.254.169.254",
        "0xa9fea9fe",
        "2852039166",
        "0251.0376.0251.0376",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[fd00:ec2::254]",
        "100.100.100.200",
        "169.254.170.2",
        "metadata.google.internal",
        "metadata.google.internal.",
    ] {
        let mut site = site(&format!("http://{host}"));
        site.names_private_address = true;
        assert_eq!(site_scope(&site, &site.base_url), AddressScope::Own);
        for reach in [AddressScope::Own, AddressScope::Public] {
            assert_eq!(check_host(&site.base_url, reach), Err(AddressKind::Metadata), "{host}");
        }
    }
    for (host, kind) in [("224.0.0.1", AddressKind::Multicast), ("240.0.0.1", AddressKind::Reserved)] {
        let url = Url::parse(&format!("http://{host}")).unwrap();
        assert_eq!(check_host(&url, AddressScope::Own), Err(kind), "{host}");
    }
    for host in ["169.254.1.1", "10.0.0.1", "127.0.0.1", "[::1]", "[fe80::1]", "[fd00::1]", "0.0.0.0"] {
        let url = Url::parse(&format!("http://{host}")).unwrap();
        assert_eq!(check_host(&url, AddressScope::Own), Ok(()), "{host}");
        assert!(check_host(&url, AddressScope::Public).is_err(), "{host}");
    }
}

#[test]
fn only_the_sites_own_origin_may_be_private() {
    let mut site = site("http://10.0.0.5:8080/v1");
    let own = Url::parse("http://10.0.0.5:8080/x").unwrap();
    let port = Url::parse("http://10.0.0.5:9090/x").unwrap();
    site.names_private_address = true;
    assert_eq!(site_scope(&site, &own), AddressScope::Own);
    assert_eq!(site_scope(&site, &port), AddressScope::Public);
    assert!(check_host(&own, AddressScope::Own).is_ok());
    site.names_private_address = false;
    assert_eq!(site_scope(&site, &own), AddressScope::Public);
    assert!(check_host(&own, AddressScope::Public).is_err());
}

#[test]
fn names_that_resolve_to_private_addresses() {
    let check = |name, address: &str, reach| check_resolved(name, address.parse().unwrap(), reach).err();
    assert_eq!(check("api.example.com", "203.0.113.7", AddressScope::Public), None);
    assert_eq!(check("api.example.com", "10.0.0.1", AddressScope::Public), Some(AddressKind::Private));
    assert_eq!(check("localhost", "127.0.0.1", AddressScope::Public), Some(AddressKind::Loopback));
    assert_eq!(check("localhost", "127.0.0.1", AddressScope::Own), None);
    assert_eq!(check("api.LOCALHOST.", "::1", AddressScope::Own), None);
    assert_eq!(check("localhost", "203.0.113.7", AddressScope::Own), Some(AddressKind::Reserved));
    assert_eq!(check("localhost", "10.0.0.1", AddressScope::Own), Some(AddressKind::Private));
    assert_eq!(check("intranet", "10.0.0.1", AddressScope::Own), None);
    assert_eq!(check("intranet", "169.254.169.254", AddressScope::Own), Some(AddressKind::Metadata));
    assert_eq!(check("intranet", "169.254.1.1", AddressScope::Own), Some(AddressKind::LinkLocal));
}

#[test]
fn loopback_hosts() {
    for (url, expected) in [
        ("http://localhost:1/", true),
        ("http://api.localhost/", true),
        ("http://127.8.8.8/", true),
        ("http://[::1]/", true),
        ("http://localhost.example.com/", false),
        ("http://10.0.0.1/", false),
        ("http://[::]/", false),
        ("http://[2002:7f00:1::1]", false),
        ("http://[64:ff9b::7f00:1]", false),
    ] {
        assert_eq!(is_loopback(&Url::parse(url).unwrap()), expected, "{url}");
    }
}

/// Ruling S7: no redirect leads away from TLS, and none brings a name and password of its own.
#[test]
fn redirects() {
    use RedirectError::{Scheme, Unusable};
    for (from, location, expected) in [
        ("https://a.example/x/y", "../z", Ok("https://a.example/z")),
        ("http://a.example/x", "https://b.example/", Ok("https://b.example/")),
        ("https://a.example/x", "https://ann:word@b.example/#part", Ok("https://b.example/")),
        ("https://a.example/x", "http://a.example/x", Err(Scheme)),
        ("https://a.example/x", "file:///etc/passwd", Err(Scheme)),
        ("http://a.example/x", "file:///etc/passwd", Err(Scheme)),
        ("http://a.example/x", "http://[broken", Err(Unusable)),
    ] {
        let found = redirected(&Url::parse(from).unwrap(), location);
        assert_eq!(found.as_ref().map(Url::as_str).map_err(|error| *error), expected, "{from} to {location}");
    }
}
