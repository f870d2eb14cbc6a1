//! Marks where credentials would be: a target and a request come in, the request goes out with `[REDACTED]` in every
//! place where a credential is put when it is sent. Of alternatives, the one that is set is marked, else the first.
//!
//! No credential is put on it, so none can show.

use super::choice;
use super::item::cookies_with;
use crate::http::header;
use crate::http::request::HttpRequest;
use aqueduct_egress::environment::Environment;
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::secrets::MARK;
use aqueduct_operations::secrets::names::is_plain_header;
use aqueduct_operations::target::HttpTarget;
use http::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue};
use secrecy::ExposeSecret;

/// Puts marks on a request.
pub(crate) fn mask(target: &HttpTarget, environment: &dyn Environment, request: &mut HttpRequest) {
    for NamedSecret { name, value } in &target.site.operator_headers {
        if let Ok(name) = HeaderName::from_bytes(name.as_bytes()) {
            let value = value.expose_secret();
            let shown = if is_plain_header(name.as_str(), value) { value } else { MARK };
            set(request, name, shown);
        }
    }
    for auth in choice::likely(&target.auth_to_read(), environment) {
        mask_auth(auth, request);
    }
}

fn mask_auth(auth: &Auth, request: &mut HttpRequest) {
    match auth {
        Auth::None | Auth::All(_) | Auth::AnyOf(_) => {}
        Auth::Bearer { prefix, .. } => set(request, AUTHORIZATION, &format!("{prefix}{MARK}")),
        Auth::OAuth2(_) => set(request, AUTHORIZATION, &format!("Bearer {MARK}")),
        Auth::Basic { .. } => set(request, AUTHORIZATION, &format!("Basic {MARK}")),
        Auth::ApiKey { place: KeyPlace::Query(name), .. } => request.set_query_pair(name, MARK),
        Auth::ApiKey { place: KeyPlace::Cookie(name), .. } => mask_cookie(request, name),
        Auth::ApiKey { place: KeyPlace::Header(name), .. } => {
            if let Ok(name) = HeaderName::from_bytes(name.as_bytes()) {
                set(request, name, MARK);
            }
        }
    }
}

/// Puts a mark in the place of one cookie.
pub(crate) fn mask_cookie(request: &mut HttpRequest, name: &str) {
    let others = request.headers.get(COOKIE).map(HeaderValue::as_bytes).unwrap_or_default();
    let all = String::from_utf8_lossy(&cookies_with(others, name, MARK)).into_owned();
    set(request, COOKIE, &all);
}

/// Sets a header; to the mark alone when the text cannot be a header.
pub(crate) fn set(request: &mut HttpRequest, name: HeaderName, text: &str) {
    let value = header::value(text).unwrap_or(HeaderValue::from_static(MARK));
    request.headers.insert(name, value);
}
