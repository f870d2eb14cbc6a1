//! Tests of `facts`.

use super::ListFacts;
use aqueduct_operations::raw_json::RawJson;
use serde_json::{Value, json};

fn facts(body: &Value) -> ListFacts {
    ListFacts::of(&RawJson::of(body))
}

/// Links of usual shapes are found; what only looks like one is not.
#[test]
fn links_in_bodies() {
    for body in [
        json!({"next": "https://a.example/x?page=2"}),
        json!({"links": {"next": "/x?page=2"}}),
        json!({"links": {"next": {"href": "?page=2"}}}),
        json!({"_links": {"next": {"href": "/x?page=2"}}}),
        json!({"@odata.nextLink": "https://a.example/x?$skip=2"}),
        json!({"next_page_url": "https://a.example/x?page=2"}),
    ] {
        assert!(facts(&body).link().is_some(), "{body}");
        assert_eq!(facts(&body).has_more(), Some(true), "{body}");
    }
    for body in [json!({"next": null}), json!({"next": "abc"}), json!({"next": 5}), json!({"next": "/a"})] {
        assert_eq!(facts(&body).link(), None, "{body}");
        assert_eq!(facts(&body).is_last(), body["next"].is_null().then_some(false), "{body}");
    }
}

#[test]
fn totals_in_bodies() {
    for body in [
        json!({"total_count": 40}),
        json!({"meta": {"pagination": {"total": 40}}}),
        json!({"@odata.count": 40}),
        json!({"count": 40}),
    ] {
        assert_eq!(facts(&body).total(20), Some(40), "{body}");
    }
    assert_eq!(facts(&json!({"count": 20})).total(20), None, "it may be the number on the page");
    assert_eq!(facts(&json!({"total": "many"})).total(20), None);
}
