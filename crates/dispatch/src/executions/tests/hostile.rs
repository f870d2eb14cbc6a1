//! What an API of jobs may do to its follower.

use super::{ended, id_of, serving, started, state_of, until};
use crate::test_server::{Setup, error_of};
use aqueduct_operations::exposure::Glob;
use aqueduct_operations::gatekeeper::{Permission, PolicyRule};
use aqueduct_testkit::jobs::{JobApi, WHOLE};
use serde_json::{Value, json};
use std::time::Duration;

/// C8.4.2-8: states that go backwards, unknown states, and answers that are none, change nothing.
#[tokio::test]
async fn states_that_make_no_sense() {
    let (server, jobs) = serving(WHOLE).await;
    let first = started(&server, json!([{"status": "running", "percent": 50}])).await;
    let id = id_of(&first);
    until(&server, &id, "running").await;
    for odd in [
        json!({"status": "queued"}),
        json!({"status": "exploded"}),
        json!([]),
        json!(7),
        json!({"status": {"a": 1}}),
    ] {
        jobs.tell("job-1", odd.clone());
        let asked = jobs.asked("job-1");
        while jobs.asked("job-1") < asked + 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(state_of(&server, &id).await["status"], "running", "{odd}");
    }
    jobs.tell("job-1", json!({"status": "done", "output": 1}));
    assert_eq!(ended(&server, &first).await["status"], "completed");
}

/// A job without an end counts as failed when its time is over, and is asked no more.
#[tokio::test]
async fn a_job_without_an_end() {
    let (server, jobs) = serving(WHOLE).await;
    let first = started(&server, json!([{"status": "running"}])).await;
    until(&server, &id_of(&first), "running").await;
    server.clock.advance(Duration::from_secs(3_601));
    let last = ended(&server, &first).await;
    assert_eq!((&last["status"], &last["error"]["code"]), (&json!("failed"), &json!("TRANSPORT_TIMEOUT")));
    let asked = jobs.asked("job-1");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(jobs.asked("job-1"), asked);
}

/// A result that is too large is not kept, and the answer says so.
#[tokio::test]
async fn a_huge_result() {
    let (server, jobs) = serving(WHOLE).await;
    let first = started(&server, json!([{"status": "running"}])).await;
    let output = Value::from(vec!["y".repeat(700_000), "y".repeat(700_000)]);
    jobs.tell("job-1", json!({"status": "done", "output": output}));
    ended(&server, &first).await;
    let request = json!({"operation": "get_execution", "params": {"execution_id": id_of(&first)}});
    let answer = server.call(request).await;
    assert_eq!(answer["data"]["status"], "completed");
    assert_eq!(answer["data"].get("result"), None);
    assert_eq!(answer["warnings"][0]["code"], "EXECUTION_RESULT_LEFT_OUT", "{answer}");
}

/// An address on another origin is not asked: neither its host nor its credentials are the API's.
#[tokio::test]
async fn an_address_elsewhere() {
    let elsewhere = JobApi::start().await;
    for location in [
        format!("{}/jobs/job-1", elsewhere.api.base_url()),
        "http://169.254.169.254/latest".to_owned(),
        "https://user:secret@127.0.0.1/x".to_owned(),
        "ftp://127.0.0.1/x".to_owned(),
        "//evil.example/jobs".to_owned(),
    ] {
        let (server, _jobs) = serving("        location: true").await;
        let params = json!({"location": location, "start": {}});
        let state = server.data(json!({"operation": "run_job", "params": params})).await;
        assert_eq!(
            (&state["status"], &state["error"]["code"]),
            (&json!("failed"), &json!("PERMISSION_DENIED")),
            "{location}"
        );
        assert!(!state.to_string().contains("evil"), "{state}");
    }
    assert_eq!(elsewhere.api.requests().len(), 0);
}

/// Identifiers are encoded into paths; those that make no path end the execution.
#[tokio::test]
async fn identifiers_with_odd_characters() {
    for (id, is_asked) in [
        (json!("a/b?c#d"), true),
        (json!(17), true),
        (json!(".."), false),
        (json!({"x": 1}), false),
        (json!(""), false),
    ] {
        let (server, jobs) = serving(WHOLE).await;
        let start = json!({"id": id, "status": "running"});
        let first = server.data(json!({"operation": "run_job", "params": {"start": start}})).await;
        let last = ended(&server, &first).await;
        assert_eq!(last["status"], "failed", "{id}: no such job, or none that can be named: {last}");
        let requests = jobs.api.requests();
        let paths: Vec<&str> = requests.iter().skip(1).map(|request| request.target.as_str()).collect();
        assert_eq!(!paths.is_empty(), is_asked, "{id}: {paths:?}");
        assert!(paths.iter().all(|path| path.matches('/').count() == 2), "{paths:?}");
    }
}

/// S10: every question passes the gate. A rule against the operation that tells the state ends the execution, and nothing is sent.
#[tokio::test]
async fn questions_pass_the_gate() {
    let jobs = JobApi::start().await;
    let rule = PolicyRule {
        source: None,
        operation: Some(Glob::parse("get_job").unwrap()),
        category: None,
        caller: None,
        params: Vec::new(),
        permission: Permission::Deny,
        reason: None,
    };
    let server = Setup { rules: vec![rule], ..Setup::default() }.serve(&[jobs.adapter(WHOLE)]);
    let first = started(&server, json!([{"status": "running"}])).await;
    let last = ended(&server, &first).await;
    assert_eq!(last["status"], "failed", "{last}");
    assert_eq!(jobs.asked("job-1"), 0);
}

/// A step of a caller needs the confirmation that its own operation needs, and runs once with the token.
#[tokio::test]
async fn steps_are_confirmed() {
    let jobs = JobApi::start().await;
    let text = jobs.adapter(WHOLE).replacen(
        "      description: End a job\n      danger_level: reversible",
        "      description: End a job\n      danger_level: destructive",
        1,
    );
    let server = Setup::default().serve(&[text]);
    let first = started(&server, json!([{"status": "running"}])).await;
    let mut params = json!({"execution_id": id_of(&first)});
    let asked = error_of(server.call(json!({"operation": "cancel_execution", "params": params})).await);
    assert_eq!(asked["code"], "CONFIRMATION_REQUIRED", "{asked}");
    assert_eq!(jobs.cancelled("job-1"), 0);
    params["confirmation_token"] = asked["details"]["confirmation_token"].clone();
    let done = server.data(json!({"operation": "cancel_execution", "params": params})).await;
    assert_eq!((&done["status"], jobs.cancelled("job-1")), (&json!("cancelled"), 1));
}
