//! A server as a child process: started, listened to on its standard error, ended with all its descendants.
//!
//! Through the guard when there is one: then nothing is left behind even when this process is killed. Without it the
//! child leads a process group of its own, which is signalled as a whole.

use crate::environment;
use crate::settings::ClientSettings;
use aqueduct_egress::environment::{Environment, UnsetVariable, expand};
use aqueduct_egress::lines::{BoundedLine, BoundedLines};
use aqueduct_egress::redact::Redactor;
use aqueduct_operations::named_secret::NamedSecret;
use secrecy::ExposeSecret;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::AsyncRead;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

/// How much of a line of standard error is logged.
const LONGEST_LINE: usize = 4_096;

/// How much of one is looked through for secrets: those that the logged part ends in are found whole.
const LONGEST_READ: usize = 64 * 1024;

/// How many of its last lines are kept, to say why it ended.
const LAST_LINES: usize = 5;

/// How long the last of them are waited for.
const STDERR_TIMEOUT: Duration = Duration::from_millis(200);

/// What is to be started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChildProgram<'a> {
    /// The server's name.
    pub(crate) server: &'a str,
    /// The program.
    pub(crate) command: &'a str,
    /// Its arguments.
    pub(crate) args: &'a [String],
    /// Variables for it.
    pub(crate) env: &'a [NamedSecret],
    /// Where it starts.
    pub(crate) cwd: Option<&'a Path>,
    /// What it must not give away.
    pub(crate) redactor: &'a Arc<Redactor>,
}

