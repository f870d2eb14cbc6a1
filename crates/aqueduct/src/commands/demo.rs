//! `demo`: the embedded bookshop, served over standard input and output or over HTTP.
//!
//! An address or none in, an exit code out when the client hangs up or a signal comes. What to paste and what to try goes to stderr first.

use super::client_config::{Client, Entry, this_program};
use super::{build, pretty, serve};
use crate::report::{self, Exit, Stop};
use crate::{Aqueduct, SourceSettings, demo};

/// Calls that a newcomer can make, with nothing installed.
const TO_TRY: [&str; 3] = [
    "call demo list_books author_id=5",
    "call demo create_book title=\"The Invisible Man\" author_id=8 price_cents=900",
    "call demo execute_report month=2026-02",
];

/// Serves the sample.
pub fn demo(http: Option<&str>) -> Result<Exit, Stop> {
    let builder = Aqueduct::builder().source(demo::WORD, SourceSettings::default());
    let program = this_program()?;
    match http {
        Some(address) => serve::over_http(builder, address, Some(&welcome(&program, "HTTP"))),
        None => {
            let aqueduct = build(builder)?;
            report::note(&welcome(&program, "stdio"));
            serve::over_stdio(&aqueduct)
        }
    }
}

fn welcome(program: &str, door: &str) -> String {
    let entry = Entry {
        command: program.to_owned(),
        arguments: vec!["serve".to_owned(), demo::WORD.to_owned()],
        variables: Vec::new(),
    };
    let snippet = pretty(&entry.snippet(Client::ClaudeDesktop, "bookshop"));
    let program = quoted(program);
    let commands = TO_TRY.map(|command| format!("  {program} {command}")).join("\n");
    format!(
        "A sample bookshop is open on this machine, with twenty books, and is served over {door}.\n\n\
         For Claude Desktop, put this into its configuration ('client-config CLIENT demo' knows other clients too):\n\
         {snippet}\n\n\
         By hand, try these; each opens a shop of its own:\n\
         {commands}\n\
         A removal asks for your yes first: call demo delete_book book_id=3"
    )
}

/// The program as a shell takes it.
fn quoted(program: &str) -> String {
    let is_plain = program.chars().all(|c| c.is_alphanumeric() || "/\\:._-+".contains(c));
    if is_plain { program.to_owned() } else { format!("\"{program}\"") }
}
