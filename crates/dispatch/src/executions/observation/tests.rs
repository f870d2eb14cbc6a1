//! Responses of jobs in; identifier, state, progress and error as they are read out.
//! What an API leaves out or writes in another way is read as well as it can be.

use super::{identifier, read};
use aqueduct_operations::execution::ExecutionState;
use aqueduct_operations::lifecycle::{JobIdentifier, Lifecycle, PollRule, ProgressPaths, StatusSource};
use aqueduct_operations::response::FieldPath;
use serde_json::{Value, json};

fn path(text: &str) -> Option<FieldPath> {
    FieldPath::parse(text)
}

fn lifecycle() -> Lifecycle {
    Lifecycle {
        id: JobIdentifier::Path(path("id").unwrap()),
        status: StatusSource::Location,
        state_path: path("job.state"),
        states: Vec::new(),
        progress: Some(ProgressPaths {
            percentage: path("percent"),
            current: path("done"),
            total: path("all"),
            message: path("note"),
        }),
        result_path: path("output"),
        error_path: path("problem"),
        cancel: None,
        retry: None,
        events: None,
        poll: PollRule::default(),
        detached: false,
    }
}

fn told(data: Value) -> aqueduct_operations::execution::Observation {
    read(&lifecycle(), &data, 100)
}

/// C8.4.3-7 C8.4.3-8: each form of progress, alone and together; numbers are in range and texts are one line.
#[test]
fn progress_in_every_form() {
    let progress = |data: Value| told(data).progress;
    assert_eq!(progress(json!({"percent": 45})), Some(json!({"percentage": 45})));
    assert_eq!(progress(json!({"percent": "12.5 %"})), Some(json!({"percentage": 12.5})));
    assert_eq!(progress(json!({"percent": 400})), Some(json!({"percentage": 100})));
    assert_eq!(progress(json!({"percent": -3})), Some(json!({"percentage": 0})));
    assert_eq!(progress(json!({"done": 4, "all": 9})), Some(json!({"current": 4, "total": 9})));
    assert_eq!(progress(json!({"done": 4})), None);
    assert_eq!(
        progress(json!({"note": "step\n2 \u{202e}of 9"})),
        Some(json!({"message": "step 2 \u{fffd}of 9"}))
    );
    let all = json!({"percent": 1, "done": 2, "all": 3, "note": "x"});
    let shown = json!({"percentage": 1, "current": 2, "total": 3, "message": "x"});
    assert_eq!(progress(all), Some(shown));
    let long = progress(json!({"note": "x".repeat(100_000)})).unwrap();
    assert!(long["message"].as_str().unwrap().len() < 400);
    assert_eq!(progress(json!({"percent": {"deep": 1}, "note": 7})), None);
    let words = progress(json!({"job": {"state": "warming"}}));
    assert_eq!(words, Some(json!({"message": "warming"})), "C8.4.5-4: something is told in any case");
}

/// States that are declared, usual, unknown, or no words at all.
#[test]
fn states() {
    let state = |value: Value| told(json!({"job": {"state": value}})).state;
    assert_eq!(state(json!("running")), Some(ExecutionState::Running));
    assert_eq!(state(json!("DONE")), Some(ExecutionState::Completed));
    for odd in [json!("melting"), json!(null), json!({"a": 1}), json!([]), json!(7), json!("")] {
        assert_eq!(state(odd.clone()), None, "{odd}");
    }
    assert_eq!(told(json!("completed")).state, None);
    let mut anywhere = lifecycle();
    anywhere.state_path = None;
    assert_eq!(read(&anywhere, &json!({"state": "failed"}), 9).state, Some(ExecutionState::Failed));
}

/// A result up to a size, and where there is none.
#[test]
fn results_are_bounded() {
    let done = |output: Value| told(json!({"job": {"state": "done"}, "output": output}));
    assert_eq!(done(json!({"rows": 3})).result, Some(json!({"rows": 3})));
    let large = done(json!("x".repeat(1_000)));
    assert_eq!((large.result, large.result_left_out), (None, Some(1_002)));
    assert_eq!(done(Value::Null).result, None);
    let mut whole = lifecycle();
    whole.result_path = None;
    let data = json!({"job": {"state": "done"}});
    assert_eq!(read(&whole, &data, 100).result, Some(data));
}

/// C8.4.3-5: the error of an API, as text or as an object, in the form of our own errors.
#[test]
fn errors_in_every_form() {
    let error = |problem: Value| told(json!({"job": {"state": "failed"}, "problem": problem})).error.unwrap();
    assert_eq!(
        error(json!("disk full")),
        json!({"code": "INTERNAL_ERROR", "message": "The job failed: disk full"})
    );
    let object = error(json!({"message": "no space", "disk": 3}));
    assert_eq!(object["message"], "The job failed: no space");
    assert_eq!(object["details"]["upstream"]["disk"], 3);
    assert_eq!(error(Value::Null)["message"], "The job failed, and its API does not say why.");
    let huge = error(json!({"message": "m", "dump": "x".repeat(10_000)}));
    assert!(huge.get("details").is_none());
}

/// Identifiers are texts and numbers of a sensible length.
#[test]
fn identifiers() {
    assert_eq!(identifier(Some(&json!("a b/../c"))), Some(json!("a b/../c")));
    assert_eq!(identifier(Some(&json!(7))), Some(json!(7)));
    for odd in [json!(""), json!(null), json!({}), json!([1]), json!(true), json!("x".repeat(1_001))] {
        assert_eq!(identifier(Some(&odd)), None);
    }
    assert_eq!(identifier(None), None);
}
