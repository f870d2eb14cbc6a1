//! Tests of `client_shares`.

use super::{ClientKey, ClientShares};
use std::sync::Arc;

#[test]
fn half_is_left_for_others() {
    let shares = ClientShares::half_of(4);
    let named = |name: &str| ClientKey::Named(Arc::from(name));
    let taken: Vec<_> = (0..3).map(|_| shares.take(named("ann"))).collect();
    assert_eq!(taken.iter().flatten().count(), 2);
    assert!(shares.take(named("bob")).is_some());
    drop(taken);
    assert!(shares.lock().is_empty(), "nothing is kept of who has left");
    assert!(ClientShares::half_of(1).take(named("ann")).is_some());
}
