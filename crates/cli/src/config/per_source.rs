//! Options that may name a source: `--trust official`, or `--trust shop=official` (ruling S7).
//!
//! With several sources a value without a name is refused, so that one API's token never goes to another. With one, a
//! name is not needed, and held against the source's when it is there. A source can be named as it was given, too, as in
//! `--auth-env https://api.example.com/openapi.json=TOKEN`: the name that a document's title gives it is known only once it
//! was fetched. `--trust '*=official'` is for all of them.

use crate::cli::SourceArgs;
use crate::report::CommandError;
use aqueduct::tooling::{is_web_document, layered};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::naming::is_adapter_name;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::base_url;
use aqueduct_source_kind::settings::SourceSettings;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a source may be called.
pub const NAME_RULE: &str =
    "a source's name has 2 to 64 lower-case letters, digits and hyphens, and starts with a letter";

/// What the flags say, for all sources or by name.
#[derive(Debug, Default)]
pub struct PerSource {
    /// For the only source.
    pub only: SourceSettings,
    /// By source name.
    pub by_name: BTreeMap<String, SourceSettings>,
    /// By the source as it was given.
    pub by_given: BTreeMap<String, SourceSettings>,
    /// The trust in every source that is not named.
    pub trust_in_all: Option<TrustLevel>,
}

/// The sources that options can be about.
#[derive(Debug)]
pub struct KnownSources {
    /// There are several, so that values must name theirs.
    pub several: bool,
    /// Each that stands for one source, as it was given.
    pub given: Vec<String>,
}

/// Reads the options.
pub fn read(shared: &SourceArgs, known: &KnownSources) -> Result<PerSource, CommandError> {
    let several = known.several;
    let mut result = PerSource::default();
    if let Some(name) = &shared.source_name {
        if several {
            return Err(CommandError::invalid(
                "--source-name works with one source; with several, name them in aqueduct.toml",
            ));
        }
        if !is_adapter_name(name) {
            return Err(CommandError::invalid(format!("--source-name '{name}': {NAME_RULE}")));
        }
        result.only.source_name = Some(name.clone());
    }
    for value in &shared.base_url {
        let (settings, value) = result.slot("--base-url", value, known)?;
        let url = base_url::parse(value)
            .map_err(|problem| CommandError::invalid(format!("--base-url {value}: {problem}")))?;
        settings.base_url = Some(url);
    }
    for value in &shared.trust {
        if let Some(level) = value.strip_prefix("*=") {
            result.trust_in_all =
                Some(trust(level).map_err(|problem| CommandError::invalid(format!("--trust {problem}")))?);
            continue;
        }
        let (settings, value) = result.slot("--trust", value, known)?;
        settings.trust =
            Some(trust(value).map_err(|problem| CommandError::invalid(format!("--trust {problem}")))?);
    }
    for value in &shared.auth_env {
        let (settings, value) = result.slot("--auth-env", value, known)?;
        settings.auth = Some(Auth::Bearer { token_env: variable(value)?, prefix: "Bearer ".to_owned() });
    }
    for value in &shared.header {
        let (settings, value) = result.slot("--header", value, known)?;
        // The value may be a secret, so no message may repeat it.
        let (name, text) = value
            .split_once(':')
            .ok_or_else(|| CommandError::invalid("--header takes 'Name: value', with a colon"))?;
        let (name, text) = (name.trim(), text.trim());
        if !is_header(name, text) {
            return Err(CommandError::invalid(
                "--header takes 'Name: value'; a name has no spaces and a value no control characters",
            ));
        }
        settings.headers.push(NamedSecret::new(name, text));
    }
    Ok(result)
}

/// Reads a trust level.
pub fn trust(value: &str) -> Result<TrustLevel, String> {
    TrustLevel::parse(value)
        .ok_or_else(|| format!("'{value}' is no trust level; use one of {}", TrustLevel::NAMES.join(", ")))
}

/// Whether both can stand in a request (RFC 9110: a name is a token).
fn is_header(name: &str, value: &str) -> bool {
    let is_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    !name.is_empty()
        && name.bytes().all(is_token)
        && !value.bytes().any(|b| b.is_ascii_control() && b != b'\t')
}

fn variable(value: &str) -> Result<String, CommandError> {
    let is_name = value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if is_name {
        Ok(value.to_owned())
    } else {
        // It may be the token itself: it is not repeated.
        Err(CommandError::invalid(
            "--auth-env takes the name of an environment variable, such as API_TOKEN, not its value",
        ))
    }
}

/// The source that a value is for, where it is named as it was given, and the value alone.
pub fn as_given<'a, 's>(value: &'a str, given: &'s [String]) -> Option<(&'s str, &'a str)> {
    // Of two that begin alike the longer one is meant.
    let named =
        |source: &'s String| Some((source.as_str(), value.strip_prefix(source.as_str())?.strip_prefix('=')?));
    given.iter().filter_map(named).max_by_key(|(source, _)| source.len())
}

impl PerSource {
    /// Where a document on the web is the only source, what is set by a name is for it, and for fetching it too. Whether the
    /// name is its own is seen when it has come.
    pub fn reach_the_document(&mut self, paths: &[PathBuf]) {
        let ([only], 1) = (paths, self.by_name.len()) else { return };
        if self.only.source_name.is_none() && is_web_document(only) {
            for settings in self.by_name.values() {
                self.only = layered(settings, &self.only);
            }
        }
    }

    /// The settings that a value belongs to, and the value without its source.
    fn slot<'a>(
        &mut self,
        option: &str,
        value: &'a str,
        known: &KnownSources,
    ) -> Result<(&mut SourceSettings, &'a str), CommandError> {
        if let Some((source, value)) = as_given(value, &known.given) {
            return Ok((self.by_given.entry(source.to_owned()).or_default(), value));
        }
        // No level, URL, variable or header begins like this, so a name is never mistaken for one.
        let named = value.split_once('=').filter(|(name, _)| {
            !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        });
        match named {
            Some((name, value)) => Ok((self.by_name.entry(name.to_owned()).or_default(), value)),
            None if known.several => {
                let for_all = if option == "--trust" { ", or --trust '*=LEVEL' for all of them" } else { "" };
                Err(CommandError::invalid(format!(
                    "with several sources {option} needs the source's name: {option} SOURCE=VALUE{for_all}"
                )))
            }
            None => Ok((&mut self.only, value)),
        }
    }
}

#[cfg(test)]
mod tests;
