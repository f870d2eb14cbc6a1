//! What one server must not give away: the values of its variables and headers, and the credentials in its address.
//!
//! Its settings in, a redactor that knows them out. Values that are plainly none (paths, addresses, short words) stay, or
//! answers would be full of holes.

use crate::environment::header;
use aqueduct_egress::basic_auth;
use aqueduct_egress::environment::{Environment, expand, references};
use aqueduct_egress::redact::{Redactor, SHORTEST_KEY};
use aqueduct_operations::credential_scope::has_user_info;
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::secrets::names::{NamePlace, is_plain_setting, is_secret};
use aqueduct_operations::secrets::shapes::looks_like_a_key;
use percent_encoding::percent_decode_str;
use secrecy::ExposeSecret;
use url::Url;

/// A redactor that knows the secrets of this server. A variable that is not set hides nothing.
pub(crate) fn redactor(config: &ServerConfig, environment: &dyn Environment) -> Redactor {
    let mut found = SecretCollector { environment, redactor: Redactor::default() };
    match &config.reach {
        ServerTransport::Stdio { args, env, .. } => {
            env.iter().for_each(|set| found.variable(&set.name, set.value.expose_secret()));
            args.iter().for_each(|arg| found.variables_in(arg));
        }
        ServerTransport::Http { url, headers } => {
            headers.iter().for_each(|header| found.header(header.value.expose_secret()));
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
        if !is_secret(name, NamePlace::Setting) && !looks_like_a_key(value) {
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
        if scheme.eq_ignore_ascii_case("basic")
            && let Some(password) = basic_auth::password_in(rest)
        {
            self.redactor.add_secret(&password);
        }
    }

    /// The password and the secretive parameters of an address.
    fn address(&mut self, url: &Url) {
        self.variables_in(url.as_str());
        self.login(url);
        for (_, value) in url.query_pairs().filter(|(name, _)| is_secret(name, NamePlace::Address)) {
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
        if is_secret(name, NamePlace::Setting) || !is_harmless(name, value) {
            self.redactor.add_secret(value);
        }
    }
}

/// A path, an address without credentials, a number, a switch, or the value of a setting.
fn is_harmless(name: &str, value: &str) -> bool {
    let is_path = ["/", "./", "../", "~", "\\\\"].iter().any(|start| value.starts_with(start))
        || matches!(value.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    let is_address =
        Url::parse(value).is_ok_and(|url| url.has_host() && !has_user_info(&url) && url.query().is_none());
    let is_number = value.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_switch = value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false");
    is_path || is_address || is_number || is_switch || is_plain_setting(name)
}

#[cfg(test)]
mod tests;
