//! `serve`: one MCP session over standard input and output, or many over HTTP.
//!
//! Sources in, an exit code out when the client hangs up or a signal comes. Calls in flight are finished first.

mod operator_page;

use super::signals::Signals;
use super::{build, built, hidden_operations, missing_variables, runtime};
use crate::cli::ServeArgs;
use crate::config::{self, OperatorListen, ResolvedConfig, WithoutStore};
use crate::report::{self, CommandError, Exit};
use aqueduct::store::Store;
use aqueduct::{
    Aqueduct, Clock, FileWatcher, ListenError, Reloaded, SystemClock, TlsError, TlsFiles, stored_callers,
};
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_upstream::ProcessEnvironment;
use operator_page::PageTask;
use std::io::{ErrorKind, IsTerminal};
use std::sync::OnceLock;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// How long MCP servers that were never seen before are waited for: a client is waiting too.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long the operator's page is waited for at the end.
const PAGE_END: Duration = Duration::from_secs(3);

/// Said where there is no store.
const NOTHING_KEPT: &str = "warning: nothing is kept, as --state-dir none says: there is no audit, confirmations end with this process, \
                            and tokens of 'aqueduct operator token' are not known";

/// Serves sources.
pub fn serve(args: ServeArgs) -> Result<Exit, CommandError> {
    let mut config = config::resolve(&args.shared, &args.sources)?;
    config.is_watched &= !args.no_watch;
    config = config::with_store(config, &args.shared, WithoutStore::Refused)?;
    let listen = config.operator_listen(args.operator.as_deref())?;
    config.store.iter().for_each(Store::maintain_soon);
    config.builder = config.builder.patience(PATIENCE);
    let by_flag = args.http.map(|text| ListenAddress { text, at_fault: Exit::Invalid });
    let by_file = || Some(ListenAddress { text: config.http.listen.clone()?, at_fault: Exit::Configuration });
    if let Some(address) = by_flag.or_else(by_file) {
        let warning = config.store.is_none().then_some(NOTHING_KEPT);
        return over_http(config, &address, listen, warning);
    }
    if config.store.is_none() {
        report::note(NOTHING_KEPT);
    }
    let page = PageTask::new(&config, listen, "stdio")?;
    let approvals = config.approvals().cloned();
    let aqueduct = build(config.builder)?;
    report_before_serving(&aqueduct);
    over_stdio(&aqueduct, config.is_watched, approvals.as_ref(), page)
}

/// Where to listen.
#[derive(Debug)]
pub struct ListenAddress {
    /// Host and port.
    pub text: String,
    /// The exit code when it is no address: that of a flag, or of the configuration.
    pub at_fault: Exit,
}

/// Serves any number of sessions over HTTP, to the callers of the store too. The address is printed first, then the greeting.
pub fn over_http(
    mut config: ResolvedConfig,
    address: &ListenAddress,
    operator: OperatorListen,
    greeting: Option<&str>,
) -> Result<Exit, CommandError> {
    let runtime = runtime()?;
    let listener =
        runtime.block_on(TcpListener::bind(&address.text)).map_err(|error| listen_error(address, &error))?;
    let bound = listener.local_addr().map_err(|error| listen_error(address, &error))?;
    let (callers, mut reader) = config.store.as_ref().map(stored_callers).unzip();
    config.http.callers = callers;
    // Whether others are let in without a token has to be known before; else nothing is said before the address is.
    if !bound.ip().is_loopback() && config.http.tokens.is_empty() {
        reader.take().into_iter().for_each(|reader| runtime.block_on(reader.begin()));
    }
    config.http.check_reach(bound).map_err(serve_error)?;
    let scheme = if config.http.tls.is_some() { "https" } else { "http" };
    config.http.tls.iter().try_for_each(check_certificate)?;
    let approvals = config.approvals().cloned();
    let page = PageTask::new(&config, operator, format!("{scheme}://{bound}/mcp"))?;
    let aqueduct = built(config.builder.http(config.http))?;
    let signals = runtime.block_on(async { Signals::listen() });
    report::address(&format!("listening on {scheme}://{bound}/mcp"));
    reader.into_iter().for_each(|reader| runtime.block_on(reader.begin()));
    greeting.into_iter().for_each(report::note);
    report::findings(aqueduct.diagnostics(), DiagnosticSeverity::Warning);
    report_before_serving(&aqueduct);
    approvals.iter().for_each(|store| runtime.block_on(warn_without_operator(store)));
    let serving = async |stop| aqueduct.serve_http(listener, stop).await.map_err(serve_error);
    let extras = SideTasks { page, is_watched: config.is_watched, signals };
    let reason = until_stopped(runtime, &aqueduct, extras, serving)?;
    log_exit(reason.unwrap_or("the listener was closed"), Exit::Done);
    Ok(Exit::Done)
}

