//! The commands, one file each, and the way from the command line to an exit code.
//!
//! Words in, an exit code out. Whatever goes wrong becomes one line on stderr and the code that fits.

mod call;
pub(crate) mod client_config;
#[cfg(feature = "mcp-servers")]
mod conformance;
mod demo;
mod doctor;
mod grants;
mod hidden_operations;
mod import;
mod indented;
mod introspect;
mod key_value;
mod manual;
mod missing_variables;
mod operator;
#[cfg(feature = "mcp-servers")]
mod pins;
mod policy;
mod serve;
mod signals;
mod store;
mod tokens;
mod validate;

use crate::cli::{Cli, Command, PolicyRequest};
use crate::logging::{self, LogOptions};
use crate::progress::ProgressLine;
use crate::report::{self, CommandError, Exit};
use aqueduct::tooling::CONNECTION_NOT_READY;
use aqueduct::{Aqueduct, BuildError, Builder, WaitNotice};
use aqueduct_adapter_files::name_prefix;
use aqueduct_openapi::CREDENTIALS_WITHHELD;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::sanitize::is_disguise;
use aqueduct_operations::target::Target;
use aqueduct_source_kind::unusable_patterns::UNUSABLE_PATTERN;
use aqueduct_sources::kind_table::KindTable;
use clap::{CommandFactory, Parser};
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// The word by which this program guards a server.
#[cfg(feature = "mcp-servers")]
const GUARD: &str = "__guard";

/// How long a command is silent that waits for MCP servers which were never seen before, and how long it waits for those that are
/// still starting when it only shows something: the first start of a server may fetch packages.
const SHORT_WAIT: Duration = Duration::from_secs(5);
const LONG_WAIT: Duration = Duration::from_secs(60);

/// Runs the command line and reports the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut arguments = arguments.into_iter().peekable();
    let program = arguments.next();
    // This program started by itself, to run a server that must end with it. No user types this.
    #[cfg(feature = "mcp-servers")]
    if arguments.next_if(|word| word == GUARD).is_some() {
        return aqueduct_mcp_client::guard_main(arguments);
    }
    let is_judging = arguments.peek().is_some_and(|word| word == "conformance");
    let cli = match Cli::try_parse_from(program.into_iter().chain(arguments)) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors; clap knows where each goes.
            let exit = match (error.use_stderr(), is_judging) {
                (false, _) => Exit::Done,
                (true, false) => Exit::Invalid,
                // A warning of a judgement has the code of wrong usage elsewhere.
                (true, true) => Exit::Configuration,
            };
            return match error.print() {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => ExitCode::from(Exit::Io as u8),
                Ok(()) | Err(_) => ExitCode::from(exit as u8),
            };
        }
    };
    let (filter, format) = (log_setting("AQUEDUCT_LOG"), log_setting("AQUEDUCT_LOG_FORMAT"));
    let traces = log_setting(OTLP_ENDPOINT);
    let serves = matches!(cli.command, Command::Serve(_) | Command::Demo { .. });
    let usual = if serves { logging::OF_A_SERVER } else { logging::OF_A_COMMAND };
    let wishes =
        LogOptions { filter: filter.as_deref(), format: format.as_deref(), traces: traces.as_deref() };
    let exit = match logging::start(wishes, usual) {
        Ok(()) => dispatch(cli.command),
        Err(problem) => Err(CommandError::configuration(problem.to_string())),
    };
    let exit = exit.unwrap_or_else(|error| {
        report::failure(&error.message);
        if serves {
            serve::log_exit(&format!("error: {}", error.message), error.exit);
        }
        error.exit
    });
    #[cfg(feature = "otlp")]
    crate::traces::finish();
    ExitCode::from(exit as u8)
}

/// Where collectors of traces are named, as for every program that sends some.
const OTLP_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

