//! `grants`: what adapter files that somebody else wrote ask for, and the operator's yes or no to it.
//!
//! Names of sources that have asked, or sources themselves, in; a line for each thing that is asked for out. A source that
//! is named here is read, and nothing of it is started or sent. A server that is running takes an answer at its next call.

use super::pretty;
use crate::cli::{OutputFormat, SourceArgs};
use crate::report::{self, CommandError, Exit};
use crate::{config, state};
use aqueduct::tooling::{GrantEntry, GrantList, GrantListError, ServerNeed, is_elsewhere};
use aqueduct_operations::consent::ConsentRequest;
use serde_json::{Value, json};
use std::path::PathBuf;

/// What to do with what is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantAction {
    Show,
    Allow,
    Revoke,
}

/// Shows what is asked for, or answers it.
pub fn grants(
    sources: &[PathBuf],
    action: GrantAction,
    format: OutputFormat,
    shared: &SourceArgs,
) -> Result<Exit, CommandError> {
    let file = state::grants_file(shared.state_dir.as_deref());
    let grants = GrantList::new(file);
    let before = grants.entries().map_err(list_error)?;
    let has_asked = |name: &str| before.iter().any(|entry| entry.source == name);
    let is_place = |source: &&PathBuf| {
        is_elsewhere(source) || source.exists() && !has_asked(&source.display().to_string())
    };
    let (places, names): (Vec<&PathBuf>, Vec<&PathBuf>) = sources.iter().partition(is_place);
    let names: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
    let mut wanted = names.clone();
    if !places.is_empty() || sources.is_empty() {
        wanted.extend(load_sources(&places, shared)?);
    }
    let is_meant = |entry: &GrantEntry| sources.is_empty() || wanted.contains(&entry.source);
    if let Some(unknown) = names.iter().find(|name| !has_asked(name)) {
        let advice = "name its file, or call it once; 'aqueduct grants' shows who asks";
        return Err(CommandError::invalid(format!("nothing is asked for by '{unknown}'; {advice}")));
    }
    if action != GrantAction::Show {
        grants.set(is_meant, action == GrantAction::Allow).map_err(list_error)?;
    }
    let shown: Vec<GrantEntry> = grants.entries().map_err(list_error)?.into_iter().filter(is_meant).collect();
    match format {
        OutputFormat::Json => {
            report::data(&pretty(&Value::from(shown.iter().map(as_json).collect::<Vec<_>>())))
        }
        OutputFormat::Text if shown.is_empty() => report::note("nothing is asked for"),
        OutputFormat::Text => shown.iter().for_each(|entry| report::data(&line(entry))),
    }
    Ok(Exit::Done)
}

/// Reads sources, so that what they ask for is noted; gives their names. Nothing is started.
fn load_sources(places: &[&PathBuf], shared: &SourceArgs) -> Result<Vec<String>, CommandError> {
    let places: Vec<PathBuf> = places.iter().map(|place| place.to_path_buf()).collect();
    let mut builder = config::builder(shared, &places)?.need(ServerNeed::Nothing);
    // Only adapter files ask; documents on the web and servers are not waited for.
    builder.take_elsewhere();
    if !builder.has_sources() {
        return Ok(Vec::new());
    }
    let aqueduct = super::built(builder)?;
    Ok(aqueduct.loaded().into_iter().map(|loaded| loaded.source.name).collect())
}

fn list_error(error: GrantListError) -> CommandError {
    let exit = if matches!(error, GrantListError::Nowhere) { Exit::Configuration } else { Exit::Io };
    CommandError::new(exit, error.to_string())
}

fn state_of(entry: &GrantEntry) -> &'static str {
    if entry.allowed { "allowed" } else { "waiting" }
}

/// `waiting  shop  variable SHOP_TOKEN to https://api.example.com  (shop-adapter.md)`
fn line(entry: &GrantEntry) -> String {
    let words = format!("{}  {}  {}  ({})", state_of(entry), entry.source, entry.ask.in_words(), entry.file);
    report::terminal_safe(&words)
}

fn as_json(entry: &GrantEntry) -> Value {
    let (mut shown, kind) = match &entry.ask {
        ConsentRequest::Credential { variable, origin } => {
            (json!({"variable": variable, "origin": origin}), "credential")
        }
        ConsentRequest::Program { line, .. } => (json!({"command": line}), "program"),
    };
    shown["source"] = entry.source.as_str().into();
    shown["file"] = entry.file.as_str().into();
    shown["kind"] = kind.into();
    shown["state"] = state_of(entry).into();
    shown
}
