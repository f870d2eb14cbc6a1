//! `--migrate`: the servers that stand in a client's file are moved behind this program, and `--undo` moves them back.
//!
//! A client's file in; a file of servers beside it, which this program serves, and the client's file with one entry for
//! it, out. Invariant: no entry is lost, on either way. What would not work or would be less safe behind this program stays.

mod client_file;
mod servers_file;

use super::json_file::{JsonValue, text_of};
use super::{
    Client, ClientConfigAction, ClientConfigArgs, ClientEntry, file, merge, prepare, read, this_program,
    unwritable,
};
use crate::report::{self, CommandError, Exit};
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_sources::mcp_server::read_servers;
use client_file::ClientFile;
use servers_file::{MoveRecord, ServersFile};
use std::path::Path;

/// The name of the entry, unless another is asked for.
const NAME: &str = "aqueduct";

/// Warnings about a server that would be worse off behind this program.
const NOT_APPLIED: &str = "NOT_APPLIED";

/// Moves the servers.
pub fn migrate(path: &Path, args: &ClientConfigArgs) -> Result<Exit, CommandError> {
    refuse_more(args)?;
    let shown = path.display();
    let old = read(path)?.ok_or_else(|| {
        CommandError::io(format!(
            "{shown} is not there, so there are no servers to move; --file FILE names another"
        ))
    })?;
    let refused = |refusal: merge::MergeRefusal| {
        CommandError::invalid(format!("{shown} {refusal}; nothing was written"))
    };
    let mut client_file = ClientFile::read(&old, args.client).map_err(refused)?;
    let place = servers_file::beside(path)?;
    let servers = ServersFile::open(&place)?;
    let mut moved = Vec::new();
    for (name, server) in client_file.servers(args.client) {
        match movable(&name, &server, &place) {
            Ok(()) => moved.push((name, server)),
            Err(NotMovedReason::Ours) => {}
            Err(NotMovedReason::Because(why)) => {
                report::note(&report::terminal_safe(&format!("# '{name}' stays in {shown}: {why}")));
            }
        }
    }
    if moved.is_empty() {
        report::note(&format!("{shown} has no servers to move; nothing was written"));
        return Ok(Exit::Done);
    }
    let names: Vec<String> = moved.iter().map(|(name, _)| name.clone()).collect();
    for (name, server) in moved {
        client_file.remove(&name, args.client);
        servers.add(&name, server);
    }
    let text = servers.text();
    let mut variables: Vec<String> = Vec::new();
    let mut is_trusted = !args.flags.is_empty();
    for config in read_servers(&place.display().to_string(), &text).servers {
        variables.extend(
            config.variables().into_iter().filter(|name| !variables.contains(name)).collect::<Vec<_>>(),
        );
    }
    if let Some((name, arguments)) = client_file.serving(&place, args.client) {
        client_file.add_variables(&name, &variables, args.client).map_err(refused)?;
        is_trusted = arguments.iter().any(|word| word.starts_with("--trust"));
        if !args.flags.is_empty() {
            report::note(&format!("# '{name}' keeps the words that it has; add the flags to them by hand"));
        }
    } else {
        let mut arguments = vec!["serve".to_owned(), place.display().to_string()];
        let mut before = "";
        for word in &args.flags {
            arguments.push(prepare::settled(word, before, &[])?);
            before = word;
        }
        let entry = ClientEntry::Program { command: this_program()?, arguments, variables };
        let name = client_file.free_name(args.name.as_deref().unwrap_or(NAME), args.client);
        client_file.put(&name, &entry, args.client).map_err(refused)?;
    }
    let new = client_file.text();
    let backup = file::backup_of(path).map_err(|error| unwritable(path, &error))?;
    servers.note(&MoveRecord::new(&backup, &new), &place).map_err(|error| unwritable(&place, &error))?;
    file::write_private(&place, servers.text().as_bytes()).map_err(|error| unwritable(&place, &error))?;
    if let Err(error) = file::replace(path, &new) {
        // Both have them, or only the client.
        servers.take_back(&place);
        return Err(unwritable(path, &error));
    }
    report_moved(&names, path, &place, &backup, args);
    if !is_trusted {
        report::note(
            "at first only what reads is offered; to trust all of them, add \"--trust\", \"*=validated\" to the words of the entry",
        );
    }
    Ok(Exit::Done)
}

