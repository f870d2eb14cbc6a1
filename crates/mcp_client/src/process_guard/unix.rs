//! The guard's work where there are process groups and signals.
//!
//! A command and the number of the parent come in, the command's exit status goes out. Whatever happens first, the
//! end of the command, of the parent, or a signal, every descendant is asked to end and then killed before this
//! returns.

use super::{parent, tree};
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process_group, wait};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

/// How long what is told to end may take.
const ASKED: Duration = Duration::from_millis(500);

/// How long killing goes on; only a process stuck in the system itself survives it.
const KILLING: Duration = Duration::from_secs(5);

const PAUSE: Duration = Duration::from_millis(10);

pub(crate) fn run(parent: i32, command: &[OsString]) -> ExitCode {
    adopt_orphans();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let outcome = runtime.and_then(|runtime| runtime.block_on(guard(parent, command)));
    outcome.unwrap_or_else(|error| {
        let command = command[0].to_string_lossy();
        writeln!(io::stderr(), "'{command}' could not be started: {error}").ok();
        ExitCode::from(127)
    })
}

#[cfg(target_os = "linux")]
fn adopt_orphans() {
    // Where this fails, orphans that left the group are the system's.
    rustix::process::set_child_subreaper(Some(getpid())).ok();
}

#[cfg(not(target_os = "linux"))]
fn adopt_orphans() {}

async fn guard(parent: i32, command: &[OsString]) -> io::Result<ExitCode> {
    let mut children = signal(SignalKind::child())?;
    let (mut term, mut interrupt, mut hang_up) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?, signal(SignalKind::hangup())?);
    let started = Command::new(&command[0]).args(&command[1..]).spawn()?;
    let main = i32::try_from(started.id()).ok().and_then(Pid::from_raw);
    let (parent_gone, mut gone) = oneshot::channel();
    std::thread::Builder::new().name("parent".into()).spawn(move || {
        parent::wait_for_end(parent);
        parent_gone.send(()).ok();
    })?;
    let mut status = None;
    while status.is_none() {
        tokio::select! {
            _ = children.recv() => status = reap(main),
            _ = &mut gone => break,
            _ = term.recv() => break,
            _ = interrupt.recv() => break,
            _ = hang_up.recv() => break,
        }
    }
    let status = end_tree(main, status).await;
    Ok(ExitCode::from(status.map_or(1, code)))
}

/// Ends all descendants: asked first, then killed until none is left.
async fn end_tree(main: Option<Pid>, mut status: Option<WaitStatus>) -> Option<WaitStatus> {
    tree::signal(Signal::TERM);
    kill_process_group(getpid(), Signal::TERM).ok();
    let began = Instant::now();
    while began.elapsed() < ASKED + KILLING {
        status = reap(main).or(status);
        if no_children_left() {
            break;
        }
        if began.elapsed() >= ASKED {
            tree::signal(Signal::KILL);
        }
        tokio::time::sleep(PAUSE).await;
    }
    status
}

/// True when there is nothing to wait for, neither children nor adopted ones.
fn no_children_left() -> bool {
    matches!(wait(WaitOptions::NOHANG), Err(rustix::io::Errno::CHILD))
}

/// Takes note of all children that have ended; gives the status of the command when it is among them.
fn reap(main: Option<Pid>) -> Option<WaitStatus> {
    let mut found = None;
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        if Some(pid) == main {
            found = Some(status);
        }
    }
    found
}

/// The exit status as a shell would give it.
fn code(status: WaitStatus) -> u8 {
    let signal = status.terminating_signal().map(|signal| 128 + signal);
    let code = status.exit_status().or(signal).unwrap_or(1);
    u8::try_from(code).unwrap_or(1)
}
