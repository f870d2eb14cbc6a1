//! The entry for a client: what `serve` would be given, with whole paths and without credentials, and the variables that
//! the sources need.
//!
//! What was asked in; the entry, the name of the server in the client, and whether the person has to complete it, out. Files
//! are loaded and documents on the web fetched, as `serve` would; no server is started and none is connected to.

use super::credentials::{CleanedWord, cleaned, of_server};
use super::{ClientConfigArgs, ClientEntry, this_program};
use crate::cli::{Cli, Command, ServeArgs, SourceArgs};
use crate::commands::{SHORT_WAIT, built};
use crate::config::as_given;
use crate::report::{self, CommandError};
use crate::{config, demo, state};
use aqueduct::tooling::{CONNECTION_NOT_READY, RecognisedSource, ServerNeed, is_elsewhere};
use aqueduct::{Aqueduct, Builder, SourceSettings};
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::target::Target;
use aqueduct_source_kind::kind::ContentLocation;
use aqueduct_sources::kind_table::KindTable;
use clap::Parser;
use std::path::{Path, PathBuf};

/// The entry for a client.
#[derive(Debug)]
pub struct PreparedEntry {
    /// The entry.
    pub entry: ClientEntry,
    /// The name of the server in the client.
    pub name: String,
    /// A credential was taken out, so that it does not work as it is.
    pub is_incomplete: bool,
}

/// The entry for a program that the client starts.
pub fn prepared(args: &ClientConfigArgs) -> Result<PreparedEntry, CommandError> {
    let given: Vec<String> = args
        .sources
        .iter()
        .map(|path| path.display().to_string())
        .chain(args.flags.iter().cloned())
        .collect();
    let (sources, shared) = as_serve(&given)?;
    let config = config::resolve(&shared, &sources)?;
    if config.http.listen.is_some() {
        let message = "the configuration has http.listen, and a client that starts this program talks to it over \
                       standard input and output; use a configuration without it, or --http URL for one that runs";
        return Err(CommandError::configuration(message));
    }
    let mut builder = config.builder;
    let elsewhere = elsewhere(&mut builder)?;
    let is_all_elsewhere = !elsewhere.is_empty() && !builder.has_sources();
    let aqueduct = if is_all_elsewhere { None } else { Some(load_without_servers(builder)?) };
    let mut variables = aqueduct.as_ref().map(variables).unwrap_or_default();
    elsewhere.iter().for_each(|each| add(&mut variables, &each.variables));
    // Those that flags name for a source which is not looked at here.
    let flagged = shared.auth_env.iter().filter_map(|value| value.rsplit('=').next()).map(str::to_owned);
    add(&mut variables, &flagged.collect::<Vec<_>>());
    let mut arguments = vec!["serve".to_owned()];
    let (mut before, mut is_incomplete) = ("", false);
    let named: Vec<String> = sources.iter().map(|path| path.display().to_string()).collect();
    for word in &given {
        let (lead, flag, value) = about_a_source(word, before, &named)?;
        let settled = settled(value, flag, &sources)?;
        let CleanedWord { word: clean, variables: more, is_incomplete: is_open } = match of_server(&settled) {
            Some(server) => server,
            None => cleaned(&settled, flag),
        };
        let clean = format!("{lead}{clean}");
        if !is_open {
            add(&mut variables, &more);
        }
        is_incomplete |= is_open;
        arguments.push(clean);
        before = word;
    }
    // A client starts us in a directory of its own choice.
    let default = Path::new(config::DEFAULT_FILE);
    if shared.config.is_none() && default.is_file() {
        arguments.extend(["--config".to_owned(), absolute(default)?]);
    }
    let only = match (&aqueduct, &elsewhere[..]) {
        (Some(aqueduct), []) => only_name(aqueduct),
        (None, [only]) => only.name.clone(),
        _ => None,
    };
    let name = args.name.clone().or(only).unwrap_or_else(|| "aqueduct".to_owned());
    let entry = ClientEntry::Program { command: this_program()?, arguments, variables };
    Ok(PreparedEntry { entry, name, is_incomplete })
}

/// Loads the files, and starts no server for it.
fn load_without_servers(builder: Builder) -> Result<Aqueduct, CommandError> {
    let aqueduct = built(builder.need(ServerNeed::Nothing))?;
    let diagnostics = aqueduct.diagnostics().iter().filter(|each| each.code != CONNECTION_NOT_READY);
    report::findings(&diagnostics.cloned().collect::<Vec<_>>(), DiagnosticSeverity::Warning);
    Ok(aqueduct)
}

/// A source that is no file.
#[derive(Debug)]
struct RemoteSource {
    name: Option<String>,
    variables: Vec<String>,
}

