//! What an operation declares about work that goes on after its call: how the job is named, asked about, cancelled, tried again
//! (core specification, section 8.4; the block `lifecycle` of adapter files).
//!
//! Sources fill it in. Dispatch starts and follows jobs by it; introspection shows it.

use crate::execution::ExecutionState;
use crate::naming::snake_case;
use crate::response::FieldPath;
use std::time::Duration;

/// How the jobs of an operation are followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifecycle {
    /// Where the job's identifier is, in the response that starts it.
    pub id: JobIdentifier,
    /// Who tells its state.
    pub status: StatusSource,
    /// Where the state is in what they tell; `status` or `state` if absent.
    pub state_path: Option<FieldPath>,
    /// What their states mean.
    pub states: Vec<(String, ExecutionState)>,
    /// Where the progress is.
    pub progress: Option<ProgressPaths>,
    /// Where the result is; all that is told in the end, if absent.
    pub result_path: Option<FieldPath>,
    /// Where the error is.
    pub error_path: Option<FieldPath>,
    /// The operation that ends a job.
    pub cancel: Option<LifecycleStep>,
    /// The operation that tries a failed job again.
    pub retry: Option<LifecycleStep>,
    /// The operation that tells of changes as they come.
    pub events: Option<LifecycleStep>,
    /// How often the state is asked for.
    pub poll: PollRule,
    /// Jobs go on when their session ends.
    pub detached: bool,
}

/// Where the identifier of a job is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobIdentifier {
    /// In the data.
    Path(FieldPath),
    /// In a header.
    Header(String),
}

/// Who tells the state of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatusSource {
    /// An operation of the same source.
    Operation(LifecycleStep),
    /// The address in the `Location` header of the response that started it.
    Location,
}

/// A call of another operation of the same source, about a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LifecycleStep {
    /// The operation's name in its source.
    pub operation: String,
    /// Where its parameters come from.
    pub params: Vec<(String, StepValue)>,
}

/// Where a parameter of a step comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepValue {
    /// The identifier of the job: `id`.
    Id,
    /// A parameter of the call that started it: `params.NAME`.
    Param(String),
    /// The response that started it: `response.PATH`.
    Response(FieldPath),
}

impl StepValue {
    /// Reads `id`, `params.NAME` or `response.PATH`.
    pub fn parse(text: &str) -> Option<StepValue> {
        match text.split_once('.') {
            None if text == "id" => Some(StepValue::Id),
            Some(("params", name)) if !name.is_empty() && !name.contains('.') => {
                Some(StepValue::Param(name.to_owned()))
            }
            Some(("response", path)) => FieldPath::parse(path).map(StepValue::Response),
            _ => None,
        }
    }

    /// The text that is read as it.
    pub fn text(&self) -> String {
        match self {
            StepValue::Id => "id".to_owned(),
            StepValue::Param(name) => format!("params.{name}"),
            StepValue::Response(path) => format!("response.{path}"),
        }
    }
}

/// Where the parts of the progress are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProgressPaths {
    /// 0 to 100.
    pub percentage: Option<FieldPath>,
    /// How many are done.
    pub current: Option<FieldPath>,
    /// Of how many.
    pub total: Option<FieldPath>,
    /// In words.
    pub message: Option<FieldPath>,
}

/// How often the state is asked for: ever more rarely, and not for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PollRule {
    /// The first wait.
    pub initial: Duration,
    /// The longest wait.
    pub longest: Duration,
    /// After so long the job counts as failed.
    pub timeout: Duration,
}

impl Default for PollRule {
    fn default() -> PollRule {
        PollRule {
            initial: Duration::from_millis(500),
            longest: Duration::from_secs(10),
            timeout: Duration::from_secs(3600),
        }
    }
}

impl PollRule {
    /// How long to wait before the next question, when so many were asked: twice as long each time.
    pub fn wait(&self, polls: u32) -> Duration {
        let doubled = self.initial.saturating_mul(1_u32.checked_shl(polls).unwrap_or(u32::MAX));
        doubled.min(self.longest.max(self.initial))
    }
}

/// Words of APIs that mean a state where nothing is declared. The reference mapping of section 8.4.4 is among them.
const USUAL_WORDS: &[(&str, ExecutionState)] = &[
    ("queued", ExecutionState::Pending),
    ("waiting", ExecutionState::Pending),
    ("scheduled", ExecutionState::Pending),
    ("created", ExecutionState::Pending),
    ("accepted", ExecutionState::Pending),
    ("paused", ExecutionState::Running),
    ("retrying", ExecutionState::Running),
    ("started", ExecutionState::Running),
    ("active", ExecutionState::Running),
    ("processing", ExecutionState::Running),
    ("in_progress", ExecutionState::Running),
    ("complete", ExecutionState::Completed),
    ("succeeded", ExecutionState::Completed),
    ("success", ExecutionState::Completed),
    ("done", ExecutionState::Completed),
    ("finished", ExecutionState::Completed),
    ("error", ExecutionState::Failed),
    ("failure", ExecutionState::Failed),
    ("canceled", ExecutionState::Cancelled),
    ("aborted", ExecutionState::Cancelled),
];

impl Lifecycle {
    /// What a state of theirs means, and the name of its own that it has here. Nothing for a word that is unknown.
    pub fn meaning(&self, theirs: &str) -> Option<(ExecutionState, Option<String>)> {
        let declared = self.states.iter().find(|(word, _)| word == theirs);
        let declared =
            declared.or_else(|| self.states.iter().find(|(word, _)| word.eq_ignore_ascii_case(theirs)));
        if let Some((word, state)) = declared {
            return Some((*state, custom_name(word, *state)));
        }
        let plain = plain_word(theirs);
        let usual = || USUAL_WORDS.iter().find(|(word, _)| *word == plain).map(|(_, state)| *state);
        ExecutionState::parse(&plain).or_else(usual).map(|state| (state, None))
    }

    /// The states of its own, each with the core state that it stands for.
    pub fn custom_states(&self) -> Vec<(String, ExecutionState)> {
        let mut custom: Vec<(String, ExecutionState)> = Vec::new();
        for (word, state) in &self.states {
            if let Some(name) = custom_name(word, *state)
                && !custom.iter().any(|(known, _)| *known == name)
            {
                custom.push((name, *state));
            }
        }
        custom
    }

    /// The operations that are called about its jobs.
    pub fn steps(&self) -> impl Iterator<Item = (&'static str, &LifecycleStep)> {
        let status = match &self.status {
            StatusSource::Operation(step) => Some(step),
            StatusSource::Location => None,
        };
        let named = [("status", status), ("cancel", self.cancel.as_ref()), ("retry", self.retry.as_ref())];
        let events = [("events", self.events.as_ref())];
        named.into_iter().chain(events).filter_map(|(name, step)| Some((name, step?)))
    }
}

fn plain_word(word: &str) -> String {
    snake_case(word.trim()).replace([' ', '-'], "_")
}

/// A state on the way has its own name; an end is one of ours, so that every client sees it as one.
fn custom_name(word: &str, state: ExecutionState) -> Option<String> {
    let name = plain_word(word);
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_plain && !state.is_terminal() && ExecutionState::parse(&name).is_none()).then_some(name)
}

#[cfg(test)]
mod tests;
