//! What one server must not give away: the values of its variables and headers, and the credentials in its address.
//!
//! Its settings in; then any text or value of the server, and it goes out with `[REDACTED]` in the place of a secret.
//! Values that are plainly none (paths, addresses, short words) stay, or answers would be full of holes.

use crate::environment;
use crate::settings::VariableLookup;
use aqueduct_operations::failure::wording;
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::secrets::{Secrets, redacted};
use aqueduct_operations::visible;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use secrecy::ExposeSecret;
use serde_json::{Map, Value};
use std::borrow::Cow;
use url::Url;

/// Shorter values are too common in data to be replaced there.
const SHORTEST_IN_DATA: usize = 6;

/// Shorter values are too common in words to be replaced there.
const SHORTEST_IN_WORDS: usize = 4;

/// Most characters of a server's words in a line of ours.
const LONGEST_LINE: usize = 300;

/// Parts of names whose values are secrets, whatever they look like.
const SECRETIVE: [&str; 10] =
    ["TOKEN", "KEY", "SECRET", "PASS", "PWD", "AUTH", "CREDENTIAL", "COOKIE", "SESSION", "PRIVATE"];

/// Ends of names whose values are none.
const HARMLESS: [&str; 14] = [
    "ENV", "LEVEL", "MODE", "REGION", "LANG", "LOCALE", "VERSION", "HOST", "PORT", "FORMAT", "NAME", "USER",
    "OWNER", "PROJECT",
];

/// A user name as long as this is really a key.
const SHORTEST_KEY: usize = 16;

/// A value that stands in the settings under a name that says nothing may be a key from this length on.
const SHORTEST_LITERAL: usize = 12;

/// The secrets of a server.
#[derive(Debug, Default)]
pub(crate) struct ServerRedactor {
    /// Replaced wherever they appear.
    anywhere: Secrets,
    /// Replaced in our own words about the server alone.
    in_words: Secrets,
}

impl ServerRedactor {
    /// The secrets of this server. A variable that is not set hides nothing.
    pub(crate) fn of(config: &ServerConfig, variables: &VariableLookup) -> ServerRedactor {
        let mut found = SecretCollector { variables, values: Vec::new() };
        match &config.reach {
            ServerTransport::Stdio { args, env, .. } => {
                env.iter().for_each(|(name, value)| found.variable(name, value.expose_secret()));
                args.iter().for_each(|arg| found.referred(arg));
            }
            ServerTransport::Http { url, headers } => {
                headers.iter().for_each(|(_, value)| found.header(value.expose_secret()));
                found.address(url);
            }
        }
        ServerRedactor::new(found.values)
    }

    fn new(values: Vec<String>) -> ServerRedactor {
        let mut hidden = ServerRedactor::default();
        for value in values {
            match value.chars().count() {
                SHORTEST_IN_DATA.. => hidden.anywhere.add(&value),
                SHORTEST_IN_WORDS.. => hidden.in_words.add(&value),
                _ => {}
            }
        }
        hidden
    }

