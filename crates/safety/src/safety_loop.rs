//! The safety loop: agents begin, report what they are about to do, and are told whether they may (core specification, 8.6 to 8.8).
//!
//! Calls of the loop's operations in, directives out. `agents` decides, the store keeps; here they are put together, for one server
//! in one mode. `operations` are the operations, `watch` is what the gatekeeper asks about all others.

mod handlers;
mod operations;
mod report;
mod scorer_hook;
mod served;
mod watch;

pub use operations::entries;
pub use scorer_hook::ScorerHook;
pub use served::ServedOperations;
pub use watch::LoopWatch;

use crate::agents::agent_name::{AgentName, BadAgentName};
use crate::agents::folded_text::{FoldedText, words_of};
use crate::agents::settings::{AgentSettings, BadList, MergedSettings, merged};
use crate::hooks::{HookFailure, WaitingAgent, WaitingListener};
use aqueduct_operations::autonomy::{AutonomySettings, SafetyMode};
use aqueduct_operations::clock::Clock;
use aqueduct_operations::handler::HandlerError;
use aqueduct_store::audit::AuditEntry;
use aqueduct_store::audit::entry::event;
use aqueduct_store::{Store, StoreError};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;

/// How often an instance says that it runs: well below what counts as silence.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// How long a challenge is good by default.
pub const CHALLENGE_TTL: Duration = Duration::from_secs(300);

/// What the operator sets.
#[derive(Debug, Clone)]
pub struct LoopSettings {
    /// What the loop does.
    pub mode: SafetyMode,
    /// How far agents may go.
    pub autonomy: AutonomySettings,
    /// What scores instead of the rules.
    pub scorer: Option<ScorerHook>,
    /// How long a challenge is good.
    pub challenge_ttl: Duration,
}

impl LoopSettings {
    /// The defaults, in a mode.
    pub fn in_mode(mode: SafetyMode) -> LoopSettings {
        LoopSettings {
            mode,
            autonomy: AutonomySettings::default(),
            scorer: None,
            challenge_ttl: CHALLENGE_TTL,
        }
    }

    /// Finds the first pattern that cannot be used.
    pub fn check(&self) -> Result<(), BadList> {
        AgentSettings::of("", &self.autonomy, &[])?;
        for name in self.autonomy.agents.keys() {
            let key = AgentName::parse(name).map(|name| name.key().to_owned()).unwrap_or_default();
            AgentSettings::of(&key, &self.autonomy, &[])?;
        }
        Ok(())
    }
}

/// The loop of one server.
#[derive(Debug)]
pub struct SafetyLoop {
    store: Store,
    settings: LoopSettings,
    clock: Arc<dyn Clock>,
    /// This process: runs and pauses that wait for a code end with it, and hold in all others as long as it is heard of.
    instance: String,
    /// Told of agents that wait for a person.
    listener: Option<Arc<dyn WaitingListener>>,
    compiled: Mutex<Compiled>,
    /// Says to other instances that this one runs, from its first run of an agent on. Ends with the loop.
    heartbeat: Mutex<JoinSet<()>>,
}

/// Settings by agent, compiled when an agent first reports.
#[derive(Debug, Default)]
struct Compiled {
    sources: Arc<[AutonomySettings]>,
    by_agent: HashMap<String, Arc<AgentSettings>>,
    served: Arc<ServedOperations>,
}

/// Agents whose settings are kept compiled.
const MOST_COMPILED: usize = 1_000;

impl SafetyLoop {
    /// A loop that keeps what it knows in this store.
    pub fn new(store: Store, settings: LoopSettings, instance: String, clock: Arc<dyn Clock>) -> SafetyLoop {
        SafetyLoop {
            store,
            settings,
            clock,
            instance,
            listener: None,
            compiled: Mutex::default(),
            heartbeat: Mutex::default(),
        }
    }

    /// The same, which tells this listener of agents that wait for a person.
    #[must_use]
    pub fn telling(self, listener: Option<Arc<dyn WaitingListener>>) -> SafetyLoop {
        SafetyLoop { listener, ..self }
    }

    /// Tells whoever listens that an agent waits. Nobody waits for them; that they fail is in the audit.
    fn tell(&self, what: WaitingAgent) {
        let Some(listener) = &self.listener else { return };
        let (told, store) = (listener.notify_of_agent(what), self.store.clone());
        tokio::spawn(async move {
            if let Err(HookFailure(why)) = told.await {
                store.note_audit(AuditEntry::new(event::HOOK_FAILED, "failure").because(why));
            }
        });
    }

    /// From now on other instances hear that this one runs, so that its runs and pauses hold there too.
    fn keep_alive(&self) {
        let mut heartbeat = self.heartbeat.lock().unwrap_or_else(PoisonError::into_inner);
        if !heartbeat.is_empty() {
            return;
        }
        let (store, instance) = (self.store.clone(), self.instance.clone());
        heartbeat.spawn(async move {
            loop {
                tokio::time::sleep(HEARTBEAT).await;
                if let Err(error) = store.keep_agents(&instance).await {
                    tracing::warn!(target: "aqueduct::agents", %error, "other instances are not told that this one runs");
                }
            }
        });
    }

