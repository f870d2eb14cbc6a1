//! `man`: the manual pages, made of the same definition as the help.
//!
//! The words of a command in, its page out; or a directory in, and the pages of the program and all its commands in it.

use crate::cli::Cli;
use crate::report::{self, CommandError, Exit};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::fs;
use std::path::Path;

/// Prints the page of a command, or of the program when no word names one.
pub fn print(words: &[String]) -> Result<Exit, CommandError> {
    let page = Man::new(command(words)?);
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| CommandError::io(format!("the page cannot be made: {error}")))?;
    report::data(String::from_utf8_lossy(&text).trim_end());
    Ok(Exit::Done)
}

/// Writes all pages into a directory, which is made where there is none.
pub fn write_all(folder: &Path) -> Result<Exit, CommandError> {
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    written.map_err(|error| {
        let shown = folder.display().to_string();
        CommandError::io(format!("{}: {error}", report::terminal_safe(&shown)))
    })?;
    Ok(Exit::Done)
}

fn command(words: &[String]) -> Result<Command, CommandError> {
    let mut found = Cli::command().disable_help_subcommand(true);
    // Names a page by all its words: aqueduct-operator-approve.
    found.build();
    for word in words {
        let next = found.find_subcommand(word).cloned().ok_or_else(|| {
            let names: Vec<&str> = found.get_subcommands().map(Command::get_name).collect();
            let known = if names.is_empty() {
                "it has no commands".to_owned()
            } else {
                format!("it has {}", names.join(", "))
            };
            let word = report::terminal_safe(word);
            CommandError::invalid(format!("'{}' has no command '{word}'; {known}", found.get_name()))
        })?;
        found = next;
    }
    Ok(found)
}
