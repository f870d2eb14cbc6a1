//! What a server gets of the environment: a child process the few variables that every program needs and those that its
//! settings give it, any other server its headers.
//!
//! Invariant: no other variable of this process, and so no secret meant for another server, reaches a child.

use aqueduct_egress::basic_auth;
use aqueduct_egress::environment::{Environment, UnsetVariable, expand};
use aqueduct_operations::named_secret::NamedSecret;
use secrecy::{ExposeSecret, SecretString};

/// Variables that every child gets: where programs and files are, in which language and time zone, which certificates
/// to trust.
const BASE: &str = "\
    PATH HOME USER LOGNAME SHELL TERM LANG LANGUAGE LC_ALL LC_CTYPE TZ TMPDIR XDG_CONFIG_HOME \
    XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR SSL_CERT_FILE SSL_CERT_DIR \
    NODE_EXTRA_CA_CERTS SystemRoot SystemDrive APPDATA LOCALAPPDATA USERPROFILE USERNAME PATHEXT \
    COMSPEC TEMP TMP ProgramFiles ProgramData windir";

/// The variables of a child: the base, then those of its settings.
pub(crate) fn of_child(
    given: &[NamedSecret],
    environment: &dyn Environment,
) -> Result<Vec<NamedSecret>, UnsetVariable> {
    let mut all: Vec<NamedSecret> =
        BASE.split(' ').filter_map(|name| Some(NamedSecret::new(name, environment.get(name)?))).collect();
    for NamedSecret { name, value } in given {
        let value = expand(value.expose_secret(), environment)?;
        all.retain(|other| other.name != *name);
        all.push(NamedSecret::new(name.as_str(), value));
    }
    Ok(all)
}

/// The value of a header with its variables filled in. A name and a password that stand in it as they are, `Basic NAME:PASSWORD`,
/// are encoded as the scheme wants it: what is encoded already has no colon.
pub(crate) fn header(text: &str, environment: &dyn Environment) -> Result<SecretString, UnsetVariable> {
    let value = expand(text, environment)?;
    let (scheme, pair) = value.expose_secret().trim().split_once(' ').unwrap_or_default();
    if scheme.eq_ignore_ascii_case("basic")
        && let Some((username, password)) = pair.trim().split_once(':')
    {
        return Ok(SecretString::from(format!("{scheme} {}", *basic_auth::encoded(username, password))));
    }
    Ok(value)
}

#[cfg(test)]
mod tests;
