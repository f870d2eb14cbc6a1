//! The address of an API: which URLs are accepted, and which name a private network (ruling S7).
//!
//! A text in; a URL without credentials, query and fragment out, its path without a trailing slash.

use aqueduct_operations::address::AddressKind;
pub use aqueduct_operations::address::names_private_address;
use std::net::IpAddr;
use url::{Host, Url};

/// Why a text is no base URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlProblem {
    /// It does not parse, or has no host.
    #[error("this is not a valid URL")]
    Invalid,
    /// It is neither http nor https.
    #[error("only http and https URLs can be called, found the scheme '{0}'")]
    Scheme(String),
    /// It holds a user name or a password.
    #[error("the URL holds credentials")]
    Credentials,
    /// It has a query.
    #[error("a base URL has no query")]
    Query,
    /// It has a fragment.
    #[error("a base URL has no fragment")]
    Fragment,
    /// It is the metadata service of a cloud, whose answers are credentials.
    #[error("this is the metadata service of a cloud, which is never called")]
    Metadata,
}

/// Reads a base URL. Its path is kept, without a trailing slash.
pub fn parse(text: &str) -> Result<Url, BaseUrlProblem> {
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(BaseUrlProblem::Invalid);
    }
    let mut url = Url::parse(text).map_err(|_| BaseUrlProblem::Invalid)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(BaseUrlProblem::Scheme(url.scheme().to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(BaseUrlProblem::Credentials);
    }
    if url.query().is_some() {
        return Err(BaseUrlProblem::Query);
    }
    if url.fragment().is_some() {
        return Err(BaseUrlProblem::Fragment);
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(BaseUrlProblem::Invalid);
    }
    if AddressKind::of_host(&url) == Some(AddressKind::Metadata) {
        return Err(BaseUrlProblem::Metadata);
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(url)
}

/// True when the host is this machine, so that plain http is no risk.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).to_canonical().is_loopback(),
        Some(Host::Domain(name)) => is_localhost(name.trim_end_matches('.')),
        None => false,
    }
}

fn is_localhost(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::{BaseUrlProblem, is_loopback, names_private_address, parse};

    /// R4.1-5 X-adapter-9: a valid URL, its path kept and its trailing slash ignored.
    #[test]
    fn accepted() {
        for (text, shown) in [
            ("https://api.example.com", "https://api.example.com/"),
            ("https://api.example.com/v1/", "https://api.example.com/v1"),
            ("http://localhost:8080//", "http://localhost:8080/"),
        ] {
            assert_eq!(parse(text).unwrap().as_str(), shown);
        }
    }

    /// R4.1-5 R11.2-3: what is refused, credentials above all.
    #[test]
    fn refused() {
        for (text, problem) in [
            ("api.example.com", BaseUrlProblem::Invalid),
            ("", BaseUrlProblem::Invalid),
            ("https://", BaseUrlProblem::Invalid),
            ("https://a b/", BaseUrlProblem::Invalid),
            ("https://a/\nx", BaseUrlProblem::Invalid),
            ("ftp://a.example/", BaseUrlProblem::Scheme("ftp".into())),
            ("file:///etc/passwd", BaseUrlProblem::Scheme("file".into())),
            ("https://user@a.example/", BaseUrlProblem::Credentials),
            ("https://u:p@a.example/", BaseUrlProblem::Credentials),
            ("https://a.example/?x=1", BaseUrlProblem::Query),
            ("https://a.example/#x", BaseUrlProblem::Fragment),
            ("http://169.254.169.254/latest", BaseUrlProblem::Metadata),
            ("http://0xa9fea9fe", BaseUrlProblem::Metadata),
            ("https://metadata.google.internal", BaseUrlProblem::Metadata),
        ] {
            assert_eq!(parse(text), Err(problem), "{text}");
        }
    }

    #[test]
    fn private_names_and_addresses() {
        for text in [
            "http://127.0.0.1",
            "http://2130706433",
            "http://0x7f.1",
            "http://10.0.0.1",
            "http://192.168.1.1",
            "http://172.16.0.1",
            "http://169.254.7.7",
            "http://100.64.0.1",
            "http://0.0.0.0",
            "http://[::1]",
            "http://[::ffff:10.0.0.1]",
            "http://[64:ff9b::10.0.0.1]",
            "http://[fd00::1]",
            "http://[fe80::1]",
            "http://localhost",
            "http://x.localhost",
            "http://intranet",
            "http://nas.local",
            "http://db.internal",
            "http://pc.lan.",
            "http://x.home.arpa",
        ] {
            assert!(names_private_address(&parse(text).unwrap()), "{text}");
        }
        for text in
            ["https://api.example.com", "http://8.8.8.8", "http://[2606:4700::1111]", "http://172.32.0.1"]
        {
            assert!(!names_private_address(&parse(text).unwrap()), "{text}");
        }
        assert!(is_loopback(&parse("http://[::ffff:127.0.0.1]").unwrap()));
        assert!(!is_loopback(&parse("http://10.0.0.1").unwrap()));
    }
}
