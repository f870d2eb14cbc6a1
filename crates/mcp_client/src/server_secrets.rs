//! What one server must not give away: the values of its variables and headers, and the credentials in its address.
//!
//! Its settings in, a redactor that knows them out. Values that are plainly none (paths, addresses, short words) stay, or
//! answers would be full of holes.

use crate::environment::header;
use aqueduct_egress::environment::{Environment, expand, references};
use aqueduct_egress::redact::{Redactor, SHORTEST_KEY};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use secrecy::ExposeSecret;
use url::Url;

/// Parts of names whose values are secrets, whatever they look like.
const SECRETIVE: [&str; 10] =
    ["TOKEN", "KEY", "SECRET", "PASS", "PWD", "AUTH", "CREDENTIAL", "COOKIE", "SESSION", "PRIVATE"];

/// Ends of names whose values are none.
const HARMLESS: [&str; 14] = [
    "ENV", "LEVEL", "MODE", "REGION", "LANG", "LOCALE", "VERSION", "HOST", "PORT", "FORMAT", "NAME", "USER",
    "OWNER", "PROJECT",
];

/// A value that stands in the settings under a name that says nothing may be a key from this length on.
const SHORTEST_LITERAL: usize = 12;

/// A redactor that knows the secrets of this server. A variable that is not set hides nothing.
pub(crate) fn redactor(config: &ServerConfig, environment: &dyn Environment) -> Redactor {
    let mut found = SecretCollector { environment, redactor: Redactor::default() };
    match &config.reach {
        ServerTransport::Stdio { args, env, .. } => {
            env.iter().for_each(|(name, value)| found.variable(name, value.expose_secret()));
            args.iter().for_each(|arg| found.variables_in(arg));
        }
        ServerTransport::Http { url, headers } => {
            headers.iter().for_each(|(_, value)| found.header(value.expose_secret()));
            found.address(url);
        }
    }
    found.redactor
}

/// Gathers the secrets in settings.
struct SecretCollector<'e> {
    environment: &'e dyn Environment,
    redactor: Redactor,
}

impl SecretCollector<'_> {
    /// A variable of a child.
    fn variable(&mut self, name: &str, text: &str) {
        self.variables_in(text);
        let Ok(value) = expand(text, self.environment) else { return };
        let value = value.expose_secret();
        if !is_secret_name(name) && !looks_like_a_key(value) {
            // Words in a settings file, which the server may well repeat.
            return self.urls_login(value);
        }
        self.secret_named(name, value);
    }

    fn urls_login(&mut self, value: &str) {
        if let Ok(url) = Url::parse(value) {
            self.login(&url);
        }
    }

    /// A header: what follows the scheme, and of basic credentials the password too.
    fn header(&mut self, text: &str) {
        self.variables_in(text);
        let Ok(value) = header(text, self.environment) else { return };
        let value = value.expose_secret().trim();
        let is_scheme = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic());
        let Some((scheme, rest)) = value.split_once(' ').filter(|(scheme, _)| is_scheme(scheme)) else {
            return self.redactor.add_secret(value);
        };
        let rest = rest.trim();
        self.redactor.add_secret(rest);
        let decoded = STANDARD.decode(rest).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"));
        let decoded = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some((_, password)) = decoded.as_deref().and_then(|pair| pair.split_once(':')) {
            self.redactor.add_secret(password);
        }
    }

    /// The password and the secretive parameters of an address.
    fn address(&mut self, url: &Url) {
        self.variables_in(url.as_str());
        self.login(url);
        for (_, value) in url.query_pairs().filter(|(name, _)| is_secret_name(name)) {
            if references(&value).next().is_none() {
                self.redactor.add_secret(&value);
            }
        }
    }

    /// The password of an address, and the user where that is the key.
    fn login(&mut self, url: &Url) {
        let user = Some(url.username()).filter(|user| user.len() >= SHORTEST_KEY);
        for secret in url.password().into_iter().chain(user) {
            self.redactor.add_secret(&percent_decode_str(secret).decode_utf8_lossy());
        }
    }

    /// The variables that a text refers to.
    fn variables_in(&mut self, text: &str) {
        for name in references(text) {
            if let Some(value) = self.environment.get(name) {
                self.secret_named(name, value.expose_secret());
            }
        }
    }

    fn secret_named(&mut self, name: &str, value: &str) {
        self.urls_login(value);
        if is_secret_name(name) || !is_harmless(name, value) {
            self.redactor.add_secret(value);
        }
    }
}

fn is_secret_name(name: &str) -> bool {
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
