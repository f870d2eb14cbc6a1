//! `serve` and `demo`: one MCP session over standard input and output.
//!
//! Sources in, an exit code out when the client hangs up or a signal comes. Calls in flight are finished first.

use super::{build, runtime};
use crate::cli::Shared;
use crate::report::{self, Exit, Stop};
use crate::{Aqueduct, SourceSettings, config, demo};
use aqueduct_operations::operation::Entry;
use aqueduct_operations::target::Target;
use aqueduct_upstream::{Environment, ProcessEnvironment};
use std::io::IsTerminal;
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;

/// Serves sources.
pub fn serve(sources: &[PathBuf], shared: &Shared) -> Result<Exit, Stop> {
    let aqueduct = build(config::builder(shared, sources)?)?;
    warn_of_missing_credentials(&aqueduct);
    over_stdio(&aqueduct)
}

/// Serves the sample.
pub fn demo() -> Result<Exit, Stop> {
    let builder = Aqueduct::builder().adapter_text(demo::FILE, demo::TEXT, SourceSettings::default());
    over_stdio(&build(builder)?)
}

fn over_stdio(aqueduct: &Aqueduct) -> Result<Exit, Stop> {
    if std::io::stdin().is_terminal() {
        report::note(&format!(
            "serving {} operations over stdio. This speaks MCP: put the command into your client's configuration, or try \
             'aqueduct introspect' and 'aqueduct call' by hand. End with Ctrl-D.",
            aqueduct.catalog().visible().count()
        ));
    }
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        let stop = CancellationToken::new();
        tokio::select! {
            served = aqueduct.serve_stdio(stop.clone()) => served,
            () = two_signals(stop) => Ok(()),
        }
    });
    // Standard input is read on a thread that cannot be woken; waiting for it would keep us from ending.
    runtime.shutdown_background();
    served.map_err(|error| Stop::new(Exit::Failed, error.to_string()))?;
    Ok(Exit::Done)
}

/// Ctrl-C or a termination signal stops reading, and calls in flight are finished. A second one does not wait for them.
async fn two_signals(stop: CancellationToken) {
    signal().await;
    stop.cancel();
    signal().await;
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return interrupt().await };
    tokio::select! {
        () = interrupt() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(not(unix))]
async fn signal() {
    interrupt().await;
}

async fn interrupt() {
    // Where signals cannot be had, none is ever seen.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Says once, at start, which variables calls will miss.
fn warn_of_missing_credentials(aqueduct: &Aqueduct) {
    let catalog = aqueduct.catalog();
    let mut missing: Vec<(&str, &str)> = Vec::new();
    for entry in catalog.registry().entries() {
        for variable in variables(entry) {
            let known = missing.iter().any(|(name, _)| *name == variable);
            if !known && ProcessEnvironment.get(variable).is_none() {
                missing.push((variable, &entry.source.name));
            }
        }
    }
    for (variable, source) in missing {
        report::note(&format!("warning: {variable} is not set; calls of {source} will fail until it is"));
    }
}

fn variables(entry: &Entry) -> Vec<&str> {
    match &entry.operation.target {
        Target::Http(target) => target.site.auth.variables(),
        Target::BuiltIn(_) => Vec::new(),
    }
}
