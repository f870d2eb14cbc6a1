//! `store`: what is in it, its tables brought up to date, and all of it moved to another engine.
//!
//! A request in; what there is to say, or why not, out. What is moved is written whole or not at all.

use super::{counted, pretty, runtime};
use crate::cli::{OutputFormat, StatusArgs, StoreRequest};
use crate::report::{self, CommandError, Exit};
use crate::store::{failed, open};
use aqueduct::store::Store;
use aqueduct::store::transfer::ImportError;
use aqueduct_private_files as private_files;
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind};
use std::path::Path;

/// Does what was asked of the store.
pub fn store(request: &StoreRequest) -> Result<Exit, CommandError> {
    let runtime = runtime()?;
    match request {
        StoreRequest::Status(args) => runtime.block_on(status(args)),
        StoreRequest::Migrate(args) => runtime.block_on(migrate(&open(args)?)),
        StoreRequest::Export { file, store } => runtime.block_on(export(&open(store)?, file)),
        StoreRequest::Import { file, store } => runtime.block_on(import(&open(store)?, file)),
    }
}

async fn status(args: &StatusArgs) -> Result<Exit, CommandError> {
    let status = open(&args.store)?.status().await.map_err(failed)?;
    if args.format == OutputFormat::Json {
        report::data(&pretty(&json!(status)));
        return Ok(Exit::Done);
    }
    let passphrase = if status.has_passphrase { "set" } else { "not set; see 'aqueduct operator init'" };
    let lines = [
        format!("engine               {}, version {}", status.engine, status.version),
        format!("tokens               {}", status.live_tokens),
        format!("waiting approvals    {}", status.waiting_approvals),
        format!("running calls        {}", status.running_calls),
        format!("callers              {}", status.callers),
        format!("operator passphrase  {passphrase}"),
        format!("audit                {}, sealed to {}", status.audit_lines, status.sealed_through),
    ];
    report::data(&lines.join("\n"));
    Ok(Exit::Done)
}

async fn migrate(store: &Store) -> Result<Exit, CommandError> {
    let migrated = store.prepare().await.map_err(failed)?;
    let (from, to) = (migrated.from, migrated.to);
    report::note(&match from {
        0 => format!("the store is made, with version {to}"),
        _ if from == to => format!("the store has version {to} already"),
        _ => format!("the store had version {from} and has version {to}"),
    });
    Ok(Exit::Done)
}

async fn export(store: &Store, path: &Path) -> Result<Exit, CommandError> {
    let mut file = BufWriter::new(created(path)?);
    match store.export(&mut file).await {
        Ok(rows) => {
            let synced = file.get_ref().sync_all();
            synced.map_err(|error| unwritable(path, &error))?;
            report::note(&format!("{} written to {}", counted_rows(rows), path.display()));
            Ok(Exit::Done)
        }
        Err(error) => {
            // Half a file would be refused when it is imported, but why leave it.
            if let Err(left) = std::fs::remove_file(path) {
                report::note(&format!("{} is not whole, and cannot be removed: {left}", path.display()));
            }
            Err(failed(error))
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "an export is larger than any cap, and read line by line")]
async fn import(store: &Store, path: &Path) -> Result<Exit, CommandError> {
    let file = File::open(path).map_err(|error| CommandError::io(format!("{}: {error}", path.display())))?;
    let rows = store.import(&mut BufReader::new(file)).await.map_err(|error| match error {
        ImportError::Store(error) => failed(error),
        ImportError::Read(_) => CommandError::io(error),
        ImportError::Changed { .. } => CommandError::invalid(format!("{}: {error}", path.display())),
        ImportError::NotEmpty | ImportError::Version { .. } | ImportError::Key => {
            CommandError::configuration(error)
        }
    })?;
    report::note(&format!("{} read from {}", counted_rows(rows), path.display()));
    Ok(Exit::Done)
}

fn counted_rows(rows: u64) -> String {
    counted(usize::try_from(rows).unwrap_or(usize::MAX), "row")
}

/// A new file for its owner alone: what is in a store is no one else's business.
pub(super) fn created(path: &Path) -> Result<File, CommandError> {
    private_files::create_new(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            CommandError::invalid(format!("{} is there already; name another file", path.display()))
        }
        _ => unwritable(path, &error),
    })
}

pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::io(format!("{} cannot be written: {error}", path.display()))
}
