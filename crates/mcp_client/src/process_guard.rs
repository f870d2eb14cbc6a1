//! The guard: a small process between this one and a server's, which ends the server and everything that it started
//! when this process is gone, however it went.
//!
//! Started as `PROGRAM __guard PARENT -- COMMAND ARGS...`, in a process group of its own, with the server's standard
//! streams. It ends the tree when its parent dies, when it is told to (TERM, INT, HUP), and when the command has ended
//! by itself; then it passes the command's exit status on. On Linux it adopts orphans, so that descendants which left
//! the group or the session are ended too.

#[cfg(unix)]
mod parent;
#[cfg(unix)]
mod tree;
#[cfg(unix)]
mod unix;

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the guard; the arguments are those after `__guard`.
pub fn guard_main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut args = args.into_iter();
    let parent = args.next().and_then(|parent| parent.to_str().and_then(|parent| parent.parse().ok()));
    let command: Vec<OsString> = args.skip(1).collect();
    match (parent, command.is_empty()) {
        (Some(parent), false) => run(parent, &command),
        _ => ExitCode::from(2),
    }
}

#[cfg(unix)]
fn run(parent: i32, command: &[OsString]) -> ExitCode {
    unix::run(parent, command)
}

/// Without process groups there is nothing to guard with: the command runs as a plain child.
#[cfg(not(unix))]
fn run(_parent: i32, command: &[OsString]) -> ExitCode {
    let status = std::process::Command::new(&command[0]).args(&command[1..]).status();
    let code = status.ok().and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
    ExitCode::from(code.unwrap_or(127))
}
