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
        }
    }

    /// Every environment variable that a call will read.
    pub fn variables(&self) -> Vec<&str> {
        match self {
            Auth::None => Vec::new(),
            Auth::Bearer { token_env, .. } => vec![token_env],
            Auth::ApiKey { key_env, .. } => vec![key_env],
            Auth::Basic { username_env, password_env } => vec![username_env, password_env],
        }
    }
}
