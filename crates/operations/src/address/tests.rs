//! Tests of `address`.

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
