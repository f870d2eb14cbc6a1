//! `client-config`: what to put into a client's configuration so that it starts this program, printed or merged in.
//!
//! A client, sources and flags of `serve` in; the snippet on stdout, or a changed file with a backup beside it, out. The
//! files among the sources are loaded first, so that what is written also works; nothing else is fetched or started.

mod client;
mod entry;
mod file;
mod merge;

pub use client::Client;
pub use entry::Entry;

use super::{built, exit_of, pretty};
use crate::boot::{Kind, SERVER_NOT_READY, is_elsewhere};
use crate::cli::{Cli, Command, Shared};
use crate::report::{self, Exit, Stop};
use crate::servers::Need;
use crate::{Aqueduct, Builder, config, demo};
use aqueduct_operations::diagnostic::Severity;
use aqueduct_operations::target::Target;
use aqueduct_sources::disk::{self, ReadError};
use aqueduct_upstream::ProcessEnvironment;
use clap::Parser;
use client::Platform;
use std::path::{Path, PathBuf};

/// The largest client file that is read.
const LARGEST_FILE: u64 = 16 * 1024 * 1024;

/// What is asked.
#[derive(Debug)]
pub struct Wish {
    /// For which client.
    pub client: Client,
    /// Sources to serve.
    pub sources: Vec<PathBuf>,
    /// More words for `serve`.
    pub flags: Vec<String>,
    /// The server's name in the client.
    pub name: Option<String>,
    /// Write it, instead of printing it.
    pub write: bool,
    /// Another file than the client's own.
    pub file: Option<PathBuf>,
}

/// Prints the snippet, or writes it.
pub fn client_config(wish: Wish) -> Result<Exit, Stop> {
    let (entry, name) = prepared(&wish)?;
    let snippet = pretty(&entry.snippet(wish.client, &name));
    let own = wish.client.file(Platform::this(), &ProcessEnvironment);
    let path = wish.file.clone().or(own);
    if !wish.write {
        report::data(&snippet);
        match path {
            Some(path) => {
                report::note(&format!("# this belongs into {}; --write puts it there", path.display()))
            }
            None => report::note("# this belongs into the client's configuration file"),
        }
        tell_variables(&entry, wish.client);
        return Ok(Exit::Done);
    }
    let path = path.ok_or_else(|| {
        Stop::new(Exit::Io, "the home directory is not known; name the client's file with --file")
    })?;
    write(&path, wish.client, &name, &entry).inspect_err(|_| report::data(&snippet))?;
    tell_variables(&entry, wish.client);
    Ok(Exit::Done)
}

/// The entry and the name of the server in the client.
fn prepared(wish: &Wish) -> Result<(Entry, String), Stop> {
    let given: Vec<String> = wish
        .sources
        .iter()
        .map(|path| path.display().to_string())
        .chain(wish.flags.iter().cloned())
        .collect();
    let (sources, shared) = as_serve(&given)?;
    let mut builder = config::builder(&shared, &sources)?;
    if builder.listen().is_some() {
        let message = "the configuration has http.listen, and a client that starts this program talks to it over \
                       standard input and output; use a configuration without it";
        return Err(Stop::new(Exit::Configuration, message));
    }
    let elsewhere = elsewhere(&mut builder)?;
    let is_all_elsewhere = !elsewhere.is_empty() && !builder.has_sources();
    let aqueduct = if is_all_elsewhere { None } else { Some(looked_at(builder)?) };
    let mut arguments = vec!["serve".to_owned()];
    let mut before = "";
    for word in &given {
        arguments.push(settled(word, before, &sources)?);
        before = word;
    }
    // A client starts us in a directory of its own choice.
    let default = Path::new(config::DEFAULT_FILE);
    if shared.config.is_none() && default.is_file() {
        arguments.extend(["--config".to_owned(), absolute(default)?]);
    }
    let mut variables = aqueduct.as_ref().map(variables).unwrap_or_default();
    elsewhere.iter().for_each(|each| add(&mut variables, &each.variables));
    let entry = Entry { command: this_program()?, arguments, variables };
    let only = match (&aqueduct, &elsewhere[..]) {
        (Some(aqueduct), []) => only_name(aqueduct),
        (None, [only]) => only.name.clone(),
        _ => None,
    };
    let name = wish.name.clone().or(only).unwrap_or_else(|| "aqueduct".to_owned());
    Ok((entry, name))
}

/// Loads the files, and starts no server for it.
fn looked_at(builder: Builder) -> Result<Aqueduct, Stop> {
    let aqueduct = built(builder.need(Need::Nothing))?;
    let remarks = aqueduct.diagnostics().iter().filter(|each| each.code != SERVER_NOT_READY);
    report::findings(&remarks.cloned().collect::<Vec<_>>(), Severity::Warning);
    Ok(aqueduct)
}

/// A source that is no file.
#[derive(Debug)]
struct Elsewhere {
    name: Option<String>,
    variables: Vec<String>,
}

/// Takes out the sources that are no files, and gives their names as far as they are known, and the variables that they
/// are known to need. They are checked for their form alone: what they offer is found out when they are served.
fn elsewhere(builder: &mut Builder) -> Result<Vec<Elsewhere>, Stop> {
    let mut found = Vec::new();
    for (path, name) in builder.take_elsewhere() {
        let kind = Kind::of(&path).map_err(|error| Stop::new(exit_of(&error), error.to_string()))?;
        report::note(&format!(
            "# {} was not asked; if it needs variables, add them to 'env'",
            path.display()
        ));
        found.push(match kind {
            Kind::Server(config) => {
                let variables = config.variables();
                Elsewhere { name: name.or(Some(config.name)), variables }
            }
            _ => Elsewhere { name, variables: Vec::new() },
        });
    }
    Ok(found)
}

