//! Confirmations as official clients of both worlds get them, and the form as it is on the wire (ruling S3).

use super::{Person, called, lifecycles};
use crate::test_dispatcher::TestDispatcher;
use rmcp::ClientHandler;
use rmcp::model::ElicitationAction;
use serde_json::{Value, json};

/// A client that cannot ask anybody.
#[derive(Debug, Clone)]
struct Nobody;

impl ClientHandler for Nobody {}

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

/// A client that does not say that it can ask gets the token.
#[tokio::test]
async fn clients_that_cannot_ask() {
    for lifecycle in lifecycles() {
        let answer = called(Nobody, lifecycle, &TestDispatcher::new(), delete()).await;
        assert_eq!(answer["code"], "CONFIRMATION_REQUIRED", "{answer}");
        assert!(answer["details"]["confirmation_token"].is_string(), "{answer}");
    }
}