/// Refuses files that give no TLS. A certificate that has ended is told: clients will not like it.
fn check_certificate(files: &TlsFiles) -> Result<(), CommandError> {
    let expires_at = files.check().map_err(|error| serve_error(error.into()))?;
    if expires_at.is_some_and(|end| end <= SystemClock.now()) {
        let name = files.certificate.display();
        report::note(&format!("warning: the certificate in {name} has expired, so clients will refuse it"));
    }
    Ok(())
}

/// What goes on beside serving clients.
struct SideTasks {
    page: Option<PageTask>,
    is_watched: bool,
    signals: Signals,
}

/// Serves until that ends by itself, or a second signal comes; then ends all else. The first signal, if there was one.
fn until_stopped(
    runtime: Runtime,
    aqueduct: &Aqueduct,
    extras: SideTasks,
    serving: impl AsyncFnOnce(CancellationToken) -> Result<(), CommandError>,
) -> Result<Option<&'static str>, CommandError> {
    let SideTasks { page, is_watched, signals } = extras;
    let watching = watch(aqueduct, is_watched);
    let reason = OnceLock::new();
    let served = runtime.block_on(async {
        let stop = CancellationToken::new();
        let page = page.map(|page| tokio::spawn(page.run(aqueduct.clone(), stop.clone())));
        let served = tokio::select! {
            served = serving(stop.clone()) => served,
            () = signals.first_and_second(stop.clone(), &reason) => Ok(()),
        };
        stop.cancel();
        if let Some(page) = page
            && tokio::time::timeout(PAGE_END, page).await.is_err()
        {
            tracing::warn!(target: "aqueduct::operator", "the operator's page did not end in time");
        }
        served
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
        ListenError::Tls(TlsError::Unreadable(_)) | ListenError::Io(_) => Exit::Io,
        ListenError::Unprotected(_) | ListenError::Tls(_) => Exit::Configuration,
    };
    CommandError::new(exit, error.to_string())
}

/// Serves one session over standard input and output.
fn over_stdio(
    aqueduct: &Aqueduct,
    is_watched: bool,
    approvals: Option<&Store>,
    page: Option<PageTask>,
) -> Result<Exit, CommandError> {
    if std::io::stdin().is_terminal() {
        report::note(&format!(
            "serving {} operations over stdio. This speaks MCP: put the command into your client's configuration, or try \
             'aqueduct introspect' and 'aqueduct call' by hand. End with Ctrl-D.",
            aqueduct.catalog().visible().count()
        ));
    }
    let runtime = runtime()?;
    approvals.into_iter().for_each(|store| runtime.block_on(warn_without_operator(store)));
    let signals = runtime.block_on(async { Signals::listen() });
    let serving = async |stop| aqueduct.serve_stdio(stop).await.map_err(CommandError::failed);
    let extras = SideTasks { page, is_watched, signals };
    let reason = until_stopped(runtime, aqueduct, extras, serving)?;
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

/// Says so when calls wait for an operator, and no one can be one yet.
async fn warn_without_operator(store: &Store) {
    match store.operator_passphrase().await {
        Ok(Some(_)) => {}
        Ok(None) => report::note(
            "warning: an operator confirms dangerous calls, and no passphrase is set, so nobody can; set one with 'aqueduct operator \
             init'",
        ),
        Err(error) => report::note(&format!("warning: an operator confirms dangerous calls, and {error}")),
    }
}

/// What a person should know about the sources: operations that clients will not see, variables that calls will miss.
fn report_before_serving(aqueduct: &Aqueduct) {
    hidden_operations::summary(&aqueduct.catalog()).iter().for_each(|line| report::note(line));
    missing_variables::lines(aqueduct.catalog().registry(), &ProcessEnvironment)
        .iter()
        .for_each(|line| report::note(line));
}
