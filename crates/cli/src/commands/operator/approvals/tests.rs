//! Tests of `approvals`.

use super::only_one;
use crate::report::Exit;
use aqueduct::store::approvals::{Approval, ApprovalState};
use aqueduct::{Clock, SystemClock};
use serde_json::json;

fn approval(id: &str, operation: &str) -> Approval {
    let call = json!({"operation": operation, "source": "shop", "danger_level": "destructive"});
    Approval {
        id: id.to_owned(),
        session: "s1".to_owned(),
        caller: "ann".to_owned(),
        danger: 3,
        rule: None,
        shown: json!({"calls": [call]}),
        state: ApprovalState::Waiting,
        requested_at: SystemClock.now(),
        expires_at: SystemClock.now(),
        decided_at: None,
        approver: None,
        reason: None,
    }
}

/// Of several no one is taken; all are shown.
#[test]
fn one_or_a_choice() {
    let (one, other) = (approval("abcdefgh-1", "delete_order"), approval("abcdefgh-2", "delete_all"));
    assert_eq!(only_one(&[], "abcdefgh").unwrap(), None);
    assert_eq!(
        only_one(std::slice::from_ref(&one), "abcdefgh").unwrap().map(|each| each.id).as_deref(),
        Some("abcdefgh-1")
    );
    let refused = only_one(&[one, other], "abcdefgh").unwrap_err();
    assert_eq!(refused.exit, Exit::Invalid);
    for said in ["abcdefgh-1", "abcdefgh-2", "delete_order of shop", "delete_all of shop"] {
        assert!(refused.message.contains(said), "{said}: {}", refused.message);
    }
}
