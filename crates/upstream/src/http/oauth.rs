//! OAuth 2.0 tokens (RFC 6749): the grants of a call come in, its credentials go out with a token for each.
//!
//! A token is fetched when a call first needs it (`fetch`), shared by all calls that need the same, and kept in memory
//! until shortly before it expires, or until the API refuses it with a 401 (`cached`). A fetch that has begun is brought to its
//! end, also when no caller waits any more: the server may have replaced the refresh token by another, which must not be lost.

mod fetch;
#[cfg(test)]
mod tests;
mod token_cache;
mod token_response;

pub(crate) use token_cache::TokenCache;

use crate::credentials::Credentials;
use crate::error::UpstreamError;
use crate::prepared::PreparedRequest;
use crate::sensitive;
use crate::upstream::UpstreamContext;
use aqueduct_operations::target::HttpTarget;

/// The credentials of a call, tokens and all.
pub(crate) async fn credentials(
    shared: &UpstreamContext,
    prepared: &PreparedRequest<'_>,
) -> Result<Credentials, UpstreamError> {
    let PreparedRequest { request, operation, target, values } = prepared;
    let mut credentials = Credentials::of_target(target, &*shared.environment)?;
    credentials.check_destination(&request.url)?;
    authorize(shared, target, &mut credentials).await?;
    sensitive::add(&mut credentials.redactor, operation, values);
    Ok(credentials)
}

/// After a 401, fetches tokens anew; true when there are new ones, with which the call may be sent once more. A request
/// that was refused for its token has done nothing, so that repeating it is safe.
pub(crate) async fn renew<T>(
    shared: &UpstreamContext,
    target: &HttpTarget,
    credentials: &mut Credentials,
    outcome: &Result<T, UpstreamError>,
) -> Result<bool, UpstreamError> {
    let is_refused = matches!(outcome, Err(error) if error.http_status() == Some(401));
    if !is_refused || credentials.grants.is_empty() {
        return Ok(false);
    }
    tracing::debug!("token refused, fetching another");
    credentials.tokens().for_each(|(grant, token)| shared.tokens.reject(grant, token));
    authorize(shared, target, credentials).await?;
    Ok(true)
}

async fn authorize(
    shared: &UpstreamContext,
    target: &HttpTarget,
    credentials: &mut Credentials,
) -> Result<(), UpstreamError> {
    let mut tokens = Vec::with_capacity(credentials.grants.len());
    for grant in &credentials.grants {
        tokens.push(token_cache::token(shared, grant, target.site.timeout).await?);
    }
    if !tokens.is_empty() {
        credentials.set_tokens(&tokens)?;
    }
    Ok(())
}
