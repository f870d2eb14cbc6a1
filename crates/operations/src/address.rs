//! Which addresses are not the public internet. An address or the host of a URL comes in, the kind of exception it is goes
//! out; IPv4 inside IPv6 (mapped, compatible, NAT64, 6to4) counts as the IPv4 address that it leads to (ruling S7).

mod ssrf_guard;

pub use ssrf_guard::{AddressScope, check_host, check_resolved, is_loopback};

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// Why an address is not public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressKind {
    /// This machine.
    Loopback,
    /// A private network.
    Private,
    /// The local link.
    LinkLocal,
    /// Shared by a carrier's customers.
    CarrierNat,
    /// A private network, IPv6.
    UniqueLocal,
    /// Many machines.
    Multicast,
    /// No machine.
    Unspecified,
    /// A cloud's metadata service.
    Metadata,
    /// Not handed out, or leading somewhere unknown.
    Reserved,
}

/// Metadata services of clouds and of their containers; one of them is a public address that is private in fact.
const METADATA_V4: [Ipv4Addr; 8] = [
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(169, 254, 170, 23),
    Ipv4Addr::new(169, 254, 0, 23),
    Ipv4Addr::new(169, 254, 42, 42),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(192, 0, 0, 192),
    Ipv4Addr::new(168, 63, 129, 16),
];
const METADATA_V6: [Ipv6Addr; 5] = [
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42),
    Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0xa9fe, 0xa9fe),
];
/// Names with one meaning only. `metadata` and the like may be anything: what they resolve to decides.
const METADATA_NAMES: [&str; 5] = [
    "metadata.google.internal",
    "metadata.goog",
    "metadata.azure.internal",
    "metadata.tencentyun.com",
    "instance-data.ec2.internal",
];

impl AddressKind {
    /// The kind of this address; none when it is public.
    pub fn of(address: IpAddr) -> Option<AddressKind> {
        match address {
            IpAddr::V4(v4) => of_v4(v4),
            IpAddr::V6(v6) => of_v6(v6),
        }
    }

    /// The kind of a host as it is written: of an address in any spelling, and of a name that can only be a metadata
    /// service. None for every other name, whose addresses are judged when it is resolved.
    pub fn of_host(url: &Url) -> Option<AddressKind> {
        match url.host()? {
            Host::Ipv4(v4) => of_v4(v4),
            Host::Ipv6(v6) => of_v6(v6),
            Host::Domain(name) => {
                let name = name.trim_end_matches('.').to_ascii_lowercase();
                METADATA_NAMES.contains(&name.as_str()).then_some(AddressKind::Metadata)
            }
        }
    }
}

/// True when the host itself says that it is on a private network or on this machine.
pub fn names_private_address(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => AddressKind::of(IpAddr::V4(address)).is_some(),
        Some(Host::Ipv6(address)) => AddressKind::of(IpAddr::V6(address)).is_some(),
        Some(Host::Domain(name)) => is_private_name(&name.trim_end_matches('.').to_ascii_lowercase()),
        None => false,
    }
}

fn is_private_name(name: &str) -> bool {
    let suffixes = [".localhost", ".local", ".internal", ".lan", ".home.arpa"];
    !name.contains('.') || suffixes.iter().any(|suffix| name.ends_with(suffix))
}

fn of_v4(v4: Ipv4Addr) -> Option<AddressKind> {
    let [a, b, c, _] = v4.octets();
    if METADATA_V4.contains(&v4) {
        return Some(AddressKind::Metadata);
    }
    match (a, b, c) {
        (0, ..) => Some(AddressKind::Unspecified),
        (127, ..) => Some(AddressKind::Loopback),
        (10, ..) | (172, 16..=31, _) | (192, 168, _) => Some(AddressKind::Private),
        (169, 254, _) => Some(AddressKind::LinkLocal),
        (100, 64..=127, _) => Some(AddressKind::CarrierNat),
        (224..=239, ..) => Some(AddressKind::Multicast),
        (192, 0, 0) | (198, 18..=19, _) | (240.., ..) => Some(AddressKind::Reserved),
        _ => None,
    }
}

fn of_v6(v6: Ipv6Addr) -> Option<AddressKind> {
    if v6.is_unspecified() {
        return Some(AddressKind::Unspecified);
    }
    if v6.is_loopback() {
        return Some(AddressKind::Loopback);
    }
    if METADATA_V6.contains(&v6) {
        return Some(AddressKind::Metadata);
    }
    if let Some(v4) = embedded_v4(v6) {
        return of_v4(v4);
    }
    match v6.segments() {
        [0xfc00..=0xfdff, ..] => Some(AddressKind::UniqueLocal),
        [0xfe80..=0xfebf, ..] => Some(AddressKind::LinkLocal),
        // A local translation to IPv4: whose, only the network knows, but never to a metadata service.
        [0x64, 0xff9b, 1, .., high, low] => match of_v4(pair(high, low)) {
            Some(AddressKind::Metadata) => Some(AddressKind::Metadata),
            _ => Some(AddressKind::Private),
        },
        [0xfec0..=0xfeff, ..] => Some(AddressKind::Private),
        [0xff00..=0xffff, ..] => Some(AddressKind::Multicast),
        // Teredo hides an IPv4 address and a relay; 0000::/8 has no public use besides the forms above.
        [0x2001, 0, ..] | [0..=0xff, ..] => Some(AddressKind::Reserved),
        _ => None,
    }
}

/// The IPv4 address that an IPv6 address stands for.
fn embedded_v4(v6: Ipv6Addr) -> Option<Ipv4Addr> {
    match v6.segments() {
        [0, 0, 0, 0, 0, 0, high, low] | [0, 0, 0, 0, 0, 0xffff, high, low] => Some(pair(high, low)),
        [0, 0, 0, 0, 0xffff, 0, high, low] => Some(pair(high, low)),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(pair(high, low)),
        [0x2002, high, low, ..] => Some(pair(high, low)),
        _ => None,
    }
}

fn pair(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from((u32::from(high) << 16) | u32::from(low))
}

impl fmt::Display for AddressKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AddressKind::Loopback => "loopback",
            AddressKind::Private | AddressKind::UniqueLocal => "private",
            AddressKind::LinkLocal => "link-local",
            AddressKind::CarrierNat => "shared carrier",
            AddressKind::Multicast => "multicast",
            AddressKind::Unspecified => "unspecified",
            AddressKind::Metadata => "cloud metadata",
            AddressKind::Reserved => "reserved",
        })
    }
}

#[cfg(test)]
mod tests;