    /// This process ends, and its runs and pauses for a code end with it.
    pub async fn close(&self) {
        let mut heartbeat =
            std::mem::take(&mut *self.heartbeat.lock().unwrap_or_else(PoisonError::into_inner));
        let was_heard_of = !heartbeat.is_empty();
        heartbeat.shutdown().await;
        if was_heard_of && let Err(error) = self.store.forget_instance(&self.instance).await {
            tracing::warn!(target: "aqueduct::agents", %error, "other instances are not told that this one has ended");
        }
    }

    /// What the sources ask for, each for itself, which can only make the settings stricter; and their operations.
    pub fn set_sources(&self, sources: Vec<AutonomySettings>, served: ServedOperations) {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        *compiled = Compiled { sources: sources.into(), by_agent: HashMap::new(), served: Arc::new(served) };
    }

    fn served(&self) -> Arc<ServedOperations> {
        Arc::clone(&self.compiled.lock().unwrap_or_else(PoisonError::into_inner).served)
    }

    /// What the loop does.
    pub fn mode(&self) -> SafetyMode {
        self.settings.mode
    }

    /// The settings as introspection shows them, for no agent in particular.
    pub fn shown_settings(&self) -> Value {
        let sources = Arc::clone(&self.compiled.lock().unwrap_or_else(PoisonError::into_inner).sources);
        let MergedSettings { max_autonomous_steps, risk_tolerance, deny, requires_approval, auto_approve } =
            merged("", &self.settings.autonomy, &sources);
        json!({
            "max_autonomous_steps": max_autonomous_steps,
            "risk_tolerance": risk_tolerance.name(),
            "deny": deny,
            "requires_approval": requires_approval,
            "auto_approve": auto_approve,
            "challenge_ttl_seconds": self.settings.challenge_ttl.as_secs(),
        })
    }

    /// True where what is said of actions holds.
    fn is_enforcing(&self) -> bool {
        self.mode() == SafetyMode::Enforcing
    }

    fn settings_of(&self, agent: &AgentName) -> Result<Arc<AgentSettings>, HandlerError> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(settings) = compiled.by_agent.get(agent.key()) {
            return Ok(Arc::clone(settings));
        }
        let settings = AgentSettings::of(agent.key(), &self.settings.autonomy, &compiled.sources);
        // They were checked when they were loaded.
        let settings = Arc::new(settings.map_err(|error| HandlerError::failed(error.to_string()))?);
        if compiled.by_agent.len() >= MOST_COMPILED {
            compiled.by_agent.clear();
        }
        compiled.by_agent.insert(agent.key().to_owned(), Arc::clone(&settings));
        Ok(settings)
    }
}

/// A hint in all its spellings.
fn hint_key(hint: &str) -> String {
    words_of(&FoldedText::of(hint).plain).trim().to_owned()
}

/// The agent that a call names.
fn agent_of(values: &Map<String, Value>) -> Result<AgentName, HandlerError> {
    let name = text_of(values, "element_name").unwrap_or_default();
    AgentName::parse(name).map_err(|error| {
        let message = match error {
            BadAgentName::Empty => "The name of an agent needs a letter or a digit.".to_owned(),
            BadAgentName::TooLong => "The name of an agent has up to 128 characters.".to_owned(),
            BadAgentName::Ambiguous(c) => {
                format!("The name of an agent cannot have '{c}', which is read in two ways. Write it with another sign.")
            }
        };
        HandlerError::invalid("element_name", message)
    })
}

fn text_of<'v>(values: &'v Map<String, Value>, key: &str) -> Option<&'v str> {
    values.get(key).and_then(Value::as_str)
}

/// A store that is lost lets no one go on.
fn lost(error: StoreError) -> HandlerError {
    tracing::warn!(target: "aqueduct::agents", %error, "the safety loop cannot reach its store");
    HandlerError::unavailable(
        "What is known of agents cannot be reached now, so nothing may go on. Try again later.",
    )
}

/// A refusal with its facts.
fn denied(message: impl Into<String>, reason: &str, challenge: Option<&str>) -> HandlerError {
    let mut details = Map::new();
    details.insert("reason".to_owned(), reason.into());
    if let Some(challenge) = challenge {
        details.insert("verificationId".to_owned(), challenge.into());
    }
    HandlerError::Denied { message: message.into(), details }
}

fn blocked(agent: &AgentName, challenge: &str) -> HandlerError {
    denied(blocked_message(agent), "agent_blocked", Some(challenge))
}

fn blocked_message(agent: &AgentName) -> String {
    format!(
        "The agent '{}' is blocked. It may do nothing until a person enters the code of its challenge, which only the operator can \
         see. Report this to the user and stop.",
        agent.shown()
    )
}

#[cfg(test)]
mod tests;
