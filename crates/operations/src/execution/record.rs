//! One execution: whose it is, what it belongs to, its state, and what its job has told.
//!
//! Events and observations in; the next version of it out. The state is private: nothing but an event that the table allows changes
//! it, and an end keeps its time, result and error until a retry.

use super::state_machine::{ExecutionEvent, ExecutionState, IllegalTransition};
use crate::call::{CallOrigin, Caller, Scopes, SessionId};
use crate::clock::{iso8601, later};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// What is known of a job once its API has answered the call that starts it.
const STARTED: &str = "started";

/// Whose an execution is. A caller with a name of their own has it from every session; else it belongs to its session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionOwner {
    /// The session that started it.
    pub session: String,
    /// The name of the caller's token.
    pub caller: Option<String>,
    /// What the caller may do; nothing is everything.
    pub scopes: Option<Vec<String>>,
}

impl ExecutionOwner {
    /// The owner of what this call starts.
    pub fn of(origin: &CallOrigin) -> ExecutionOwner {
        ExecutionOwner {
            session: origin.session.as_str().to_owned(),
            caller: origin.caller.token().map(|name| name.to_string()),
            scopes: origin.scopes.restricted().map(<[String]>::to_vec),
        }
    }

    /// Where its requests come from when no caller waits for them.
    pub fn origin(&self) -> CallOrigin {
        let caller = self.caller.as_deref().map_or_else(Caller::local, Caller::named);
        let scopes = self.scopes.clone().map_or_else(Scopes::unrestricted, Scopes::only);
        CallOrigin::new(SessionId::new(self.session.as_str()), caller, scopes)
    }

    /// Whose executions this caller sees: its own by name; without a name those of the session, and what outlives the sessions of the
    /// one who runs this server.
    pub fn keys(&self) -> Vec<String> {
        match &self.caller {
            Some(_) => vec![self.key(true)],
            None => vec![self.key(false), self.key(true)],
        }
    }

    fn key(&self, carries_on: bool) -> String {
        match &self.caller {
            Some(name) => format!("caller:{name}"),
            None if carries_on => "local".to_owned(),
            None => format!("session:{}", self.session),
        }
    }
}

/// What an execution begins with, and keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionSpec {
    /// A name that cannot be guessed.
    pub id: String,
    /// Whose it is.
    pub owner: ExecutionOwner,
    /// The source.
    pub source: String,
    /// The operation's name in its source.
    pub operation: String,
    /// It goes on when its session ends (ruling S11).
    pub carries_on: bool,
    /// A failed one can be tried again.
    pub supports_retry: bool,
    /// When no caller waits for it any more.
    #[serde(rename = "gives_up_after_seconds", with = "seconds")]
    pub gives_up_after: Duration,
}

/// What a job has told.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observation {
    /// Its state, if it is one that is known.
    pub state: Option<ExecutionState>,
    /// The name that the state has of its own.
    pub custom: Option<String>,
    /// How far it is.
    pub progress: Option<Value>,
    /// What it gave.
    pub result: Option<Value>,
    /// Bytes of a result that is too large to be kept.
    pub result_left_out: Option<u64>,
    /// Why it failed: `{code, message, details?}`.
    pub error: Option<Value>,
}

/// One execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Execution {
    /// What it began with.
    #[serde(flatten)]
    pub spec: ExecutionSpec,
    #[serde(with = "state_name")]
    state: ExecutionState,
    custom: Option<String>,
    /// What steps need: `id`, `location`, `params.NAME`, `response.PATH`.
    pub known: Map<String, Value>,
    /// How far it is.
    pub progress: Option<Value>,
    /// Why it failed.
    pub error: Option<Value>,
    /// What it gave.
    #[serde(skip)]
    pub result: Option<Value>,
    /// Bytes of a result that was not kept.
    pub result_left_out: Option<u64>,
    #[serde(with = "millis")]
    created_at: Timestamp,
    #[serde(with = "optional_millis")]
    started_at: Option<Timestamp>,
    #[serde(with = "optional_millis")]
    finished_at: Option<Timestamp>,
    #[serde(with = "millis")]
    gives_up_at: Timestamp,
    /// How often its state was asked for.
    pub polls: u32,
    /// When its job was asked last, or told something by itself.
    #[serde(default, with = "optional_millis")]
    pub asked_at: Option<Timestamp>,
    /// Who has cancelled it, where it was neither its owner nor its API.
    #[serde(default)]
    pub cancelled_by: Option<CancelledBy>,
    /// Whether the API of a cancelled one was told to end the job.
    #[serde(default)]
    pub stop: Option<JobStop>,
}

/// Somebody else than its owner who has cancelled an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CancelledBy {
    /// An operator.
    Operator,
    /// The end of its session.
    SessionEnd,
    /// Its caller's token was taken back.
    Revocation,
}

/// When an execution was made, and when something of it was last learnt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExecutionTimes {
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ended, else when its job was asked last, started or was made.
    pub updated_at: Timestamp,
}

/// What became of telling an API that its job is not wanted any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobStop {
    /// Its follower has yet to tell it.
    Due,
    /// It was told.
    Told,
    /// Its adapter does not say how.
    NoWay,
    /// It could not be told, or did not want to hear it.
    Failed,
}