/// Reads words as `serve` would, and refuses what it would refuse.
fn as_serve(words: &[String]) -> Result<(Vec<PathBuf>, Shared), Stop> {
    if words.iter().any(|word| word == "--http" || word.starts_with("--http=")) {
        let message =
            "a client that starts this program talks to it over standard input and output; leave --http out";
        return Err(Stop::new(Exit::Invalid, message));
    }
    let line = ["aqueduct", "serve"].into_iter().chain(words.iter().map(String::as_str));
    match Cli::try_parse_from(line) {
        Ok(Cli { command: Command::Serve { sources, shared, .. } }) => Ok((sources, shared)),
        Ok(_) => Err(Stop::new(Exit::Invalid, "only flags of serve can follow")),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first);
            Err(Stop::new(Exit::Invalid, format!("'aqueduct serve' would not take this: {first}")))
        }
    }
}

fn write(path: &Path, client: Client, name: &str, entry: &Entry) -> Result<(), Stop> {
    let shown = path.display();
    let old = match disk::read(path, LARGEST_FILE) {
        Ok(bytes) => Some(bytes),
        Err(ReadError::Missing { .. }) => None,
        Err(error) => return Err(Stop::new(Exit::Io, error.to_string())),
    };
    let merged = merge::merge(old.as_deref(), client, name, entry).map_err(|refusal| {
        let hint = "nothing was written; put the snippet in by hand";
        Stop::new(Exit::Invalid, format!("{shown} {refusal}; {hint}"))
    })?;
    if old.as_deref() == Some(merged.as_bytes()) {
        report::note(&format!("{shown} has it already; nothing was written"));
        return Ok(());
    }
    let backup = file::replace(path, &merged)
        .map_err(|error| Stop::new(Exit::Io, format!("{shown} cannot be written: {error}")))?;
    let backup = backup.map(|backup| format!("; what was there before is in {}", backup.display()));
    report::note(&format!("'{name}' is in {shown} now{}", backup.unwrap_or_default()));
    report::note("restart the client to make it look");
    Ok(())
}

fn tell_variables(entry: &Entry, client: Client) {
    for variable in &entry.variables {
        report::note(&match client.reference(variable) {
            Some(_) => format!("# {variable} is taken from the environment of the client"),
            None => format!("# put the value of {variable} into 'env', unless it stands there already"),
        });
    }
}

/// The path of the running program.
pub fn this_program() -> Result<String, Stop> {
    let path = std::env::current_exe()
        .map_err(|error| Stop::new(Exit::Io, format!("the path of this program is not known: {error}")))?;
    Ok(path.display().to_string())
}

/// A word of `serve` as it works from any directory: sources and files with their whole paths, the rest as it is.
fn settled(word: &str, before: &str, sources: &[PathBuf]) -> Result<String, Stop> {
    const FLAGS_WITH_PATHS: [&str; 3] = ["--config", "--overrides", "--state-dir"];
    match word.split_once('=') {
        Some((flag, path)) if FLAGS_WITH_PATHS.contains(&flag) => {
            Ok(format!("{flag}={}", absolute(Path::new(path))?))
        }
        _ if FLAGS_WITH_PATHS.contains(&before) => absolute(Path::new(word)),
        // The value of another flag may look like a source.
        _ if before.starts_with("--") && !before.contains('=') => Ok(word.to_owned()),
        _ if sources.iter().any(|source| source == Path::new(word)) => absolute(Path::new(word)),
        _ => Ok(word.to_owned()),
    }
}

fn absolute(path: &Path) -> Result<String, Stop> {
    if demo::is_meant(path) {
        return Ok(demo::WORD.to_owned());
    }
    if is_elsewhere(path) {
        return Ok(path.display().to_string());
    }
    let whole = std::path::absolute(path)
        .map_err(|error| Stop::new(Exit::Io, format!("{} cannot be found: {error}", path.display())))?;
    Ok(whole.display().to_string())
}

/// Every variable that calls and servers will read, each once.
fn variables(aqueduct: &Aqueduct) -> Vec<String> {
    let catalog = aqueduct.catalog();
    let mut found: Vec<String> = Vec::new();
    for entry in catalog.registry().entries() {
        let Target::Http(target) = &entry.operation.target else { continue };
        add(&mut found, &target.auth_in_force().variables());
    }
    aqueduct.servers_not_started().iter().for_each(|config| add(&mut found, &config.variables()));
    found
}

fn add(known: &mut Vec<String>, more: &[impl AsRef<str>]) {
    for name in more.iter().map(AsRef::as_ref) {
        if !known.iter().any(|other| other == name) {
            known.push(name.to_owned());
        }
    }
}

/// The only source's name.
fn only_name(aqueduct: &Aqueduct) -> Option<String> {
    let catalog = aqueduct.catalog();
    let mut names: Vec<String> = Vec::new();
    for entry in catalog.registry().entries() {
        if !matches!(entry.operation.target, Target::BuiltIn(_)) {
            add(&mut names, &[entry.source.name.as_str()]);
        }
    }
    // What these offer is not known, but what they are called is.
    let is_bare = names.is_empty();
    aqueduct
        .servers_not_started()
        .iter()
        .filter(|_| is_bare)
        .for_each(|config| add(&mut names, &[&config.name]));
    match &names[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}
