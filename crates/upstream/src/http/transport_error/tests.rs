//! Tests of `classify`.

use super::{CLOSED, io_words, tls_words};
use aqueduct_operations::failure::wording::looks_like_a_leak;
use rustls::{AlertDescription, CertificateError, Error, InvalidMessage};
use std::io::ErrorKind;

/// R8.3-4 R8.3-5: the words for TLS and network failures, none of which looks like a leak.
#[test]
fn words() {
    let certificate = |problem| tls_words(&Error::InvalidCertificate(problem));
    let all = [
        (certificate(CertificateError::Expired), "expired"),
        (certificate(CertificateError::NotValidForName), "another host"),
        (certificate(CertificateError::UnknownIssuer), "not trusted"),
        (certificate(CertificateError::Revoked), "not valid"),
        (tls_words(&Error::InvalidMessage(InvalidMessage::InvalidContentType)), "not speak TLS"),
        (tls_words(&Error::AlertReceived(AlertDescription::HandshakeFailure)), "refused"),
        (tls_words(&Error::HandshakeNotComplete), "failed"),
        (io_words(ErrorKind::ConnectionReset).unwrap(), "reset"),
        (io_words(ErrorKind::HostUnreachable).unwrap(), "cannot be reached"),
        (io_words(ErrorKind::TimedOut).unwrap(), "not respond"),
        (CLOSED, "closed before"),
    ];
    for (words, part) in all {
        assert!(words.contains(part), "{words}");
        assert!(!looks_like_a_leak(words), "{words}");
    }
    assert_eq!(io_words(ErrorKind::Other), None);
}
