//! The program `aqueduct`: `cli` reads the command line, `config` resolves flags, environment and file once, `commands` do
//! the work, `store` opens what outlives a process, and `report` prints. Whatever serves and calls is in the library.

mod cli;
mod commands;
mod config;
mod cost;
mod demo;
mod hook;
mod logging;
mod progress;
mod report;
mod state;
mod store;
#[cfg(feature = "otlp")]
mod traces;

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// A call makes some hundred small allocations; this serves them faster than the system's allocator does.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    commands::run(std::env::args_os())
}
