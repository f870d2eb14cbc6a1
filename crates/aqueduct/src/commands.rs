//! The commands, one file each, and the way from the command line to an exit code.
//!
//! Words in, an exit code out. Whatever goes wrong becomes one line on stderr and the code that fits.

mod call;
pub(crate) mod client_config;
mod demo;
mod doctor;
mod introspect;
mod pairs;
mod serve;
mod validate;

use crate::cli::{Cli, Command};
use crate::report::{self, Exit, Stop};
use crate::{Aqueduct, BuildError, Builder, logging};
use aqueduct_operations::diagnostic::Severity;
use clap::{CommandFactory, Parser};
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command line and reports the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors; clap knows where each goes.
            let exit = if error.use_stderr() { Exit::Invalid } else { Exit::Done };
            return match error.print() {
                Ok(()) => ExitCode::from(exit as u8),
                Err(_) => ExitCode::from(Exit::Io as u8),
            };
        }
    };
    let exit = match logging::start(log_setting().as_deref()) {
        Ok(()) => dispatch(cli.command),
        Err(problem) => Err(Stop::new(Exit::Configuration, problem.to_string())),
    };
    let exit = exit.unwrap_or_else(|stop| {
        report::note(&format!("error: {}", stop.message));
        stop.exit
    });
    ExitCode::from(exit as u8)
}

#[expect(clippy::disallowed_methods, reason = "logging starts before any setting is resolved")]
fn log_setting() -> Option<String> {
    std::env::var("AQUEDUCT_LOG").ok()
}

fn dispatch(command: Command) -> Result<Exit, Stop> {
    match command {
        Command::Serve { sources, http, shared } => serve::serve(&sources, http, &shared),
        Command::Demo { http } => demo::demo(http.as_deref()),
        Command::Call { words, json, shared } => call::call(words, json, &shared),
        Command::Introspect { sources, name, types, why, format, shared } => {
            let topic = if types { introspect::Topic::Types } else { introspect::Topic::Operations };
            introspect::introspect(&sources, &shared, &introspect::Question { topic, name, why, format })
        }
        Command::Validate { files, format } => validate::validate(&files, format),
        Command::Doctor { sources, format, shared } => doctor::doctor(&sources, &shared, format),
        Command::ClientConfig { client, sources, name, write, file, flags } => {
            client_config::client_config(client_config::Wish { client, sources, flags, name, write, file })
        }
        Command::Schema => {
            let schema = aqueduct_sources::adapter_file::schema::json_schema();
            report::data(&pretty(&schema));
            Ok(Exit::Done)
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "aqueduct", &mut script);
            report::data(String::from_utf8_lossy(&script).trim_end());
            Ok(Exit::Done)
        }
    }
}

/// Builds, telling the person about everything that was found on the way.
fn build(builder: Builder) -> Result<Aqueduct, Stop> {
    match builder.build() {
        Ok(aqueduct) => {
            report::findings(aqueduct.diagnostics(), Severity::Warning);
            Ok(aqueduct)
        }
        Err(error) => {
            let message = error.to_string();
            let exit = match error {
                BuildError::Invalid(diagnostics) => {
                    report::findings(&diagnostics, Severity::Warning);
                    Exit::Invalid
                }
                BuildError::Read(_) => Exit::Io,
                BuildError::NotASource(_) => Exit::Invalid,
                BuildError::Nothing(_)
                | BuildError::Clash(_)
                | BuildError::Contested(_)
                | BuildError::UnknownSource { .. } => Exit::Configuration,
                BuildError::Upstream(_) | BuildError::Demo(_) => Exit::Io,
            };
            Err(Stop::new(exit, message))
        }
    }
}

/// A runtime for commands that wait for something.
fn runtime() -> Result<tokio::runtime::Runtime, Stop> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Stop::new(Exit::Io, format!("the runtime cannot start: {error}")))
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}")
}
