//! Where a source's credentials come from. Names of environment variables only: no secret is ever held here.
//!
//! Sources fill it from `auth` in a file or from a flag; upstream reads the variables when a call needs them.

/// How calls of a source authenticate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Auth {
    /// Not at all.
    #[default]
    None,
    /// `Authorization: <prefix><token>`.
    Bearer {
        /// Variable that holds the token.
        token_env: String,
        /// Text before the token, usually `Bearer `.
        prefix: String,
    },
    /// A key in a header, the query or a cookie.
    ApiKey {
        /// Variable that holds the key.
        key_env: String,
        /// Where the key goes.
        place: KeyPlace,
    },
    /// HTTP basic authentication.
    Basic {
        /// Variable that holds the user name.
        username_env: String,
        /// Variable that holds the password.
        password_env: String,
    },
    /// OAuth 2.0: a token is fetched with these, and fetched again before it expires.
    OAuth2(OAuth2),
    /// All of these together.
    All(Vec<Auth>),
    /// The first of these whose variables are all set; `None` among them means that a call may go without.
    AnyOf(Vec<Auth>),
}

/// How an OAuth 2.0 token is fetched: by a refresh token when there is one, else by the client's own credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OAuth2 {
    /// Where tokens are given.
    pub token_url: url::Url,
    /// Variable that holds the client's identifier.
    pub client_id_env: String,
    /// Variable that holds the client's secret.
    pub client_secret_env: String,
    /// Variable that holds a refresh token.
    pub refresh_token_env: Option<String>,
    /// Scopes that are requested.
    pub scopes: Vec<String>,
}

/// Where an API key is put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyPlace {
    /// In this header.
    Header(String),
    /// In this query parameter.
    Query(String),
    /// In this cookie.
    Cookie(String),
}

impl Auth {
    /// The name used in files and messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Auth::None => "none",
            Auth::Bearer { .. } => "bearer",
            Auth::ApiKey { .. } => "api_key",
            Auth::Basic { .. } => "basic",
            Auth::OAuth2(_) => "oauth2",
            Auth::All(_) => "all",
            Auth::AnyOf(_) => "any_of",
        }
    }

    /// What is left of it when these headers are given: a credential that would be in one of them is not needed.
    pub fn without(&self, headers: &[&str]) -> Auth {
        match self {
            Auth::All(parts) => {
                let mut rest: Vec<Auth> = parts.iter().map(|part| part.without(headers)).collect();
                rest.retain(|part| *part != Auth::None);
                if rest.is_empty() { Auth::None } else { Auth::All(rest) }
            }
            Auth::AnyOf(parts) => {
                let is_met = |part: &&Auth| **part != Auth::None && part.without(headers) == Auth::None;
                if parts.iter().any(|part| is_met(&part)) {
                    return Auth::None;
                }
                Auth::AnyOf(parts.iter().map(|part| part.without(headers)).collect())
            }
            single => match single.header() {
                Some(name) if headers.iter().any(|given| given.eq_ignore_ascii_case(name)) => Auth::None,
                _ => single.clone(),
            },
        }
    }

    /// The header that a single credential is in.
    fn header(&self) -> Option<&str> {
        match self {
            Auth::Bearer { .. } | Auth::Basic { .. } | Auth::OAuth2(_) => Some("Authorization"),
            Auth::ApiKey { place: KeyPlace::Header(name), .. } => Some(name),
            Auth::ApiKey { .. } | Auth::None | Auth::All(_) | Auth::AnyOf(_) => None,
        }
    }

    /// Every environment variable that a call will read.
    pub fn variables(&self) -> Vec<&str> {
        match self {
            Auth::None => Vec::new(),
            Auth::Bearer { token_env, .. } => vec![token_env],
            Auth::ApiKey { key_env, .. } => vec![key_env],
            Auth::Basic { username_env, password_env } => vec![username_env, password_env],
            Auth::OAuth2(oauth) => [&oauth.client_id_env, &oauth.client_secret_env]
                .into_iter()
                .chain(&oauth.refresh_token_env)
                .map(String::as_str)
                .collect(),
            Auth::All(parts) | Auth::AnyOf(parts) => parts.iter().flat_map(Auth::variables).collect(),
        }
    }
}
