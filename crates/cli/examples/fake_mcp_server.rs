//! A fake MCP server as a program, for the tests that start one.

use std::process::ExitCode;

fn main() -> ExitCode {
    aqueduct_testkit::mcp::stdio::main(std::env::args().skip(1))
}
