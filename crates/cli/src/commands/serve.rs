//! `serve`: one MCP session over standard input and output, or many over HTTP.
//!
//! Sources in, an exit code out when the client hangs up or a signal comes. Calls in flight are finished first.

use super::signals::Signals;
use super::{build, built, hidden_operations, missing_variables, runtime};
use crate::cli::ServeArgs;
use crate::config::{self, ResolvedConfig};
use crate::report::{self, CommandError, Exit};
use aqueduct::{Aqueduct, FileWatcher, ListenError, Reloaded};
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_upstream::ProcessEnvironment;
use std::io::{ErrorKind, IsTerminal};
use std::sync::OnceLock;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// How long MCP servers that were never seen before are waited for: a client is waiting too.
const PATIENCE: Duration = Duration::from_secs(3);

/// Serves sources.
pub fn serve(args: ServeArgs) -> Result<Exit, CommandError> {
    let mut config = config::resolve(&args.shared, &args.sources)?;
    config.is_watched &= !args.no_watch;
    config.builder = config::with_state(config.builder, &args.shared)?.patience(PATIENCE);
    let by_flag = args.http.map(|text| ListenAddress { text, at_fault: Exit::Invalid });
    let by_file = || Some(ListenAddress { text: config.http.listen.clone()?, at_fault: Exit::Configuration });
    if let Some(address) = by_flag.or_else(by_file) {
        return over_http(config, &address, None);
    }
    let aqueduct = build(config.builder)?;
    report_before_serving(&aqueduct);
    over_stdio(&aqueduct, config.is_watched)
}

/// Where to listen.
#[derive(Debug)]
pub struct ListenAddress {
    /// Host and port.
    pub text: String,
    /// The exit code when it is no address: that of a flag, or of the configuration.
    pub at_fault: Exit,
}

/// Serves any number of sessions over HTTP. The address is printed first, then the greeting.
pub fn over_http(
    config: ResolvedConfig,
    address: &ListenAddress,
    greeting: Option<&str>,
) -> Result<Exit, CommandError> {
    let runtime = runtime()?;
    let listener =
        runtime.block_on(TcpListener::bind(&address.text)).map_err(|error| listen_error(address, &error))?;
    let bound = listener.local_addr().map_err(|error| listen_error(address, &error))?;
    config.http.check_reach(bound).map_err(serve_error)?;
    let aqueduct = built(config.builder)?;
    let signals = runtime.block_on(async { Signals::listen() });
    report::address(&format!("listening on http://{bound}/mcp"));
    greeting.into_iter().for_each(report::note);
    report::findings(aqueduct.diagnostics(), DiagnosticSeverity::Warning);
    report_before_serving(&aqueduct);
    let serving = async |stop| aqueduct.serve_http(listener, stop).await.map_err(serve_error);
    let reason = until_stopped(runtime, &aqueduct, config.is_watched, signals, serving)?;
    log_exit(reason.unwrap_or("the listener was closed"), Exit::Done);
    Ok(Exit::Done)
}

/// Serves until that ends by itself, or a second signal comes; then ends all else. The first signal, if there was one.
fn until_stopped(
    runtime: Runtime,
    aqueduct: &Aqueduct,
    is_watched: bool,
    signals: Signals,
    serving: impl AsyncFnOnce(CancellationToken) -> Result<(), CommandError>,
) -> Result<Option<&'static str>, CommandError> {
    let watching = watch(aqueduct, is_watched);
    let reason = OnceLock::new();
    let served = runtime.block_on(async {
        let stop = CancellationToken::new();
        tokio::select! {
            served = serving(stop.clone()) => served,
            () = signals.first_and_second(stop, &reason) => Ok(()),
        }
    });
    // That servers go now is no news.
    drop(watching);
    runtime.block_on(aqueduct.close());
    // Standard input is read on a thread that cannot be woken; waiting for it would keep us from ending.
    runtime.shutdown_background();
    served.map(|()| reason.get().copied())
}

fn listen_error(address: &ListenAddress, error: &std::io::Error) -> CommandError {
    let text = &address.text;
    match error.kind() {
        ErrorKind::InvalidInput => CommandError::new(
            address.at_fault,
            format!("'{text}' is no address to listen on; write host and port, such as 127.0.0.1:7300"),
        ),
        ErrorKind::AddrInUse => CommandError::io(format!(
            "{text} is taken by another program; choose another address with --http ADDR, such as --http 127.0.0.1:0 for a free port"
        )),
        _ => CommandError::io(format!(
            "cannot listen on {text}: {error}; choose another address with --http ADDR"
        )),
    }
}

fn serve_error(error: ListenError) -> CommandError {
    let exit = match error {
        ListenError::Unprotected(_) => Exit::Configuration,
        ListenError::Io(_) => Exit::Io,
    };
    CommandError::new(exit, error.to_string())
}

/// Serves one session over standard input and output.
fn over_stdio(aqueduct: &Aqueduct, is_watched: bool) -> Result<Exit, CommandError> {
    if std::io::stdin().is_terminal() {
        report::note(&format!(
            "serving {} operations over stdio. This speaks MCP: put the command into your client's configuration, or try \
             'aqueduct introspect' and 'aqueduct call' by hand. End with Ctrl-D.",
            aqueduct.catalog().visible().count()
        ));
    }
    let runtime = runtime()?;
    let signals = runtime.block_on(async { Signals::listen() });
    let serving = async |stop| aqueduct.serve_stdio(stop).await.map_err(CommandError::failed);
    let reason = until_stopped(runtime, aqueduct, is_watched, signals, serving)?;
    log_exit(reason.unwrap_or("stdin closed"), Exit::Done);
    Ok(Exit::Done)
}

/// One line in the log on why the process ends.
pub fn log_exit(why: &str, exit: Exit) {
    tracing::info!(target: "aqueduct::process", why, exit_code = exit as u8, "ended");
}

/// Loads files again when they change, and tells the person what is wrong with them. Servers are followed in any case.
fn watch(aqueduct: &Aqueduct, is_watched: bool) -> FileWatcher {
    let on_reload =
        |reloaded: &Reloaded| report::findings(&reloaded.diagnostics, DiagnosticSeverity::Warning);
    if is_watched { aqueduct.watch(on_reload) } else { aqueduct.follow_servers(on_reload) }
}

/// What a person should know about the sources: operations that clients will not see, variables that calls will miss.
fn report_before_serving(aqueduct: &Aqueduct) {
    hidden_operations::summary(&aqueduct.catalog()).iter().for_each(|line| report::note(line));
    missing_variables::lines(aqueduct.catalog().registry(), &ProcessEnvironment)
        .iter()
        .for_each(|line| report::note(line));
}
