//! Work that goes on after its call, on the page: what is seen of it, and the button that ends it.

use super::super::backend::{ExecutionView, ExecutionsView};
use super::support::Browser;
use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_operations::execution::{CancelledBy, ExecutionState, JobStop};
use http::{StatusCode, header};

/// One in this state.
pub fn execution(id: &str, state: ExecutionState) -> ExecutionView {
    let now = SystemClock.now();
    ExecutionView {
        id: id.to_owned(),
        source: "exports".to_owned(),
        operation: "run_export".to_owned(),
        caller: "ann".to_owned(),
        session: "sess_9".to_owned(),
        state,
        status: state.name().to_owned(),
        percentage: None,
        counted: None,
        message: None,
        error: None,
        created_at: now,
        asked_at: None,
        finished_at: state.is_terminal().then_some(now),
        cancelled_by: None,
        stop: None,
    }
}

fn some() -> ExecutionsView {
    let running = ExecutionView {
        status: "waiting_for_disk".to_owned(),
        counted: Some((45_000.0, 90_000.0)),
        message: Some("writing rows".to_owned()),
        asked_at: Some(SystemClock.now()),
        ..execution("exec_1", ExecutionState::Running)
    };
    let failed = ExecutionView {
        error: Some("TRANSPORT_TIMEOUT: The job did not end".to_owned()),
        ..execution("exec_3", ExecutionState::Failed)
    };
    let ended = |id: &str, by, stop| ExecutionView {
        cancelled_by: by,
        stop: Some(stop),
        ..execution(id, ExecutionState::Cancelled)
    };
    ExecutionsView {
        open: vec![running, execution("exec_2", ExecutionState::Pending)],
        open_count: 7,
        ended: vec![
            failed,
            ended("exec_4", Some(CancelledBy::Operator), JobStop::Told),
            ended("exec_5", Some(CancelledBy::SessionEnd), JobStop::Failed),
            ended("exec_6", Some(CancelledBy::Revocation), JobStop::Due),
            ended("exec_7", None, JobStop::NoWay),
        ],
    }
}

/// Who, what, how far, since when, heard of when, and why it failed; who ended it, and whether its API knows.
#[tokio::test]
async fn executions_are_seen() {
    let browser = Browser::signed_in().await;
    assert!(!browser.get(&browser.place).await.text.contains("Work under way"), "nothing, nothing said");
    *browser.backend.executions.lock().unwrap() = some();
    let page = browser.get(&browser.place).await.text;
    for said in [
        "Work under way",
        "<span class=\"count\">7</span>",
        "run_export <span class=\"source\">of exports</span>",
        ">waiting_for_disk</span>",
        "<progress max=\"100\" value=\"50\" aria-label=\"run_export: 50 percent\">",
        "45,000 of 90,000",
        "writing rows",
        "for <b>ann</b>, since <time",
        "heard of <time",
        "not heard of yet",
        "sess_9",
        "and 5 more",
        "TRANSPORT_TIMEOUT: The job did not end",
        "cancelled by the operator; its API was told",
        "ended with its session; its API could not be told, and the job may go on there",
        "ended with the token of its caller; its API is told",
        "its API has no way to end the job, which may go on there",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let buttons = page.matches("class=\"no\" aria-describedby=\"execution-").count();
    assert_eq!(buttons, 2, "what has ended has no button: {page}");
    let event = browser.first_event().await;
    assert!(event.contains("\"executions\":") && event.contains("waiting_for_disk"), "{event}");
}

#[tokio::test]
async fn an_execution_is_cancelled() {
    let browser = Browser::signed_in().await;
    *browser.backend.executions.lock().unwrap() = some();
    let token = browser.get(&browser.place).await.form_token();
    let path = format!("{}cancel", browser.place);
    for (id, said) in [
        ("exec_1", "cancelled run_export; its API is told"),
        ("exec_3", "Too late: run_export was failed before"),
        ("exec_9", "This execution is not there any more"),
    ] {
        let done = browser.post(&path, &[("token", &token), ("id", id)]).await;
        assert_eq!(
            (done.status, done.header(header::LOCATION)),
            (StatusCode::SEE_OTHER, browser.place.as_str())
        );
        assert!(browser.get(&browser.place).await.text.contains(said), "{said}");
    }
    assert_eq!(*browser.backend.cancelled.lock().unwrap(), ["exec_1", "exec_3", "exec_9"]);
    *browser.backend.is_lost.lock().unwrap() = true;
    let lost = browser.post(&path, &[("token", &token), ("id", "exec_1")]).await;
    assert_eq!(lost.status, StatusCode::SERVICE_UNAVAILABLE);
}
