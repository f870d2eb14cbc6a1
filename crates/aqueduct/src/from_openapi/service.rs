//! What a program says about the service behind a document: where it is, and how it lets callers in.
//!
//! Credentials may be literal here, since a program holds them anyway; they reach the HTTP client as variables, which is
//! the only way it takes them.

use super::FromOpenApiError;
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::naming::is_adapter_name;
use aqueduct_source_kind::base_url;
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_upstream::Environment;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use std::time::Duration;

/// The variables under which literal credentials are looked up.
const TOKEN: &str = "SERVICE_TOKEN";
const USER: &str = "SERVICE_USER";
const PASSWORD: &str = "SERVICE_PASSWORD";

/// The header of an API key where none is named.
const KEY_HEADER: &str = "X-API-Key";

/// A service behind a document.
#[derive(Debug, Clone)]
pub struct HttpServiceConfig {
    /// The namespace of all its operations.
    pub namespace: String,
    /// The base of all its requests.
    pub base_url: String,
    /// Headers of every request.
    pub headers: Vec<NamedSecret>,
    /// How it lets callers in.
    pub auth: Option<ServiceAuth>,
    /// When a request is aborted; after thirty seconds if nothing is said.
    pub timeout: Option<Duration>,
}

/// A credential.
#[derive(Debug, Clone)]
pub struct ServiceAuth {
    /// What kind it is.
    pub kind: ServiceAuthKind,
    /// The token; for `Basic` a name and a password with a colon between them, or both encoded already.
    pub token: SecretString,
    /// The header of an API key; `X-API-Key` if nothing is said.
    pub header_name: Option<String>,
    /// What stands before the token.
    pub prefix: Option<String>,
}

/// The kinds of credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceAuthKind {
    /// `Authorization: Bearer TOKEN`.
    Bearer,
    /// A key in a header.
    ApiKey,
    /// HTTP basic authentication.
    Basic,
}

impl HttpServiceConfig {
    /// A service without credentials.
    pub fn new(namespace: impl Into<String>, base_url: impl Into<String>) -> HttpServiceConfig {
        HttpServiceConfig {
            namespace: namespace.into(),
            base_url: base_url.into(),
            headers: Vec::new(),
            auth: None,
            timeout: None,
        }
    }

    pub(super) fn settings(&self) -> Result<SourceSettings, FromOpenApiError> {
        let refused = |message: String| FromOpenApiError::Config(message);
        if !is_adapter_name(&self.namespace) {
            let words =
                "a namespace has 2 to 64 lower-case letters, digits and hyphens, and starts with a letter";
            return Err(refused(format!("'{}': {words}", self.namespace)));
        }
        let url = base_url::parse(&self.base_url)
            .map_err(|problem| refused(format!("base URL '{}': {problem}", self.base_url)))?;
        let auth = self.auth.as_ref().map(ServiceAuth::auth);
        // Where both name a header, the credential is what counts.
        let taken = match &auth {
            Some(Auth::ApiKey { place: KeyPlace::Header(name), .. }) => Some(name.clone()),
            Some(_) => Some("Authorization".to_owned()),
            None => None,
        };
        let is_free = |name: &str| taken.as_ref().is_none_or(|taken| !taken.eq_ignore_ascii_case(name));
        Ok(SourceSettings {
            source_name: Some(self.namespace.clone()),
            base_url: Some(url),
            auth: Some(auth.unwrap_or_default()),
            headers: self.headers.iter().filter(|header| is_free(&header.name)).cloned().collect(),
            timeout: self.timeout,
            ..SourceSettings::default()
        })
    }

    pub(super) fn environment(&self) -> Arc<dyn Environment> {
        Arc::new(LiteralParam(self.auth.clone()))
    }
}

impl ServiceAuth {
    fn pair(&self) -> Option<(&str, &str)> {
        self.token.expose_secret().split_once(':').filter(|_| self.kind == ServiceAuthKind::Basic)
    }

    fn auth(&self) -> Auth {
        let prefix = |usual: &str| self.prefix.clone().unwrap_or_else(|| usual.to_owned());
        match self.kind {
            ServiceAuthKind::Bearer => {
                Auth::Bearer { token_env: TOKEN.to_owned(), prefix: spaced(prefix("Bearer")) }
            }
            ServiceAuthKind::ApiKey => {
                let header = self.header_name.clone().unwrap_or_else(|| KEY_HEADER.to_owned());
                Auth::ApiKey { key_env: TOKEN.to_owned(), place: KeyPlace::Header(header) }
            }
            ServiceAuthKind::Basic if self.pair().is_some() => {
                Auth::Basic { username_env: USER.to_owned(), password_env: PASSWORD.to_owned() }
            }
            ServiceAuthKind::Basic => {
                Auth::Bearer { token_env: TOKEN.to_owned(), prefix: spaced(prefix("Basic")) }
            }
        }
    }
}

/// A prefix with the space that stands before a token; none needs none.
fn spaced(prefix: String) -> String {
    if prefix.is_empty() || prefix.ends_with(' ') { prefix } else { format!("{prefix} ") }
}

/// Credentials that the program holds.
#[derive(Debug)]
struct LiteralParam(Option<ServiceAuth>);

impl Environment for LiteralParam {
    fn get(&self, name: &str) -> Option<SecretString> {
        let auth = self.0.as_ref()?;
        let text = match (name, auth.pair()) {
            (USER, Some((user, _))) => user.to_owned(),
            (PASSWORD, Some((_, password))) => password.to_owned(),
            (TOKEN, _) => match (&auth.prefix, auth.kind) {
                (Some(prefix), ServiceAuthKind::ApiKey) => {
                    format!("{}{}", spaced(prefix.clone()), auth.token.expose_secret())
                }
                _ => auth.token.expose_secret().to_owned(),
            },
            _ => return None,
        };
        Some(text.into())
    }
}