/// Takes out the sources that are no files, and gives their names as far as they are known, and the variables that they
/// need: those that the operator names, and those of a document that can be fetched.
fn elsewhere(builder: &mut Builder) -> Result<Vec<RemoteSource>, CommandError> {
    let mut found = Vec::new();
    for (path, settings) in builder.take_elsewhere() {
        let source = RecognisedSource::of(&path, &KindTable::default()).map_err(CommandError::from)?;
        let (name, auth) = (settings.source_name.clone(), settings.auth.clone());
        let mut variables: Vec<String> = Vec::new();
        auth.iter().for_each(|auth| add(&mut variables, &auth.variables()));
        let shown = shown(&path);
        let name = match source {
            RecognisedSource::Content { location: ContentLocation::Connection(connection), .. } => {
                report::note(&format!("# {shown} was not asked; if it needs variables, add them"));
                add(&mut variables, &connection.variables());
                name.or_else(|| Some(connection.name().to_owned()))
            }
            _ => match fetched(path, settings) {
                Ok(aqueduct) => {
                    add(&mut variables, &self::variables(&aqueduct));
                    name.or_else(|| only_name(&aqueduct))
                }
                Err(error) => {
                    let why = report::terminal_safe(&error.message);
                    report::note(&format!(
                        "# {shown} could not be looked at ({why}); if it needs variables, add them"
                    ));
                    name
                }
            },
        };
        found.push(RemoteSource { name, variables });
    }
    Ok(found)
}

/// A document on the web, loaded as `serve` would load it.
fn fetched(path: PathBuf, settings: SourceSettings) -> Result<Aqueduct, CommandError> {
    let builder = Builder::default().source(path, settings).patience(SHORT_WAIT).need(ServerNeed::Nothing);
    builder.build().map_err(CommandError::from)
}

/// A source without what may be secret about it.
fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    of_server(&text).unwrap_or_else(|| cleaned(&text, "")).word
}

/// Reads words as `serve` would, and refuses what it would refuse.
fn as_serve(words: &[String]) -> Result<(Vec<PathBuf>, SourceArgs), CommandError> {
    if words.iter().any(|word| word == "--http" || word.starts_with("--http=")) {
        let message = "a client that starts this program talks to it over standard input and output; leave --http out, or \
                       give --http URL before the two dashes for a server that runs";
        return Err(CommandError::invalid(message));
    }
    let line = ["aqueduct", "serve"].into_iter().chain(words.iter().map(String::as_str));
    match Cli::try_parse_from(line) {
        Ok(Cli { command: Command::Serve(ServeArgs { sources, shared, .. }) }) => Ok((sources, shared)),
        Ok(_) => Err(CommandError::invalid("only flags of serve can follow")),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first);
            Err(CommandError::invalid(format!("'aqueduct serve' would not take this: {first}")))
        }
    }
}

/// The value of a flag that names its source as it was given: what stands before the value, with the source as `serve` will be
/// given it, the flag, and the value. Any other word stands for itself.
fn about_a_source<'w>(
    word: &'w str,
    before: &'w str,
    given: &[String],
) -> Result<(String, &'w str, &'w str), CommandError> {
    const FLAGS: [&str; 4] = ["--base-url", "--trust", "--auth-env", "--header"];
    let (flag, text) = match word.split_once('=') {
        _ if FLAGS.contains(&before) => (before, word),
        Some((flag, text)) if FLAGS.contains(&flag) => (flag, text),
        _ => return Ok((String::new(), before, word)),
    };
    let Some((source, value)) = as_given(text, given) else { return Ok((String::new(), before, word)) };
    let start = &word[..word.len() - text.len()];
    Ok((format!("{start}{}=", shown(Path::new(&absolute(Path::new(source))?))), flag, value))
}

/// A word of `serve` as it works from any directory: sources and files with their whole paths, the rest as it is.
pub fn settled(word: &str, before: &str, sources: &[PathBuf]) -> Result<String, CommandError> {
    const FLAGS_WITH_PATHS: [&str; 3] = ["--config", "--overrides", "--state-dir"];
    match word.split_once('=') {
        Some(("--state-dir", state::NONE)) => Ok(word.to_owned()),
        Some((flag, path)) if FLAGS_WITH_PATHS.contains(&flag) => {
            Ok(format!("{flag}={}", absolute(Path::new(path))?))
        }
        _ if (before, word) == ("--state-dir", state::NONE) => Ok(word.to_owned()),
        _ if FLAGS_WITH_PATHS.contains(&before) => absolute(Path::new(word)),
        // The value of another flag may look like a source.
        _ if before.starts_with("--") && !before.contains('=') => Ok(word.to_owned()),
        _ if sources.iter().any(|source| source == Path::new(word)) => absolute(Path::new(word)),
        _ => Ok(word.to_owned()),
    }
}

fn absolute(path: &Path) -> Result<String, CommandError> {
    if demo::is_meant(path) {
        return Ok(demo::WORD.to_owned());
    }
    if is_elsewhere(path) {
        return Ok(path.display().to_string());
    }
    let whole = std::path::absolute(path)
        .map_err(|error| CommandError::io(format!("{} cannot be found: {error}", path.display())))?;
    Ok(whole.display().to_string())
}

/// Every variable that calls and servers will read, each once.
fn variables(aqueduct: &Aqueduct) -> Vec<String> {
    let catalog = aqueduct.catalog();
    let mut found: Vec<String> = Vec::new();
    for entry in catalog.registry().entries() {
        let Target::Http(target) = &entry.operation.target else { continue };
        add(&mut found, &target.auth_to_read().variables());
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
