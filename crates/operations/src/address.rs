//! Which addresses are not the public internet. An address or the host of a URL comes in, the kind of exception it is goes
//! out; IPv4 inside IPv6 (mapped, compatible, NAT64, 6to4) counts as the IPv4 address that it leads to (ruling S7).

mod guard;

pub use guard::{AddressScope, check_host, check_resolved, is_loopback};

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
mod tests {
    use super::AddressKind;
    use proptest::prelude::any;
    use proptest::{prop_assert_eq, proptest};
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
    use url::Url;

    /// Ruling S7: the kinds of address that are never public.
    #[test]
    fn kinds() {
        use AddressKind::{
            CarrierNat, LinkLocal, Loopback, Metadata, Multicast, Private, Reserved, UniqueLocal, Unspecified,
        };
        for (text, kind) in [
            ("0.1.2.3", Unspecified),
            ("127.255.0.1", Loopback),
            ("10.255.255.255", Private),
            ("172.16.0.1", Private),
            ("172.31.0.1", Private),
            ("192.168.3.4", Private),
            ("169.254.7.7", LinkLocal),
            ("169.254.169.254", Metadata),
            ("169.254.170.2", Metadata),
            ("169.254.170.23", Metadata),
            ("169.254.0.23", Metadata),
            ("169.254.42.42", Metadata),
            ("100.100.100.200", Metadata),
            ("192.0.0.192", Metadata),
            ("168.63.129.16", Metadata),
            ("100.64.0.1", CarrierNat),
            ("224.0.0.1", Multicast),
            ("255.255.255.255", Reserved),
            ("fd00:ec2::254", Metadata),
            ("fd00:ec2::23", Metadata),
            ("fd20:ce::254", Metadata),
            ("fd00:42::42", Metadata),
            ("fe80::a9fe:a9fe", Metadata),
            ("64:ff9b:1::a9fe:a9fe", Metadata),
            ("fc00::1", UniqueLocal),
            ("fe80::1", LinkLocal),
            ("ff02::1", Multicast),
            ("2001::1", Reserved),
            ("64:ff9b:1::1", Private),
        ] {
            assert_eq!(AddressKind::of(text.parse().unwrap()), Some(kind), "{text}");
        }
        for public in
            ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "2002:808:808::"]
        {
            assert_eq!(AddressKind::of(public.parse().unwrap()), None, "{public}");
        }
    }

    /// Ruling S7: a metadata service is known in whatever spelling its address or name is written.
    #[test]
    fn metadata_hosts() {
        for host in [
            "169.254.169.254",
            "2852039166",
            "0xa9fea9fe",
            "0xA9.0xFE.0xA9.0xFE",
            "0251.0376.0251.0376",
            "169.254.43518",
            "169.254.169.254.",
            "%31%36%39.254.169.254",
            "①⑥⑨.254.169.254",
            "169。254。169。254",
            "[::ffff:169.254.169.254]",
            "[::ffff:a9fe:a9fe]",
            "[::169.254.169.254]",
            "[::ffff:0:a9fe:a9fe]",
            "[64:ff9b::a9fe:a9fe]",
            "[2002:a9fe:a9fe::]",
            "[fd00:ec2::254]",
            "[FD00:0EC2:0:0:0:0:0:0254]",
            "169.254.170.2",
            "100.100.100.200",
            "metadata.google.internal",
            "METADATA.Google.Internal.",
            "metadata%2Egoogle.internal",
            "metadata.goog",
        ] {
            let url = Url::parse(&format!("http://{host}/latest")).unwrap();
            assert_eq!(AddressKind::of_host(&url), Some(AddressKind::Metadata), "{host}");
        }
        for host in ["metadata", "api.example.com", "metadata.google.internal.example.com", "8.8.8.8"] {
            let url = Url::parse(&format!("http://{host}/")).unwrap();
            assert_eq!(AddressKind::of_host(&url), None, "{host}");
        }
    }

    proptest! {
        /// No way of writing an IPv4 address inside IPv6 changes its kind.
        #[test]
        fn embedding_changes_nothing(v4 in any::<u32>()) {
            let (high, low) = ((v4 >> 16) as u16, v4 as u16);
            let expected = AddressKind::of(IpAddr::V4(Ipv4Addr::from(v4)));
            for v6 in [
                Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, high, low),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
            ] {
                prop_assert_eq!(AddressKind::of(IpAddr::V6(v6)), expected);
            }
        }
    }
}