#[expect(clippy::disallowed_methods, reason = "logging starts before any setting is resolved")]
fn log_setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn dispatch(command: Command) -> Result<Exit, CommandError> {
    match command {
        Command::Serve(args) => serve::serve(args),
        Command::Demo { todos: Some(address), .. } => demo::todos(&address),
        Command::Demo { http, todos: None } => demo::demo(&http),
        Command::Call { words, json, shared } => call::call(words, json, &shared),
        Command::Introspect(args) => introspect::introspect(&args),
        Command::Validate { files, format } => validate::validate(&files, format),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::ClientConfig(args) => client_config::client_config(&args),
        Command::Import { what } => import::import(what, &KindTable::default()),
        Command::Tokens { sources, format, shared } => tokens::tokens(&sources, &shared, format),
        #[cfg(feature = "mcp-servers")]
        Command::Conformance(args) => conformance::conformance(&args),
        #[cfg(feature = "mcp-servers")]
        Command::Pins { approve, state_dir } => pins::pins(&approve, state_dir.as_deref()),
        Command::Grants { sources, allow, revoke, format, shared } => {
            let action = match (allow, revoke) {
                (true, _) => grants::GrantAction::Allow,
                (false, true) => grants::GrantAction::Revoke,
                (false, false) => grants::GrantAction::Show,
            };
            grants::grants(&sources, action, format, &shared)
        }
        Command::Policy { what: PolicyRequest::Test(args) } => policy::test(&args),
        Command::Operator { what } => operator::operator(what),
        Command::Store { what } => store::store(&what),
        Command::Schema => {
            let schema = aqueduct_adapter_files::schema::json_schema();
            report::data(&pretty(&schema));
            Ok(Exit::Done)
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "aqueduct", &mut script);
            report::data(String::from_utf8_lossy(&script).trim_end());
            Ok(Exit::Done)
        }
        Command::Man { words, output_dir: None } => manual::print(&words),
        Command::Man { output_dir: Some(folder), .. } => manual::write_all(&folder),
    }
}

/// Builds, telling the person about everything that was found on the way.
fn build(builder: Builder) -> Result<Aqueduct, CommandError> {
    let aqueduct = built(builder)?;
    report::findings(aqueduct.diagnostics(), DiagnosticSeverity::Warning);
    Ok(aqueduct)
}

/// Builds for a command that is run again and again: what is to be said of the content of the sources is only counted.
fn build_quietly(builder: Builder) -> Result<Aqueduct, CommandError> {
    let aqueduct = built(builder)?;
    report_briefly(aqueduct.diagnostics());
    Ok(aqueduct)
}

/// Tells of errors, and of what concerns this call; warnings about the content of files are for who checks them.
fn report_briefly(found: &[Diagnostic]) {
    // What is about a file as a whole has no path in it: a server that is not there, a variable that is not sent. What is
    // about the operator's own files is told every time.
    let is_content = |each: &&Diagnostic| {
        let is_of_a_source = each.code == UNUSABLE_PATTERN || name_prefix(&each.position.file).is_some();
        let concerns_calls = each.path.is_empty() || each.code == CREDENTIALS_WITHHELD;
        each.severity < DiagnosticSeverity::Error && is_of_a_source && !concerns_calls
    };
    let rest: Vec<Diagnostic> = found.iter().filter(|each| !is_content(each)).cloned().collect();
    report::findings(&rest, DiagnosticSeverity::Warning);
    let content: Vec<&Diagnostic> =
        found.iter().filter(is_content).filter(|each| each.severity == DiagnosticSeverity::Warning).collect();
    let Some(first) = content.first().filter(|_| std::io::stderr().is_terminal()) else { return };
    let mut files: Vec<&str> = content.iter().map(|each| each.position.file.as_str()).collect();
    files.dedup();
    let command = match files.as_slice() {
        [file] if file.ends_with("-adapter.md") => "validate",
        _ => "doctor",
    };
    let file = report::terminal_safe(&first.position.file);
    report::note(&format!("{}: aqueduct {command} {file}", counted(content.len(), "warning")));
}

/// Builds for a command that shows what is there: stops when there is nothing, with one line about each server.
fn build_to_show(builder: Builder) -> Result<Aqueduct, CommandError> {
    let notice = WaitNotice { after: SHORT_WAIT, tell: tell_of_wait };
    let aqueduct = built(builder.patience(LONG_WAIT).wait_notice(notice))?;
    let outcome = something_is_there(&aqueduct);
    let is_reported = |each: &&Diagnostic| outcome.is_ok() || each.code != CONNECTION_NOT_READY;
    let diagnostics: Vec<Diagnostic> = aqueduct.diagnostics().iter().filter(is_reported).cloned().collect();
    report_briefly(&diagnostics);
    outcome.map(|()| aqueduct)
}

