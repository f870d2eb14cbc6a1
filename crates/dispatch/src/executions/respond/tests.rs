//! What a cancellation leaves behind for the instance that tells the API.

use super::mark_cancelled;
use aqueduct_operations::execution::{
    Execution, ExecutionOwner, ExecutionSpec, ExecutionState, JobStop, Observation,
};
use jiff::Timestamp;
use std::time::Duration;

fn execution() -> Execution {
    let owner = ExecutionOwner { session: "s".to_owned(), caller: None, scopes: None };
    let spec = ExecutionSpec {
        id: "exec_1".to_owned(),
        owner,
        source: "jobs".to_owned(),
        operation: "run_job".to_owned(),
        carries_on: false,
        supports_retry: false,
        gives_up_after: Duration::from_secs(60),
    };
    Execution::new(spec, Timestamp::UNIX_EPOCH)
}

/// C8.4.2-5: an API that has started the job between the look at the execution and its end is told to end it.
#[test]
fn a_job_that_started_meanwhile() {
    let now = Timestamp::UNIX_EPOCH;
    let mut not_started = execution();
    mark_cancelled(&mut not_started, None, now).unwrap();
    assert_eq!((not_started.state(), not_started.stop), (ExecutionState::Cancelled, None));
    let mut started = execution();
    started.note_started();
    let told = Observation { state: Some(ExecutionState::Running), ..Observation::default() };
    started.observe(told, now);
    mark_cancelled(&mut started, None, now).unwrap();
    assert_eq!((started.state(), started.stop), (ExecutionState::Cancelled, Some(JobStop::Due)));
    let mut told = execution();
    told.note_started();
    mark_cancelled(&mut told, Some(JobStop::Told), now).unwrap();
    assert_eq!(told.stop, Some(JobStop::Told));
}
