//! Random walks over executions on one store, with stale writers and lost processes: each step is one of the table of states.

use crate::executions::{SETTINGS, claimed, execution, sources, with_job};
use crate::support::{Place, on_both_engines};
use aqueduct_operations::clock::Clock;
use aqueduct_operations::execution::ledger::Created;
use aqueduct_operations::execution::{
    ExecutionEvent, ExecutionSettings, ExecutionState, JobStop, Observation,
};
use aqueduct_store::executions::OperatorCancelled;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof};
use proptest::test_runner::TestRunner;
use std::collections::HashMap;
use std::time::Duration;

on_both_engines!(walks_with_crashes);

/// What happens on a walk.
#[derive(Debug, Clone)]
enum Step {
    /// An instance lets an event happen, as it knows the execution now or as it knew it before.
    Event(ExecutionEvent, bool),
    /// An API tells a state.
    Told(ExecutionState),
    /// The process is lost, and another one opens the store.
    Crash,
    /// Time goes by.
    Wait(u8),
    /// Somebody looks for what no instance follows.
    Claim,
    /// The operator ends it.
    OperatorCancels,
    /// Anyone who follows looks for what it has to tell.
    Tell,
}

fn steps(most: usize) -> impl Strategy<Value = Vec<(u8, Step)>> {
    let event = prop_oneof![
        Just(ExecutionEvent::Start),
        Just(ExecutionEvent::Succeed),
        Just(ExecutionEvent::Fail),
        Just(ExecutionEvent::Cancel),
        Just(ExecutionEvent::Retry),
    ];
    let state = prop_oneof![
        Just(ExecutionState::Pending),
        Just(ExecutionState::Running),
        Just(ExecutionState::Completed),
        Just(ExecutionState::Failed),
        Just(ExecutionState::Cancelled),
    ];
    let step = prop_oneof![
        6 => (event, any::<bool>()).prop_map(|(event, is_stale)| Step::Event(event, is_stale)),
        3 => state.prop_map(Step::Told),
        1 => Just(Step::Crash),
        1 => any::<u8>().prop_map(Step::Wait),
        1 => Just(Step::Claim),
        1 => Just(Step::OperatorCancels),
        1 => Just(Step::Tell),
    ];
    proptest::collection::vec((0..3_u8, step), most)
}

/// The table of the specification, by hand.
fn is_listed(from: ExecutionState, to: ExecutionState) -> bool {
    use ExecutionState::{Cancelled, Completed, Failed, Pending, Running};
    matches!(
        (from, to),
        (Pending, Running | Cancelled) | (Running, Completed | Failed | Cancelled) | (Failed, Running)
    )
}

/// Random events on three executions, with stale writers and lost processes in between: every step that is kept is one of the table,
/// and an end has a time. `AQUEDUCT_WALK_EVENTS` makes it longer; `cargo xtask soak executions` runs 100,000.
async fn walks_with_crashes(place: Place) {
    let events: usize =
        std::env::var("AQUEDUCT_WALK_EVENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut runner = TestRunner::new(ProptestConfig::default());
    let walk = proptest::strategy::ValueTree::current(&steps(events).new_tree(&mut runner).unwrap());
    let mut store = place.open();
    let mut ids = ["w0", "w1", "w2"].map(str::to_owned);
    for id in &ids {
        with_job(&store, &place, id, "a").await;
    }
    let mut before: HashMap<String, _> = HashMap::new();
    let (mut made, mut refused, mut ended) = (0_u64, 0_u64, 0_u64);
    for (number, (which, step)) in walk.into_iter().enumerate() {
        let id = &mut ids[usize::from(which)];
        let mut now = store.execution(id).await.unwrap().unwrap();
        // What has ended for good makes room now and then, so that the walk goes on.
        let is_over = matches!(now.execution.state(), ExecutionState::Completed | ExecutionState::Cancelled);
        if is_over && number % 4 == 0 {
            ended += 1;
            *id = format!("w{number}");
            // Enough are kept that none of the others is forgotten.
            let settings = ExecutionSettings { kept_per_caller: 50, ..SETTINGS };
            let created = store.create_execution(execution(&place, id), "a", settings).await.unwrap();
            assert_eq!(created, Created::Done);
            now = store.execution(id).await.unwrap().unwrap();
        }
        let id = id.as_str();
        let (from, read) = (now.execution.state(), now.clone());
        let mut changed = now;
        let is_changed = match step {
            Step::Event(event, is_stale) => {
                if is_stale && let Some(known) = before.get(id) {
                    changed = Clone::clone(known);
                }
                changed.execution.apply(event, place.clock.now()).is_ok()
            }
            Step::Told(state) => {
                let told = Observation { state: Some(state), ..Observation::default() };
                changed.execution.observe(told, place.clock.now());
                true
            }
            Step::Crash => {
                drop(std::mem::replace(&mut store, place.open()));
                false
            }
            Step::Wait(seconds) => {
                place.clock.advance(Duration::from_secs(u64::from(seconds)));
                false
            }
            Step::Claim => {
                claimed(&store, "b").await;
                false
            }
            Step::OperatorCancels => {
                let outcome = store.cancel_execution(id, "operator").await.unwrap();
                assert_eq!(matches!(outcome, OperatorCancelled::Done(_)), !from.is_terminal(), "{from:?}");
                false
            }
            Step::Tell => {
                for mut saved in store.unreported_executions("a", &sources(), SETTINGS.lease).await.unwrap() {
                    assert_eq!(saved.execution.state(), ExecutionState::Cancelled, "{saved:?}");
                    saved.execution.stop = Some(JobStop::Told);
                    assert!(store.save_execution(saved, "a", SETTINGS).await.unwrap());
                }
                false
            }
        };
        let is_current = changed.version == read.version;
        // A told state may lead over several: those are checked by the state machine itself.
        let told_to = changed.execution.state();
        if is_changed {
            let is_saved = store.save_execution(changed, "a", SETTINGS).await.unwrap();
            assert_eq!(is_saved, is_current, "a change of what is not there any more is refused");
            made += u64::from(is_saved);
            refused += u64::from(!is_saved);
        }
        let after = store.execution(id).await.unwrap().unwrap();
        let to = after.execution.state();
        let is_way = from == to
            || is_listed(from, to)
            || (from == ExecutionState::Pending && is_listed(ExecutionState::Running, to) && to == told_to);
        assert!(is_way, "{from:?} to {to:?}");
        assert_eq!(after.execution.finished_at().is_some(), to.is_terminal());
        before.insert(id.to_owned(), read);
    }
    assert!(made > 0 && refused > 0 && ended > 0, "{made} changes, {refused} refused, {ended} ended");
    eprintln!(
        "{events} events: {made} changes kept, {refused} of stale writers refused, {ended} executions to their end"
    );
}
