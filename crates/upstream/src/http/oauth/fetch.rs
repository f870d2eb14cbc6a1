//! One fetch of a token: a grant comes in, what the token server gave goes out (RFC 6749, sections 2.3.1, 4.4 and 6).
//!
//! The client says who it is by HTTP Basic; in the body instead, when the server does not know it that way. Invariants
//! (ruling S7): secrets go to the token URL itself and nowhere else, redirects are not followed, and the address is
//! private only where the token URL names it so.

use super::token_response::{self, TokenRefused, TokenResponse};
use crate::credentials::{OAuthGrant, secret_header};
use crate::error::{CredentialError, StatusError, TransportErrorKind, UpstreamError};
use crate::http::{build, encode, error_text, send, transport_error};
use crate::upstream::UpstreamContext;
use aqueduct_egress::basic_auth;
use aqueduct_egress::client::GuardedClient;
use aqueduct_egress::destination::named_scope;
use aqueduct_egress::redact::Redactor;
use aqueduct_egress::response::Response;
use aqueduct_operations::gatekeeper::FetchPermit;
use aqueduct_operations::target::AnswerKind;
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, USER_AGENT};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;
use url::Url;
use zeroize::Zeroizing;

/// Bytes of a response; honest ones have a few thousand.
const MOST_BYTES: usize = 64 * 1024;

/// Everything that a fetch needs, so that it can go on by itself.
pub(super) struct TokenFetch {
    client: GuardedClient,
    grant: OAuthGrant,
    secret_in_body: bool,
    timeout: Duration,
    redactor: Redactor,
}

impl TokenFetch {
    /// A fetch by the refresh token that is held, else by the grant's own, else by the client's credentials alone.
    pub(super) fn new(
        shared: &UpstreamContext,
        grant: &OAuthGrant,
        newer_refresh_token: Option<SecretString>,
        secret_in_body: bool,
        timeout: Duration,
    ) -> Result<TokenFetch, UpstreamError> {
        let mut grant = grant.clone();
        let url = &grant.rule.token_url;
        let client = shared.clients.client_for(url, named_scope(url, false));
        let client = client.map_err(|error| send::failed(url, transport_error::no_client(error)))?.clone();
        let mut redactor = Redactor::default();
        redactor.add_user_name(grant.client_id.expose_secret());
        let secrets =
            [Some(&grant.client_secret), grant.refresh_token.as_ref(), newer_refresh_token.as_ref()];
        secrets.into_iter().flatten().for_each(|secret| redactor.add_secret(secret.expose_secret()));
        if newer_refresh_token.is_some() {
            grant.refresh_token = newer_refresh_token;
        }
        Ok(TokenFetch { client, grant, secret_in_body, timeout, redactor })
    }

    /// Asks the server, and once more in the other way if it does not know the client.
    pub(super) async fn run(mut self) -> Result<TokenResponse, UpstreamError> {
        let mut outcome = self.request_token().await?;
        if matches!(outcome, Err(TokenRefused { is_of_client: true, .. })) && !self.secret_in_body {
            self.secret_in_body = true;
            outcome = self.request_token().await?;
        }
        let host = send::host(self.url());
        let mut fetched = outcome.map_err(|refusal| failed(host.clone(), refusal))?;
        fetched.secret_in_body = self.secret_in_body;
        tracing::debug!(host, scopes = self.grant.rule.scopes.len(), "token fetched");
        Ok(fetched)
    }

    fn url(&self) -> &Url {
        &self.grant.rule.token_url
    }

    async fn request_token(&self) -> Result<Result<TokenResponse, TokenRefused>, UpstreamError> {
        let timeout = |_| send::transport_to(self.url(), TransportErrorKind::Timeout { after: self.timeout });
        tokio::time::timeout(self.timeout, self.exchange()).await.map_err(timeout)?
    }

    async fn exchange(&self) -> Result<Result<TokenResponse, TokenRefused>, UpstreamError> {
        let url = self.url();
        let outcome = self.client.execute(&FetchPermit::token(url), self.request()).await;
        let mut response = outcome.map_err(|error| send::failed(url, transport_error::connecting(&error)))?;
        let mut bytes = Zeroizing::new(Vec::new());
        let refused = |response: &Response, why| Ok(Err(token_response::refusal(response.status(), why)));
        loop {
            match response.chunk().await {
                Ok(None) => break,
                Ok(Some(chunk)) if bytes.len() + chunk.len() <= MOST_BYTES => bytes.extend_from_slice(&chunk),
                Ok(Some(_)) => return refused(&response, "its answer is too large"),
                Err(error) => match transport_error::reading(&error) {
                    Some(kind) => return Err(send::transport_to(url, kind)),
                    None => return refused(&response, "its answer cannot be decoded"),
                },
            }
        }
        Ok(token_response::read(response.status(), &bytes, &self.redactor))
    }

    fn request(&self) -> reqwest::Request {
        let mut request = reqwest::Request::new(reqwest::Method::POST, self.url().clone());
        let headers = request.headers_mut();
        headers.insert(ACCEPT, HeaderValue::from_static(build::accepted(AnswerKind::Json)));
        headers.insert(USER_AGENT, HeaderValue::from_static(build::AGENT));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        if !self.secret_in_body
            && let Some(basic) = self.basic()
        {
            headers.insert(AUTHORIZATION, basic);
        }
        *request.body_mut() = Some(Bytes::from_owner(self.form()).into());
        request
    }

    /// Both parts are form-encoded first, so that no colon of theirs parts them.
    fn basic(&self) -> Option<HeaderValue> {
        let [id, secret] = [&self.grant.client_id, &self.grant.client_secret]
            .map(|part| Zeroizing::new(encode::component(part.expose_secret())));
        secret_header(format!("Basic {}", *basic_auth::encoded(&id, &secret)).into_bytes())
    }

    fn form(&self) -> Zeroizing<Vec<u8>> {
        let mut fields = Vec::new();
        match &self.grant.refresh_token {
            Some(token) => {
                fields.extend([("grant_type", "refresh_token"), ("refresh_token", token.expose_secret())]);
            }
            None => fields.push(("grant_type", "client_credentials")),
        }
        let scope = self.grant.rule.scopes.join(" ");
        if !scope.is_empty() {
            fields.push(("scope", &scope));
        }
        if self.secret_in_body {
            fields.push(("client_id", self.grant.client_id.expose_secret()));
            fields.push(("client_secret", self.grant.client_secret.expose_secret()));
        }
        let mut form = Zeroizing::new(Vec::new());
        for (name, value) in fields {
            let value = Zeroizing::new(encode::component(value));
            let between: &[u8] = if form.is_empty() { b"" } else { b"&" };
            for part in [between, name.as_bytes(), b"=", value.as_bytes()] {
                form.extend_from_slice(part);
            }
        }
        form
    }
}

/// What a refusal means for the call: a server that is overloaded or out of order is no matter of credentials.
fn failed(host: String, refusal: TokenRefused) -> UpstreamError {
    let TokenRefused { status, why, .. } = refusal;
    if status.as_u16() != 429 && !status.is_server_error() {
        return CredentialError::Token { host, why }.into();
    }
    let why = if why.is_empty() { error_text::of_status(status) } else { why };
    UpstreamError::Status(Box::new(StatusError {
        status: status.as_u16(),
        words: format!("the token server '{host}' gave no token: {why}"),
        words_from_body: false,
        excerpt: None,
        retry_after: None,
        missing_parameter: false,
        content_type: String::new(),
    }))
}
