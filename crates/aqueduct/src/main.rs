//! The `aqueduct` command. Everything is in the library; this hands over the command line and reports the exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    aqueduct::run(std::env::args_os())
}
