//! Executions against an API of jobs: started, followed to their end, cancelled, tried again.

mod hostile;
mod sessions;
mod shown;

use crate::test_server::{Setup, TestServer, data_of, error_of};
use aqueduct_operations::call::ToolEndpoint;
use aqueduct_testkit::jobs::{JobApi, WHOLE};
use serde_json::{Value, json};

/// A server before an API of jobs.
async fn serving(lifecycle: &str) -> (TestServer, JobApi) {
    let jobs = JobApi::start().await;
    (Setup::default().serve(&[jobs.adapter(lifecycle)]), jobs)
}

/// Starts a job that tells these states; the state of its execution.
async fn started(server: &TestServer, states: Value) -> Value {
    server.data(json!({"operation": "run_job", "params": {"states": states}})).await
}

fn id_of(state: &Value) -> String {
    state["execution_id"].as_str().unwrap().to_owned()
}

/// Waits for the end of an execution.
async fn ended(server: &TestServer, started: &Value) -> Value {
    let params = json!({"execution_id": id_of(started), "wait_seconds": 60});
    server.data(json!({"operation": "get_execution", "params": params})).await
}

async fn state_of(server: &TestServer, id: &str) -> Value {
    server.data(json!({"operation": "get_execution", "params": {"execution_id": id}})).await
}

