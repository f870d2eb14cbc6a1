//! Credentials: read from the environment for one call, put on one request, cleared when the call is over.
//!
//! A site or a target and an environment come in, `Credentials` go out; of alternatives, the one that is set (`choice`).
//! What tokens are fetched with (`grant`) is kept apart, until `http/oauth` brings the token. Invariant: a value is only
//! ever held in types that do not print it and that clear their memory; errors name variables, never values (runtime
//! specification, section 11.2).

mod choice;
mod grant;
mod item;
mod mask;

use crate::error::CredentialError;
use crate::http::header;
use crate::http::request::HttpRequest;
use aqueduct_egress::basic_auth;
use aqueduct_egress::environment::Environment;
use aqueduct_egress::redact::Redactor;
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::credential_scope::is_confidential;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::secrets::names::is_plain_header;
use aqueduct_operations::target::{HttpTarget, Site};
use aqueduct_operations::variable_reference::{is_unfilled, is_unfilled_credential};
pub(crate) use choice::query_keys;
pub use choice::{lacking, unset, ways_in_words};
pub(crate) use grant::{FetchedToken, OAuthGrant};
use http::header::{AUTHORIZATION, HeaderName};
use item::Credential;
pub(crate) use item::secret_header;
pub(crate) use mask::{mask, mask_cookie, set};
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use url::Url;
use zeroize::Zeroizing;

/// Everything secret about one call.
#[derive(Debug, Default)]
pub(crate) struct Credentials {
    items: Vec<Credential>,
    /// What tokens are fetched with.
    pub(crate) grants: Vec<OAuthGrant>,
    /// The tokens, once they are there, in the order of the grants.
    tokens: Vec<(FetchedToken, Credential)>,
    pub(crate) redactor: Redactor,
}

impl Credentials {
    /// Reads what the site needs. A site that needs nothing gives empty credentials.
    #[cfg(test)]
    pub(crate) fn resolve(
        site: &Site,
        environment: &dyn Environment,
    ) -> Result<Credentials, CredentialError> {
        Credentials::read(site, &site.auth, environment)
    }

    /// Reads what the calls of an operation need.
    pub(crate) fn of_target(
        target: &HttpTarget,
        environment: &dyn Environment,
    ) -> Result<Credentials, CredentialError> {
        Credentials::read(&target.site, &target.auth_to_read(), environment)
    }

    /// Reads what calls to a site need that authenticate in this way.
    pub(crate) fn read(
        site: &Site,
        auth: &Auth,
        environment: &dyn Environment,
    ) -> Result<Credentials, CredentialError> {
        let mut found = Credentials::default();
        for NamedSecret { name, value } in &site.operator_headers {
            found.add_operator_header(name, value)?;
        }
        for chosen in choice::chosen(auth, environment)? {
            check_consent(site, chosen)?;
            found.add_auth(chosen, environment)?;
        }
        Ok(found)
    }

    /// Knows the secrets of a target that can be known, to take them out of a text; some may not be there.
    pub(crate) fn redactor_of(target: &HttpTarget, environment: &dyn Environment) -> Redactor {
        let mut found = Credentials::default();
        for NamedSecret { name, value } in &target.site.operator_headers {
            // What cannot be sent is no secret that could show.
            found.add_operator_header(name, value).unwrap_or_default();
        }
        for each in choice::all(target.auth_in_force()) {
            found.add_auth(each, environment).unwrap_or_default();
        }
        found.redactor
    }

    /// Adds what one credential needs; alternatives have been chosen from before.
    fn add_auth(&mut self, auth: &Auth, environment: &dyn Environment) -> Result<(), CredentialError> {
        match auth {
            Auth::None | Auth::All(_) | Auth::AnyOf(_) => {}
            Auth::OAuth2(rule) => {
                let grant = OAuthGrant::read(rule, environment)?;
                grant.each_secret(&mut |secret| self.redactor.add_secret(secret));
                self.grants.push(grant);
            }
            Auth::Bearer { token_env, prefix } => {
                let token = read(environment, token_env, is_header_text)?;
                self.redactor.add_secret(token.expose_secret());
                self.items.push(Credential::authorization(&[prefix, token.expose_secret()], token_env)?);
            }
            Auth::ApiKey { key_env, place } => {
                let key = match place {
                    KeyPlace::Header(_) => read(environment, key_env, is_header_text)?,
                    KeyPlace::Query(_) => read(environment, key_env, is_printable)?,
                    KeyPlace::Cookie(_) => read(environment, key_env, is_cookie_text)?,
                };
                self.redactor.add_secret(key.expose_secret());
                self.items.push(Credential::api_key(place, key, key_env)?);
            }
            Auth::Basic { username_env, password_env } => {
                let username =
                    read(environment, username_env, |text| is_printable(text) && !text.contains(':'))?;
                let password = read(environment, password_env, is_printable)?;
                let encoded = basic_auth::encoded(username.expose_secret(), password.expose_secret());
                self.redactor.add_user_name(username.expose_secret());
                self.redactor.add_secret(password.expose_secret());
                self.redactor.add_secret(&encoded);
                self.items.push(Credential::authorization(&["Basic ", &encoded], password_env)?);
            }
        }
        Ok(())
    }

