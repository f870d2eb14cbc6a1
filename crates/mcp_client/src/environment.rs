//! What a child process sees of the environment: the few variables that every program needs, and those that its
//! settings give it. `${VAR}`, `${env:VAR}` and `${VAR:-otherwise}` in settings are looked up here.
//!
//! Invariant: no other variable of this process, and so no secret meant for another server, reaches a child.

use crate::settings::VariableLookup;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretString};

/// Variables that every child gets: where programs and files are, in which language and time zone, which certificates
/// to trust.
const BASE: [&str; 33] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "SystemRoot",
    "SystemDrive",
    "APPDATA",
    "LOCALAPPDATA",
    "USERPROFILE",
    "USERNAME",
    "PATHEXT",
    "COMSPEC",
    "TEMP",
    "TMP",
    "ProgramFiles",
    "ProgramData",
    "windir",
];

/// Why a text with `${VAR}` has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it needs the environment variable '{variable}', which is not set")]
pub(crate) struct Unset {
    /// The variable.
    pub(crate) variable: String,
}

/// The variables of a child: the base, then those of its settings.
pub(crate) fn of_child(
    given: &[(String, SecretString)],
    variables: &VariableLookup,
) -> Result<Vec<(String, SecretString)>, Unset> {
    let mut all: Vec<(String, SecretString)> =
        BASE.iter().filter_map(|name| Some(((*name).to_owned(), variables.get(name)?))).collect();
    for (name, value) in given {
        let value = expand(value.expose_secret(), variables)?;
        all.retain(|(other, _)| other != name);
        all.push((name.clone(), value));
    }
    Ok(all)
}

/// The text with its variables filled in.
pub(crate) fn expand(text: &str, variables: &VariableLookup) -> Result<SecretString, Unset> {
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
            match (variables.get(name), otherwise) {
                (Some(value), _) => out.push_str(value.expose_secret()),
                (None, Some(otherwise)) => out.push_str(otherwise),
                (None, None) => return Err(Unset { variable: name.to_owned() }),
            }
        } else {
            out.push_str(&rest[start..start + 3 + length]);
        }
        rest = &rest[start + 3 + length..];
    }
    out.push_str(rest);
    Ok(SecretString::from(out))
}

/// The value of a header with its variables filled in. A name and a password that stand in it as they are, `Basic NAME:PASSWORD`,
/// are encoded as the scheme wants it: what is encoded already has no colon.
pub(crate) fn header(text: &str, variables: &VariableLookup) -> Result<SecretString, Unset> {
    let value = expand(text, variables)?;
    let (scheme, pair) = value.expose_secret().trim().split_once(' ').unwrap_or_default();
    if scheme.eq_ignore_ascii_case("basic") && pair.contains(':') {
        return Ok(SecretString::from(format!("{scheme} {}", STANDARD.encode(pair.trim()))));
    }
    Ok(value)
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The names of the variables that a text refers to.
pub(crate) fn references(text: &str) -> impl Iterator<Item = &str> {
    text.split("${").skip(1).filter_map(|rest| {
        let inner = rest.split_once('}')?.0;
        let name = inner.split_once(":-").map_or(inner, |(name, _)| name);
        Some(name.strip_prefix("env:").unwrap_or(name)).filter(|name| is_name(name))
    })
}

#[cfg(test)]
mod tests;
