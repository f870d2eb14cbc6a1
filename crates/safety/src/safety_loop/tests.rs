//! The loop on a store, with a clock to move: what ends a pause, and random walks that never lose a block.
//!
//! Here is what the tests share: a place for a store of either engine, and agents that report to a loop on it.

mod pauses;
mod walks;

use super::{LoopSettings, SafetyLoop, ServedOperations};
use crate::tests::gatekeeper::entry;
use aqueduct_operations::autonomy::{AutonomySettings, SafetyMode};
use aqueduct_operations::call::Caller;
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::handler::HandlerError;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_store::agents::{AgentCaller, Opened, OpenedChallenge, RunEnd};
use aqueduct_store::audit::AuditKey;
use aqueduct_store::{PostgresSettings, Store, StoreSettings, TimeAuthority};
use aqueduct_testkit::clock::TestClock;
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tempfile::TempDir;

/// Runs a test on each engine of the store.
macro_rules! on_both_engines {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::super::Place::sqlite()).await;
            })*
        }
        mod on_postgres {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::super::Place::postgres()).await;
            })*
        }
    };
}
use on_both_engines;

/// Where a store is.
struct Place {
    settings: StoreSettings,
    clock: TestClock,
    _directory: TempDir,
}

impl Place {
    fn sqlite() -> Place {
        let directory = tempfile::tempdir().unwrap();
        let settings = StoreSettings::sqlite(directory.path().join("state"));
        Place { settings, clock: TestClock::default(), _directory: directory }
    }

    fn postgres() -> Place {
        let directory = tempfile::tempdir().unwrap();
        let url = aqueduct_testkit::postgres::shared().database();
        let key = AuditKey::parse(&SecretString::from("0f".repeat(32))).unwrap();
        let postgres = PostgresSettings::new(SecretString::from(url), key);
        let mut settings =
            StoreSettings::postgres(PostgresSettings { time: TimeAuthority::Process, ..postgres });
        settings.seal_file = Some(directory.path().join("audit.seal"));
        Place { settings, clock: TestClock::default(), _directory: directory }
    }

    /// One more process on the same store.
    fn process(&self, instance: &str) -> SafetyLoop {
        let store = Store::open(self.settings.clone(), Arc::new(self.clock.clone())).unwrap();
        let settings = LoopSettings::in_mode(SafetyMode::Enforcing);
        let safety_loop = SafetyLoop::new(store, settings, instance.to_owned(), Arc::new(self.clock.clone()));
        safety_loop
            .set_sources(vec![AutonomySettings::default()], ServedOperations::of([&tidy()].into_iter()));
        safety_loop
    }
}

/// An operation that is served.
fn tidy() -> Arc<RegistryEntry> {
    let mut entry = entry("certified", Category::Execute, DangerLevel::Reversible);
    "tidy_shelf".clone_into(&mut entry.public_name);
    let mut operation = (*entry.operation).clone();
    "tidy_shelf".clone_into(&mut operation.name);
    entry.operation = Arc::new(operation);
    Arc::new(entry)
}

/// Who asks: `ann` and `bob` have tokens of their own, everybody else has none.
fn by(session: &str) -> AgentCaller {
    let caller = session.split('-').next().unwrap_or_default();
    let is_named = matches!(caller, "ann" | "bob");
    let caller = if is_named { caller } else { "local" };
    AgentCaller { session: session.to_owned(), caller: caller.to_owned(), is_named }
}

/// The same to the gatekeeper.
fn caller_of(session: &str) -> Caller {
    let by = by(session);
    if by.is_named { Caller::named(by.caller) } else { Caller::local() }
}

fn values(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// The word for programs in a refusal.
fn reason(refused: &HandlerError) -> &str {
    match refused {
        HandlerError::Denied { details, .. } => details["reason"].as_str().unwrap_or_default(),
        HandlerError::TooOften { .. } => "too_often",
        HandlerError::Conflict { .. } => "conflict",
        other => panic!("{other:?}"),
    }
}

impl SafetyLoop {
    /// Reports that its process runs.
    async fn report_alive(&self) {
        self.store.report_instance(&self.instance, self.clock.now(), &json!({})).await.unwrap();
    }

    async fn begins(&self, agent: &str, session: &str) -> Result<Value, HandlerError> {
        self.start(&values(json!({"element_name": agent})), by(session)).await
    }

    async fn ends(&self, agent: &str, session: &str, end: RunEnd) -> Result<Value, HandlerError> {
        self.end(&values(json!({"element_name": agent})), by(session), end).await
    }

    async fn says(&self, agent: &str, session: &str, hint: &str) -> Result<Value, HandlerError> {
        self.report(&values(json!({"element_name": agent, "next_action_hint": hint})), session).await
    }

    /// True when an agent may go on.
    async fn may(&self, agent: &str, session: &str, hint: &str) -> bool {
        self.says(agent, session, hint).await.unwrap()["directive"]["continue"] == true
    }

    async fn tries(&self, id: &str, code: &str, session: &str) -> Result<Value, HandlerError> {
        self.verify(&values(json!({"challenge_id": id, "code": code})), by(session)).await
    }

    async fn opens(&self, which: &str) -> Option<OpenedChallenge> {
        match self.store.open_challenge(which, super::CHALLENGE_TTL).await.unwrap() {
            Opened::Done(opened) => Some(*opened),
            Opened::Unknown => None,
        }
    }
}
