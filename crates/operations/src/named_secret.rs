//! A secret with the name that it is sent under: a header, or a variable of a child process.

use secrecy::SecretString;

/// A secret and its name.
#[derive(Debug, Clone)]
pub struct NamedSecret {
    /// The name of the header or variable.
    pub name: String,
    /// Its value.
    pub value: SecretString,
}

impl NamedSecret {
    /// A value under this name.
    pub fn new(name: impl Into<String>, value: impl Into<SecretString>) -> NamedSecret {
        NamedSecret { name: name.into(), value: value.into() }
    }
}
