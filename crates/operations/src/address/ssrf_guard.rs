//! How far a connection may reach: a URL or a resolved address in, permission or the kind of address that is refused out
//! (ruling S7). The connector asks twice: for the host as it is written, and for each address that its name leads to.

use super::AddressKind;
use std::net::IpAddr;
use url::{Host, Url};

/// How far a connection may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressScope {
    /// Public addresses only.
    Public,
    /// Also the private address that the source's own base URL names.
    Own,
}

/// Checks a host as it is written. A base URL may name an address of a private network; no one may name a metadata
/// service, nor what is no machine's address. Names are checked when they are resolved.
pub fn check_host(url: &Url, reach: AddressScope) -> Result<(), AddressKind> {
    use AddressKind::{CarrierNat, LinkLocal, Loopback, Private, UniqueLocal, Unspecified};
    match (AddressKind::of_host(url), reach) {
        (None, _) => Ok(()),
        // Unspecified is how many write this machine.
        (
            Some(Loopback | Private | UniqueLocal | CarrierNat | LinkLocal | Unspecified),
            AddressScope::Own,
        ) => Ok(()),
        (Some(kind), _) => Err(kind),
    }
}

/// Checks an address that a name resolved to.
pub fn check_resolved(name: &str, address: IpAddr, reach: AddressScope) -> Result<(), AddressKind> {
    use AddressKind::{CarrierNat, Loopback, Private, Reserved, UniqueLocal};
    match (AddressKind::of(address), reach) {
        // Plain http with credentials is allowed to this machine, so its names must never lead elsewhere.
        (kind, reach) if is_loopback_name(name) => {
            let is_here = address.to_canonical().is_loopback() && reach == AddressScope::Own;
            if is_here { Ok(()) } else { Err(kind.unwrap_or(Reserved)) }
        }
        (None, _) | (Some(Loopback | Private | UniqueLocal | CarrierNat), AddressScope::Own) => Ok(()),
        (Some(kind), _) => Err(kind),
    }
}

/// True for this machine: `localhost`, names under it, and loopback addresses.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_loopback_name(name),
        Some(Host::Ipv4(v4)) => v4.is_loopback(),
        Some(Host::Ipv6(v6)) => v6.to_canonical().is_loopback(),
        None => false,
    }
}

fn is_loopback_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}