    fn add_operator_header(&mut self, name: &str, value: &SecretString) -> Result<(), CredentialError> {
        let refused = || CredentialError::OperatorHeader(name.to_owned());
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused())?;
        let text = value.expose_secret();
        if is_unfilled(text) {
            return Err(CredentialError::PlaceholderHeader(name.to_owned()));
        }
        if header::is_framing(&header) || !is_header_text(text) {
            return Err(refused());
        }
        if !is_plain_header(name, text) {
            self.redactor.add_secret(text);
            // `Bearer x`, `a=x; b=y`: the parts that must not show by themselves.
            let parts = text.split("; ").filter_map(|part| part.rsplit([' ', '=']).next());
            parts.for_each(|part| self.redactor.add_secret(part));
        }
        self.items.push(Credential::header(header, text).ok_or_else(refused)?);
        Ok(())
    }

    /// Refuses a destination where the credentials could be overheard: plain http to another machine.
    pub(crate) fn check_destination(&self, url: &Url) -> Result<(), CredentialError> {
        if self.items.is_empty() && self.grants.is_empty() {
            return Ok(());
        }
        check_encrypted(url)
    }

    /// Puts tokens in the place of those from before, which stay secret.
    pub(crate) fn set_tokens(&mut self, tokens: &[FetchedToken]) -> Result<(), CredentialError> {
        self.tokens.clear();
        for token in tokens {
            self.redactor.add_secret(token.expose_secret());
            let text = Zeroizing::new(format!("Bearer {}", token.expose_secret()));
            let refused = || CredentialError::Place(AUTHORIZATION.to_string());
            let header = Credential::header(AUTHORIZATION, &text).ok_or_else(refused)?;
            self.tokens.push((Arc::clone(token), header));
        }
        Ok(())
    }

    /// Tells, piece by piece, everything that makes these credentials different from others.
    pub(crate) fn each_part(&self, visit: &mut dyn FnMut(&[u8])) {
        self.all().for_each(|credential| credential.each_part(visit));
    }

    /// Puts the credentials on a request, replacing whatever stands in their places.
    pub(crate) fn attach(&self, request: &mut HttpRequest) -> Result<(), CredentialError> {
        self.all().try_for_each(|credential| credential.attach(request))
    }

    /// Each grant with the token that was fetched by it.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = (&OAuthGrant, &FetchedToken)> {
        self.grants.iter().zip(self.tokens.iter().map(|(token, _)| token))
    }

    fn all(&self) -> impl Iterator<Item = &Credential> {
        self.items.iter().chain(self.tokens.iter().map(|(_, credential)| credential))
    }
}

/// Refuses what only the operator can allow, as long as that has not been done (ruling S7).
fn check_consent(site: &Site, auth: &Auth) -> Result<(), CredentialError> {
    let Some(consent) = &site.consent else { return Ok(()) };
    match auth.consent_requests(&site.base_url).into_iter().find(|ask| !consent.allows(ask)) {
        Some(ask) => Err(CredentialError::NotAllowed { ask, source_name: consent.source().to_owned() }),
        None => Ok(()),
    }
}

/// Refuses plain http to another machine.
fn check_encrypted(url: &Url) -> Result<(), CredentialError> {
    if is_confidential(url) {
        return Ok(());
    }
    Err(CredentialError::Unencrypted(url.host_str().unwrap_or_default().to_owned()))
}

fn read(
    environment: &dyn Environment,
    variable: &str,
    is_allowed: impl Fn(&str) -> bool,
) -> Result<SecretString, CredentialError> {
    let value = environment.get(variable).filter(|value| !value.expose_secret().is_empty());
    let Some(value) = value else {
        return Err(CredentialError::Missing(variable.to_owned()));
    };
    if is_unfilled_credential(value.expose_secret()) {
        return Err(CredentialError::Placeholder(variable.to_owned()));
    }
    if !is_allowed(value.expose_secret()) {
        return Err(CredentialError::Malformed(variable.to_owned()));
    }
    Ok(value)
}

fn is_printable(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

fn is_header_text(text: &str) -> bool {
    text.bytes().all(|b| (b' '..=b'~').contains(&b)) && text.trim_matches(' ') == text
}

fn is_cookie_text(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_graphic() && !b"\",;\\".contains(&b))
}

#[cfg(test)]
mod tests;
