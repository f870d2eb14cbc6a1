//! `grants`: what adapter files that somebody else wrote ask for, and the operator's yes or no to it.
//!
//! Names of sources that have asked, or sources themselves, in; a line for each thing that is asked for out. A source that
//! is named here is read, and nothing of it is started or sent. A server that is running takes an answer at its next call.

use super::pretty;
use crate::boot::is_elsewhere;
use crate::cli::{Format, Shared};
use crate::grants::{Book, BookError, Entry};
use crate::report::{self, Exit, Stop};
use crate::servers::Need;
use crate::{config, state};
use aqueduct_operations::consent::Ask;
use serde_json::{Value, json};
use std::path::PathBuf;

/// What to do with what is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    Show,
    Allow,
    Revoke,
}

/// Shows what is asked for, or answers it.
pub fn grants(sources: &[PathBuf], deed: Deed, format: Format, shared: &Shared) -> Result<Exit, Stop> {
    let file = state::grants_file(shared.state_dir.as_deref());
    let book = Book::new(file);
    let before = book.entries().map_err(stopped)?;
    let has_asked = |name: &str| before.iter().any(|entry| entry.source == name);
    let is_place = |source: &&PathBuf| {
        is_elsewhere(source) || source.exists() && !has_asked(&source.display().to_string())
    };
    let (places, names): (Vec<&PathBuf>, Vec<&PathBuf>) = sources.iter().partition(is_place);
    let names: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
    let mut wanted = names.clone();
    if !places.is_empty() || sources.is_empty() {
        wanted.extend(look_into(&places, shared)?);
    }
    let is_meant = |entry: &Entry| sources.is_empty() || wanted.contains(&entry.source);
    if let Some(unknown) = names.iter().find(|name| !has_asked(name)) {
        let advice = "name its file, or call it once; 'aqueduct grants' shows who asks";
        return Err(Stop::new(Exit::Invalid, format!("nothing is asked for by '{unknown}'; {advice}")));
    }
    if deed != Deed::Show {
        book.set(is_meant, deed == Deed::Allow).map_err(stopped)?;
    }
    let shown: Vec<Entry> = book.entries().map_err(stopped)?.into_iter().filter(is_meant).collect();
    match format {
        Format::Json => report::data(&pretty(&Value::from(shown.iter().map(as_json).collect::<Vec<_>>()))),
        Format::Text if shown.is_empty() => report::note("nothing is asked for"),
        Format::Text => shown.iter().for_each(|entry| report::data(&line(entry))),
    }
    Ok(Exit::Done)
}

/// Reads sources, so that what they ask for is noted; gives their names. Nothing is started.
fn look_into(places: &[&PathBuf], shared: &Shared) -> Result<Vec<String>, Stop> {
    let places: Vec<PathBuf> = places.iter().map(|place| place.to_path_buf()).collect();
    let mut builder = config::builder(shared, &places)?.need(Need::Nothing);
    // Only adapter files ask; documents on the web and servers are not waited for.
    builder.take_elsewhere();
    if !builder.has_sources() {
        return Ok(Vec::new());
    }
    let aqueduct = super::built(builder)?;
    Ok(aqueduct.loaded().into_iter().map(|loaded| loaded.source.name).collect())
}

fn stopped(error: BookError) -> Stop {
    let exit = if matches!(error, BookError::Nowhere) { Exit::Configuration } else { Exit::Io };
    Stop::new(exit, error.to_string())
}

fn state_of(entry: &Entry) -> &'static str {
    if entry.allowed { "allowed" } else { "waiting" }
}

/// `waiting  shop  variable SHOP_TOKEN to https://api.example.com  (shop-adapter.md)`
fn line(entry: &Entry) -> String {
    let words = format!("{}  {}  {}  ({})", state_of(entry), entry.source, entry.ask.in_words(), entry.file);
    report::harmless(&words)
}

fn as_json(entry: &Entry) -> Value {
    let (mut asked, kind) = match &entry.ask {
        Ask::Credential { variable, origin } => {
            (json!({"variable": variable, "origin": origin}), "credential")
        }
        Ask::Program { line, .. } => (json!({"command": line}), "program"),
    };
    asked["source"] = entry.source.as_str().into();
    asked["file"] = entry.file.as_str().into();
    asked["kind"] = kind.into();
    asked["state"] = state_of(entry).into();
    asked
}
