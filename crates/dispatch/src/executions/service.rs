//! What one instance knows of executions: where they are kept, who follows them, which sessions they belong to.
//!
//! Changes in, written on the condition that no one else changed it meanwhile; messages to the thread that follows out. The thread is
//! started when there is something to follow.

use super::follower::{self, FollowerMessage};
use super::memory::MemoryExecutions;
use crate::dispatcher::Dispatcher;
use aqueduct_operations::call::{SessionEnd, SessionId};
use aqueduct_operations::execution::{
    Execution, ExecutionLedger, ExecutionSettings, ExecutionTimes, LedgerUnavailable, SavedExecution,
};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};

/// How often a change is tried that others overtake.
const ATTEMPTS: usize = 8;

/// The executions of one instance.
#[derive(Debug)]
pub struct Executions {
    pub(super) ledger: Arc<dyn ExecutionLedger>,
    pub(super) settings: ExecutionSettings,
    /// This process, for as long as it runs.
    pub(super) instance: String,
    dispatcher: OnceLock<Weak<Dispatcher>>,
    follower: OnceLock<mpsc::UnboundedSender<FollowerMessage>>,
    /// This instance serves: it takes over what no instance follows.
    takes_over: AtomicBool,
    sessions: Mutex<HashSet<String>>,
    /// The executions that are followed here.
    pub(super) followed: Mutex<HashSet<String>>,
    /// The executions whose API is being asked to start their job, or to try it again.
    starting: Mutex<HashSet<String>>,
    /// The executions whose API is being told that they have ended.
    pub(super) reporting: Mutex<HashSet<String>>,
    changed: watch::Sender<u64>,
}

impl Executions {
    /// When an execution was made and last learnt of.
    pub async fn times(&self, id: &str) -> Option<ExecutionTimes> {
        match self.ledger.get(id).await {
            Ok(saved) => saved.map(|saved| saved.execution.times()),
            Err(error) => {
                tracing::warn!(target: "aqueduct::executions", %error, execution = id, "an execution cannot be read");
                None
            }
        }
    }

    /// Kept in this ledger, by an instance of this name.
    pub fn new(
        ledger: Arc<dyn ExecutionLedger>,
        settings: ExecutionSettings,
        instance: String,
    ) -> Executions {
        Executions {
            ledger,
            settings,
            instance,
            dispatcher: OnceLock::new(),
            follower: OnceLock::new(),
            takes_over: AtomicBool::new(false),
            sessions: Mutex::default(),
            followed: Mutex::default(),
            starting: Mutex::default(),
            reporting: Mutex::default(),
            changed: watch::Sender::new(0),
        }
    }

    /// Kept in memory.
    pub fn in_memory(settings: ExecutionSettings) -> Executions {
        Executions::new(Arc::new(MemoryExecutions::new(settings)), settings, "this".to_owned())
    }

    /// What is set.
    pub fn settings(&self) -> &ExecutionSettings {
        &self.settings
    }

    pub(crate) fn attach(&self, dispatcher: Weak<Dispatcher>) {
        // The first one stays: a dispatcher is attached once.
        self.dispatcher.set(dispatcher).ok();
    }

    /// From now on what no instance follows is taken over.
    pub(crate) fn take_over(&self) {
        self.takes_over.store(true, Ordering::SeqCst);
    }

    pub(super) fn takes_over_others(&self) -> bool {
        self.takes_over.load(Ordering::SeqCst)
    }

    /// Starts the thread that follows, if it does not run and this instance serves something to follow.
    pub(crate) fn begin(&self, has_starters: bool) {
        if has_starters && self.takes_over_others() {
            self.follower();
        }
    }

    /// The way to the thread that follows; nothing where it cannot run.
    fn follower(&self) -> Option<&mpsc::UnboundedSender<FollowerMessage>> {
        if let Some(known) = self.follower.get() {
            return Some(known);
        }
        let dispatcher = self.dispatcher.get()?.clone();
        let (sender, inbox) = mpsc::unbounded_channel();
        if self.follower.set(sender).is_ok()
            && let Err(error) = follower::spawn(dispatcher, inbox)
        {
            tracing::error!(target: "aqueduct::executions", %error, "executions are not followed");
        }
        self.follower.get()
    }

    pub(super) fn send_message(&self, message: FollowerMessage) {
        let is_sent = self.follower().is_some_and(|follower| follower.send(message).is_ok());
        if !is_sent {
            tracing::error!(target: "aqueduct::executions", "executions are not followed");
        }
    }

    /// Keeps an execution from being taken over, here and elsewhere, until its API has answered the call that starts its job. Its lease is
    /// renewed by the thread that follows.
    pub(super) fn starting(&self, id: &str) -> Starting<'_> {
        self.in_start().insert(id.to_owned());
        self.follower();
        Starting { executions: self, id: id.to_owned() }
    }

    pub(super) fn is_starting(&self, id: &str) -> bool {
        self.in_start().contains(id)
    }

    fn in_start(&self) -> MutexGuard<'_, HashSet<String>> {
        self.starting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a session has executions that end with it.
    pub(super) fn belongs_to(&self, session: &str) {
        self.sessions().insert(session.to_owned());
    }

    /// Closes what a session leaves behind (ruling S11).
    pub(crate) fn end_session(&self, session: &SessionId, end: SessionEnd) {
        if self.sessions().remove(session.as_str()) {
            self.send_message(FollowerMessage::SessionEnded(session.as_str().to_owned(), end));
        }
    }

    /// Closes what belongs to sessions of this process, and leaves the rest to others. Waits up to this time.
    pub(crate) async fn close(&self, at_most: Duration) {
        if self.follower.get().is_none() {
            return;
        }
        let sessions: Vec<String> = self.sessions().drain().collect();
        for session in sessions {
            self.send_message(FollowerMessage::SessionEnded(session, SessionEnd::Graceful));
        }
        let (done, closed) = oneshot::channel();
        self.send_message(FollowerMessage::Close(done));
        if tokio::time::timeout(at_most, closed).await.is_err() {
            tracing::warn!(target: "aqueduct::executions", "the process ends before all executions are left in order");
        }
    }

    fn sessions(&self) -> MutexGuard<'_, HashSet<String>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sees every change that is made here from now on.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Changes an execution as it is now; gives it as it is then, and nothing when it is not there or the change wants none.
    pub(super) async fn change<E>(
        &self,
        id: &str,
        mut change: impl FnMut(&mut SavedExecution) -> Result<bool, E>,
    ) -> Result<Option<Result<Execution, E>>, LedgerUnavailable> {
        for _ in 0..ATTEMPTS {
            let Some(mut saved) = self.ledger.get(id).await? else { return Ok(None) };
            match change(&mut saved) {
                Err(error) => return Ok(Some(Err(error))),
                Ok(false) => return Ok(Some(Ok(saved.execution))),
                Ok(true) => {}
            }
            if self.ledger.save(saved.clone(), &self.instance).await? {
                self.changed.send_modify(|count| *count += 1);
                return Ok(Some(Ok(saved.execution)));
            }
        }
        Err(LedgerUnavailable("others change it all the time".to_owned()))
    }
}

/// An execution whose API is being asked to start its job.
#[derive(Debug)]
pub(super) struct Starting<'e> {
    executions: &'e Executions,
    id: String,
}

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        self.executions.in_start().remove(&self.id);
    }
}
