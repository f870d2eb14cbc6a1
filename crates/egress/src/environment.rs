//! The environment: where secrets come in, and `${VAR}`, `${env:VAR}` and `${VAR:-otherwise}` in settings are filled in.
//!
//! The name of a variable or a text in; a value that does not print itself out. Errors name variables, never values.

use aqueduct_operations::mcp;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;

/// Where variables are read: from this process, or from a test.
pub trait Environment: fmt::Debug + Send + Sync {
    /// The value of a variable, if it is set.
    fn get(&self, name: &str) -> Option<SecretString>;
}

/// The variables of this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    #[expect(clippy::disallowed_methods, reason = "this is the one place where the environment enters")]
    fn get(&self, name: &str) -> Option<SecretString> {
        std::env::var(name).ok().map(SecretString::from)
    }
}

/// Why a text with `${VAR}` has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it needs the environment variable '{variable}', which is not set")]
pub struct UnsetVariable {
    /// The variable.
    pub variable: String,
}

/// The text with its variables filled in.
pub fn expand(text: &str, environment: &dyn Environment) -> Result<SecretString, UnsetVariable> {
    expand_with(text, |name| environment.get(name))
}

/// The text with its variables filled in by a function.
pub fn expand_with(
    text: &str,
    get: impl Fn(&str) -> Option<SecretString>,
) -> Result<SecretString, UnsetVariable> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let Some(length) = rest[start + 2..].find('}') else { break };
        let inner = &rest[start + 2..start + 2 + length];
        let (name, otherwise) = match inner.split_once(":-") {
            Some((name, otherwise)) => (name, Some(otherwise)),
            None => (inner.strip_prefix("env:").unwrap_or(inner), None),
        };
        out.push_str(&rest[..start]);
        if is_name(name) {
            match (get(name), otherwise) {
                (Some(value), _) => out.push_str(value.expose_secret()),
                (None, Some(otherwise)) => out.push_str(otherwise),
                (None, None) => return Err(UnsetVariable { variable: name.to_owned() }),
            }
        } else {
            out.push_str(&rest[start..start + 3 + length]);
        }
        rest = &rest[start + 3 + length..];
    }
    out.push_str(rest);
    Ok(SecretString::from(out))
}

/// The names of the variables that a text refers to.
pub fn references(text: &str) -> impl Iterator<Item = &str> {
    mcp::references(text).map(|(name, _)| name).filter(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests;
