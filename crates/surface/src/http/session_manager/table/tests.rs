//! Tests of `table`.

use super::{SessionTable, TooManySessions};
use crate::http::rate_limiter::ClientKey;
use rmcp::model::RequestId;
use rmcp::transport::streamable_http_server::session::SessionId;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn named(name: &str) -> ClientKey {
    ClientKey::Named(Arc::from(name))
}

fn id(name: &str) -> SessionId {
    SessionId::from(name)
}

#[test]
fn the_longest_idle_goes_first() {
    let (table, start) = (SessionTable::new(4), Instant::now());
    let at = |seconds| start + Duration::from_secs(seconds);
    assert_eq!(table.admit(&id("a1"), named("ann"), at(0)), Ok(None));
    assert_eq!(table.admit(&id("a2"), named("ann"), at(1)), Ok(None));
    assert_eq!(table.admit(&id("b1"), named("bob"), at(2)), Ok(None));
    assert!(table.used(&id("a1"), at(3)).is_some());
    assert_eq!(
        table.admit(&id("a3"), named("ann"), at(4)),
        Ok(Some((id("a2"), named("ann")))),
        "ann has half: one of her own goes"
    );
    assert!(table.used(&id("a2"), at(5)).is_none());
    assert_eq!(table.admit(&id("b2"), named("bob"), at(6)), Ok(None));
    assert_eq!(
        table.admit(&id("c1"), named("eve"), at(7)),
        Ok(Some((id("b1"), named("bob")))),
        "all are taken: whose it is does not matter"
    );
    table.close(&id("a1"));
    assert_eq!(table.admit(&id("c2"), named("eve"), at(8)), Ok(None));
}

#[test]
fn found_by_their_callers() {
    let (table, now) = (SessionTable::new(4), Instant::now());
    table.admit(&id("a1"), named("ann"), now).unwrap();
    table.admit(&id("b1"), named("bob"), now).unwrap();
    table.admit(&id("x1"), ClientKey::Unknown, now).unwrap();
    assert_eq!(table.of_callers(|name| name != "ann"), [(id("b1"), Arc::from("bob"))]);
}

#[test]
fn none_goes_with_a_call_under_way() {
    let (table, now) = (SessionTable::new(2), Instant::now());
    assert_eq!(table.admit(&id("a1"), named("ann"), now), Ok(None));
    let calls = table.used(&id("a1"), now).unwrap();
    calls.begin(&RequestId::Number(1));
    assert_eq!(table.admit(&id("a2"), named("ann"), now), Err(TooManySessions));
    assert!(table.used(&id("a2"), now).is_none());
    assert_eq!(table.admit(&id("b1"), named("bob"), now), Ok(None), "the other half is for others");
    calls.give_up(&RequestId::Number(1));
    assert_eq!(table.admit(&id("a2"), named("ann"), now), Ok(Some((id("a1"), named("ann")))));
    let (table, later) = (SessionTable::new(4), now + Duration::from_secs(3_600));
    for name in ["a1", "a2"] {
        table.admit(&id(name), named("ann"), now).unwrap();
    }
    let calls = table.used(&id("a1"), now).unwrap();
    calls.begin(&RequestId::Number(1));
    calls.give_up(&RequestId::Number(1));
    assert_eq!(
        table.admit(&id("a3"), named("ann"), later),
        Ok(Some((id("a2"), named("ann")))),
        "its call has just ended"
    );
}

/// Now and then a call has to go through the SDK, so that it does not take the session for idle.
#[test]
fn the_sdk_hears_of_sessions_in_use() {
    let (table, start) = (SessionTable::new(4), Instant::now());
    let at = |seconds| start + Duration::from_secs(seconds);
    let directly = |seconds| table.used_directly("a1", at(seconds), Duration::from_secs(10)).is_some();
    assert!(!directly(0), "it is not open");
    table.admit(&id("a1"), named("ann"), at(0)).unwrap();
    assert!(directly(4) && directly(10));
    assert!(!directly(11), "using it directly is not heard");
    assert!(table.used(&id("a1"), at(11)).is_some());
    assert!(directly(20) && !directly(22));
}
