//! Every state with every event, against the table of the specification.
//! What the table does not have is refused, and changes nothing.

use super::{ExecutionEvent, ExecutionState, IllegalTransition};
use ExecutionEvent::{Cancel, Fail, Retry, Start, Succeed};
use ExecutionState::{Cancelled, Completed, Failed, Pending, Running};

/// The table of section 8.4.2, by hand: from, event, to.
const TABLE: [(ExecutionState, ExecutionEvent, ExecutionState); 6] = [
    (Pending, Start, Running),
    (Pending, Cancel, Cancelled),
    (Running, Succeed, Completed),
    (Running, Fail, Failed),
    (Running, Cancel, Cancelled),
    (Failed, Retry, Running),
];

/// C8.4.1-1 C8.4.2-1 C8.4.2-2 C8.4.2-3 C8.4.2-4 C8.4.2-5 C8.4.2-6 C8.4.2-7 C8.4.2-8: every state with every event, against the table.
#[test]
fn every_state_and_event() {
    assert_eq!(ExecutionState::NAMES, ["pending", "running", "completed", "failed", "cancelled"]);
    let mut allowed = 0;
    for from in ExecutionState::ALL {
        for event in ExecutionEvent::ALL {
            let listed = TABLE.iter().find(|(state, listed, _)| (*state, *listed) == (from, event));
            let expected = listed.map(|(_, _, to)| *to).ok_or(IllegalTransition { from, event });
            assert_eq!(from.after(event, true), expected);
            allowed += usize::from(expected.is_ok());
            let without_retry = expected.and_then(|to| match event {
                Retry => Err(IllegalTransition { from, event }),
                _ => Ok(to),
            });
            assert_eq!(from.after(event, false), without_retry);
        }
    }
    assert_eq!(allowed, TABLE.len());
}

/// C8.4.2-7 C8.4.2-8: for every pair of states, what an API tells leads along the table or nowhere.
#[test]
fn every_pair_of_states() {
    for from in ExecutionState::ALL {
        for told in ExecutionState::ALL {
            let events = from.events_towards(told);
            let mut state = from;
            for event in events {
                state = state.after(*event, false).expect("only what the table has");
            }
            let may_go = match (from, told) {
                (Pending | Running, Completed | Failed | Cancelled) | (Pending, Running) => true,
                (Pending, Pending) | (Running, Running | Pending) => false,
                (Completed | Failed | Cancelled, _) => false,
            };
            assert_eq!(events.is_empty(), !may_go, "{from:?} {told:?}");
            assert_eq!(state, if may_go { told } else { from });
        }
    }
}

/// C8.4.4-4: every state on the way can be cancelled, and no end can.
#[test]
fn cancelled_from_everywhere() {
    for state in ExecutionState::ALL {
        assert_eq!(state.after(Cancel, true).is_ok(), !state.is_terminal(), "{state:?}");
    }
}
