//! The calls that a connection has under way: who is told of progress, and who is asked when the server asks.
//!
//! A progress notification names its call. A question names none on a stream shared by all calls: it goes to the
//! latest call with somebody to ask, unless the transport knows to which request it belongs.

use aqueduct_operations::handler::{Answered, Asker, Question, RunListener};
use rmcp::model::{ProgressNotificationParam, ProgressToken, RequestId};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The calls under way on one connection.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    calls: Mutex<Calls>,
}

#[derive(Debug, Default)]
struct Calls {
    next: u64,
    under_way: BTreeMap<u64, Arc<Entry>>,
}

/// One call.
#[derive(Debug)]
struct Entry {
    listener: Option<Arc<dyn RunListener>>,
    asker: Option<Arc<dyn Asker>>,
    sent: Mutex<Option<(RequestId, ProgressToken)>>,
    life: Notify,
    questions: AtomicU32,
    over: CancellationToken,
}

/// A call under way, until it is dropped.
#[derive(Debug)]
pub(crate) struct UnderWay<'a> {
    calls: &'a InFlight,
    number: u64,
    entry: Arc<Entry>,
}

impl InFlight {
    /// Enters a call.
    pub(crate) fn enter(
        &self,
        listener: Option<Arc<dyn RunListener>>,
        asker: Option<Arc<dyn Asker>>,
    ) -> UnderWay<'_> {
        let entry = Arc::new(Entry {
            listener,
            asker,
            sent: Mutex::new(None),
            life: Notify::new(),
            questions: AtomicU32::new(0),
            over: CancellationToken::new(),
        });
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let number = calls.next;
        calls.next += 1;
        calls.under_way.insert(number, Arc::clone(&entry));
        UnderWay { calls: self, number, entry }
    }

    /// The server tells how far a call is.
    pub(crate) fn progress(&self, told: ProgressNotificationParam) {
        let Some(entry) = self.find(|entry| entry.token().as_ref() == Some(&told.progress_token)) else {
            return;
        };
        if let Some(listener) = &entry.listener {
            listener.told(told.progress, told.total, told.message);
        }
        entry.life.notify_one();
    }

    /// The server asks something, within the request that it names or, when it names none, within any.
    pub(crate) async fn question(&self, within: Option<&RequestId>, question: Question) -> Answered {
        let named = within.and_then(|id| self.find(|entry| entry.id().as_ref() == Some(id)));
        let Some(entry) = named.or_else(|| self.find(|entry| entry.asker.is_some())) else {
            return Answered::Declined;
        };
        entry.ask(question).await
    }

    /// The latest call of which this is true.
    fn find(&self, is_it: impl Fn(&Entry) -> bool) -> Option<Arc<Entry>> {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.under_way.values().rev().find(|entry| is_it(entry)).cloned()
    }
}

impl Entry {
    fn id(&self) -> Option<RequestId> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(id, _)| id.clone())
    }

    fn token(&self) -> Option<ProgressToken> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(_, token)| token.clone())
    }

    async fn ask(&self, question: Question) -> Answered {
        let Some(asker) = &self.asker else { return Answered::Declined };
        self.questions.fetch_add(1, Ordering::SeqCst);
        self.life.notify_one();
        let answered = tokio::select! {
            answered = asker.ask(question) => answered,
            () = self.over.cancelled() => Answered::Cancelled,
        };
        self.questions.fetch_sub(1, Ordering::SeqCst);
        self.life.notify_one();
        answered
    }
}

impl UnderWay<'_> {
    /// The call has been sent under this identifier.
    pub(crate) fn sent(&self, id: RequestId, token: ProgressToken) {
        *self.entry.sent.lock().unwrap_or_else(PoisonError::into_inner) = Some((id, token));
    }

    /// Waits for a sign of life: progress, a question or its answer.
    pub(crate) async fn sign_of_life(&self) {
        self.entry.life.notified().await;
    }

    /// True while a person is being asked, and nobody waits for the server.
    pub(crate) fn is_asking(&self) -> bool {
        self.entry.questions.load(Ordering::SeqCst) > 0
    }

    /// Asks whoever is behind this call.
    pub(crate) async fn ask(&self, question: Question) -> Answered {
        self.entry.ask(question).await
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.entry.over.cancel();
        self.calls.calls.lock().unwrap_or_else(PoisonError::into_inner).under_way.remove(&self.number);
    }
}
