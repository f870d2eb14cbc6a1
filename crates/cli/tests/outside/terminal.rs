//! Runs a command with a terminal: for standard input, and types into it, or for standard error, and reads it.

use super::harness::{DEADLINE, Place, Ran, command};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read, Write};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

/// Runs the binary in a folder of its own; what is typed is there before it asks.
pub async fn on_a_terminal(arguments: &[&str], variables: &[(&str, &str)], typed: &str) -> Ran {
    let place = Place::new();
    with_terminal(command(arguments, variables, &place.path()), typed).await
}

/// Runs any command so.
pub async fn with_terminal(mut command: tokio::process::Command, typed: &str) -> Ran {
    let (mut keyboard, terminal) = pair();
    keyboard.write_all(typed.as_bytes()).unwrap();
    let child = command.stdin(terminal).spawn().unwrap();
    let ended = timeout(DEADLINE, child.wait_with_output()).await.expect("the command ends").unwrap();
    Ran {
        code: ended.status.code().unwrap_or(-1),
        stdout: String::from_utf8(ended.stdout).unwrap(),
        stderr: String::from_utf8(ended.stderr).unwrap(),
    }
}

/// Both ends of a terminal: the person's, and the program's.
fn pair() -> (File, File) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let terminal = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
    let terminal = File::options().read(true).write(true).open(terminal).unwrap();
    (File::from(person), terminal)
}

/// What a command draws on a terminal.
pub struct Screen {
    drawn: UnboundedReceiver<String>,
    /// All that was drawn so far.
    pub seen: String,
}

impl Screen {
    /// Starts a command whose standard error is a terminal.
    pub fn of(mut command: tokio::process::Command) -> (tokio::process::Child, Screen) {
        let (mut person, terminal) = pair();
        let child = command.stderr(terminal).spawn().unwrap();
        let (sender, drawn) = unbounded_channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // Reading fails once the program is gone.
            while let Ok(count) = person.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..count]).into_owned();
                if count == 0 || sender.send(text).is_err() {
                    break;
                }
            }
        });
        (child, Screen { drawn, seen: String::new() })
    }

    /// Waits until this stands on the screen.
    pub async fn wait_for(&mut self, words: &str) {
        while !self.seen.contains(words) {
            let more = timeout(DEADLINE, self.drawn.recv()).await.expect("it is drawn");
            self.seen.push_str(&more.unwrap_or_else(|| panic!("no '{words}' in {:?}", self.seen)));
        }
    }

    /// Waits until the program is gone.
    pub async fn wait_for_the_end(&mut self) {
        while let Some(more) = timeout(DEADLINE, self.drawn.recv()).await.expect("the command ends") {
            self.seen.push_str(&more);
        }
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
    let (mut child, mut screen) = Screen::of(command(arguments, variables, &place.path()));
    screen.wait_for(awaited).await;
    then();
    screen.wait_for_the_end().await;
    assert!(timeout(DEADLINE, child.wait()).await.expect("the command ends").unwrap().success());
    screen.seen
}