/// Says which servers are waited for.
fn tell_of_wait(servers: &[String]) {
    let names: Vec<String> =
        servers.iter().map(|name| format!("'{}'", report::terminal_safe(name))).collect();
    let (what, is) = if names.len() == 1 { ("the MCP server", "is") } else { ("the MCP servers", "are") };
    report::note(&format!(
        "waiting for {what} {}, which {is} still starting, up to {} s in all; the first start may fetch packages",
        names.join(", "),
        LONG_WAIT.as_secs()
    ));
}

/// Builds, leaving it to the caller to tell about warnings.
fn built(builder: Builder) -> Result<Aqueduct, CommandError> {
    let progress = ProgressLine::new("loading the sources");
    let outcome = builder.build();
    drop(progress);
    outcome.map_err(|error| {
        if let BuildError::Invalid(diagnostics) = &error {
            // All of them are shown, so that the message does not repeat the first.
            report::findings(diagnostics, DiagnosticSeverity::Warning);
            return CommandError::invalid("there are errors in the sources");
        }
        CommandError::from(error)
    })
}

/// Stops when every source is an MCP server that offers nothing: there is nothing to show or to count.
fn something_is_there(aqueduct: &Aqueduct) -> Result<(), CommandError> {
    let is_of_a_source = |entry: &Arc<RegistryEntry>| !matches!(entry.operation.target, Target::BuiltIn(_));
    if aqueduct.catalog().registry().entries().iter().any(is_of_a_source) {
        return Ok(());
    }
    let state = |(name, state): (String, Result<usize, String>)| match state {
        Ok(0) => format!("'{name}' offers no tools"),
        Ok(_) => format!("all tools of '{name}' are withheld; see 'aqueduct pins'"),
        Err(why) => format!("'{name}' is not connected: {why}"),
    };
    let states: Vec<String> = aqueduct.server_states().into_iter().map(state).collect();
    if states.is_empty() {
        return Ok(());
    }
    let message = format!("no MCP server offers anything; {}", states.join("; "));
    Err(CommandError::configuration(report::terminal_safe(&message)))
}

impl From<BuildError> for CommandError {
    fn from(error: BuildError) -> CommandError {
        let hint = if matches!(error, BuildError::NoSource) { EXAMPLES_OF_SOURCES } else { "" };
        CommandError::new(exit_of(&error), format!("{error}{hint}"))
    }
}

/// Said where a command has nothing to work on.
const EXAMPLES_OF_SOURCES: &str = ", such as:\n  \
    aqueduct serve shop-adapter.md\n  \
    aqueduct serve https://api.example.com/openapi.json\n  \
    aqueduct serve 'mcp:npx -y @modelcontextprotocol/server-everything'\n\
    or serve the built-in sample: aqueduct serve demo";

fn exit_of(error: &BuildError) -> Exit {
    match error {
        // Only a flag can name a source that is not there.
        BuildError::Invalid(_) | BuildError::NotASource(_) | BuildError::UnknownSource { .. } => {
            Exit::Invalid
        }
        BuildError::NoSource
        | BuildError::Nothing(_)
        | BuildError::Clash(_)
        | BuildError::Contested(_)
        | BuildError::Safety(_) => Exit::Configuration,
        BuildError::Read(_) | BuildError::Web(_) => Exit::Io,
    }
}

/// A runtime for commands that wait for something. One thread: a client's calls wait more than they work, and no one has
/// to be woken for them. Clients over HTTP have threads of their own.
fn runtime() -> Result<tokio::runtime::Runtime, CommandError> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::io(format!("the runtime cannot start: {error}")))
}

/// JSON for people and programs alike: what could make a terminal do something is escaped, which changes no value.
fn pretty(value: &serde_json::Value) -> String {
    terminal_safe_json(&format!("{value:#}"))
}

/// Laid out JSON text with escapes for what could make a terminal do something.
pub(crate) fn terminal_safe_json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        // Line breaks are the layout; all others of these stand in strings, where JSON has escapes for them.
        if is_disguise(c) && c != '\n' {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
        } else {
            shown.push(c);
        }
    }
    shown
}

fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}
