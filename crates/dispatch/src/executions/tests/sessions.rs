//! What becomes of executions when their session ends, and who sees them.

use super::{id_of, serving, started, state_of, until};
use crate::test_server::error_of;
use aqueduct_operations::call::{Caller, SessionEnd, SessionId, ToolEndpoint};
use aqueduct_testkit::jobs::WHOLE;
use serde_json::json;
use std::time::Duration;

/// C2.3.3-4 C2.3.3-6 C2.3.3-7 C2.3.4-4: what goes on ends with its session, by a transition of the table; what has ended stays.
#[tokio::test]
async fn executions_end_with_their_session() {
    for (told, end, status) in [
        ("queued", SessionEnd::Graceful, "cancelled"),
        ("queued", SessionEnd::Abrupt, "cancelled"),
        ("running", SessionEnd::Graceful, "cancelled"),
        ("running", SessionEnd::Abrupt, "failed"),
    ] {
        let (server, jobs) = serving(WHOLE).await;
        let done = started(&server, json!([{"status": "done", "output": 1}])).await;
        until(&server, &id_of(&done), "completed").await;
        let first = started(&server, json!([{"status": told}])).await;
        let core = if told == "queued" { "pending" } else { "running" };
        until(&server, &id_of(&first), core).await;
        server.dispatcher.end_session(&SessionId::new("session-1"), &Caller::local(), end);
        server.dispatcher.close_executions(Duration::from_secs(20)).await;
        assert_eq!(state_of(&server, &id_of(&first)).await["status"], status, "{told} {end:?}");
        assert_eq!(jobs.cancelled("job-2"), 1, "its API is told");
        let kept = state_of(&server, &id_of(&done)).await;
        assert_eq!((&kept["status"], &kept["result"]), (&json!("completed"), &json!(1)));
    }
}

/// S11: a detached execution goes on.
#[tokio::test]
async fn detached_executions_go_on() {
    let (server, jobs) = serving(&format!("{WHOLE}\n        detached: true")).await;
    let first = started(&server, json!([{"status": "running"}])).await;
    until(&server, &id_of(&first), "running").await;
    server.dispatcher.end_session(&SessionId::new("session-1"), &Caller::local(), SessionEnd::Abrupt);
    let asked = jobs.asked("job-1");
    while jobs.asked("job-1") < asked + 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    jobs.tell("job-1", json!({"status": "done"}));
    until(&server, &id_of(&first), "completed").await;
    assert_eq!(jobs.cancelled("job-1"), 0);
}

/// C2.3.5-3: no reader sees, ends or repeats the execution of another session, nor learns that there is one.
#[tokio::test]
async fn only_ones_own() {
    let (server, jobs) = serving(WHOLE).await;
    let first = started(&server, json!([{"status": "running"}])).await;
    for operation in ["get_execution", "cancel_execution", "retry_execution"] {
        for id in [id_of(&first), "exec_00000000000000000000000000000000".to_owned()] {
            let request = json!({"operation": operation, "params": {"execution_id": id}});
            let failure = error_of(server.call_as("session-2", ToolEndpoint::Any, request).await);
            assert_eq!(failure["code"], "NOT_FOUND_RESOURCE", "{operation}");
        }
    }
    assert_eq!(jobs.cancelled("job-1"), 0);
    assert_eq!(until(&server, &id_of(&first), "running").await["status"], "running");
}
