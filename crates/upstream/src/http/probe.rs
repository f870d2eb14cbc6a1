//! Whether a site answers: one GET of its base URL, without credentials, under the same guard as every call.
//!
//! A site in; the status of its response, or why there is none, out. Redirects are answers too: none is followed.

use super::send::{failed, transport};
use super::transport_error;
use crate::error::{TransportErrorKind, UpstreamError};
use crate::upstream::UpstreamContext;
use aqueduct_egress::destination::site_scope;
use aqueduct_operations::gatekeeper::FetchPermit;
use aqueduct_operations::target::Site;
use std::time::Duration;

/// Longest wait, however patient the site's own calls are.
const MAX_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) async fn probe(
    shared: &UpstreamContext,
    permit: &FetchPermit<'_, Site>,
) -> Result<u16, UpstreamError> {
    let site = permit.place();
    let url = site.base_url.clone();
    let client = shared.clients.client_for(&url, site_scope(site, &url));
    let client = client.map_err(|error| failed(&site.base_url, transport_error::no_client(error)))?;
    let after = site.timeout.min(MAX_TIMEOUT);
    let request = reqwest::Request::new(reqwest::Method::GET, url);
    match tokio::time::timeout(after, client.execute(permit, request)).await {
        Ok(Ok(response)) => Ok(response.status().as_u16()),
        Ok(Err(error)) => Err(failed(&site.base_url, transport_error::connecting(&error))),
        Err(_) => Err(transport(site, TransportErrorKind::Timeout { after })),
    }
}

#[cfg(test)]
mod tests;
