//! The host that a request names, and the web page that it comes from, read strictly.
//!
//! The text of `Host` or of `Origin` in; its parts out, or nothing when it is not exactly such a text. A reader that takes more
//! than that finds a host where a browser, a proxy or a resolver finds another one.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The longest name that a resolver takes.
const LONGEST_NAME: usize = 253;

/// A host, and the port if one is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostAndPort {
    host: Host,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Host {
    /// In lower case.
    Name(String),
    Address(IpAddr),
}

impl HostAndPort {
    /// Reads `name`, `name:port`, `192.0.2.1:port` or `[::1]:port`, and nothing else: no user, no path, nothing behind a bracket.
    pub fn parse(text: &str) -> Option<HostAndPort> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (inside, behind) = rest.split_once(']')?;
                let address: Ipv6Addr = inside.parse().ok()?;
                let port = if behind.is_empty() { None } else { Some(behind.strip_prefix(':')?) };
                (Host::Address(address.into()), port)
            }
            None => {
                let (name, port) =
                    text.split_once(':').map_or((text, None), |(name, port)| (name, Some(port)));
                (name_or_address(name)?, port)
            }
        };
        let port = port.map_or(Some(None), |digits| port_of(digits).map(Some))?;
        Some(HostAndPort { host, port })
    }

    /// Reads an origin as browsers send it, `https://app.example:8443`; gives the scheme too.
    pub fn of_origin(origin: &str) -> Option<(&str, HostAndPort)> {
        let (scheme, authority) = origin.split_once("://")?;
        let is_scheme = !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Some((scheme, HostAndPort::parse(authority).filter(|_| is_scheme)?))
    }

    /// An address cannot be rebound to another one, and neither can `localhost`.
    pub fn cannot_be_rebound(&self) -> bool {
        match &self.host {
            Host::Address(_) => true,
            Host::Name(name) => name == "localhost",
        }
    }

    /// True for this machine: one of its own addresses, or `localhost`.
    pub fn is_loopback(&self) -> bool {
        match &self.host {
            Host::Address(address) => address.to_canonical().is_loopback(),
            Host::Name(name) => name == "localhost",
        }
    }

    /// True when a list of hosts, in lower case, has it: with this port, or with none.
    pub fn is_among(&self, listed: &[String]) -> bool {
        let (whole, host) = (self.to_string(), HostAndPort { port: None, ..self.clone() }.to_string());
        listed.iter().any(|each| *each == whole || *each == host)
    }
}

/// As it is written: addresses in their short form, names in lower case.
impl fmt::Display for HostAndPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Name(name) => f.write_str(name)?,
            Host::Address(IpAddr::V4(address)) => write!(f, "{address}")?,
            Host::Address(IpAddr::V6(address)) => write!(f, "[{address}]")?,
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

fn name_or_address(text: &str) -> Option<Host> {
    if let Ok(address) = text.parse::<Ipv4Addr>() {
        return Some(Host::Address(address.into()));
    }
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let is_name = text.len() <= LONGEST_NAME && text.split('.').all(is_label);
    is_name.then(|| Host::Name(text.to_ascii_lowercase()))
}

fn port_of(digits: &str) -> Option<u16> {
    let is_number = (1..=5).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests;
