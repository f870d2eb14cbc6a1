//! Instances say that they run, and what they know; those that were killed are forgotten after a while.

use crate::support::{Place, on_both_engines};
use aqueduct_operations::clock::Clock;
use serde_json::json;
use std::time::Duration;

on_both_engines!(instances_see_each_other, a_killed_instance_is_forgotten);

async fn instances_see_each_other(place: Place) {
    let (one, two) = (place.open(), place.open());
    let began = place.clock.now();
    one.report_instance("a", began, &json!({"calls": 1})).await.unwrap();
    place.clock.advance(Duration::from_secs(1));
    two.report_instance("b", place.clock.now(), &json!({"calls": 2})).await.unwrap();
    one.report_instance("a", began, &json!({"calls": 3})).await.unwrap();
    for store in [&one, &two] {
        let all = store.instances().await.unwrap();
        let seen: Vec<_> = all.iter().map(|each| (each.id.as_str(), each.report["calls"].clone())).collect();
        assert_eq!(seen, [("a", json!(3)), ("b", json!(2))]);
        assert_eq!((all[0].started_at, all[0].seen_at), (began, place.clock.now()));
    }
    two.forget_instance("a").await.unwrap();
    let left: Vec<String> = one.instances().await.unwrap().into_iter().map(|each| each.id).collect();
    assert_eq!(left, ["b"]);
    assert_eq!(one.status().await.unwrap().audit_lines, 0, "that something runs is no decision");
}

async fn a_killed_instance_is_forgotten(place: Place) {
    let store = place.open();
    store.report_instance("killed", place.clock.now(), &json!({})).await.unwrap();
    place.clock.advance(Duration::from_secs(15));
    assert_eq!(store.instances().await.unwrap().len(), 1, "it may be busy");
    place.clock.advance(Duration::from_secs(15));
    assert_eq!(store.instances().await.unwrap().len(), 0);
    store.report_instance("other", place.clock.now(), &json!({})).await.unwrap();
    assert_eq!(store.instances().await.unwrap().len(), 1);
}
