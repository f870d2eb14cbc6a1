//! What a process counts of its store: requests by kind, failures by reason, lines of the audit by event once they are committed.

use crate::support::{Place, call, issue, on_both_engines};
use aqueduct_store::audit::AuditEntry;

on_both_engines!(what_is_counted, what_is_not_committed_is_not_counted);

async fn what_is_counted(place: Place) {
    let store = place.open();
    assert!(!store.is_used(), "a store that nobody asked is not opened");
    assert_eq!(store.tally().writes.count, 0);
    issue(&store, "one", vec![call("delete")]).await;
    issue(&store, "one", vec![call("remove")]).await;
    store.status().await.unwrap();
    let tally = store.tally();
    assert!(store.is_used() && !tally.is_lost && tally.failures.is_empty(), "{tally:?}");
    assert_eq!(tally.audit_lines.get("TOKEN_ISSUED"), Some(&2), "{tally:?}");
    assert!(tally.writes.count >= 2 && tally.reads.count >= 1, "{tally:?}");
    assert!(tally.writes.sum > std::time::Duration::ZERO);
    assert_eq!(place.open().tally().audit_lines.len(), 0, "each process counts its own");
    let agents = store.agent_counts().await.unwrap();
    assert_eq!((agents.running, agents.paused, agents.blocked, agents.challenges), (0, 0, 0, 0));
}

async fn what_is_not_committed_is_not_counted(place: Place) {
    let store = place.open();
    issue(&store, "one", vec![call("delete")]).await;
    place.tamper("DROP TABLE audit");
    let lost = store.append_audit(vec![AuditEntry::new("TOKEN_ISSUED", "success")]).await;
    assert!(lost.is_err(), "{lost:?}");
    let tally = store.tally();
    assert_eq!(tally.audit_lines.get("TOKEN_ISSUED"), Some(&1), "{tally:?}");
    assert!(tally.is_lost && tally.failures.values().sum::<u64>() >= 1, "{tally:?}");
}
