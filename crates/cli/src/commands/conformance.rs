//! `conformance`: judges a live MCP-AQL server by the specification.
//!
//! A server in, a report out, and the evidence if it is wanted; the exit code is that of the report, or 3 when nothing could be
//! judged. A signal ends the run early, and what was created is deleted first; a second one does not wait for that.

mod connection;

use super::runtime;
use super::signals::Signals;
use super::terminal_safe_json;
use crate::cli::{ConformanceArgs, ReportFormat};
use crate::progress::ProgressLine;
use crate::report::{self, CommandError, Exit, terminal_safe};
use aqueduct_conformance::{self as suite, CATEGORIES, Level, Report, Settings, StopFlag, SuiteOutcome};
use connection::LiveServer;
use std::path::Path;
use std::sync::OnceLock;
use tokio_util::sync::CancellationToken;

/// Judges a server.
pub fn conformance(args: &ConformanceArgs) -> Result<Exit, CommandError> {
    let settings = Settings {
        level: if args.level == 2 { Level::Two } else { Level::One },
        allow_writes: args.allow_writes,
        most_operations: args.operations.get(),
    };
    check_files(args)?;
    let progress = ProgressLine::new("judging the server");
    let outcome = runtime()?.block_on(until_stopped(args, settings));
    drop(progress);
    let SuiteOutcome { report, evidence, left_behind } = outcome?;
    for left in &left_behind {
        report::note(&format!("warning: left behind: {}", terminal_safe(left)));
    }
    if let Some(path) = &args.evidence {
        write(path, &format!("{evidence:#}"))?;
    }
    let report = match &args.category {
        Some(category) => only(report, category),
        None => report,
    };
    print(&report, args)?;
    Ok(match report.exit_code {
        0 => Exit::Done,
        1 => Exit::Failed,
        _ => Exit::Invalid,
    })
}

/// Runs until everything is judged, or a signal comes.
async fn until_stopped(args: &ConformanceArgs, settings: Settings) -> Result<SuiteOutcome, CommandError> {
    let (signals, reason) = (Signals::listen(), OnceLock::new());
    let (signalled, stop) = (CancellationToken::new(), StopFlag::default());
    // At the second signal both have ended.
    let stopped_twice = async {
        tokio::join!(signals.first_and_second(signalled.clone(), &reason), async {
            signalled.cancelled().await;
            stop.set();
        });
    };
    let outcome = async {
        let connecting = LiveServer::connect(&args.server, args.token_env.as_deref(), signalled.clone());
        let server = tokio::select! {
            server = connecting => server?,
            () = signalled.cancelled() => {
                return Err(CommandError::configuration("the run was stopped before the server was connected"));
            }
        };
        let outcome = suite::run_suite(&server, settings, &stop).await;
        server.close().await;
        outcome.map_err(CommandError::configuration)
    };
    tokio::select! {
        outcome = outcome => outcome,
        () = stopped_twice => {
            Err(CommandError::configuration("the run was stopped twice; what it created may be left behind"))
        }
    }
}

/// One category of the report; a name that none has leaves nothing, which is said.
fn only(report: Report, category: &str) -> Report {
    let report = report.only(category);
    if report.categories.is_empty() {
        let names: Vec<&str> = CATEGORIES.iter().map(|(name, ..)| *name).collect();
        report::note(&format!(
            "warning: nothing is judged in '{category}' on this level; the categories are: {}",
            names.join(", ")
        ));
    }
    report
}

fn print(report: &Report, args: &ConformanceArgs) -> Result<(), CommandError> {
    // What a server says must not make a terminal do something, which may show the file too.
    let lines = |text: String| text.lines().map(terminal_safe).collect::<Vec<_>>().join("\n");
    let text = match args.format {
        ReportFormat::Text => lines(suite::text(report)),
        ReportFormat::Markdown => lines(suite::markdown(report)),
        ReportFormat::Json => terminal_safe_json(&suite::json(report).map_err(CommandError::configuration)?),
    };
    match &args.output {
        Some(path) => write(path, &text),
        None => {
            report::data(&text);
            Ok(())
        }
    }
}

/// Refuses files that cannot be written before a run that would be lost, and one file for both.
fn check_files(args: &ConformanceArgs) -> Result<(), CommandError> {
    let files = [&args.output, &args.evidence].map(|file| file.as_deref());
    for path in files.into_iter().flatten() {
        // What is neither file nor directory may wait for whoever reads it.
        if path.metadata().is_ok_and(|known| !known.is_file() && !known.is_dir()) {
            continue;
        }
        let is_new = path.symlink_metadata().is_err();
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
        opened.map_err(|error| unwritable(path, &error))?;
        if is_new {
            std::fs::remove_file(path).map_err(|error| unwritable(path, &error))?;
        }
    }
    let real = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        let named = Some(folder.join(path.file_name()?));
        path.canonicalize().ok().or(named)
    };
    if let [Some(output), Some(evidence)] = files
        && real(output) == real(evidence)
        && !is_device(output)
    {
        return Err(CommandError::configuration(
            "--output and --evidence name the same file; give each a file of its own",
        ));
    }
    Ok(())
}

/// Nothing is overwritten in what is no file, such as /dev/null.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|known| !known.is_file())
}

fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::configuration(format!("{} cannot be written: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    std::fs::write(path, format!("{text}\n")).map_err(|error| unwritable(path, &error))
}
