//! Tests of `rate_limiter`.

use super::{ClientKey, RateLimiter};
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

fn client(number: u32) -> ClientKey {
    ClientKey::at(Some(IpAddr::V4(Ipv4Addr::from_bits(number))))
}

#[test]
fn a_burst_then_the_rate() {
    let (rate, start) = (RateLimiter::new(5), Instant::now());
    let allowed = |who, at| (0..20).filter(|_| rate.allows(client(who), at)).count();
    assert_eq!(allowed(1, start), 10);
    assert_eq!(allowed(2, start), 10, "another client has its own bucket");
    assert_eq!(allowed(1, start + Duration::from_secs(1)), 5);
    assert_eq!(allowed(1, start + Duration::from_secs(60)), 10);
}

#[test]
fn networks_count_as_one() {
    let at = |text: &str| ClientKey::at(Some(text.parse().unwrap()));
    assert_eq!(at("2001:db8::1"), at("2001:db8::ffff:1"));
    assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
}
