//! Tests of `in_flight`.

use super::{CallsInFlight, InFlightOrigin};
use aqueduct_operations::call::{Caller, SessionId};
use aqueduct_operations::handler::{Boxed, ElicitRequest, ElicitResponse, Elicitor};
use aqueduct_testkit::mcp::people::Person;
use rmcp::model::{NumberOrString, ProgressToken};
use serde_json::json;
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, oneshot};

fn origin(session: &str, caller: Option<&str>, person: &Arc<Person>) -> InFlightOrigin {
    let person = Arc::clone(person);
    let caller = caller.map_or_else(Caller::local, Caller::named);
    InFlightOrigin { person: (SessionId::new(session), caller), listener: None, asker: Some(person) }
}

/// A question that names no call outlives the other calls of its person, whichever it was put through, and rests the
/// timeouts of all of them; when the last has ended, it is withdrawn.
#[tokio::test]
async fn another_call_that_ends_withdraws_nothing() {
    for ends_first in [0, 1] {
        let calls = CallsInFlight::default();
        let (person, says) = WaitingPerson::new();
        let origin = || InFlightOrigin {
            person: (SessionId::new("s"), Caller::local()),
            listener: None,
            asker: Some(Arc::clone(&person) as Arc<dyn Elicitor>),
        };
        let mut in_flight = vec![calls.enter(origin()), calls.enter(origin())];
        let question = ElicitRequest { message: "Really?".into(), schema: json!({}) };
        let asking = calls.question(None, question.clone());
        let meanwhile = async {
            person.is_asked.notified().await;
            assert!(in_flight.iter().all(super::InFlightGuard::is_asking));
            drop(in_flight.remove(ends_first));
            for _ in 0..20 {
                tokio::task::yield_now().await;
            }
            assert!(!says.is_closed(), "the question is still open");
            says.send(ElicitResponse::Accepted(json!({"yes": true}))).unwrap();
        };
        let (answered, ()) = tokio::join!(asking, meanwhile);
        assert_eq!(answered, ElicitResponse::Accepted(json!({"yes": true})));
        assert!(!in_flight[0].is_asking());
        let (person, says) = WaitingPerson::new();
        let last = CallsInFlight::default();
        let only =
            last.enter(InFlightOrigin { asker: Some(Arc::clone(&person) as Arc<dyn Elicitor>), ..origin() });
        let meanwhile = async {
            person.is_asked.notified().await;
            drop(only);
        };
        let (answered, ()) = tokio::join!(last.question(None, question), meanwhile);
        assert_eq!(answered, ElicitResponse::Cancelled);
        assert!(says.is_closed(), "and withdrawn");
    }
}

/// Somebody who takes their time.
#[derive(Debug)]
struct WaitingPerson {
    is_asked: Notify,
    answer: Mutex<Option<oneshot::Receiver<ElicitResponse>>>,
}

impl WaitingPerson {
    fn new() -> (Arc<WaitingPerson>, oneshot::Sender<ElicitResponse>) {
        let (says, answer) = oneshot::channel();
        (Arc::new(WaitingPerson { is_asked: Notify::new(), answer: Mutex::new(Some(answer)) }), says)
    }
}

impl Elicitor for WaitingPerson {
    fn ask<'a>(&'a self, _question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
        let answer = self.answer.lock().unwrap().take().unwrap();
        self.is_asked.notify_one();
        Box::pin(async move { answer.await.unwrap_or(ElicitResponse::Cancelled) })
    }
}

/// No person is asked the question of somebody else: with calls of two people under way, one that names no call is
/// declined, and one that names its call goes there.
#[tokio::test]
async fn questions_do_not_cross_people() {
    let says = |yes: bool| Arc::new(Person::who_says(ElicitResponse::Accepted(json!({"yes": yes}))));
    let question = || ElicitRequest { message: "Really?".into(), schema: json!({}) };
    let (ann, bob) = (says(true), says(false));
    for (one, other) in [(("a", None), ("b", None)), (("s", Some("ann")), ("s", Some("bob")))] {
        let calls = CallsInFlight::default();
        let first = calls.enter(origin(one.0, one.1, &ann));
        let id = NumberOrString::Number(7);
        first.sent(id.clone(), ProgressToken(id.clone()));
        let again = calls.enter(origin(one.0, one.1, &ann));
        assert_eq!(calls.question(None, question()).await, ElicitResponse::Accepted(json!({"yes": true})));
        let second = calls.enter(origin(other.0, other.1, &bob));
        assert_eq!(calls.question(None, question()).await, ElicitResponse::Declined);
        assert_eq!(
            calls.question(Some(&id), question()).await,
            ElicitResponse::Accepted(json!({"yes": true}))
        );
        let unknown = NumberOrString::Number(8);
        assert_eq!(calls.question(Some(&unknown), question()).await, ElicitResponse::Declined);
        drop((first, again));
        assert_eq!(calls.question(None, question()).await, ElicitResponse::Accepted(json!({"yes": false})));
        drop(second);
        assert_eq!(calls.question(None, question()).await, ElicitResponse::Declined);
    }
    assert_eq!((ann.asked().len(), bob.asked().len()), (4, 2));
}
