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
use aqueduct_conformance::{self as judging, CATEGORIES, Judgement, Level, Report, Settings, StopFlag};
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
    let progress = ProgressLine::new("judging the server");
    let outcome = runtime()?.block_on(until_stopped(args, settings));
    drop(progress);
    let Judgement { report, evidence, left_behind } = outcome?;
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
async fn until_stopped(args: &ConformanceArgs, settings: Settings) -> Result<Judgement, CommandError> {
    let (signals, reason) = (Signals::listen(), OnceLock::new());
    let (signalled, stop) = (CancellationToken::new(), StopFlag::default());
    // At the second signal both have ended.
    let stopped_twice = async {
        tokio::join!(signals.first_and_second(signalled.clone(), &reason), async {
            signalled.cancelled().await;
            stop.set();
        });
    };
    let judged = async {
        let connecting = LiveServer::connect(&args.server, args.token_env.as_deref(), signalled.clone());
        let server = tokio::select! {
            server = connecting => server?,
            () = signalled.cancelled() => {
                return Err(CommandError::configuration("the run was stopped before the server was connected"));
            }
        };
        let judgement = judging::judge(&server, settings, &stop).await;
        server.close().await;
        judgement.map_err(CommandError::configuration)
    };
    tokio::select! {
        judgement = judged => judgement,
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
    let text = match args.format {
        ReportFormat::Text => judging::text(report),
        ReportFormat::Markdown => judging::markdown(report),
        ReportFormat::Json => judging::json(report).map_err(CommandError::configuration)?,
    };
    if let Some(path) = &args.output {
        return write(path, &text);
    }
    // What a server says must not make a terminal do something.
    report::data(&match args.format {
        ReportFormat::Json => terminal_safe_json(&text),
        ReportFormat::Text | ReportFormat::Markdown => {
            text.lines().map(terminal_safe).collect::<Vec<_>>().join("\n")
        }
    });
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    std::fs::write(path, format!("{text}\n")).map_err(|error| {
        CommandError::configuration(format!("{} cannot be written: {error}", path.display()))
    })
}
