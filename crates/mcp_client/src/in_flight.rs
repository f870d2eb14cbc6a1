//! The calls that a connection has under way: who is told of progress, and who is asked when the server asks.
//!
//! A progress notification names its call. A question names none on a stream shared by all calls, unless the transport
//! knows to which request it belongs. Invariant: nobody is asked what may be meant for somebody else; when calls of more
//! than one person are under way, a question that names none is declined. One that names none may belong to any call of
//! its person, so it stays open, and their timeouts rest, until the last of these has ended.

use aqueduct_operations::call::{Caller, SessionId};
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

/// Who is behind a call.
#[derive(Debug)]
pub(crate) struct Behind {
    /// The session and who sends it: two calls alike in both are of one person.
    pub(crate) person: (SessionId, Caller),
    /// Who hears how far it is.
    pub(crate) listener: Option<Arc<dyn RunListener>>,
    /// Who can be asked.
    pub(crate) asker: Option<Arc<dyn Asker>>,
}

/// One call.
#[derive(Debug)]
struct Entry {
    behind: Behind,
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
    pub(crate) fn enter(&self, behind: Behind) -> UnderWay<'_> {
        let entry = Arc::new(Entry {
            behind,
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
        if let Some(listener) = &entry.behind.listener {
            listener.told(told.progress, told.total, told.message);
        }
        entry.life.notify_one();
    }

    /// The server asks something, within the request that it names or, when it names none, within the calls of the only
    /// person for whom it is at work.
    pub(crate) async fn question(&self, within: Option<&RequestId>, question: Question) -> Answered {
        let asked = match within {
            Some(id) => self.find(|entry| entry.id().as_ref() == Some(id)),
            None if self.is_shared() => None,
            None => self.find(|entry| entry.behind.asker.is_some()),
        };
        match (asked, within) {
            (Some(entry), Some(_)) => entry.ask(question).await,
            (Some(entry), None) => self.ask_person(&entry, question).await,
            (None, _) => Answered::Declined,
        }
    }

    /// Asks the person behind this call, for whichever call of theirs it is.
    async fn ask_person(&self, through: &Entry, question: Question) -> Answered {
        let Some(asker) = &through.behind.asker else { return Answered::Declined };
        let resting: Vec<Arc<Entry>> = self.all_of(through);
        resting.iter().for_each(|entry| entry.begin_asking());
        let answered = tokio::select! {
            answered = asker.ask_apart(question) => answered,
            () = self.all_over(through) => Answered::Cancelled,
        };
        resting.iter().for_each(|entry| entry.end_asking());
        answered
    }

    /// Waits until no call of the person behind this one is under way.
    async fn all_over(&self, of: &Entry) {
        while let Some(entry) = self.all_of(of).pop() {
            entry.over.cancelled().await;
        }
    }

    /// The calls of the person behind this one.
    fn all_of(&self, of: &Entry) -> Vec<Arc<Entry>> {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let is_theirs =
            |entry: &&Arc<Entry>| entry.behind.person == of.behind.person && !entry.over.is_cancelled();
        calls.under_way.values().filter(is_theirs).cloned().collect()
    }

    /// True when calls of more than one person are under way.
    pub(crate) fn is_shared(&self) -> bool {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut people = calls.under_way.values().map(|entry| &entry.behind.person);
        let first = people.next();
        people.any(|person| Some(person) != first)
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
        let Some(asker) = &self.behind.asker else { return Answered::Declined };
        self.begin_asking();
        let answered = tokio::select! {
            answered = asker.ask(question) => answered,
            () = self.over.cancelled() => Answered::Cancelled,
        };
        self.end_asking();
        answered
    }

    fn begin_asking(&self) {
        self.questions.fetch_add(1, Ordering::SeqCst);
        self.life.notify_one();
    }

    fn end_asking(&self) {
        self.questions.fetch_sub(1, Ordering::SeqCst);
        self.life.notify_one();
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

#[cfg(test)]
mod tests {
    use super::{Behind, InFlight};
    use aqueduct_operations::call::{Caller, SessionId};
    use aqueduct_operations::handler::{Answered, Asker, Boxed, Question};
    use aqueduct_testkit::mcp::people::Person;
    use rmcp::model::{NumberOrString, ProgressToken};
    use serde_json::json;
    use std::sync::{Arc, Mutex};
    use tokio::sync::{Notify, oneshot};

    fn behind(session: &str, caller: Option<&str>, person: &Arc<Person>) -> Behind {
        let person = Arc::clone(person);
        let caller = Caller(caller.map(Into::into));
        Behind { person: (SessionId::new(session), caller), listener: None, asker: Some(person) }
    }

    /// A question that names no call outlives the other calls of its person, whichever it was put through, and rests the
    /// timeouts of all of them; when the last has ended, it is withdrawn.
    #[tokio::test]
    async fn another_call_that_ends_withdraws_nothing() {
        for ends_first in [0, 1] {
            let calls = InFlight::default();
            let (person, says) = Thinking::new();
            let behind = || Behind {
                person: (SessionId::new("s"), Caller(None)),
                listener: None,
                asker: Some(Arc::clone(&person) as Arc<dyn Asker>),
            };
            let mut under_way = vec![calls.enter(behind()), calls.enter(behind())];
            let question = Question { message: "Really?".into(), schema: json!({}) };
            let asking = calls.question(None, question.clone());
            let meanwhile = async {
                person.is_asked.notified().await;
                assert!(under_way.iter().all(super::UnderWay::is_asking));
                drop(under_way.remove(ends_first));
                for _ in 0..20 {
                    tokio::task::yield_now().await;
                }
                assert!(!says.is_closed(), "the question is still open");
                says.send(Answered::Accepted(json!({"yes": true}))).unwrap();
            };
            let (answered, ()) = tokio::join!(asking, meanwhile);
            assert_eq!(answered, Answered::Accepted(json!({"yes": true})));
            assert!(!under_way[0].is_asking());
            let (person, says) = Thinking::new();
            let last = InFlight::default();
            let only = last.enter(Behind { asker: Some(Arc::clone(&person) as Arc<dyn Asker>), ..behind() });
            let meanwhile = async {
                person.is_asked.notified().await;
                drop(only);
            };
            let (answered, ()) = tokio::join!(last.question(None, question), meanwhile);
            assert_eq!(answered, Answered::Cancelled);
            assert!(says.is_closed(), "and withdrawn");
        }
    }

    /// Somebody who takes their time.
    #[derive(Debug)]
    struct Thinking {
        is_asked: Notify,
        answer: Mutex<Option<oneshot::Receiver<Answered>>>,
    }

    impl Thinking {
        fn new() -> (Arc<Thinking>, oneshot::Sender<Answered>) {
            let (says, answer) = oneshot::channel();
            (Arc::new(Thinking { is_asked: Notify::new(), answer: Mutex::new(Some(answer)) }), says)
        }
    }

    impl Asker for Thinking {
        fn ask<'a>(&'a self, _question: Question) -> Boxed<'a, Answered> {
            let answer = self.answer.lock().unwrap().take().unwrap();
            self.is_asked.notify_one();
            Box::pin(async move { answer.await.unwrap_or(Answered::Cancelled) })
        }
    }

    /// Nobody is asked the question of somebody else: with calls of two people under way, one that names no call is
    /// declined, and one that names its call goes there.
    #[tokio::test]
    async fn questions_do_not_cross_people() {
        let says = |yes: bool| Arc::new(Person::who_says(Answered::Accepted(json!({"yes": yes}))));
        let question = || Question { message: "Really?".into(), schema: json!({}) };
        let (ann, bob) = (says(true), says(false));
        for (one, other) in [(("a", None), ("b", None)), (("s", Some("ann")), ("s", Some("bob")))] {
            let calls = InFlight::default();
            let first = calls.enter(behind(one.0, one.1, &ann));
            let id = NumberOrString::Number(7);
            first.sent(id.clone(), ProgressToken(id.clone()));
            let again = calls.enter(behind(one.0, one.1, &ann));
            assert_eq!(calls.question(None, question()).await, Answered::Accepted(json!({"yes": true})));
            let second = calls.enter(behind(other.0, other.1, &bob));
            assert_eq!(calls.question(None, question()).await, Answered::Declined);
            assert_eq!(calls.question(Some(&id), question()).await, Answered::Accepted(json!({"yes": true})));
            let unknown = NumberOrString::Number(8);
            assert_eq!(calls.question(Some(&unknown), question()).await, Answered::Declined);
            drop((first, again));
            assert_eq!(calls.question(None, question()).await, Answered::Accepted(json!({"yes": false})));
            drop(second);
            assert_eq!(calls.question(None, question()).await, Answered::Declined);
        }
        assert_eq!((ann.asked().len(), bob.asked().len()), (4, 2));
    }
}