impl Execution {
    /// One that is pending.
    pub fn new(spec: ExecutionSpec, now: Timestamp) -> Execution {
        Execution {
            gives_up_at: later(now, spec.gives_up_after),
            spec,
            state: ExecutionState::Pending,
            custom: None,
            known: Map::new(),
            progress: None,
            error: None,
            result: None,
            result_left_out: None,
            created_at: now,
            started_at: None,
            finished_at: None,
            polls: 0,
            asked_at: None,
            cancelled_by: None,
            stop: None,
        }
    }

    /// What the executions of its owner have in common.
    pub fn owner_key(&self) -> String {
        self.spec.owner.key(self.spec.carries_on)
    }

    /// Its core state.
    pub fn state(&self) -> ExecutionState {
        self.state
    }

    /// The state as clients see it: by its own name where it has one.
    pub fn status(&self) -> &str {
        self.custom.as_deref().unwrap_or(self.state.name())
    }

    /// Notes that its API has answered the call that starts the job.
    pub fn note_started(&mut self) {
        self.known.insert(STARTED.to_owned(), true.into());
    }

    /// Whether its API has answered the call that starts the job: there is one that can be asked, and ended.
    pub fn has_job(&self) -> bool {
        self.known.contains_key(STARTED)
    }

    /// When it was made.
    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// When it was made, and last learnt of.
    pub fn times(&self) -> ExecutionTimes {
        let updated_at = self.finished_at.or(self.asked_at.max(self.started_at)).unwrap_or(self.created_at);
        ExecutionTimes { created_at: self.created_at, updated_at }
    }

    /// When it started.
    pub fn started_at(&self) -> Option<Timestamp> {
        self.started_at
    }

    /// When it ended.
    pub fn finished_at(&self) -> Option<Timestamp> {
        self.finished_at
    }

    /// When no caller waits for it any more.
    pub fn gives_up_at(&self) -> Timestamp {
        self.gives_up_at
    }

    /// Lets an event happen. What the table does not allow changes nothing.
    pub fn apply(&mut self, event: ExecutionEvent, now: Timestamp) -> Result<(), IllegalTransition> {
        let next = self.state.after(event, self.spec.supports_retry)?;
        self.custom = None;
        match event {
            ExecutionEvent::Start => self.started_at = Some(now),
            ExecutionEvent::Retry => {
                (self.finished_at, self.error, self.result, self.result_left_out) = (None, None, None, None);
                (self.progress, self.stop, self.cancelled_by) = (None, None, None);
                self.polls = 0;
                self.gives_up_at = later(now, self.spec.gives_up_after);
            }
            ExecutionEvent::Succeed | ExecutionEvent::Fail | ExecutionEvent::Cancel => {
                self.finished_at = Some(now);
            }
        }
        self.state = next;
        Ok(())
    }

    /// Takes what its job has told. An end stays as it is, and no state goes back.
    pub fn observe(&mut self, observation: Observation, now: Timestamp) {
        if self.state.is_terminal() {
            return;
        }
        let Observation { state, custom, progress, result, result_left_out, error } = observation;
        if progress.is_some() {
            self.progress = progress;
        }
        let Some(state) = state else { return };
        for event in self.state.events_towards(state) {
            // The table has every one of them.
            if self.apply(*event, now).is_err() {
                return;
            }
        }
        match self.state {
            ExecutionState::Completed => (self.result, self.result_left_out) = (result, result_left_out),
            ExecutionState::Failed => self.error = Some(error.unwrap_or_else(unexplained)),
            ExecutionState::Pending | ExecutionState::Running if self.state == state => self.custom = custom,
            _ => {}
        }
    }

    /// Ends it with an error of ours: it starts first where it had not.
    pub fn fail(&mut self, error: Value, now: Timestamp) {
        let observation =
            Observation { state: Some(ExecutionState::Failed), error: Some(error), ..Observation::default() };
        self.observe(observation, now);
    }

    /// The same without what it gave.
    #[must_use]
    pub fn without_result(&self) -> Execution {
        Execution { result: None, ..self.clone() }
    }

    /// The execution state of the core specification, section 8.4.3.
    pub fn to_json(&self) -> Value {
        let mut shown = json!({"execution_id": self.spec.id, "status": self.status()});
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                shown[key] = value;
            }
        };
        put("started_at", self.started_at.map(|at| iso8601(at).into()));
        put("finished_at", self.finished_at.map(|at| iso8601(at).into()));
        put("progress", self.progress.clone());
        put("error", self.error.clone().filter(|_| self.state == ExecutionState::Failed));
        put("result", self.result.clone());
        shown
    }
}

fn unexplained() -> Value {
    json!({"code": "INTERNAL_ERROR", "message": "The job failed, and its API does not say why."})
}

mod state_name {
    use super::ExecutionState;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(state: &ExecutionState, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(state.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ExecutionState, D::Error> {
        let name = String::deserialize(from)?;
        ExecutionState::parse(&name).ok_or_else(|| D::Error::custom("no state has this name"))
    }
}

mod seconds {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(span: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(span.as_secs())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_secs)
    }
}

mod millis {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(at: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(at.as_millisecond())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        Timestamp::from_millisecond(i64::deserialize(from)?).map_err(D::Error::custom)
    }
}

mod optional_millis {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(at: &Option<Timestamp>, to: S) -> Result<S::Ok, S::Error> {
        match at {
            Some(at) => to.serialize_some(&at.as_millisecond()),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
        let millis = Option::<i64>::deserialize(from)?;
        millis.map(Timestamp::from_millisecond).transpose().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests;