    /// A text of the server without its secrets.
    pub(crate) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        redacted(text, &[&self.anywhere])
    }

    /// The server's words in one short line of ours.
    pub(crate) fn line(&self, text: &str) -> String {
        let clean = redacted(text, &[&self.anywhere, &self.in_words]);
        wording::shortened(&visible::one_line(&clean), LONGEST_LINE)
    }

    /// A value of the server without its secrets, keys of objects included.
    pub(crate) fn value(&self, value: &mut Value) {
        if self.anywhere.is_empty() {
            return;
        }
        match value {
            Value::String(text) => self.string(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(members) => self.object(members),
            // A number may be a secret as well.
            Value::Number(number) => {
                if let Cow::Owned(clean) = self.text(&number.to_string()) {
                    *value = clean.into();
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// The same for the members of an object.
    pub(crate) fn object(&self, members: &mut Map<String, Value>) {
        if self.anywhere.is_empty() {
            return;
        }
        if members.keys().any(|key| matches!(self.text(key), Cow::Owned(_))) {
            let before = std::mem::take(members);
            members.extend(before.into_iter().map(|(key, value)| (self.text(&key).into_owned(), value)));
        }
        members.values_mut().for_each(|member| self.value(member));
    }

    /// The same for a text that is owned.
    pub(crate) fn string(&self, text: &mut String) {
        if let Cow::Owned(clean) = self.text(text) {
            *text = clean;
        }
    }
}

/// Gathers the secrets in settings.
struct SecretCollector<'v> {
    variables: &'v VariableLookup,
    values: Vec<String>,
}

impl SecretCollector<'_> {
    /// A variable of a child.
    fn variable(&mut self, name: &str, text: &str) {
        self.referred(text);
        let Ok(value) = environment::expand(text, self.variables) else { return };
        let value = value.expose_secret();
        if !is_secretive(name) && !looks_like_a_key(value) {
            // Words in a settings file, which the server may well repeat.
            return self.urls_login(value);
        }
        self.named(name, value);
    }

    fn urls_login(&mut self, value: &str) {
        if let Ok(url) = Url::parse(value) {
            self.login(&url);
        }
    }

    /// A header: what follows the scheme, and of basic credentials the password too.
    fn header(&mut self, text: &str) {
        self.referred(text);
        let Ok(value) = environment::header(text, self.variables) else { return };
        let value = value.expose_secret().trim();
        let is_scheme = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic());
        let Some((scheme, rest)) = value.split_once(' ').filter(|(scheme, _)| is_scheme(scheme)) else {
            return self.values.push(value.to_owned());
        };
        let rest = rest.trim();
        self.values.push(rest.to_owned());
        let decoded = STANDARD.decode(rest).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"));
        let decoded = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some((_, password)) = decoded.as_deref().and_then(|pair| pair.split_once(':')) {
            self.values.push(password.to_owned());
        }
    }

    /// The password and the secretive parameters of an address.
    fn address(&mut self, url: &Url) {
        self.referred(url.as_str());
        self.login(url);
        for (_, value) in url.query_pairs().filter(|(name, _)| is_secretive(name)) {
            if environment::references(&value).next().is_none() {
                self.values.push(value.into_owned());
            }
        }
    }

    /// The password of an address, and the user where that is the key.
    fn login(&mut self, url: &Url) {
        let user = Some(url.username()).filter(|user| user.len() >= SHORTEST_KEY);
        for secret in url.password().into_iter().chain(user) {
            self.values.push(percent_decode_str(secret).decode_utf8_lossy().into_owned());
        }
    }

    /// The variables that a text refers to.
    fn referred(&mut self, text: &str) {
        for name in environment::references(text) {
            if let Some(value) = self.variables.get(name) {
                self.named(name, value.expose_secret());
            }
        }
    }

    fn named(&mut self, name: &str, value: &str) {
        self.urls_login(value);
        if is_secretive(name) || !is_harmless(name, value) {
            self.values.push(value.to_owned());
        }
    }
}

fn is_secretive(name: &str) -> bool {
    // Authors are no secret, authorizations are.
    let name = name.to_ascii_uppercase().replace("AUTHORI", "AUTH-I").replace("AUTHOR", "");
    SECRETIVE.iter().any(|part| name.contains(part))
}

/// Letters and digits without a space, long enough to be hard to guess.
fn looks_like_a_key(value: &str) -> bool {
    let has = |is: fn(&char) -> bool| value.chars().any(|c| is(&c));
    value.chars().count() >= SHORTEST_LITERAL
        && has(char::is_ascii_alphabetic)
        && has(char::is_ascii_digit)
        && !has(|c| c.is_whitespace())
}

/// A path, an address without credentials, a number, a switch, or the value of a setting.
fn is_harmless(name: &str, value: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let is_path = ["/", "./", "../", "~", "\\\\"].iter().any(|start| value.starts_with(start))
        || matches!(value.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    let is_address = Url::parse(value).is_ok_and(|url| {
        url.has_host() && url.password().is_none() && url.username().is_empty() && url.query().is_none()
    });
    let is_number = value.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_switch = value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false");
    is_path || is_address || is_number || is_switch || HARMLESS.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests;
