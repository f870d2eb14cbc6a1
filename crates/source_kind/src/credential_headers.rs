//! Credentials of a source as the headers of an MCP server.
//!
//! How calls authenticate in; headers with the names of variables in their values out, never a secret itself.

use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::named_secret::NamedSecret;

/// A name and a password by the variables that hold them.
pub fn basic_template(username_env: &str, password_env: &str) -> String {
    format!("Basic ${{{username_env}}}:${{{password_env}}}")
}

/// The headers that carry these credentials to an MCP server, by the names of variables; nothing when headers cannot.
pub fn credential_headers(auth: &Auth) -> Option<Vec<NamedSecret>> {
    match auth {
        Auth::None => Some(Vec::new()),
        Auth::Bearer { token_env, prefix } => {
            let value = format!("{prefix}${{{token_env}}}");
            Some(vec![NamedSecret::new("Authorization", value)])
        }
        Auth::ApiKey { key_env, place: KeyPlace::Header(name) } => {
            Some(vec![NamedSecret::new(name.as_str(), format!("${{{key_env}}}"))])
        }
        // Encoded once the variables are known.
        Auth::Basic { username_env, password_env } => {
            Some(vec![NamedSecret::new("Authorization", basic_template(username_env, password_env))])
        }
        Auth::All(parts) => Some(
            parts.iter().map(credential_headers).collect::<Option<Vec<_>>>()?.into_iter().flatten().collect(),
        ),
        _ => None,
    }
}
