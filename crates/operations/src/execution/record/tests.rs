//! Records of executions: what is observed of a job changes them as the table of states allows, and no further.
//! Progress never falls, and what has ended stays as it is.

use super::{Execution, ExecutionOwner, ExecutionSpec, Observation};
use crate::execution::{ExecutionEvent, ExecutionState};
use jiff::Timestamp;
use serde_json::json;
use std::time::Duration;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn execution(supports_retry: bool) -> Execution {
    let owner = ExecutionOwner { session: "s".to_owned(), caller: None, scopes: None };
    let new = ExecutionSpec {
        id: "exec_1".to_owned(),
        owner,
        source: "jobs".to_owned(),
        operation: "run_job".to_owned(),
        carries_on: false,
        supports_retry,
        gives_up_after: Duration::from_secs(60),
    };
    Execution::new(new, at(0))
}

fn told(state: ExecutionState) -> Observation {
    Observation { state: Some(state), ..Observation::default() }
}

/// C8.4.3-1 C8.4.3-2 C8.4.3-3 C8.4.3-4: the format, and that an end has a time and nothing else has.
#[test]
fn the_format() {
    let mut execution = execution(false);
    assert_eq!(execution.to_json(), json!({"execution_id": "exec_1", "status": "pending"}));
    let custom = Observation { custom: Some("queued".to_owned()), ..told(ExecutionState::Pending) };
    execution.observe(custom, at(1));
    assert_eq!(execution.to_json(), json!({"execution_id": "exec_1", "status": "queued"}));
    let progress = Some(json!({"percentage": 35}));
    execution.observe(Observation { progress: progress.clone(), ..told(ExecutionState::Running) }, at(2));
    let started = "1970-01-01T00:00:02Z";
    assert_eq!(
        execution.to_json(),
        json!({"execution_id": "exec_1", "status": "running", "started_at": started, "progress": progress})
    );
    execution.apply(ExecutionEvent::Cancel, at(3)).unwrap();
    assert_eq!(
        execution.to_json(),
        json!({"execution_id": "exec_1", "status": "cancelled", "started_at": started,
               "finished_at": "1970-01-01T00:00:03Z", "progress": {"percentage": 35}})
    );
}

/// C8.4.3-5: a failed one has an error with code and message, also when its API gives none.
#[test]
fn an_error_with_code_and_message() {
    let mut execution = execution(false);
    execution.observe(told(ExecutionState::Failed), at(1));
    let shown = execution.to_json();
    assert_eq!(shown["error"]["code"], "INTERNAL_ERROR");
    assert!(shown["error"]["message"].is_string());
    assert_eq!(shown["status"], "failed");
}

/// C8.4.2-6: what a retry clears, and that it is refused where it is not supported.
#[test]
fn a_retry_begins_anew() {
    let mut execution = execution(true);
    execution.fail(json!({"code": "INTERNAL_ERROR", "message": "no"}), at(1));
    execution.polls = 7;
    execution.apply(ExecutionEvent::Retry, at(100)).unwrap();
    assert_eq!(
        execution.to_json(),
        json!({"execution_id": "exec_1", "status": "running", "started_at": "1970-01-01T00:00:01Z"})
    );
    assert_eq!((execution.polls, execution.gives_up_at()), (0, at(160)));
    let mut other = self::execution(false);
    other.fail(json!({"code": "INTERNAL_ERROR", "message": "no"}), at(1));
    let before = other.clone();
    assert!(other.apply(ExecutionEvent::Retry, at(2)).is_err());
    assert_eq!(other, before);
}

/// C8.4.2-7 C8.4.2-8: nothing that a job tells moves an end, or a state back.
#[test]
fn nothing_goes_back() {
    let mut running = execution(true);
    running.observe(told(ExecutionState::Running), at(1));
    running.observe(told(ExecutionState::Pending), at(2));
    assert_eq!(running.state(), ExecutionState::Running);
    running.observe(Observation { result: Some(json!(1)), ..told(ExecutionState::Completed) }, at(3));
    let ended = running.clone();
    for state in ExecutionState::ALL {
        let late = Observation {
            progress: Some(json!({"percentage": 1})),
            result: Some(json!(2)),
            error: Some(json!({})),
            ..told(state)
        };
        running.observe(late, at(4));
        assert_eq!(running, ended, "{state:?}");
    }
}

/// What is kept is read back as it was, the result apart.
#[test]
fn kept_and_read_back() {
    let mut execution = execution(true);
    execution.known.insert("id".to_owned(), json!("job 1"));
    execution
        .observe(Observation { custom: Some("paused".to_owned()), ..told(ExecutionState::Running) }, at(5));
    let text = serde_json::to_string(&execution).unwrap();
    assert!(text.contains("\"id\":\"exec_1\"") && text.contains("\"gives_up_after_seconds\":60"), "{text}");
    assert_eq!(serde_json::from_str::<Execution>(&text).unwrap(), execution);
    assert!(serde_json::from_str::<Execution>(&text.replace("running", "jumping")).is_err());
}
