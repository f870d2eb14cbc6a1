//! The `aqueduct` command. Everything is in the library; this hands over the command line and reports the exit code.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// A call makes some hundred small allocations; this serves them faster than the system's allocator does.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    aqueduct::command_line::run(std::env::args_os())
}
