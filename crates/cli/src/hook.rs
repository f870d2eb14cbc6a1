//! Tells somebody that a call, an agent or a quota waits for a person: a command of the operator's, or a notification on the desktop.
//!
//! What waits in; that it failed out. A command gets one JSON object on standard input, and nothing of a call in its arguments or its
//! environment; no shell reads anything. No caller waits for it, it has a bounded time, and what it says or how it ends decides nothing.

mod desktop;

use aqueduct_operations::clock::iso8601;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::rate_limits::metering::PausedQuota;
use aqueduct_operations::rate_limits::status::CounterStatus;
use aqueduct_safety::command_group::CommandGroup;
use aqueduct_safety::hooks::{HookFailure, WaitingAgent, WaitingCalls, WaitingListener};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// How long a command may take.
const LONGEST: Duration = Duration::from_secs(10);

/// Commands that run at the same time, and those that wait for it.
const MOST_RUNNING: usize = 4;
const MOST_WAITING: usize = 100;

/// Variables that a command gets: what programs need, where the desktop is, and what is named for it.
const BASE: &str = "PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_ALL LC_CTYPE TZ TMPDIR XDG_CONFIG_HOME XDG_RUNTIME_DIR DISPLAY \
                    WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS SSL_CERT_FILE SSL_CERT_DIR SystemRoot PATHEXT TEMP TMP";
const OWN_PREFIX: &str = "AQUEDUCT_HOOK_";

/// Everyone who is told.
#[derive(Debug, Clone)]
pub struct Hooks {
    /// Told of every call that needs a yes.
    confirmation: Option<Vec<String>>,
    /// Told of those that wait for the operator.
    operator: Option<Vec<String>>,
    /// Shows those that wait for the operator on the desktop.
    desktop: bool,
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

/// One command, and whose it is.
struct HookCommand {
    whose: &'static str,
    words: Vec<String>,
    input: String,
}

impl Hooks {
    /// These commands, each with its words; none if no one is told.
    pub fn new(
        confirmation: Option<Vec<String>>,
        operator: Option<Vec<String>>,
        desktop: bool,
    ) -> Option<Hooks> {
        let (running, waiting) = (Semaphore::new(MOST_RUNNING), Semaphore::new(MOST_WAITING));
        let (running, waiting) = (Arc::new(running), Arc::new(waiting));
        let is_any = confirmation.is_some() || operator.is_some() || desktop;
        is_any.then_some(Hooks { confirmation, operator, desktop, running, waiting })
    }

    /// The commands that are told of these calls.
    fn commands(&self, what: &WaitingCalls) -> Vec<HookCommand> {
        let told = message(what);
        let mut all: Vec<HookCommand> =
            command("the hook of [confirmation]", self.confirmation.as_ref(), &told).into_iter().collect();
        if what.approval.is_some() {
            all.extend(self.for_operator(&told, || desktop::words(what)));
        }
        all
    }

    /// The commands that are told of what the operator alone can answer.
    fn for_operator(&self, told: &Value, words: impl FnOnce() -> Vec<String>) -> Vec<HookCommand> {
        let hook = command("the hook of [operator]", self.operator.as_ref(), told);
        let words = self.desktop.then(words);
        let desktop = words.map(|words| HookCommand { whose: "the desktop", words, input: String::new() });
        hook.into_iter().chain(desktop).collect()
    }

    /// Runs them one after the other.
    fn deliver(&self, commands: Vec<HookCommand>) -> Boxed<'static, Result<(), HookFailure>> {
        let (running, waiting) = (Arc::clone(&self.running), Arc::clone(&self.waiting));
        Box::pin(async move {
            let Ok(_place) = waiting.try_acquire() else {
                return Err(HookFailure("too many wait to be told of".to_owned()));
            };
            let mut failures = Vec::new();
            for hook_command in commands {
                // It is never closed.
                let _slot = running.acquire().await.ok();
                failures.extend(
                    run(&hook_command).await.err().map(|why| format!("{} {why}", hook_command.whose)),
                );
            }
            if failures.is_empty() { Ok(()) } else { Err(HookFailure(failures.join("; "))) }
        })
    }
}

/// A command of the operator's, and what it reads.
fn command(whose: &'static str, words: Option<&Vec<String>>, told: &Value) -> Option<HookCommand> {
    words.map(|words| HookCommand { whose, words: words.clone(), input: format!("{told}\n") })
}

impl WaitingListener for Hooks {
    fn notify(&self, what: WaitingCalls) -> Boxed<'static, Result<(), HookFailure>> {
        self.deliver(self.commands(&what))
    }

    fn notify_of_agent(&self, what: WaitingAgent) -> Boxed<'static, Result<(), HookFailure>> {
        let told = json!({
            "event": "agent_waiting",
            "agent": what.agent,
            "caller": what.caller,
            "state": what.state,
            "next_action_hint": what.hint,
            "reason": what.reason,
        });
        self.deliver(self.for_operator(&told, || desktop::words_of_agent(&what)))
    }

    fn notify_of_quota(&self, what: PausedQuota) -> Boxed<'static, Result<(), HookFailure>> {
        let number = CounterStatus::number;
        let told = json!({
            "event": "quota_paused",
            "source": what.source,
            "metric": what.metric,
            "current": number(what.current),
            "pause": number(what.pause),
            "hard_stop": what.hard_stop.map(number),
            "resets_at": iso8601(what.resets_at),
        });
        self.deliver(self.for_operator(&told, || desktop::words_of_quota(&what)))
    }
}

/// What a command reads. There is no token in it, nor the session, which lets others in.
fn message(what: &WaitingCalls) -> Value {
    let event = if what.approval.is_some() { "approval_waiting" } else { "confirmation_needed" };
    json!({
        "event": event,
        "approval_id": what.approval,
        "caller": what.caller,
        "danger_level": what.danger.name(),
        "rule": what.rule,
        "expires_at": iso8601(what.expires_at),
        "calls": what.calls,
    })
}

/// Runs a command to its end; how it failed, if it did.
async fn run(hook_command: &HookCommand) -> Result<(), String> {
    let Some((program, arguments)) = hook_command.words.split_first() else { return Ok(()) };
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(std::env::vars_os().filter(|(name, _)| is_given(name)));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let (mut child, mut group) =
        CommandGroup::spawn(&mut command).map_err(|error| format!("cannot be started: {}", error.kind()))?;
    let input = child.stdin.take();
    let running = async {
        if let Some(mut input) = input {
            // A command that does not read is judged by how it ends.
            input.write_all(hook_command.input.as_bytes()).await.ok();
        }
        child.wait().await
    };
    let ended = timeout(LONGEST, running).await;
    if ended.is_ok() {
        group.has_ended();
    }
    match ended {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(match status.code() {
            Some(code) => format!("ended with code {code}"),
            None => "was ended by a signal".to_owned(),
        }),
        Ok(Err(error)) => Err(format!("cannot be waited for: {}", error.kind())),
        Err(_) => Err(format!("took longer than {} seconds, and was ended", LONGEST.as_secs())),
    }
}

fn is_given(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(OWN_PREFIX) || BASE.split_whitespace().any(|given| given == name)
}
