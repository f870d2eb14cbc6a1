//! A server that breaks one rule, as a program: the name of the fault, then the command of a right server.

use std::process::ExitCode;

fn main() -> ExitCode {
    aqueduct_testkit::mcp::proxy::main(std::env::args().skip(1))
}
