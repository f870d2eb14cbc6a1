//! Confirmations as official clients of both worlds get them, and the form as it is on the wire (ruling S3).

use super::{Person, called, called_whole, lifecycles};
use crate::test_dispatcher::TestDispatcher;
use rmcp::ClientHandler;
use rmcp::model::ElicitationAction;
use serde_json::{Value, json};

/// A client that cannot ask anyone.
#[derive(Debug, Clone)]
struct Nobody;

impl ClientHandler for Nobody {}

/// The whole answer in a result.
fn text(result: &Value) -> Value {
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
}

fn delete() -> Value {
    json!({"operation": "delete_stock"})
}

/// A yes of the person runs the call, in one call of the client; anything else is a refusal without a token.
#[tokio::test]
async fn the_person_decides() {
    use ElicitationAction::{Accept, Cancel, Decline};
    for lifecycle in lifecycles() {
        for (action, content, reason) in [
            (Accept, json!({"answer": "yes"}), None),
            (Accept, json!({"answer": "no"}), Some("declined")),
            (Decline, json!({"answer": "yes"}), Some("declined")),
            (Cancel, json!({"answer": "yes"}), Some("no_answer")),
        ] {
            let person = Person { answer: Some((action.clone(), content)), ..Person::default() };
            let answer = called(person.clone(), lifecycle.clone(), &TestDispatcher::new(), delete()).await;
            let asked = person.asked.lock().unwrap();
            let question = asked[0].as_str().unwrap();
            assert!(
                question.starts_with("Run delete_stock of desk? Its danger is destructive."),
                "{question}"
            );
            assert_eq!(asked.len(), 1, "{lifecycle:?}");
            match reason {
                None => assert_eq!(answer, json!({"count": 7}), "{lifecycle:?}"),
                Some(reason) => {
                    assert_eq!(answer["code"], "PERMISSION_DENIED", "{lifecycle:?} {action:?}");
                    assert_eq!(answer["details"]["reason"], reason, "{lifecycle:?} {action:?}");
                    assert!(!answer.to_string().contains("conf_"), "{answer}");
                }
            }
        }
    }
}

/// All calls of a plan are one question, in both worlds; a yes runs them, a no runs none.
#[tokio::test]
async fn a_plan_is_asked_about_once() {
    use ElicitationAction::{Accept, Decline};
    let plan = json!({"plan": true, "operations": [delete(), delete()]});
    for lifecycle in lifecycles() {
        for (action, runs) in [(Accept, true), (Decline, false)] {
            let person = Person { answer: Some((action, json!({"answer": "yes"}))), ..Person::default() };
            let desk = TestDispatcher::new();
            let answer = text(&called_whole(person.clone(), lifecycle.clone(), &desk, plan.clone()).await);
            let asked = person.asked.lock().unwrap();
            assert_eq!(asked.len(), 1, "{lifecycle:?}");
            let question = asked[0].as_str().unwrap();
            assert!(
                question.starts_with("Run all of these 2 calls?") && question.contains("\n2. delete_stock"),
                "{question}"
            );
            assert!(!answer.to_string().contains("conf_"), "{answer}");
            if runs {
                assert_eq!(answer["summary"]["succeeded"], 2, "{lifecycle:?}: {answer}");
            } else {
                assert_eq!(answer["error"]["details"]["reason"], "declined", "{lifecycle:?}: {answer}");
            }
        }
        let token = text(&called_whole(Nobody, lifecycle, &TestDispatcher::new(), plan.clone()).await);
        assert!(token["error"]["details"]["confirmation_token"].is_string(), "{token}");
    }
}

/// A client that does not say that it can ask gets the token.
#[tokio::test]
async fn clients_that_cannot_ask() {
    for lifecycle in lifecycles() {
        let answer = called(Nobody, lifecycle, &TestDispatcher::new(), delete()).await;
        assert_eq!(answer["code"], "CONFIRMATION_REQUIRED", "{answer}");
        assert!(answer["details"]["confirmation_token"].is_string(), "{answer}");
    }
}
