//! Work that goes on after its call: every key of `lifecycle`, and what is said of mistakes in it.

use super::{SHOP, good, load_text, shown};
use aqueduct_operations::execution::ExecutionState;
use aqueduct_operations::lifecycle::{JobIdentifier, Lifecycle, PollRule, StatusSource, StepValue};
use std::sync::Arc;
use std::time::Duration;

/// A file with this block `lifecycle` in its operation `run_job`.
fn with(lifecycle: &str) -> String {
    let (head, _) = SHOP.split_once("operations:").unwrap();
    format!(
        r#"{head}operations:
  read:
    - name: get_job
      maps_to: GET /projects/{{project}}/jobs/{{job_id}}
      description: "Read one job"
      params: {{project: {{type: string, required: true}}, job_id: {{type: string, required: true}}}}
    - name: watch_job
      maps_to: GET /jobs/{{job_id}}/events
      description: "Hear what a job tells"
      response: {{content_type: text/event-stream}}
      params: {{job_id: {{type: string, required: true}}}}
  execute:
    - name: run_job
      maps_to: POST /projects/{{project}}/jobs
      description: "Run a job"
      params: {{project: {{type: string, required: true}}, key: {{type: string, sensitive: true}}}}
      lifecycle: {lifecycle}
    - name: end_job
      maps_to: POST /jobs/{{job_id}}/cancel
      description: "End a job"
      params: {{job_id: {{type: string, required: true}}}}
---
# Jobs
"#
    )
}

fn lifecycle(text: &str) -> Arc<Lifecycle> {
    let loaded = good(&with(text));
    let operation = loaded.operations.into_iter().find(|each| each.name == "run_job").unwrap();
    operation.declaration.lifecycle.unwrap()
}

/// C8.4-1 C8.4.4-3: every key, read and written back (every file that loads is written and read again).
#[test]
fn every_key() {
    let all = lifecycle(
        "{id: {header: X-Job}, status: {operation: get_job, params: {job_id: id, project: response.project.id}}, \
         state_path: job.state, states: {QUEUED: pending, on_hold: running, ok: completed}, \
         progress: {percentage: p, current: done, total: all, message: note}, result_path: out, error_path: err, \
         cancel: {operation: end_job}, retry: {operation: end_job, params: {job_id: params.project}}, \
         events: {operation: watch_job}, poll: {initial_ms: 100, max_ms: 2000, timeout_s: 60}, detached: true}",
    );
    assert_eq!(all.id, JobIdentifier::Header("X-Job".to_owned()));
    let StatusSource::Operation(status) = &all.status else { panic!("{:?}", all.status) };
    let texts: Vec<String> =
        status.params.iter().map(|(name, value)| format!("{name}={}", value.text())).collect();
    assert_eq!(texts, ["job_id=id", "project=response.project.id"]);
    assert_eq!(all.states[1], ("on_hold".to_owned(), ExecutionState::Running));
    assert_eq!(all.cancel.as_ref().unwrap().params, [("job_id".to_owned(), StepValue::Id)]);
    assert_eq!(all.poll.timeout, Duration::from_secs(60));
    assert!(all.detached && all.events.is_some() && all.progress.is_some());
}

/// What is not said: the field `id`, parameters of the same names, the identifier for the one that is left.
#[test]
fn what_is_so_by_itself() {
    let least = lifecycle("{status: {operation: get_job}}");
    assert_eq!(least.poll, PollRule::default());
    let StatusSource::Operation(status) = &least.status else { panic!("{:?}", least.status) };
    let expected = [
        ("project".to_owned(), StepValue::Param("project".to_owned())),
        ("job_id".to_owned(), StepValue::Id),
    ];
    assert_eq!(status.params, expected);
    assert_eq!(lifecycle("{location: true}").status, StatusSource::Location);
}

/// Mistakes are told where they are, with what would be right.
#[test]
fn mistakes() {
    for (block, found) in [
        ("{detached: true}", "MISSING_KEY operations.execute[0].lifecycle"),
        (
            "{status: {operation: get_jobs}}",
            "UNKNOWN_REFERENCE operations.execute[0].lifecycle.status.operation",
        ),
        ("{status: {operation: end_job}}", "BAD_REFERENCE operations.execute[0].lifecycle.status.operation"),
        (
            "{status: {operation: watch_job}}",
            "BAD_REFERENCE operations.execute[0].lifecycle.status.operation",
        ),
        (
            "{location: true, events: {operation: get_job}}",
            "BAD_REFERENCE operations.execute[0].lifecycle.events.operation",
        ),
        ("{location: true, status: {operation: get_job}}", "BAD_REFERENCE operations.execute[0].lifecycle"),
        (
            "{location: true, cancel: {operation: run_job}}",
            "BAD_REFERENCE operations.execute[0].lifecycle.cancel.operation",
        ),
        (
            "{location: true, cancel: {operation: end_job, params: {job: id}}}",
            "UNKNOWN_REFERENCE operations.execute[0].lifecycle.cancel.params.job",
        ),
        (
            "{location: true, cancel: {operation: end_job, params: {job_id: params.projects}}}",
            "UNKNOWN_REFERENCE operations.execute[0].lifecycle.cancel.params.job_id",
        ),
        (
            "{location: true, cancel: {operation: end_job, params: {job_id: params.key}}}",
            "BAD_REFERENCE operations.execute[0].lifecycle.cancel.params.job_id",
        ),
        (
            "{location: true, cancel: {operation: end_job, params: {job_id: job.id}}}",
            "INVALID_VALUE operations.execute[0].lifecycle.cancel.params.job_id",
        ),
        (
            "{location: true, states: {ok: finished}}",
            "INVALID_VALUE operations.execute[0].lifecycle.states.ok",
        ),
        (
            "{location: true, progress: {current: done}}",
            "MISSING_KEY operations.execute[0].lifecycle.progress",
        ),
        ("{location: true, progress: {}}", "MISSING_KEY operations.execute[0].lifecycle.progress"),
        (
            "{location: true, id: {path: id, header: X-Id}}",
            "BAD_REFERENCE operations.execute[0].lifecycle.id",
        ),
        ("{location: true, id: {header: 'X Id'}}", "INVALID_VALUE operations.execute[0].lifecycle.id.header"),
        (
            "{location: true, poll: {initial_ms: 500, max_ms: 100}}",
            "INVALID_VALUE operations.execute[0].lifecycle.poll",
        ),
        (
            "{location: true, poll: {timeout_s: 0}}",
            "INVALID_VALUE operations.execute[0].lifecycle.poll.timeout_s",
        ),
        (
            "{locatoin: true, status: {operation: get_job}}",
            "UNKNOWN_KEY operations.execute[0].lifecycle.locatoin",
        ),
    ] {
        let outcome = load_text(&with(block));
        assert!(outcome.loaded.is_none(), "{block}");
        let codes: Vec<String> =
            outcome.diagnostics.iter().map(|d| format!("{} {}", d.code, d.path)).collect();
        assert!(codes.contains(&found.to_owned()), "{block}: {codes:?}");
    }
    let text = with("{status: {operation: get_job}}").replace("  execute:", "  create:");
    let outcome = load_text(&text);
    assert!(
        shown(&outcome.diagnostics).contains("belongs to EXECUTE operations"),
        "{}",
        shown(&outcome.diagnostics)
    );
}
