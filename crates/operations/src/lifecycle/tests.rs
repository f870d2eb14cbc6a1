//! What an operation declares of its jobs: states and their mapping, values of steps, and the usual settings.
//! Declarations in, what introspection and the follower of jobs read out.

use super::{JobIdentifier, Lifecycle, PollRule, StatusSource, StepValue};
use crate::execution::ExecutionState;
use crate::response::FieldPath;
use std::time::Duration;

fn lifecycle(states: &[(&str, ExecutionState)]) -> Lifecycle {
    Lifecycle {
        id: JobIdentifier::Path(FieldPath::parse("id").unwrap()),
        status: StatusSource::Location,
        state_path: None,
        states: states.iter().map(|(word, state)| ((*word).to_owned(), *state)).collect(),
        progress: None,
        result_path: None,
        error_path: None,
        cancel: None,
        retry: None,
        events: None,
        poll: PollRule::default(),
        detached: false,
    }
}

/// C8.4.4-1 C8.4.4-3: states of an API, declared and not; the reference mapping holds by itself.
#[test]
fn what_states_mean() {
    let jobs = lifecycle(&[
        ("AWAITING_REVIEW", ExecutionState::Running),
        ("ok", ExecutionState::Completed),
        ("started", ExecutionState::Pending),
    ]);
    let meaning = |word: &str| jobs.meaning(word).map(|(state, custom)| (state, custom.unwrap_or_default()));
    let plain = |state| Some((state, String::new()));
    assert_eq!(meaning("AWAITING_REVIEW"), Some((ExecutionState::Running, "awaiting_review".to_owned())));
    assert_eq!(meaning("awaiting_review"), Some((ExecutionState::Running, "awaiting_review".to_owned())));
    assert_eq!(meaning("started"), Some((ExecutionState::Pending, "started".to_owned())), "as declared");
    assert_eq!(meaning("ok"), plain(ExecutionState::Completed), "an end is one of ours");
    assert_eq!(meaning("Completed"), plain(ExecutionState::Completed));
    assert_eq!(meaning("queued"), plain(ExecutionState::Pending));
    assert_eq!(meaning("paused"), plain(ExecutionState::Running));
    assert_eq!(meaning("retrying"), plain(ExecutionState::Running));
    assert_eq!(meaning("In-Progress"), plain(ExecutionState::Running));
    assert_eq!(meaning("canceled"), plain(ExecutionState::Cancelled));
    assert_eq!(meaning("exploded"), None);
    assert_eq!(meaning(""), None);
    let custom = jobs.custom_states();
    let names: Vec<&str> = custom.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["awaiting_review", "started"]);
}

#[test]
fn waits_grow_up_to_a_bound() {
    let rule = PollRule::default();
    let waits: Vec<u128> = (0..7).map(|asked| rule.wait(asked).as_millis()).collect();
    assert_eq!(waits, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    assert_eq!(rule.wait(u32::MAX), Duration::from_secs(10));
    let odd = PollRule { initial: Duration::from_secs(60), ..rule };
    assert_eq!(odd.wait(0), Duration::from_secs(60), "never sooner than the first");
}

#[test]
fn values_of_steps() {
    for text in ["id", "params.project", "response.links.self"] {
        assert_eq!(StepValue::parse(text).unwrap().text(), text);
    }
    for text in ["", "ids", "params", "params.", "params.a.b", "response", "response.", "job.id"] {
        assert_eq!(StepValue::parse(text), None, "{text}");
    }
}
