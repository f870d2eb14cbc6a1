//! The guard as a program, for the tests; the product runs it as a hidden command of its own binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    aqueduct_mcp_client::guard_main(std::env::args_os().skip(2))
}
