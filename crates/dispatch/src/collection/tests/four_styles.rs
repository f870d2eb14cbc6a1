//! The same questions to the same items, behind four ways of paging: the same answers, and the right ones.
//!
//! What is right is worked out from the items in `reference`. Only cursors may differ, since they hold the upstream's own
//! place.

use super::{PATHS, ask, reference, serve};
use crate::test_server::TestServer;
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};

/// Thirty questions and some; each is asked page by page to its end where it has pages.
fn questions() -> Vec<Value> {
    vec![
        json!({}),
        json!({"first": 10}),
        json!({"first": 40}),
        json!({"first": 1}),
        json!({"first": 0}),
        json!({"last": 5}),
        json!({"last": 25}),
        json!({"limit": 10, "offset": 30}),
        json!({"limit": 7, "offset": 5}),
        json!({"limit": 10, "offset": 1000}),
        json!({"page": 3, "page_size": 10}),
        json!({"page": 4, "page_size": 33}),
        json!({"page_size": 10}),
        json!({"page": 2}),
        json!({"page": 1, "page_size": 5}),
        json!({"offset": 90}),
        json!({"limit": 5, "offset": 10, "filter": {"state": "open"}}),
        json!({"page": 2, "page_size": 20, "query": "blue 99"}),
        json!({"all": true}),
        json!({"all": true, "fields": ["id", "owner.login"]}),
        json!({"first": 5, "fields": ["title", "labels.name"]}),
        json!({"first": 5, "fields": "minimal"}),
        json!({"first": 10, "filter": {"state": "open"}}),
        json!({"first": 40, "filter": {"owner.login": "user3", "score": {"gte": 20}}}),
        json!({"first": 10, "filter": {"labels.name": "docs"}}),
        json!({"first": 10, "filter": {"milestone": {"exists": true}}}),
        json!({"first": 10, "filter": {"state": ["open", "closed"], "id": {"gt": 95}}}),
        json!({"first": 10, "filter": {"title": "nothing is called so"}}),
        json!({"first": 12, "sort": {"field": "score", "order": "desc"}}),
        json!({"first": 12, "sort": {"field": "milestone"}, "filter": {"state": "closed"}}),
        json!({"last": 4, "sort": {"field": "created_at", "order": "asc"}}),
        json!({"first": 10, "query": "blue 99"}),
        json!({"aggregate": {"total": {"count": true}}}),
        json!({"aggregate": {"by_owner": {"group_by": "owner.login", "count": true},
               "mean": {"avg": "score"}, "most": {"max": "score"}}, "filter": {"state": "open"}}),
        json!({"aggregate": {"sum": {"sum": "score"}}, "include_items": true, "first": 3}),
        json!({"limit": 15, "offset": 10, "filter": {"state": "open"}, "sort": {"field": "id", "order": "desc"}}),
    ]
}

/// Cursors differ by nature: they hold the upstream's place.
fn without_cursors(mut answer: Value) -> Value {
    for name in ["startCursor", "endCursor"] {
        if answer["pageInfo"].get(name).is_some() {
            answer["pageInfo"][name] = "a cursor".into();
        }
    }
    answer
}

/// X-page-1 X-page-2 X-page-5 X-page-7 X-page-9 X-page-13 O4.2-2 O4.2-3 O4.4.1-7 O4.4.1-8 O4.4.3-1 O4.4.3-2 R10.4-1 R1.3-12: one
/// shape and the right answers, whatever the upstream's way of paging.
#[tokio::test]
async fn thirty_questions() {
    let questions = questions();
    assert!(questions.len() >= 30);
    for count in [100, 1] {
        let items = paged_list::items(count);
        for path in PATHS {
            let (server, _api) = serve(path, count).await;
            for question in &questions {
                let expected = reference::pages(question, &items);
                assert_eq!(to_the_end(&server, question).await, expected, "{path} {question}");
            }
        }
    }
}

/// Every page of the answer to a question.
async fn to_the_end(server: &TestServer, question: &Value) -> Vec<Value> {
    let mut pages = Vec::new();
    let mut params = question.clone();
    loop {
        let answer = server.data(ask(params.clone())).await;
        let next = answer["pageInfo"]["endCursor"].clone();
        let goes_on = answer["pageInfo"]["hasNextPage"] == true && params.get("first").is_some();
        let known = ["items", "pageInfo", "applied", "aggregations"];
        assert!(answer.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{answer}");
        pages.push(without_cursors(answer));
        if !goes_on {
            return pages;
        }
        params["after"] = next;
        assert!(pages.len() < 200, "it never ends");
    }
}

/// X-page-13: all pages together are the collection, each item once, in its order.
#[tokio::test]
async fn pages_add_up() {
    for path in PATHS {
        for (count, first) in [(100, 7), (100, 25), (100, 50), (80, 40), (40, 40), (41, 40), (0, 5)] {
            let (server, _api) = serve(path, count).await;
            let pages = to_the_end(&server, &json!({"first": first})).await;
            let items: Vec<Value> =
                pages.iter().flat_map(|page| page["items"].as_array().unwrap().clone()).collect();
            assert_eq!(items, paged_list::items(count), "{path} {count} by {first}");
            let last = pages.last().unwrap();
            assert_eq!(last["pageInfo"]["hasNextPage"], false);
            assert_eq!(last["pageInfo"]["totalCount"], count, "{path}: known once the end was seen");
        }
    }
}
