//! Another MCP server: how it is reached, and what it offers.
//!
//! Sources read it from files, the client connects by it. Values may hold `${VAR}`, which is looked up when the server
//! is started, so that no secret is held here that a file did not hold already.

use crate::digest::Digest;
use crate::named_secret::NamedSecret;
use crate::variable_reference::references;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::Duration;
use url::Url;

/// How one server is reached.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// Its name: the source's.
    pub name: String,
    /// The way to it.
    pub reach: ServerTransport,
    /// Longest wait for the response to one call.
    pub timeout: Duration,
}

/// Variables that every program is given.
const EVERYWHERE: [&str; 3] = ["HOME", "PATH", "USER"];

impl ServerConfig {
    /// The variables without which it cannot be started, each once.
    pub fn variables(&self) -> Vec<String> {
        let is_needed =
            |(name, default): &(&str, Option<&str>)| default.is_none() && !EVERYWHERE.contains(name);
        self.referred(is_needed)
    }

    /// Every variable that is read for it, those included that have a default.
    pub fn all_variables(&self) -> Vec<String> {
        self.referred(|_| true)
    }

    /// A digest of how it is reached, so that another server under the same name is recognised.
    pub fn identity(&self) -> Digest {
        let plain = |pairs: &[NamedSecret]| -> Vec<Value> {
            pairs.iter().map(|pair| json!([pair.name, pair.value.expose_secret()])).collect()
        };
        let transport = match &self.reach {
            ServerTransport::Stdio { command, args, env, cwd } => {
                json!({"command": command, "args": args, "env": plain(env), "cwd": cwd})
            }
            ServerTransport::Http { url, headers } => json!({"url": url.as_str(), "headers": plain(headers)}),
        };
        Digest::of_text(&transport.to_string())
    }

    fn referred(&self, is_meant: impl Fn(&(&str, Option<&str>)) -> bool) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut look = |text: &str| {
            let named = references(text);
            for (name, _) in named.filter(|each| is_meant(each)) {
                if !found.iter().any(|known| known == name) {
                    found.push(name.to_owned());
                }
            }
        };
        match &self.reach {
            ServerTransport::Stdio { command, args, env, cwd } => {
                look(command);
                args.iter().for_each(|text| look(text));
                cwd.iter().for_each(|folder| look(&folder.to_string_lossy()));
                env.iter().for_each(|pair| look(pair.value.expose_secret()));
            }
            ServerTransport::Http { url, headers } => {
                look(url.query().unwrap_or_default());
                headers.iter().for_each(|pair| look(pair.value.expose_secret()));
            }
        }
        found
    }
}

/// The way to a server.
#[derive(Debug, Clone)]
pub enum ServerTransport {
    /// A child process, over its standard streams.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables that are set for it, besides the few that every program needs.
        env: Vec<NamedSecret>,
        /// The folder in which it starts.
        cwd: Option<PathBuf>,
    },
    /// Streamable HTTP.
    Http {
        /// Its endpoint.
        url: Url,
        /// Headers of every request.
        headers: Vec<NamedSecret>,
    },
}

/// What a server offers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerListing {
    /// Its name, version and title, as it gives them.
    pub server: Map<String, Value>,
    /// Its instructions.
    pub instructions: Option<String>,
    /// The items of `tools/list`, exactly as they came, of all pages.
    pub tools: Vec<Value>,
}

#[cfg(test)]
mod tests;