/// Moves them back.
pub fn undo(path: &Path, args: &ClientConfigArgs) -> Result<Exit, CommandError> {
    refuse_more(args)?;
    let (place, shown) = (servers_file::beside(path)?, path.display());
    let servers = ServersFile::open(&place)?;
    let Some(last) = servers.last_move() else {
        let message = format!("{} lists no servers that were moved out of {shown}", place.display());
        return Err(CommandError::invalid(message));
    };
    let backup = last.backup.display().to_string();
    let before = read(&last.backup)?
        .ok_or_else(|| CommandError::io(format!("{backup}, which has the servers as they were, is gone")))?;
    let now = read(path)?.unwrap_or_default();
    if !last.left(&now) {
        let message = format!(
            "{shown} has changed since the servers were moved, and going back would lose that; {backup} has it as it was: take \
             from there what you need, or put it back with: cp '{backup}' '{shown}'"
        );
        return Err(CommandError::failed(message));
    }
    file::write_over(path, &before).map_err(|error| unwritable(path, &error))?;
    servers.take_back(&place);
    report::note(&format!("{shown} is as it was before; restart the client to make it look"));
    Ok(Exit::Done)
}

/// Sources have no meaning here; flags of `serve` have.
fn refuse_more(args: &ClientConfigArgs) -> Result<(), CommandError> {
    if args.sources.is_empty() && args.http.is_none() {
        return Ok(());
    }
    let word = if args.action() == ClientConfigAction::Undo { "--undo" } else { "--migrate" };
    let message = format!("{word} is about the servers in the client's own file; name no sources beside it");
    Err(CommandError::invalid(message))
}

/// Why a server is not moved.
enum NotMovedReason {
    /// It is this program.
    Ours,
    /// Something else.
    Because(String),
}

/// Whether a server would work behind this program as it does without.
fn movable(name: &str, server: &JsonValue, place: &Path) -> Result<(), NotMovedReason> {
    if is_ours(server) {
        return Err(NotMovedReason::Ours);
    }
    let alone = ServersFile::new(None).map_err(|refusal| NotMovedReason::Because(refusal.to_string()))?;
    alone.add(name, server.clone());
    let found = read_servers(&place.display().to_string(), &alone.text());
    if let Some(left_out) = found.left_out.first() {
        let first_error = found.diagnostics.iter().find(|each| each.severity == DiagnosticSeverity::Error);
        return Err(NotMovedReason::Because(
            first_error.map_or_else(|| left_out.why.clone(), |first_error| first_error.message.clone()),
        ));
    }
    match found.diagnostics.iter().find(|each| each.code == NOT_APPLIED) {
        Some(restriction) => Err(NotMovedReason::Because(restriction.message.clone())),
        None => Ok(()),
    }
}

fn is_ours(server: &JsonValue) -> bool {
    let command = text_of(server, "command").unwrap_or_default();
    // It may have been given another name.
    if this_program().is_ok_and(|own| own == command) {
        return true;
    }
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    name.strip_suffix(".exe").unwrap_or(name) == NAME
}

fn report_moved(names: &[String], path: &Path, place: &Path, backup: &Path, args: &ClientConfigArgs) {
    let client = clap::ValueEnum::to_possible_value(&args.client).map(|value| value.get_name().to_owned());
    let file = args.file.as_ref().map(|file| format!(" --file '{}'", file.display()));
    let names = report::terminal_safe(&names.join(", "));
    report::note(&format!("moved into {}: {names}", place.display()));
    report::note(&format!(
        "'{NAME}' in {} serves them now; restart the client to make it look",
        path.display()
    ));
    report::note(&format!("what was there before is in {}", backup.display()));
    report::note(&format!(
        "the way back: aqueduct client-config {} --migrate --undo{}",
        client.unwrap_or_default(),
        file.unwrap_or_default()
    ));
}

/// The name, or the first free one with a number behind it.
fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let later = (2..).map(|number: u32| format!("{name}-{number}"));
    let free = std::iter::once(name.to_owned()).chain(later).find(|name| !is_taken(name));
    free.unwrap_or_else(|| name.to_owned())
}
