//! `import`: an OpenAPI document or an MCP server as an adapter file of its own, and a report of what became of it.
//!
//! A document or server in; a file, perhaps a discovery bundle, and the report out. Of a server nothing is called: what it
//! offers is listed, no more. An existing file is not replaced unless asked for.

mod told;

use super::{exit_of, pretty};
use crate::cli::{Format, Import, ImportWish};
use crate::cost::Cost;
use crate::report::{self, Exit, Stop};
use crate::{BuildError, config};
use aqueduct_operations::clock::{Clock, SystemClock, iso8601};
use aqueduct_operations::diagnostic::Severity;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_sources::write::{self, WriteHow};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The tools of more operations than this are not written out to be counted: it would take minutes.
const MOST_COUNTED: usize = 5_000;

/// Imports.
pub fn import(what: Import) -> Result<Exit, Stop> {
    match what {
        Import::Openapi { specs, wish } => {
            if specs.len() > 1 && !wish.report_only {
                return Err(Stop::new(
                    Exit::Invalid,
                    "one document makes one adapter file; several only with --report-only",
                ));
            }
            let mut worst = Exit::Done;
            for spec in &specs {
                match one(spec, None, &wish) {
                    Ok(exit) => worst = worst.max(exit),
                    // Of several, one that is no good does not keep the others from being told of; a program wants a line
                    // for each.
                    Err(stop) if specs.len() > 1 || wish.report_only && wish.format == Format::Json => {
                        told::failed(&spec.display().to_string(), &stop.message, wish.format);
                        worst = worst.max(stop.exit);
                    }
                    Err(stop) => return Err(stop),
                }
            }
            Ok(worst)
        }
        Import::Mcp { server, bundle, wish } => one(&server_source(&server), bundle.as_deref(), &wish),
    }
}

/// A server as a source: a URL, a command, a file, or already in a source's own form.
fn server_source(server: &str) -> PathBuf {
    let is_source = ["mcp:", "mcp+http://", "mcp+https://"].iter().any(|start| server.starts_with(start));
    if is_source || Path::new(server).is_file() {
        PathBuf::from(server)
    } else if server.starts_with("http://") || server.starts_with("https://") {
        PathBuf::from(format!("mcp+{server}"))
    } else {
        PathBuf::from(format!("mcp:{server}"))
    }
}

fn one(source: &Path, bundle: Option<&Path>, wish: &ImportWish) -> Result<Exit, Stop> {
    if wish.output.is_none() && !wish.report_only {
        return Err(Stop::new(
            Exit::Invalid,
            "say where to write with -o NAME-adapter.md, or use --report-only",
        ));
    }
    let mut shared = wish.shared.clone();
    if wish.report_only && shared.base_url.is_empty() {
        // Nothing is called, so it does not matter where the API is.
        shared.base_url.push("https://api.invalid".to_owned());
    }
    let aqueduct = config::builder(&shared, &[source.to_owned()])?.build().map_err(refused)?;
    if !wish.report_only {
        report::findings(aqueduct.diagnostics(), Severity::Warning);
    }
    let mut loaded = aqueduct.loaded();
    let Some(mut only) = loaded.pop().filter(|_| loaded.is_empty()) else {
        let names: Vec<String> = aqueduct.loaded().iter().map(|each| each.source.name.clone()).collect();
        let message = match names.is_empty() {
            true => "nothing was loaded; see the findings above".to_owned(),
            false => format!("this holds several servers ({}); import one of them", names.join(", ")),
        };
        return Err(Stop::new(Exit::Invalid, message));
    };
    // What a file claims is its author's word; an import has been looked at by nobody yet.
    if wish.shared.trust.is_empty() {
        only.source.trust = TrustLevel::Generated;
    }
    let reports = aqueduct.reports();
    let found = reports.first();
    if let Some(output) = wish.output.as_deref().filter(|_| !wish.report_only) {
        let from = source.display().to_string();
        let config = aqueduct.server_config();
        let how = WriteHow { imported_from: Some(&from), server: config.as_ref() };
        let text = write::write(&only, found, &how);
        put(output, &text, wish.force)?;
    }
    if let Some(path) = bundle {
        let captured_at = iso8601(SystemClock.now());
        let bundle = aqueduct.bundle(&captured_at).ok_or_else(|| {
            Stop::new(Exit::Invalid, "a discovery bundle is made of an MCP server, and this is none")
        })?;
        put(path, &format!("{}\n", pretty(&bundle)), wish.force)?;
    }
    let cost = (only.operations.len() <= MOST_COUNTED).then(|| Cost::of(&aqueduct.catalog()));
    if let Some(found) = found {
        told::report(found, cost.as_ref(), (wish.format, wish.output.as_deref()));
    }
    Ok(Exit::Done)
}

/// Why nothing can be imported, in one line where a program may read it.
fn refused(error: BuildError) -> Stop {
    let message = match &error {
        BuildError::Invalid(diagnostics) => {
            let first = diagnostics.iter().find(|each| each.severity == Severity::Error);
            first.map_or_else(|| error.to_string(), |first| format!("{first}"))
        }
        _ => error.to_string(),
    };
    Stop::new(exit_of(&error), message)
}

/// Writes a file that is not there yet, or replaces it when asked to.
fn put(path: &Path, text: &str, force: bool) -> Result<(), Stop> {
    if path == Path::new("-") {
        report::data(text.trim_end());
        return Ok(());
    }
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Stop::new(Exit::Io, format!("{} is there already; --force replaces it", path.display()))
        }
        _ => Stop::new(Exit::Io, format!("{} cannot be written: {error}", path.display())),
    };
    let mut file = options.open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)
}
