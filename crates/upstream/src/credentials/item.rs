//! One credential: a value and its place in a request. Values come in, go onto a request, and are never printed.
//!
//! Invariant: the value is held in types that clear their memory; on a request it replaces whatever stands in its place.

use crate::error::CredentialError;
use crate::http::request::HttpRequest;
use aqueduct_operations::auth::KeyPlace;
use aqueduct_operations::naming::is_http_token;
use bytes::Bytes;
use http::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

#[derive(Debug)]
pub(super) enum Credential {
    Header(HeaderName, HeaderValue),
    Query(String, SecretString),
    Cookie(String, SecretString),
}

impl Credential {
    /// A header of any name; none when the text cannot be sent.
    pub(super) fn header(name: HeaderName, text: &str) -> Option<Credential> {
        Some(Credential::Header(name, secret_header(text.as_bytes().to_vec())?))
    }

    /// The authorization header, made of these parts; the variable is named when they cannot be sent.
    pub(super) fn authorization(parts: &[&str], variable: &str) -> Result<Credential, CredentialError> {
        let value = secret_header(parts.concat().into_bytes())
            .ok_or_else(|| CredentialError::Malformed(variable.to_owned()))?;
        Ok(Credential::Header(AUTHORIZATION, value))
    }

    /// A key, where the adapter wants it.
    pub(super) fn api_key(
        place: &KeyPlace,
        key: SecretString,
        variable: &str,
    ) -> Result<Credential, CredentialError> {
        match place {
            KeyPlace::Query(name) => Ok(Credential::Query(name.clone(), key)),
            KeyPlace::Cookie(name) if is_http_token(name) => Ok(Credential::Cookie(name.clone(), key)),
            KeyPlace::Cookie(name) => Err(CredentialError::Place(name.clone())),
            KeyPlace::Header(name) => {
                let header = HeaderName::from_bytes(name.as_bytes())
                    .map_err(|_| CredentialError::Place(name.clone()))?;
                Credential::header(header, key.expose_secret())
                    .ok_or_else(|| CredentialError::Malformed(variable.to_owned()))
            }
        }
    }

    /// Tells its kind, its place and its value.
    pub(super) fn each_part(&self, visit: &mut dyn FnMut(&[u8])) {
        let (kind, place, value) = match self {
            Credential::Header(name, value) => ("header", name.as_str(), value.as_bytes()),
            Credential::Query(name, value) => ("query", name.as_str(), value.expose_secret().as_bytes()),
            Credential::Cookie(name, value) => ("cookie", name.as_str(), value.expose_secret().as_bytes()),
        };
        [kind.as_bytes(), place.as_bytes(), value].into_iter().for_each(visit);
    }

    /// Puts it on a request.
    pub(super) fn attach(&self, request: &mut HttpRequest) -> Result<(), CredentialError> {
        match self {
            Credential::Header(name, value) => {
                request.headers.insert(name.clone(), value.clone());
            }
            Credential::Query(name, value) => request.set_query_pair(name, value.expose_secret()),
            Credential::Cookie(name, value) => {
                let others = request.headers.get(COOKIE).map(HeaderValue::as_bytes).unwrap_or_default();
                let all = secret_header(cookies_with(others, name, value.expose_secret()))
                    .ok_or_else(|| CredentialError::Place(name.clone()))?;
                request.headers.insert(COOKIE, all);
            }
        }
        Ok(())
    }
}

/// A header value that is not printed and whose memory is cleared when the last copy is dropped.
pub(crate) fn secret_header(text: Vec<u8>) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_maybe_shared(Bytes::from_owner(Zeroizing::new(text))).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// The cookie header with one cookie set, the other cookies kept in their order.
pub(super) fn cookies_with(others: &[u8], name: &str, value: &str) -> Vec<u8> {
    let others = String::from_utf8_lossy(others);
    let prefix = format!("{name}=");
    let unchanged = others.split("; ").filter(|pair| !pair.is_empty() && !pair.starts_with(&prefix));
    let own = Zeroizing::new(format!("{prefix}{value}"));
    unchanged.chain(std::iter::once(own.as_str())).collect::<Vec<_>>().join("; ").into_bytes()
}
