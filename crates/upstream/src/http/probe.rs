//! A knock on a site's door: one GET of its base URL, without credentials, under the same guard as every call.
//!
//! A site in; the status of its answer, or why there is none, out. Redirects are answers too: none is followed.

use super::send::{refused, transport};
use crate::address_guard;
use crate::error::{TransportErrorKind, UpstreamError};
use crate::upstream::UpstreamContext;
use aqueduct_operations::target::Site;
use std::time::Duration;

/// Longest wait, however patient the site's own calls are.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) async fn probe(shared: &UpstreamContext, site: &Site) -> Result<u16, UpstreamError> {
    let url = site.base_url.clone();
    let reach = address_guard::reach(site, &url);
    address_guard::check_host(&url, reach).map_err(|kind| refused(site, kind, true))?;
    let client = shared.clients.of(&url, reach).map_err(|error| {
        tracing::error!(%error, "no https client");
        transport(
            site,
            TransportErrorKind::Tls { detail: "the trusted certificates of this machine cannot be loaded" },
        )
    })?;
    let after = site.timeout.min(PATIENCE);
    let request = reqwest::Request::new(reqwest::Method::GET, url);
    match tokio::time::timeout(after, client.execute(request)).await {
        Ok(Ok(response)) => Ok(response.status().as_u16()),
        Ok(Err(error)) => Err(match super::classify::connecting(&error) {
            Ok(trouble) => transport(site, trouble),
            Err(kind) => refused(site, kind, true),
        }),
        Err(_) => Err(transport(site, TransportErrorKind::Timeout { after })),
    }
}

#[cfg(test)]
mod tests;
