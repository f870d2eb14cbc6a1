//! The calls that a connection has in flight: who is notified of progress, and who is asked when the server asks.
//!
//! A progress notification names its call. A question names none on a stream shared by all calls, unless the transport
//! knows to which request it belongs. Invariant: no person is asked what may be meant for somebody else; when calls of more
//! than one person are in flight, a question that names none is declined. One that names none may belong to any call of
//! its person, so it stays open, and their timeouts rest, until the last of these has ended.

use aqueduct_operations::call::{Caller, SessionId};
use aqueduct_operations::handler::{ElicitRequest, ElicitResponse, Elicitor, HandlerProgress};
use rmcp::model::{ProgressNotificationParam, ProgressToken, RequestId};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The calls in flight on one connection.
#[derive(Debug, Default)]
pub(crate) struct CallsInFlight {
    calls: Mutex<CallTable>,
}

#[derive(Debug, Default)]
struct CallTable {
    next: u64,
    in_flight: BTreeMap<u64, Arc<InFlightCall>>,
}

/// Who is behind a call.
#[derive(Debug)]
pub(crate) struct InFlightOrigin {
    /// The session and who sends it: two calls alike in both are of one person.
    pub(crate) person: (SessionId, Caller),
    /// Receives its progress.
    pub(crate) listener: Option<Arc<dyn HandlerProgress>>,
    /// Who can be asked.
    pub(crate) asker: Option<Arc<dyn Elicitor>>,
}

/// One call.
#[derive(Debug)]
struct InFlightCall {
    origin: InFlightOrigin,
    sent: Mutex<Option<(RequestId, ProgressToken)>>,
    activity: Notify,
    questions: AtomicU32,
    ended: CancellationToken,
}

/// A call in flight, until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlightGuard<'a> {
    calls: &'a CallsInFlight,
    number: u64,
    entry: Arc<InFlightCall>,
}

impl CallsInFlight {
    /// Registers a call.
    pub(crate) fn enter(&self, origin: InFlightOrigin) -> InFlightGuard<'_> {
        let entry = Arc::new(InFlightCall {
            origin,
            sent: Mutex::new(None),
            activity: Notify::new(),
            questions: AtomicU32::new(0),
            ended: CancellationToken::new(),
        });
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let number = calls.next;
        calls.next += 1;
        calls.in_flight.insert(number, Arc::clone(&entry));
        InFlightGuard { calls: self, number, entry }
    }

    /// The server reports the progress of a call.
    pub(crate) fn progress(&self, update: ProgressNotificationParam) {
        let Some(entry) = self.find(|entry| entry.token().as_ref() == Some(&update.progress_token)) else {
            return;
        };
        if let Some(listener) = &entry.origin.listener {
            listener.on_progress(update.progress, update.total, update.message);
        }
        entry.activity.notify_one();
    }

    /// The server asks something, within the request that it names or, when it names none, within the calls of the only
    /// person for whom it is at work.
    pub(crate) async fn question(
        &self,
        within: Option<&RequestId>,
        question: ElicitRequest,
    ) -> ElicitResponse {
        let entry = match within {
            Some(id) => self.find(|entry| entry.id().as_ref() == Some(id)),
            None if self.is_shared() => None,
            None => self.find(|entry| entry.origin.asker.is_some()),
        };
        match (entry, within) {
            (Some(entry), Some(_)) => entry.ask(question).await,
            (Some(entry), None) => self.ask_person(&entry, question).await,
            (None, _) => ElicitResponse::Declined,
        }
    }

    /// Asks the person behind this call, for whichever call of theirs it is.
    async fn ask_person(&self, through: &InFlightCall, question: ElicitRequest) -> ElicitResponse {
        let Some(asker) = &through.origin.asker else { return ElicitResponse::Declined };
        let paused: Vec<Arc<InFlightCall>> = self.all_of(through);
        paused.iter().for_each(|entry| entry.begin_asking());
        let answered = tokio::select! {
            answered = asker.ask_apart(question) => answered,
            () = self.all_over(through) => ElicitResponse::Cancelled,
        };
        paused.iter().for_each(|entry| entry.end_asking());
        answered
    }

    /// Waits until no call of the person behind this one is in flight.
    async fn all_over(&self, of: &InFlightCall) {
        while let Some(entry) = self.all_of(of).pop() {
            entry.ended.cancelled().await;
        }
    }

    /// The calls of the person behind this one.
    fn all_of(&self, of: &InFlightCall) -> Vec<Arc<InFlightCall>> {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let theirs = calls.in_flight.values().filter(|entry| entry.origin.person == of.origin.person);
        theirs.filter(|entry| !entry.ended.is_cancelled()).cloned().collect()
    }

    /// True when calls of more than one person are in flight.
    pub(crate) fn is_shared(&self) -> bool {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut people = calls.in_flight.values().map(|entry| &entry.origin.person);
        let first = people.next();
        people.any(|person| Some(person) != first)
    }

    /// The latest call of which this is true.
    fn find(&self, is_it: impl Fn(&InFlightCall) -> bool) -> Option<Arc<InFlightCall>> {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.in_flight.values().rev().find(|entry| is_it(entry)).cloned()
    }
}

impl InFlightCall {
    fn id(&self) -> Option<RequestId> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(id, _)| id.clone())
    }

    fn token(&self) -> Option<ProgressToken> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(_, token)| token.clone())
    }

    async fn ask(&self, question: ElicitRequest) -> ElicitResponse {
        let Some(asker) = &self.origin.asker else { return ElicitResponse::Declined };
        self.begin_asking();
        let answered = tokio::select! {
            answered = asker.ask(question) => answered,
            () = self.ended.cancelled() => ElicitResponse::Cancelled,
        };
        self.end_asking();
        answered
    }

    fn begin_asking(&self) {
        self.questions.fetch_add(1, Ordering::SeqCst);
        self.activity.notify_one();
    }

    fn end_asking(&self) {
        self.questions.fetch_sub(1, Ordering::SeqCst);
        self.activity.notify_one();
    }
}

impl InFlightGuard<'_> {
    /// The call has been sent under this identifier.
    pub(crate) fn sent(&self, id: RequestId, token: ProgressToken) {
        *self.entry.sent.lock().unwrap_or_else(PoisonError::into_inner) = Some((id, token));
    }

    /// Waits for activity: progress, a question or its answer.
    pub(crate) async fn activity(&self) {
        self.entry.activity.notified().await;
    }

    /// True while a person is being asked, and no caller waits for the server.
    pub(crate) fn is_asking(&self) -> bool {
        self.entry.questions.load(Ordering::SeqCst) > 0
    }

    /// Asks the person behind this call.
    pub(crate) async fn ask(&self, question: ElicitRequest) -> ElicitResponse {
        self.entry.ask(question).await
    }
}

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        self.entry.ended.cancel();
        self.calls.calls.lock().unwrap_or_else(PoisonError::into_inner).in_flight.remove(&self.number);
    }
}

#[cfg(test)]
mod tests;
