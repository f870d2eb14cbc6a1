//! Runs a command with a terminal for standard input, and types into it.

use super::harness::{DEADLINE, Place, Ran, command};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::Write;
use tokio::time::timeout;

/// Runs the binary in a folder of its own; what is typed is there before it asks.
pub async fn on_a_terminal(arguments: &[&str], variables: &[(&str, &str)], typed: &str) -> Ran {
    let place = Place::new();
    with_terminal(command(arguments, variables, &place.path()), typed).await
}

/// Runs any command so.
pub async fn with_terminal(mut command: tokio::process::Command, typed: &str) -> Ran {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&keyboard).unwrap();
    unlockpt(&keyboard).unwrap();
    let terminal = ptsname(&keyboard, Vec::new()).unwrap().into_string().unwrap();
    let terminal = File::options().read(true).write(true).open(terminal).unwrap();
    let mut keyboard = File::from(keyboard);
    keyboard.write_all(typed.as_bytes()).unwrap();
    let child = command.stdin(terminal).spawn().unwrap();
    let ended = timeout(DEADLINE, child.wait_with_output()).await.expect("the command ends").unwrap();
    Ran {
        code: ended.status.code().unwrap_or(-1),
        stdout: String::from_utf8(ended.stdout).unwrap(),
        stderr: String::from_utf8(ended.stderr).unwrap(),
    }
}
