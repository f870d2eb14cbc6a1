//! `serve`: one MCP session over standard input and output, or many over HTTP.
//!
//! Sources in, an exit code out when the client hangs up or a signal comes. Calls in flight are finished first.

use super::{build, runtime};
use crate::cli::Shared;
use crate::report::{self, Exit, Stop};
use crate::{Aqueduct, Builder, ListenError, config};
use aqueduct_operations::operation::Entry;
use aqueduct_operations::target::Target;
use aqueduct_upstream::{Environment, ProcessEnvironment};
use std::io::IsTerminal;
use std::path::PathBuf;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Serves sources.
pub fn serve(sources: &[PathBuf], http: Option<String>, shared: &Shared) -> Result<Exit, Stop> {
    let builder = config::builder(shared, sources)?;
    match http.or_else(|| builder.listen()) {
        Some(address) => over_http(builder, &address, None),
        None => {
            let aqueduct = build(builder)?;
            warn_of_missing_credentials(&aqueduct);
            over_stdio(&aqueduct)
        }
    }
}

/// Serves any number of sessions over HTTP. The greeting follows the address.
pub fn over_http(builder: Builder, address: &str, greeting: Option<&str>) -> Result<Exit, Stop> {
    let runtime = runtime()?;
    let unusable =
        |error: std::io::Error| Stop::new(Exit::Io, format!("cannot listen on {address}: {error}"));
    let listener = runtime.block_on(TcpListener::bind(address)).map_err(unusable)?;
    let bound = listener.local_addr().map_err(unusable)?;
    builder.check_reach(bound).map_err(refused)?;
    report::note(&format!("listening on http://{bound}/mcp"));
    greeting.into_iter().for_each(report::note);
    let aqueduct = build(builder)?;
    warn_of_missing_credentials(&aqueduct);
    let served = runtime.block_on(async {
        let stop = CancellationToken::new();
        tokio::select! {
            served = aqueduct.serve_http(listener, stop.clone()) => served,
            () = two_signals(stop) => Ok(()),
        }
    });
    runtime.shutdown_background();
    served.map_err(refused)?;
    Ok(Exit::Done)
}

fn refused(error: ListenError) -> Stop {
    let exit = match error {
        ListenError::Unprotected(_) => Exit::Configuration,
        ListenError::Io(_) => Exit::Io,
    };
    Stop::new(exit, error.to_string())
}

/// Serves one session over standard input and output.
pub fn over_stdio(aqueduct: &Aqueduct) -> Result<Exit, Stop> {
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
