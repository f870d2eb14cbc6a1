//! `client-config`: what to put into a client's configuration so that it gets to this program, printed or merged in.
//!
//! A client, sources and flags of `serve` in, or the address of a server that runs; the snippet on stdout, or a changed
//! file with a backup beside it, out. With `--migrate` the servers that stand in the file are moved behind this program.

mod client;
mod credentials;
mod entry;
mod file;
mod json_file;
mod merge;
mod migrate;
mod prepare;
mod toml_file;

pub use client::Client;
pub use entry::ClientEntry;

use crate::cli::ClientConfigArgs;
use crate::report::{self, CommandError, Exit};
use aqueduct_documents::disk::{self, ReadError};
use aqueduct_operations::credential_scope::has_user_info;
use aqueduct_upstream::ProcessEnvironment;
use client::{Platform, RemoteForm};
use prepare::PreparedEntry;
use std::path::Path;
use url::Url;

/// The largest client file that is read.
const LARGEST_FILE: u64 = 16 * 1024 * 1024;

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientConfigAction {
    /// The snippet is printed.
    Print,
    /// It is put into the client's file.
    Write,
    /// The servers of the file are moved behind this program.
    Migrate,
    /// They are moved back.
    Undo,
}

impl ClientConfigArgs {
    fn action(&self) -> ClientConfigAction {
        match (self.write, self.migrate, self.undo) {
            (_, true, true) => ClientConfigAction::Undo,
            (_, true, false) => ClientConfigAction::Migrate,
            (true, false, _) => ClientConfigAction::Write,
            (false, false, _) => ClientConfigAction::Print,
        }
    }
}

/// Prints the snippet, or writes it; or moves servers.
pub fn client_config(args: &ClientConfigArgs) -> Result<Exit, CommandError> {
    let own = args.client.file(Platform::this(), &ProcessEnvironment);
    let path = args.file.clone().or(own);
    let named = path.clone().ok_or_else(|| {
        CommandError::io("the home directory is not known; name the client's file with --file")
    });
    match args.action() {
        ClientConfigAction::Migrate => return migrate::migrate(&named?, args),
        ClientConfigAction::Undo => return migrate::undo(&named?, args),
        ClientConfigAction::Print | ClientConfigAction::Write => {}
    }
    let PreparedEntry { entry, name, is_incomplete } = match &args.http {
        Some(url) => connected(url, args)?,
        None => prepare::prepared(args)?,
    };
    let snippet = entry.snippet(args.client, &name);
    let snippet = snippet.trim_end();
    if is_incomplete {
        report::note(
            "# a credential was taken out of the words: it belongs into a variable (--auth-env VAR), not into a client's file",
        );
    }
    if args.action() == ClientConfigAction::Print {
        report::data(snippet);
        match path {
            Some(path) => {
                report::note(&format!("# this belongs into {}; --write puts it there", path.display()))
            }
            None => report::note("# this belongs into the client's configuration file"),
        }
        report_variables(&entry, args.client);
        return Ok(Exit::Done);
    }
    let path = named?;
    if is_incomplete {
        let message = "nothing was written: without the credential it would not work; name a variable with --auth-env VAR";
        return Err(CommandError::invalid(message));
    }
    write(&path, args.client, &name, &entry).inspect_err(|_| report::data(snippet))?;
    report_variables(&entry, args.client);
    Ok(Exit::Done)
}

/// The entry for a server that runs.
fn connected(address: &str, args: &ClientConfigArgs) -> Result<PreparedEntry, CommandError> {
    let invalid = |message: &str| Err(CommandError::invalid(message.to_owned()));
    if !args.sources.is_empty() || !args.flags.is_empty() {
        return invalid("a server that runs has its sources already; name none beside --http");
    }
    if args.client.remote() == RemoteForm::InSettings {
        return invalid(
            "this client's file is for programs that it starts; add the address in its settings, under Connectors",
        );
    }
    let Ok(url) = Url::parse(address) else {
        return invalid("--http takes the address of the server, such as http://127.0.0.1:7300/mcp");
    };
    let is_bare = !has_user_info(&url) && url.query().is_none();
    if !matches!(url.scheme(), "http" | "https") || !is_bare {
        return invalid(
            "--http takes an address without user, password or query, such as http://127.0.0.1:7300/mcp; a token is named \
             with --token-env VAR",
        );
    }
    let name = args.name.clone().unwrap_or_else(|| "aqueduct".to_owned());
    let entry = ClientEntry::Running { url: address.to_owned(), token_env: args.token_env.clone() };
    Ok(PreparedEntry { entry, name, is_incomplete: false })
}

/// What a client's file holds; nothing when there is none.
fn read(path: &Path) -> Result<Option<Vec<u8>>, CommandError> {
    match disk::read(path, LARGEST_FILE) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReadError::Missing { .. }) => Ok(None),
        Err(error) => Err(CommandError::io(error.to_string())),
    }
}

fn write(path: &Path, client: Client, name: &str, entry: &ClientEntry) -> Result<(), CommandError> {
    let shown = path.display();
    let old = read(path)?;
    let merged = merge::merge(old.as_deref(), client, name, entry).map_err(|refusal| {
        let hint = "nothing was written; put the snippet in by hand";
        CommandError::invalid(format!("{shown} {refusal}; {hint}"))
    })?;
    if old.as_deref() == Some(merged.as_bytes()) {
        report::note(&format!("{shown} has it already; nothing was written"));
        return Ok(());
    }
    let backup = file::replace(path, &merged).map_err(|error| unwritable(path, &error))?;
    let backup = backup.map(|backup| format!("; what was there before is in {}", backup.display()));
    report::note(&format!("'{name}' is in {shown} now{}", backup.unwrap_or_default()));
    report::note("restart the client to make it look");
    Ok(())
}

fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::io(format!("{} cannot be written: {error}", path.display()))
}

fn report_variables(entry: &ClientEntry, client: Client) {
    for variable in entry.variables() {
        let place = if matches!(entry, ClientEntry::Program { .. }) { "env" } else { "headers" };
        report::note(&match client.reference(variable) {
            Some(_) => format!("# {variable} is taken from the environment of the client"),
            None => format!("# put the value of {variable} into '{place}', unless it stands there already"),
        });
    }
}

/// The path of the running program.
pub fn this_program() -> Result<String, CommandError> {
    let path = std::env::current_exe()
        .map_err(|error| CommandError::io(format!("the path of this program is not known: {error}")))?;
    Ok(path.display().to_string())
}
