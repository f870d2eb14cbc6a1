//! `demo`: the embedded bookshop, served over HTTP; or the to-do list that the samples call.
//!
//! An address in, an exit code out when a signal comes. What to paste and what to try goes to stderr first.

use super::client_config::{Client, ClientEntry, this_program};
use super::runtime;
use super::serve::{ListenAddress, over_http};
use crate::config::{OperatorListen, ResolvedConfig};
use crate::demo;
use crate::report::{self, CommandError, Exit};
use aqueduct::{Aqueduct, SourceSettings};
use aqueduct_dispatch::DispatchSettings;
use tokio::net::TcpListener;

/// Calls that a newcomer can make, with nothing installed: a search, a change, and a removal that needs a yes.
const TO_TRY: [&str; 3] = [
    "call demo search_books q=verne",
    "call demo update_book book_id=10 price_cents=1290",
    "call demo delete_book book_id=3",
];

/// Serves the sample.
pub fn demo(address: &str) -> Result<Exit, CommandError> {
    let builder = Aqueduct::builder().dispatch(DispatchSettings { asks_people: true, ..Default::default() });
    let builder = demo::add_to(builder, SourceSettings::default()).map_err(CommandError::io)?;
    // The path is not known where there is no /proc, in a directory with nothing but the program. Its name will do then.
    let welcome = welcome(&this_program().unwrap_or_else(|_| "aqueduct".to_owned()));
    let config = ResolvedConfig::unset(builder);
    let address = ListenAddress { text: address.to_owned(), at_fault: Exit::Invalid };
    over_http(config, &address, OperatorListen::Nowhere, Some(&welcome))
}

/// Runs the API of the to-do list, until the process is ended.
pub fn todos(address: &str) -> Result<Exit, CommandError> {
    let cannot = |error: std::io::Error| {
        CommandError::io(format!(
            "cannot listen on {address}: {error}; choose another address with --todos ADDR"
        ))
    };
    runtime()?.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(cannot)?;
        let bound = listener.local_addr().map_err(cannot)?;
        report::address(&format!("listening on http://{bound}"));
        report::note(
            "This is the to-do list that the samples call, with two things to do. End it with Ctrl-C.",
        );
        demo::todos::serve(listener).await.map_err(CommandError::io)?;
        Ok(Exit::Done)
    })
}

fn welcome(program: &str) -> String {
    let entry = ClientEntry::Program {
        command: program.to_owned(),
        arguments: vec!["serve".to_owned(), demo::WORD.to_owned()],
        variables: Vec::new(),
    };
    let snippet = entry.snippet(Client::ClaudeDesktop, "bookshop");
    let program = quoted(program);
    let commands = TO_TRY.map(|command| format!("  {program} {command}")).join("\n");
    format!(
        "A sample bookshop is open on this machine, with twenty books. End it with Ctrl-C.\n\n\
         A client that speaks HTTP takes the address above. One that starts programs, such as Claude Desktop, takes \
         this\n(for other clients: {program} client-config CLIENT demo):\n\
         {snippet}\n\n\
         By hand, in another terminal, try these; each opens a shop of its own, and the last one asks for your yes:\n\
         {commands}"
    )
}

/// The program as a shell takes it.
fn quoted(program: &str) -> String {
    let is_plain = program.chars().all(|c| c.is_ascii_alphanumeric() || "/\\:._-+".contains(c));
    match (is_plain, cfg!(windows)) {
        (true, _) => program.to_owned(),
        (false, true) => format!("\"{program}\""),
        (false, false) => format!("'{}'", program.replace('\'', "'\\''")),
    }
}

#[cfg(all(test, unix))]
mod tests;
