//! Tests of `guarded`.

use super::{allowed, check, reach};
use aqueduct_operations::address::AddressScope;
use std::net::SocketAddr;
use url::Url;

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

/// Ruling S7: an address of a private network is reached by whoever names it; a metadata service by nobody.
#[test]
fn what_is_written() {
    for (address, is_fine) in [
        ("http://127.0.0.1:1/mcp", true),
        ("http://localhost/mcp", true),
        ("http://10.0.0.7/mcp", true),
        ("https://mcp.example.com/mcp", true),
        ("http://169.254.169.254/mcp", false),
        ("http://0xa9fea9fe/mcp", false),
        ("http://[::ffff:169.254.169.254]/mcp", false),
        ("http://metadata.google.internal/mcp", false),
    ] {
        for may_be_private in [false, true] {
            let reach = reach(&url(address), may_be_private);
            assert_eq!(check(&url(address), reach).is_ok(), is_fine, "{address}");
        }
    }
}

/// Ruling S7: a public name that leads into a private network is refused, unless the operator gave the address.
#[test]
fn what_names_lead_to() {
    let lead = |name: &str, to: &[&str], reach: AddressScope| {
        let to = to.iter().map(|ip| SocketAddr::new(ip.parse().unwrap(), 0));
        allowed(name, to, reach).map(|all| all.len())
    };
    let name = "mcp.example.com";
    let public = reach(&url("https://mcp.example.com/mcp"), false);
    assert_eq!(lead(name, &["203.0.113.7"], public).unwrap(), 1);
    assert_eq!(lead(name, &["10.0.0.1", "203.0.113.7"], public).unwrap(), 1, "the public one is left");
    for private in ["127.0.0.1", "10.0.0.1", "169.254.1.1", "169.254.169.254", "::1", "fd00::1"] {
        let told = lead(name, &[private], public).unwrap_err().to_string();
        assert!(told.contains("refused") && told.contains("--base-url"), "{private}: {told}");
    }
    let own = reach(&url("https://mcp.example.com/mcp"), true);
    assert_eq!(lead(name, &["10.0.0.1"], own).unwrap(), 1);
    assert!(lead(name, &["169.254.169.254"], own).is_err(), "nobody may mean a metadata service");
}
