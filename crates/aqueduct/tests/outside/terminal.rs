//! Runs a command with a terminal for standard input, and types into it.

use super::harness::{DEADLINE, Place, Ran, command};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read, Write};
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

/// Runs the binary with a terminal for standard error, and does something once this text is on it. Gives all that was drawn.
pub async fn watched_on_a_terminal(
    arguments: &[&str],
    variables: &[(&str, &str)],
    awaited: &str,
    then: impl FnOnce(),
) -> String {
    let place = Place::new();
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let terminal = ptsname(&screen, Vec::new()).unwrap().into_string().unwrap();
    let terminal = File::options().read(true).write(true).open(terminal).unwrap();
    let mut command = command(arguments, variables, &place.path());
    let mut child = command.stderr(terminal).spawn().unwrap();
    drop(command);
    let (sender, mut drawn) = tokio::sync::mpsc::unbounded_channel();
    // Reading ends with an error once nobody has the terminal open.
    std::thread::spawn(move || {
        let (mut screen, mut bytes) = (File::from(screen), [0; 1024]);
        while let Ok(count @ 1..) = screen.read(&mut bytes) {
            if sender.send(bytes[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let (mut seen, mut then) = (Vec::new(), Some(then));
    let watched = async {
        while let Some(bytes) = drawn.recv().await {
            seen.extend(bytes);
            if String::from_utf8_lossy(&seen).contains(awaited)
                && let Some(then) = then.take()
            {
                then();
            }
        }
    };
    timeout(DEADLINE, watched).await.expect("the command ends");
    assert!(timeout(DEADLINE, child.wait()).await.expect("the command ends").unwrap().success());
    String::from_utf8_lossy(&seen).into_owned()
}
