//! The environment: where secrets come in, and `${VAR}`, `${env:VAR}` and `${VAR:-otherwise}` in settings are filled in.
//!
//! The name of a variable or a text in; a value that does not print itself out. Errors name variables, never values.

use aqueduct_operations::variable_reference::{self, TextPart, parts};
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
pub enum UnsetVariable {
    /// The variable is not set.
    #[error("it needs the environment variable '{variable}', which is not set")]
    Absent {
        /// The variable.
        variable: String,
    },
    /// Its value is a reference that the program which set it should have filled in.
    #[error(
        "it needs the environment variable '{variable}', which holds a placeholder such as ${{env:NAME}} that your client has not \
         filled in; set it to the value itself"
    )]
    Placeholder {
        /// The variable.
        variable: String,
    },
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
    for part in parts(text) {
        match part {
            TextPart::Literal(text) | TextPart::Foreign(text) => out.push_str(text),
            TextPart::Variable { name, default } => match (get(name), default) {
                (Some(value), _) if variable_reference::is_unfilled(value.expose_secret()) => {
                    return Err(UnsetVariable::Placeholder { variable: name.to_owned() });
                }
                (Some(value), _) => out.push_str(value.expose_secret()),
                (None, Some(default)) => out.push_str(default),
                (None, None) => return Err(UnsetVariable::Absent { variable: name.to_owned() }),
            },
        }
    }
    Ok(SecretString::from(out))
}

/// The names of the variables that a text refers to.
pub fn references(text: &str) -> impl Iterator<Item = &str> {
    variable_reference::references(text).map(|(name, _)| name)
}

#[cfg(test)]
mod tests;
