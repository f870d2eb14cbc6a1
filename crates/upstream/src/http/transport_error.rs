//! Names a network failure. The HTTP client's error comes in, a `TransportErrorKind` in fixed words goes out, or the kind of address
//! that the resolver refused (runtime specification, section 8.3).
//!
//! The words are fit for messages: they name no address, no file and no type.

use crate::error::TransportErrorKind;
use aqueduct_egress::client::{ClientError, SendError};
use aqueduct_egress::resolver::{LookupFailed, RefusedAddress};
use aqueduct_egress::response::ReadError;
use aqueduct_operations::address::AddressKind;
use rustls::CertificateError;
use std::error::Error;
use std::io::{self, ErrorKind};

/// Names the reason why there is no client for a URL.
pub(crate) fn no_client(error: ClientError) -> Result<TransportErrorKind, AddressKind> {
    match error {
        ClientError::Refused(kind) => Err(kind),
        ClientError::Start(error) => {
            tracing::error!(%error, "no https client");
            let detail = "the trusted certificates of this machine cannot be loaded";
            Ok(TransportErrorKind::Tls { detail })
        }
    }
}

/// Names a failure to connect, or to get the head of a response.
pub(crate) fn connecting(error: &SendError) -> Result<TransportErrorKind, AddressKind> {
    let mut network = TransportErrorKind::Network { detail: "the connection failed", before_answer: true };
    for cause in causes(error) {
        if let Some(RefusedAddress(kind)) = cause.downcast_ref() {
            return Err(*kind);
        }
        if cause.is::<LookupFailed>() {
            return Ok(TransportErrorKind::Dns);
        }
        if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
            return Ok(TransportErrorKind::Tls { detail: tls_words(tls) });
        }
        if let Some(io) = cause.downcast_ref::<io::Error>() {
            match io.kind() {
                ErrorKind::ConnectionRefused => return Ok(TransportErrorKind::Refused),
                ErrorKind::UnexpectedEof if error.is_connect() => {
                    return Ok(TransportErrorKind::Tls { detail: "the server ended the handshake" });
                }
                kind => {
                    if let Some(detail) = io_words(kind) {
                        network = TransportErrorKind::Network { detail, before_answer: true };
                    }
                }
            }
        }
        if let Some(http) = cause.downcast_ref::<hyper::Error>() {
            if http.is_parse() {
                return Ok(TransportErrorKind::Network {
                    detail: "the answer is not valid HTTP",
                    before_answer: false,
                });
            }
            if http.is_incomplete_message() {
                network = TransportErrorKind::Network { detail: CLOSED, before_answer: true };
            }
        }
    }
    Ok(network)
}

const CLOSED: &str = "the connection was closed before the answer was complete";

/// Names a failure in the middle of a body. None: the body came, but its compression is broken.
pub(crate) fn reading(error: &ReadError) -> Option<TransportErrorKind> {
    let is_network = causes(error).any(|cause| {
        cause.is::<hyper::Error>()
            || cause.downcast_ref::<io::Error>().is_some_and(|io| io_words(io.kind()).is_some())
    });
    if !is_network {
        return None;
    }
    let detail = causes(error)
        .filter_map(|cause| io_words(cause.downcast_ref::<io::Error>()?.kind()))
        .next()
        .unwrap_or(CLOSED);
    Some(TransportErrorKind::Network { detail, before_answer: false })
}

/// The error and its causes; an IO error's inner error, which `source` skips, is one of them.
fn causes<'a>(first: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(first), |cause: &&'a (dyn Error + 'static)| {
        let cause: &'a (dyn Error + 'static) = *cause;
        match cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => cause.source(),
        }
    })
}

fn io_words(kind: ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            Some("the connection was reset")
        }
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => {
            Some("the host cannot be reached")
        }
        ErrorKind::TimedOut => Some("the host did not respond"),
        _ => None,
    }
}

fn tls_words(error: &rustls::Error) -> &'static str {
    match error {
        rustls::Error::InvalidCertificate(problem) => match problem {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "the certificate has expired"
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "the certificate belongs to another host"
            }
            CertificateError::UnknownIssuer => "the certificate is not trusted",
            _ => "the certificate is not valid",
        },
        rustls::Error::InvalidMessage(_) => "the server does not speak TLS",
        rustls::Error::AlertReceived(_) => "the server refused the handshake",
        _ => "the handshake failed",
    }
}

#[cfg(test)]
mod tests;