/// Why a child could not be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    /// A variable is missing.
    #[error(transparent)]
    Unset(#[from] UnsetVariable),
    /// There is no such program.
    #[error("its command '{0}' was not found")]
    NoCommand(String),
    /// The system says no.
    #[error("it could not be started: {0}")]
    System(#[from] io::Error),
}

/// A running child.
#[derive(Debug)]
pub(crate) struct ChildProcess {
    child: Child,
    group: Option<u32>,
    is_guarded: bool,
    stderr_task: JoinHandle<()>,
    last_lines: Arc<Mutex<VecDeque<String>>>,
}

/// Its standard streams.
pub(crate) type ChildStreams = (ChildStdout, ChildStdin);

/// Starts a child.
pub(crate) fn start(
    program: ChildProgram<'_>,
    settings: &ClientSettings,
    environment: &dyn Environment,
) -> Result<(ChildProcess, ChildStreams), StartError> {
    let variables = environment::of_child(program.env, environment)?;
    let expand = |text: &str| expand(text, environment).map(|value| value.expose_secret().to_owned());
    let command = expand(program.command)?;
    let cwd = program.cwd.and_then(Path::to_str).map(expand).transpose()?.map(PathBuf::from);
    if !is_installed(&command, cwd.as_deref(), &variables) {
        return Err(StartError::NoCommand(command));
    }
    let mut words: Vec<OsString> = vec![command.into()];
    for argument in program.args {
        words.push(expand(argument)?.into());
    }
    if let Some(guard) = &settings.guard {
        let before = [guard.into(), "__guard".into(), std::process::id().to_string().into(), "--".into()];
        words.splice(0..0, before);
    }
    let mut started = Command::new(&words[0]);
    started.args(&words[1..]).env_clear();
    started.envs(variables.iter().map(|variable| (&variable.name, variable.value.expose_secret())));
    started.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    started.kill_on_drop(settings.guard.is_none());
    if let Some(cwd) = cwd {
        started.current_dir(cwd);
    }
    #[cfg(unix)]
    started.process_group(0);
    let mut child = started.spawn()?;
    let (Some(stdout), Some(stdin), Some(stderr)) =
        (child.stdout.take(), child.stdin.take(), child.stderr.take())
    else {
        return Err(io::Error::other("its streams are missing").into());
    };
    let last_lines = Arc::new(Mutex::new(VecDeque::new()));
    let redactor = Arc::clone(program.redactor);
    let stderr_task =
        tokio::spawn(log_stderr(program.server.to_owned(), stderr, redactor, Arc::clone(&last_lines)));
    let process = ChildProcess {
        group: child.id(),
        child,
        is_guarded: settings.guard.is_some(),
        stderr_task,
        last_lines,
    };
    Ok((process, (stdout, stdin)))
}

/// Whether there is such a program: a guard that cannot start it could only say so in its exit status.
#[cfg(unix)]
fn is_installed(command: &str, cwd: Option<&Path>, environment: &[NamedSecret]) -> bool {
    if command.contains('/') {
        let path = cwd.map_or_else(|| PathBuf::from(command), |cwd| cwd.join(command));
        return path.exists() || Path::new(command).exists();
    }
    let folders = environment.iter().find(|each| each.name == "PATH").map(|path| path.value.expose_secret());
    folders.is_none_or(|folders| std::env::split_paths(folders).any(|folder| folder.join(command).is_file()))
}

#[cfg(not(unix))]
fn is_installed(_command: &str, _cwd: Option<&Path>, _environment: &[NamedSecret]) -> bool {
    true
}

/// Logs what a child says on its standard error.
async fn log_stderr(
    server: String,
    stderr: impl AsyncRead + Unpin,
    redactor: Arc<Redactor>,
    last_lines: Arc<Mutex<VecDeque<String>>>,
) {
    let mut lines = BoundedLines::new(stderr, LONGEST_READ);
    while let Ok(Some(BoundedLine::Whole(line) | BoundedLine::TooLong { head: line, .. })) =
        lines.next().await
    {
        let mut text = redactor.data(String::from_utf8_lossy(&line).trim_end()).into_owned();
        text.truncate(text.floor_char_boundary(LONGEST_LINE));
        if text.is_empty() {
            continue;
        }
        tracing::debug!(target: "aqueduct::mcp", server, "{text}");
        let mut last_lines = last_lines.lock().unwrap_or_else(PoisonError::into_inner);
        if last_lines.len() == LAST_LINES {
            last_lines.pop_front();
        }
        last_lines.push_back(text);
    }
}

impl ChildProcess {
    /// Waits until it has ended by itself.
    pub(crate) async fn ended(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Ends it, and gives its status and the end of what it said on its standard error.
    pub(crate) async fn end(mut self, grace: Duration) -> (Option<ExitStatus>, Vec<String>) {
        let status = self.wait_or_kill(grace).await;
        // A descendant may hold the stream open.
        tokio::time::timeout(STDERR_TIMEOUT, &mut self.stderr_task).await.ok();
        self.stderr_task.abort();
        let words = self.last_lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        (status, words)
    }

    /// Its input has been closed. A process that does not exit within the grace period gets TERM, then KILL.
    async fn wait_or_kill(&mut self, grace: Duration) -> Option<ExitStatus> {
        let mut ended = tokio::time::timeout(grace, self.child.wait()).await;
        if !matches!(ended, Ok(Ok(_))) {
            self.signal(KillMode::Terminate);
            // A guard needs time to end what it guards.
            let wait = if self.is_guarded { Duration::from_secs(3) } else { Duration::from_secs(1) };
            ended = tokio::time::timeout(wait, self.child.wait()).await;
        }
        // Descendants that outlived the child are ended too.
        self.signal(KillMode::Kill);
        self.group = None;
        if let Ok(Ok(status)) = ended {
            return Some(status);
        }
        self.child.kill().await.ok();
        self.child.wait().await.ok()
    }

    #[cfg(unix)]
    fn signal(&self, mode: KillMode) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = self.group.and_then(|group| i32::try_from(group).ok()).and_then(Pid::from_raw);
        let signal = match mode {
            KillMode::Terminate => Signal::TERM,
            KillMode::Kill => Signal::KILL,
        };
        if let Some(Err(error)) = group.map(|group| kill_process_group(group, signal)) {
            tracing::trace!(target: "aqueduct::mcp", %error, "there was nobody to signal");
        }
    }

    #[cfg(not(unix))]
    fn signal(&self, _force: KillMode) {}
}

#[derive(Debug, Clone, Copy)]
enum KillMode {
    Terminate,
    Kill,
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        if self.group.is_some() {
            self.signal(if self.is_guarded { KillMode::Terminate } else { KillMode::Kill });
        }
    }
}

#[cfg(test)]
mod tests;
