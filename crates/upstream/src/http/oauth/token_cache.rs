//! The tokens that are held, and the fetches that are in flight. A grant comes in, a token goes out.
//!
//! One client of one token server has one chain: its tokens by scopes, its refresh token, and one fetch at a time, because
//! each fetch may replace the refresh token for the next. Invariants: no lock is held while waiting; when the values of the
//! variables change, nothing of the old ones is used again.

use super::fetch::TokenFetch;
use super::token_response::TokenResponse;
use crate::credentials::{FetchedToken, OAuthGrant};
use crate::error::{CredentialError, UpstreamError};
use crate::http::send;
use crate::upstream::UpstreamContext;
use aqueduct_operations::auth::OAuth2;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared as Joined};
use secrecy::SecretString;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use url::Url;

/// A token is no longer used so long before it expires, or a fifth of its life, whichever is shorter.
const MARGIN: Duration = Duration::from_secs(30);

type TokenOutcome = Result<FetchedToken, UpstreamError>;
/// Whose tokens they are: where they come from, and the names of the variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ChainKey {
    token_url: Url,
    client_id_env: String,
    client_secret_env: String,
    refresh_token_env: Option<String>,
}

/// All tokens of this process.
#[derive(Default)]
pub(crate) struct TokenCache(Mutex<HashMap<ChainKey, TokenChain>>);

#[derive(Default)]
struct TokenChain {
    /// Of the values that everything here was fetched with.
    fingerprint: [u8; 32],
    cached: HashMap<Vec<String>, CachedToken>,
    /// The newest that the server gave.
    refresh_token: Option<SecretString>,
    /// The server wants the client's secret in the body.
    secret_in_body: bool,
    in_flight: Option<TokenFetchInFlight>,
}

struct CachedToken {
    token: FetchedToken,
    /// When it is no longer used; none when the server does not say.
    until: Option<SystemTime>,
}

/// A fetch that is in flight.
#[derive(Clone)]
struct TokenFetchInFlight {
    scopes: Vec<String>,
    outcome: Joined<BoxFuture<'static, TokenOutcome>>,
}

enum TokenStep {
    Cached(FetchedToken),
    Wait(TokenFetchInFlight),
}

/// The token of a grant: held, or fetched by this call or another.
pub(super) async fn token(shared: &UpstreamContext, grant: &OAuthGrant, timeout: Duration) -> TokenOutcome {
    loop {
        match step(shared, grant, timeout)? {
            TokenStep::Cached(token) => return Ok(token),
            TokenStep::Wait(in_flight) => {
                let outcome = in_flight.outcome.await;
                if in_flight.scopes == grant.rule.scopes {
                    return outcome;
                }
                // It was for other scopes; now it is the turn of these.
            }
        }
    }
}

fn step(shared: &UpstreamContext, grant: &OAuthGrant, timeout: Duration) -> Result<TokenStep, UpstreamError> {
    let now = SystemTime::from(shared.settings.clock.now());
    let mut chains = shared.tokens.lock();
    let chain = chains.entry(key(grant)).or_default();
    let fingerprint = grant.fingerprint();
    if chain.fingerprint != fingerprint {
        *chain = TokenChain { fingerprint, ..TokenChain::default() };
    }
    let cached = chain.cached.get(&grant.rule.scopes);
    if let Some(cached) = cached.filter(|cached| cached.until.is_none_or(|until| now < until)) {
        return Ok(TokenStep::Cached(Arc::clone(&cached.token)));
    }
    if let Some(in_flight) = &chain.in_flight {
        return Ok(TokenStep::Wait(in_flight.clone()));
    }
    let fetch = TokenFetch::new(shared, grant, chain.refresh_token.clone(), chain.secret_in_body, timeout)?;
    let guard = FetchGuard { tokens: Arc::clone(&shared.tokens), key: key(grant), fingerprint };
    let scopes = grant.rule.scopes.clone();
    let kept_scopes = scopes.clone();
    let task = tokio::spawn(async move {
        let fetched = fetch.run().await?;
        Ok(guard.keep(kept_scopes, fetched, now))
    });
    let host = send::host(&grant.rule.token_url);
    let outcome = async move {
        task.await.unwrap_or_else(|_| {
            let why = "the fetch was broken off".to_owned();
            Err(CredentialError::Token { host, why }.into())
        })
    };
    let in_flight = TokenFetchInFlight { scopes, outcome: outcome.boxed().shared() };
    chain.in_flight = Some(in_flight.clone());
    Ok(TokenStep::Wait(in_flight))
}

fn key(grant: &OAuthGrant) -> ChainKey {
    let OAuth2 { token_url, client_id_env, client_secret_env, refresh_token_env, .. } = grant.rule.clone();
    ChainKey { token_url, client_id_env, client_secret_env, refresh_token_env }
}

impl TokenCache {
    fn lock(&self) -> MutexGuard<'_, HashMap<ChainKey, TokenChain>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets a token that the API refused; one that has come in its place since stays.
    pub(super) fn reject(&self, grant: &OAuthGrant, token: &FetchedToken) {
        let mut chains = self.lock();
        let Some(chain) = chains.get_mut(&key(grant)) else { return };
        if chain.cached.get(&grant.rule.scopes).is_some_and(|cached| Arc::ptr_eq(&cached.token, token)) {
            chain.cached.remove(&grant.rule.scopes);
        }
    }
}

/// Where the outcome of a fetch goes. However the fetch ends, it is no longer in flight.
struct FetchGuard {
    tokens: Arc<TokenCache>,
    key: ChainKey,
    fingerprint: [u8; 32],
}

impl FetchGuard {
    fn keep(&self, scopes: Vec<String>, fetched: TokenResponse, requested_at: SystemTime) -> FetchedToken {
        let token = Arc::new(fetched.token);
        let until = fetched.expires_in.map(|life| {
            let usable_for = life.saturating_sub(MARGIN.min(life / 5));
            requested_at.checked_add(usable_for)
        });
        let mut chains = self.tokens.lock();
        if let Some(chain) = chains.get_mut(&self.key).filter(|chain| chain.fingerprint == self.fingerprint) {
            // A life longer than time itself has no end.
            let cached = CachedToken { token: Arc::clone(&token), until: until.flatten() };
            chain.cached.insert(scopes, cached);
            chain.secret_in_body = fetched.secret_in_body;
            if fetched.refresh_token.is_some() {
                chain.refresh_token = fetched.refresh_token;
            }
        }
        token
    }
}

impl Drop for FetchGuard {
    fn drop(&mut self) {
        let mut chains = self.tokens.lock();
        if let Some(chain) = chains.get_mut(&self.key).filter(|chain| chain.fingerprint == self.fingerprint) {
            chain.in_flight = None;
        }
    }
}

// Tokens are secrets.
impl fmt::Debug for TokenCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens")
    }
}
