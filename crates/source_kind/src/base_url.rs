//! The address of an API: which URLs are accepted, and which name a private network (ruling S7).
//!
//! A text in; a URL without credentials, query and fragment out, its path without a trailing slash.

use aqueduct_operations::address::AddressKind;
use aqueduct_operations::credential_scope::has_user_info;
use url::Url;

/// Why a text is no base URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlProblem {
    /// It does not parse, or has no host.
    #[error("this is not a valid URL")]
    Invalid,
    /// It is neither http nor https.
    #[error("only http and https URLs can be called, found the scheme '{0}'")]
    Scheme(String),
    /// It holds a user name or a password.
    #[error("the URL holds credentials")]
    Credentials,
    /// It has a query.
    #[error("a base URL has no query")]
    Query,
    /// It has a fragment.
    #[error("a base URL has no fragment")]
    Fragment,
    /// It is the metadata service of a cloud, whose answers are credentials.
    #[error("this is the metadata service of a cloud, which is never called")]
    Metadata,
}

/// Reads a base URL. Its path is kept, without a trailing slash.
pub fn parse(text: &str) -> Result<Url, BaseUrlProblem> {
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(BaseUrlProblem::Invalid);
    }
    let mut url = Url::parse(text).map_err(|_| BaseUrlProblem::Invalid)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(BaseUrlProblem::Scheme(url.scheme().to_owned()));
    }
    if has_user_info(&url) {
        return Err(BaseUrlProblem::Credentials);
    }
    if url.query().is_some() {
        return Err(BaseUrlProblem::Query);
    }
    if url.fragment().is_some() {
        return Err(BaseUrlProblem::Fragment);
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(BaseUrlProblem::Invalid);
    }
    if AddressKind::of_host(&url) == Some(AddressKind::Metadata) {
        return Err(BaseUrlProblem::Metadata);
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(url)
}

#[cfg(test)]
mod tests;