/// Waits until an execution has this status.
async fn until(server: &TestServer, id: &str, status: &str) -> Value {
    for _ in 0..3_000 {
        let state = state_of(server, id).await;
        if state["status"] == status {
            return state;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("never {status}: {}", state_of(server, id).await);
}

/// C8.4-1 C8.4.3-1 C8.4.3-2 C8.4.3-3 C8.4.3-6: a job is started, followed and read, in the format of the specification.
#[tokio::test]
async fn a_job_to_its_end() {
    let (server, jobs) = serving(WHOLE).await;
    let states = json!([
        {"status": "queued"},
        {"status": "warming_up", "percent": 10},
        {"status": "running", "percent": 60, "note": "half"},
        {"status": "done", "percent": 100, "output": {"rows": 3}},
    ]);
    let first = started(&server, states).await;
    assert_eq!(first["status"], "pending", "{first}");
    assert!(id_of(&first).starts_with("exec_"));
    assert_eq!(first.get("finished_at"), None);
    let last = ended(&server, &first).await;
    assert_eq!((&last["status"], &last["result"]), (&json!("completed"), &json!({"rows": 3})), "{last}");
    assert_eq!(last["progress"], json!({"percentage": 100}));
    assert!(last["started_at"].is_string() && last["finished_at"].is_string(), "{last}");
    assert!(jobs.asked("job-1") >= 4);
    let asked = jobs.asked("job-1");
    assert_eq!(state_of(&server, &id_of(&first)).await, last, "an end is kept");
    assert_eq!(jobs.asked("job-1"), asked, "and its job is left alone");
}

/// C8.4.4-1 C8.4.4-4: a custom state is shown by its name, and cancelled like any other, also where the API says so before it answers.
#[tokio::test]
async fn a_custom_state_is_cancelled() {
    let (server, jobs) = serving(WHOLE).await;
    let first = started(&server, json!([{"status": "on_hold", "percent": 35}])).await;
    let held = until(&server, &id_of(&first), "on_hold").await;
    assert_eq!(held["progress"], json!({"percentage": 35}));
    let cancel = json!({"operation": "cancel_execution", "params": {"execution_id": id_of(&first)}});
    let cancelled = server.data(cancel.clone()).await;
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(cancelled["progress"], json!({"percentage": 35}), "C8.4.3-4");
    assert!(cancelled["finished_at"].is_string());
    assert_eq!(jobs.cancelled("job-1"), 1, "its API was told");
    let again = server.error(cancel).await;
    assert_eq!(again["code"], "CONFLICT_INVALID_STATE");
    assert_eq!(
        (&again["details"]["from"], &again["details"]["to"]),
        (&json!("cancelled"), &json!("cancelled"))
    );
    assert_eq!(jobs.cancelled("job-1"), 1);
}

/// C8.4.4-4 C8.4.5-4: where the API has no way to end a job (`supports_cancel` is false), the execution is cancelled all the same, and
/// every answer about it says that the job may go on.
#[tokio::test]
async fn a_job_that_cannot_be_ended() {
    let (server, jobs) = serving("        status: {operation: get_job}").await;
    let first = started(&server, json!([{"status": "running"}])).await;
    until(&server, &id_of(&first), "running").await;
    let params = json!({"execution_id": id_of(&first)});
    for operation in ["cancel_execution", "get_execution"] {
        let answer = server.call(json!({"operation": operation, "params": params})).await;
        assert_eq!(answer["data"]["status"], "cancelled", "{answer}");
        let warning = &answer["warnings"][0];
        assert_eq!(warning["code"], "EXECUTION_NOT_STOPPED", "{answer}");
        assert!(warning["message"].as_str().unwrap().contains("may go on there"), "{answer}");
    }
    let asked = jobs.asked("job-1");
    tokio::time::sleep(std::time::Duration::from_millis(150)).await;
    assert_eq!((jobs.asked("job-1"), jobs.cancelled("job-1")), (asked, 0), "it is left alone");
    let (whole, _jobs) = serving(WHOLE).await;
    let first = started(&whole, json!([{"status": "running"}])).await;
    let params = json!({"execution_id": id_of(&first)});
    let told = whole.call(json!({"operation": "cancel_execution", "params": params})).await;
    assert_eq!((&told["data"]["status"], told.get("warnings")), (&json!("cancelled"), None), "{told}");
}

/// C8.4.2-6 C8.4.5-4: a failed execution is tried again where that is declared, and nothing else is.
#[tokio::test]
async fn a_failed_execution_is_tried_again() {
    let (server, _jobs) = serving(WHOLE).await;
    let first = started(&server, json!([{"status": "error", "problem": "disk full"}])).await;
    let failed = ended(&server, &first).await;
    assert_eq!(failed["status"], "failed");
    assert_eq!(failed["error"]["message"], "The job failed: disk full");
    let retry = json!({"operation": "retry_execution", "params": {"execution_id": id_of(&first)}});
    let again = server.data(retry.clone()).await;
    assert_eq!(again["status"], "running");
    assert_eq!((again.get("error"), again.get("finished_at")), (None, None));
    let last = ended(&server, &first).await;
    assert_eq!((&last["status"], &last["result"]), (&json!("completed"), &json!("again")));
    assert_eq!(server.error(retry).await["code"], "CONFLICT_INVALID_STATE", "completed is the end");
    let (plain, _jobs) = serving("        status: {operation: get_job}").await;
    let first = started(&plain, json!([{"status": "failed"}])).await;
    ended(&plain, &first).await;
    let retry = json!({"operation": "retry_execution", "params": {"execution_id": id_of(&first)}});
    let refused = plain.error(retry).await;
    assert_eq!(
        (&refused["details"]["from"], &refused["details"]["to"]),
        (&json!("failed"), &json!("running"))
    );
}

/// A job that tells its state where the Location header leads, by 202 and 200 alone.
#[tokio::test]
async fn followed_by_location() {
    let (server, jobs) = serving("        location: true").await;
    let params = json!({"states": [{"rows": 7}], "start": {"accepted": true}});
    let first = server.data(json!({"operation": "run_job", "params": params})).await;
    assert_eq!(first["status"], "running");
    let last = ended(&server, &first).await;
    assert_eq!((&last["status"], &last["result"]), (&json!("completed"), &json!({"rows": 7})), "{last}");
    assert_eq!(jobs.asked("job-1"), 1);
}

/// A job that tells events is heard to its end.
#[tokio::test]
async fn followed_by_events() {
    let events = format!("{WHOLE}\n        events: {{operation: hear_job}}");
    let (server, jobs) = serving(&events).await;
    let states = json!([{"status": "running", "percent": 20}, {"status": "done", "output": 1}]);
    let first = started(&server, states).await;
    let last = ended(&server, &first).await;
    assert_eq!((&last["status"], &last["result"]), (&json!("completed"), &json!(1)), "{last}");
    let heard = jobs.api.requests().iter().filter(|request| request.path().ends_with("/events")).count();
    assert_eq!(heard, 1);
}

/// A job that its API ends at once needs no question.
#[tokio::test]
async fn over_at_once() {
    let (server, jobs) = serving(WHOLE).await;
    let start = json!({"id": "job-1", "status": "done", "output": 5});
    let state = server.data(json!({"operation": "run_job", "params": {"start": start}})).await;
    assert_eq!((&state["status"], &state["result"]), (&json!("completed"), &json!(5)), "{state}");
    assert_eq!(jobs.asked("job-1"), 0);
}

/// An API that does not start the job leaves a failed execution, and the call says why.
#[tokio::test]
async fn not_started() {
    let server = Setup::default().serve(&[aqueduct_testkit::jobs::adapter("http://127.0.0.1:9", WHOLE)]);
    let failure = error_of(server.call(json!({"operation": "run_job"})).await);
    assert_eq!(failure["code"], "TRANSPORT_CONNECTION_REFUSED");
    let id = failure["details"]["execution_id"].as_str().unwrap();
    let state = state_of(&server, id).await;
    assert_eq!((&state["status"], &state["error"]["code"]), (&json!("failed"), &failure["code"]));
}

/// Executions are listed with filters, order and pages like everything else, and only one's own.
#[tokio::test]
async fn listed() {
    let (server, _jobs) = serving(WHOLE).await;
    for (told, status) in [("done", "completed"), ("running", "running")] {
        let first = started(&server, json!([{"status": told, "output": 1}])).await;
        until(&server, &id_of(&first), status).await;
    }
    let all = server.data(json!({"operation": "list_executions"})).await;
    assert_eq!(all["items"].as_array().unwrap().len(), 2, "{all}");
    assert_eq!(all["items"][0]["operation"], "run_job");
    assert_eq!(all["items"][0].get("result"), None);
    let filtered =
        json!({"operation": "list_executions", "params": {"filter": {"status": "running"}, "first": 1}});
    let page = server.data(filtered).await;
    assert_eq!(page["items"].as_array().unwrap().len(), 1, "{page}");
    let others =
        server.call_as("session-2", ToolEndpoint::Any, json!({"operation": "list_executions"})).await;
    assert_eq!(data_of(others)["items"], json!([]));
}
