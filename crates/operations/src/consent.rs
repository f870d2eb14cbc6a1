//! What a file asks for that only the operator can give: a variable sent to an origin, or a program started (ruling S7).
//!
//! Sources ask, the operator's list answers through `Consent`. Code that sends a credential or starts a program for a file
//! that the operator did not write looks there first, each time, so that a yes holds at once and can be taken back.

use crate::auth::Auth;
use crate::credential_scope::origin_text;
use crate::mcp::{ServerConfig, ServerTransport};
use crate::named_secret::NamedSecret;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use url::Url;

/// One thing that a file asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ConsentRequest {
    /// The value of an environment variable is sent there.
    Credential {
        /// The variable.
        variable: String,
        /// Scheme, host and port.
        origin: String,
    },
    /// A program runs on this machine.
    Program {
        /// Its name, without a folder.
        name: String,
        /// Its variables, its words and its folder, as the file has them.
        line: String,
    },
}

/// Who knows what the operator has granted to the file of one source.
pub trait Consent: Debug + Send + Sync {
    /// The source's name.
    fn source(&self) -> &str;

    /// True when this was allowed.
    fn allows(&self, ask: &ConsentRequest) -> bool;
}

impl ConsentRequest {
    /// What is asked, for people: `NAME to https://api.example.com`, or the program's line.
    pub fn in_words(&self) -> String {
        match self {
            ConsentRequest::Credential { variable, origin } => format!("variable {variable} to {origin}"),
            ConsentRequest::Program { line, .. } => format!("program {line}"),
        }
    }

    /// The sentence for anyone who is refused: what, for whom, and the command that allows it. It holds no folder.
    pub fn refusal(&self, source: &str) -> String {
        let what = match self {
            ConsentRequest::Credential { variable, origin } => {
                format!("the variable '{variable}' is not sent to {origin}")
            }
            ConsentRequest::Program { name, .. } => format!("the program '{name}' is not started"),
        };
        format!(
            "Permission denied: {what} for '{source}', because the operator has not allowed it. The operator allows it \
             with: aqueduct grants {source} --allow"
        )
    }
}

/// A word of a command line, in quotes where it would look like several.
fn word(text: &str) -> String {
    let is_plain = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '"');
    if is_plain { text.to_owned() } else { format!("{text:?}") }
}

impl Auth {
    /// What calls to this base URL ask for. What a token is fetched with goes to the token's origin, and what it gives
    /// to the API's: both are requested.
    pub fn consent_requests(&self, base_url: &Url) -> Vec<ConsentRequest> {
        let credential = |variable: &str, url: &Url| ConsentRequest::Credential {
            variable: variable.to_owned(),
            origin: origin_text(url),
        };
        let mut asks: Vec<ConsentRequest> = match self {
            Auth::All(parts) | Auth::AnyOf(parts) => {
                parts.iter().flat_map(|part| part.consent_requests(base_url)).collect()
            }
            Auth::OAuth2(oauth) => {
                let both =
                    |variable| [credential(variable, &oauth.token_url), credential(variable, base_url)];
                self.variables().into_iter().flat_map(both).collect()
            }
            single => single.variables().into_iter().map(|variable| credential(variable, base_url)).collect(),
        };
        asks.sort();
        asks.dedup();
        asks
    }
}

impl ServerConfig {
    /// What reaching this server asks for: the program with all that it is given, or each variable that is sent.
    pub fn consent_requests(&self) -> Vec<ConsentRequest> {
        match &self.reach {
            ServerTransport::Stdio { command, args, env, cwd } => {
                let set = env
                    .iter()
                    .map(|NamedSecret { name, value }| format!("{name}={}", word(value.expose_secret())));
                let line = std::iter::once(command).chain(args).map(|text| word(text));
                let words: Vec<String> = set.chain(line).collect();
                let folder = cwd.as_ref().map(|cwd| format!(" (in {})", cwd.display())).unwrap_or_default();
                let name = command.rsplit(['/', '\\']).next().unwrap_or(command).to_owned();
                vec![ConsentRequest::Program { name, line: words.join(" ") + &folder }]
            }
            ServerTransport::Http { url, .. } => {
                let origin = origin_text(url);
                let ask = |variable| ConsentRequest::Credential { variable, origin: origin.clone() };
                self.all_variables().into_iter().map(ask).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests;
