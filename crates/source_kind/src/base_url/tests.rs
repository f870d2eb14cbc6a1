//! Tests of `base_url`.

use super::{BaseUrlProblem, parse};
use aqueduct_operations::address::{is_loopback, names_private_address};

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
    for text in ["https://api.example.com", "http://8.8.8.8", "http://[2606:4700::1111]", "http://172.32.0.1"]
    {
        assert!(!names_private_address(&parse(text).unwrap()), "{text}");
    }
    assert!(is_loopback(&parse("http://[::ffff:127.0.0.1]").unwrap()));
    assert!(!is_loopback(&parse("http://10.0.0.1").unwrap()));
}
