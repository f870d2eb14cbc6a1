//! What an OAuth 2.0 token is fetched with: a rule and an environment come in, the client's secrets go out.
//!
//! Invariant: a grant exists only for a token URL to which secrets may be sent (ruling S7), and it prints none of them.

use super::{check_encrypted, is_printable, read};
use crate::error::CredentialError;
use aqueduct_egress::environment::Environment;
use aqueduct_operations::auth::OAuth2;
use aqueduct_operations::digest::Sha256;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;

/// A token; the same one when it is shared by calls.
pub(crate) type FetchedToken = Arc<SecretString>;

/// A rule for tokens, and the values of its variables.
#[derive(Debug, Clone)]
pub(crate) struct OAuthGrant {
    pub(crate) rule: OAuth2,
    pub(crate) client_id: SecretString,
    pub(crate) client_secret: SecretString,
    /// Of the environment; a newer one may be held.
    pub(crate) refresh_token: Option<SecretString>,
}

impl OAuthGrant {
    pub(super) fn read(rule: &OAuth2, environment: &dyn Environment) -> Result<OAuthGrant, CredentialError> {
        let value = |variable: &str| read(environment, variable, is_printable);
        let grant = OAuthGrant {
            rule: rule.clone(),
            client_id: value(&rule.client_id_env)?,
            client_secret: value(&rule.client_secret_env)?,
            refresh_token: rule.refresh_token_env.as_deref().map(value).transpose()?,
        };
        check_encrypted(&rule.token_url)?;
        Ok(grant)
    }

    /// Tells every value that must not be seen. The client's identifier is none: APIs name it in their data.
    pub(super) fn each_secret(&self, visit: &mut dyn FnMut(&str)) {
        let secrets = self.refresh_token.iter().chain([&self.client_secret]);
        secrets.for_each(|secret| visit(secret.expose_secret()));
    }

    /// Equal for equal values, which cannot be told from it.
    pub(crate) fn fingerprint(&self) -> [u8; 32] {
        let mut digest = Sha256::new();
        for value in [&self.client_id, &self.client_secret].into_iter().chain(&self.refresh_token) {
            digest.update_part(value.expose_secret());
        }
        *digest.finish().bytes()
    }
}
