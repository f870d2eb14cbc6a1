//! What is said of lists whose paging no one declared: totals, ends and fields are claimed only where they are known.
//!
//! Each API pages in its own way, and the adapter has no `pagination`.

use super::{ask, number};
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_operations::limits::Limits;
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};

fn items(from: usize, count: usize) -> Vec<Value> {
    (from..from + count).map(|id| json!({"id": id, "name": format!("n{id}")})).collect()
}

/// `list_things` with these parameters, in front of an API that answers so.
async fn server(
    params: &str,
    setup: Setup,
    answer: impl Fn(&Recorded) -> Answer + Send + Sync + 'static,
) -> (TestServer, FakeApi) {
    let api = FakeApi::start(answer).await;
    let operations = format!(
        "operations:\n  read:\n    - name: list_things\n      maps_to: GET /things\n      description: Lists things\n      params: {params}\n"
    );
    (setup.serve(&[adapter("things", &api.base_url(), &operations)]), api)
}

fn warned(answer: &Value, code: &str) -> bool {
    answer["warnings"].as_array().is_some_and(|all| all.iter().any(|each| each["code"] == code))
}

/// A body that says how many there are, or that there are more, is believed; without a way on nothing is called complete.
#[tokio::test]
async fn what_the_body_says() {
    for (body, total, has_next) in [
        (json!({"total_count": 40, "items": items(0, 1)}), Some(40), true),
        (json!({"meta": {"total": 40}, "data": items(0, 3)}), Some(40), true),
        (json!({"count": 40, "results": items(0, 3)}), Some(40), true),
        (json!({"has_more": true, "data": items(0, 3)}), None, true),
        (json!({"next": "https://elsewhere.example/?page=2", "results": items(0, 3)}), None, true),
        (json!({"total_count": 3, "items": items(0, 3)}), Some(3), false),
        (json!({"count": 3, "results": items(0, 3)}), Some(3), false),
        (json!({"has_more": false, "data": items(0, 30)}), Some(25), true),
        (json!({"total": 2.5, "items": items(0, 3)}), Some(3), false),
        (json!(items(0, 3)), Some(3), false),
        (json!({"total_count": 0, "items": []}), Some(0), false),
    ] {
        let shown = body.clone();
        let (server, _api) = server("{}", Setup::default(), move |_| Answer::json(200, body.clone())).await;
        let answer = server.call(ask(json!({}))).await;
        let info = &answer["data"]["pageInfo"];
        assert_eq!(info["hasNextPage"], has_next, "{shown} {answer}");
        if shown["data"].as_array().is_none_or(|data| data.len() < 30) {
            assert_eq!(info.get("totalCount").and_then(Value::as_u64), total, "{shown} {answer}");
            assert_eq!(warned(&answer, "VALIDATION_INCOMPLETE_WARNING"), has_next, "{answer}");
            assert_eq!(
                info.get("endCursor").is_none(),
                has_next || total == Some(0),
                "a cursor would lead nowhere: {answer}"
            );
        }
        let sorted = server.call(ask(json!({"sort": "-id"}))).await;
        let complete = !has_next || shown["has_more"] == false;
        assert_eq!(sorted["data"]["applied"]["complete"], complete, "{shown} {sorted}");
        let counted = server.call(ask(json!({"aggregate": {"n": {"count": true}}}))).await;
        assert_eq!(counted["data"]["applied"]["complete"], complete, "{shown}");
    }
    let (server, _api) = server("{}", Setup::default(), |_| {
        Answer::json(200, json!(items(0, 3))).header("X-Total-Count", "9")
    })
    .await;
    assert_eq!(server.data(ask(json!({}))).await["pageInfo"]["totalCount"], 9);
}

/// The size that is asked for goes to the API; as many as were asked for may not be all; what a caller sets stays.
#[tokio::test]
async fn sizes_are_pushed_down() {
    let api = |request: &Recorded| {
        Answer::json(200, json!(items(0, number(request, "per_page").unwrap_or(20).min(60))))
    };
    let params = "{per_page: {type: integer}}";
    let (server, api) = server(params, Setup::default(), api).await;
    let fifty = server.call(ask(json!({"first": 50}))).await;
    assert_eq!(fifty["data"]["items"].as_array().unwrap().len(), 50, "{fifty}");
    assert_eq!(fifty["data"]["pageInfo"]["hasNextPage"], true, "as many as were asked for: {fifty}");
    assert!(
        fifty["data"]["pageInfo"].get("totalCount").is_none()
            && warned(&fifty, "VALIDATION_INCOMPLETE_WARNING")
    );
    let capped = server.call(ask(json!({"first": 80}))).await;
    assert_eq!(capped["data"]["items"].as_array().unwrap().len(), 60);
    assert!(capped["data"]["pageInfo"].get("totalCount").is_none(), "it may have more: {capped}");
    let own = server.call(ask(json!({"per_page": 7}))).await;
    assert_eq!(
        (own["data"]["items"].as_array().unwrap().len(), &own["data"]["pageInfo"]["hasNextPage"]),
        (7, &json!(true))
    );
    let sent: Vec<String> = api.requests().iter().map(|request| request.target.clone()).collect();
    assert_eq!(sent, ["/things?per_page=50", "/things?per_page=80", "/things?per_page=7"]);
}

/// An API that gives fewer than it is asked for is read on by its own page number or offset, to the end.
#[tokio::test]
async fn pages_are_read_on() {
    for params in [
        "{page: {type: integer, minimum: 1}, per_page: {type: integer}}",
        "{offset: {type: integer}, limit: {type: integer}}",
    ] {
        let (server, api) = server(params, Setup::default(), |request| {
            let from =
                number(request, "offset").unwrap_or_else(|| (number(request, "page").unwrap_or(1) - 1) * 20);
            Answer::json(200, json!(items(from, 20.min(47_usize.saturating_sub(from)))))
        })
        .await;
        let all = server.data(ask(json!({"first": 50}))).await;
        assert_eq!(all["items"].as_array().unwrap().len(), 47, "{params}");
        assert_eq!(
            all["pageInfo"],
            json!({"hasNextPage": false, "hasPreviousPage": false, "totalCount": 47,
            "startCursor": all["pageInfo"]["startCursor"], "endCursor": all["pageInfo"]["endCursor"]})
        );
        assert_eq!(api.requests().len(), 3);
        let sum = server.data(ask(json!({"aggregate": {"n": {"count": true}}}))).await;
        assert_eq!(
            (&sum["aggregations"]["n"], &sum["applied"]["complete"]),
            (&json!(47), &json!(true)),
            "{params}"
        );
    }
    let (server, _api) =
        server("{offset: {type: integer}, limit: {type: integer}}", Setup::default(), |request| {
            Answer::json(
                200,
                json!(items(number(request, "offset").unwrap_or(0), number(request, "limit").unwrap_or(20))),
            )
        })
        .await;
    let seven = server.data(ask(json!({"first": 7}))).await;
    assert_eq!(seven["pageInfo"]["hasNextPage"], true, "a full page, however small: {seven}");
    let next = server.data(ask(json!({"first": 7, "after": seven["pageInfo"]["endCursor"]}))).await;
    assert_eq!(next["items"][0]["id"], 7);
    // An API that does not know of its own parameter ends where it repeats itself.
    let (server, _api) = self::server("{offset: {type: integer}}", Setup::default(), |_| {
        Answer::json(200, json!(items(0, 10)))
    })
    .await;
    let all = server.data(ask(json!({"all": true}))).await;
    assert_eq!(
        (all["items"].as_array().unwrap().len(), &all["pageInfo"]["hasNextPage"]),
        (10, &json!(false))
    );
}

/// What a caller's own page leaves before it is not claimed to be nothing.
#[tokio::test]
async fn a_callers_own_page() {
    let (server, _api) = server("{page: {type: integer, minimum: 1}}", Setup::default(), |_| {
        Answer::json(200, json!(items(40, 3)))
    })
    .await;
    let page = server.data(ask(json!({"page": 3}))).await;
    assert_eq!(page["pageInfo"].get("totalCount"), None, "{page}");
}

/// `all` that ends at the most items of one call says so, and the cursor leads on.
#[tokio::test]
async fn all_is_cut() {
    let limits = Limits { max_gathered_items: 100, ..Limits::default() };
    for more in [json!({}), json!({"filter": {"id": {"gte": 0}}}), json!({"sort": "id"})] {
        let (server, _api) = server(
            "{offset: {type: integer}, limit: {type: integer}}",
            Setup::limits(limits.clone()),
            |request| {
                Answer::json(
                    200,
                    json!(items(
                        number(request, "offset").unwrap_or(0),
                        number(request, "limit").unwrap_or(25)
                    )),
                )
            },
        )
        .await;
        let mut params = more.clone();
        params["all"] = json!(true);
        let answer = server.call(ask(params)).await;
        assert_eq!(answer["data"]["items"].as_array().unwrap().len(), 100);
        assert_eq!(answer["data"]["pageInfo"]["hasNextPage"], true);
        let is_told = warned(&answer, "VALIDATION_TRUNCATED_WARNING")
            || warned(&answer, "VALIDATION_INCOMPLETE_WARNING");
        assert!(is_told, "{more}: {}", answer["warnings"]);
    }
}

/// A field that no item has is told with the nearest one; what may be there elsewhere, or is asked about, is not.
#[tokio::test]
async fn fields_that_no_item_has() {
    let body = json!([{"id": 1, "name": "a", "labels": [], "owner": {"login": "x"}, "gone": null}]);
    let (server, _api) = server("{}", Setup::default(), move |_| Answer::json(200, body.clone())).await;
    for (params, field, suggestion) in [
        (json!({"filter": {"nmae": "a"}}), "nmae", Some("name")),
        (json!({"sort": "-owner.logn"}), "owner.logn", Some("owner.login")),
        (json!({"aggregate": {"s": {"sum": "nam"}}}), "nam", Some("name")),
        (json!({"filter": {"xyzzy_quux": 1}}), "xyzzy_quux", None),
    ] {
        let answer = server.call(ask(params)).await;
        let warning = answer["warnings"]
            .as_array()
            .and_then(|all| all.iter().find(|each| each["code"] == "VALIDATION_UNKNOWN_FIELD_WARNING"));
        let details = &warning.unwrap_or_else(|| panic!("{answer}"))["details"];
        assert_eq!(
            (&details["field"], details.get("suggestion").and_then(Value::as_str)),
            (&json!(field), suggestion)
        );
    }
    for params in [
        json!({"filter": {"name": "b"}}),
        json!({"filter": {"labels.name": "b"}}),
        json!({"filter": {"gone.x": 1}}),
        json!({"filter": {"nmae": {"exists": false}}}),
        json!({"sort": "gone"}),
    ] {
        let answer = server.call(ask(params.clone())).await;
        assert!(!warned(&answer, "VALIDATION_UNKNOWN_FIELD_WARNING"), "{params} {answer}");
    }
    let (empty, _api) = self::server("{}", Setup::default(), |_| Answer::json(200, json!([]))).await;
    let answer = empty.call(ask(json!({"filter": {"nmae": "a"}}))).await;
    assert!(!warned(&answer, "VALIDATION_UNKNOWN_FIELD_WARNING"), "an empty list tells nothing: {answer}");
}

/// A number beyond all range does not fail an answer: it comes as text, is told, and is no number.
#[tokio::test]
async fn numbers_beyond_all_range() {
    let body = r#"[{"id":1,"n":1e400},{"id":2,"n":3},{"id":3,"n":-1e999}]"#;
    let (server, _api) = server("{}", Setup::default(), move |_| Answer::bytes(200, body)).await;
    let answer = server.call(ask(json!({}))).await;
    assert_eq!(answer["data"]["items"][0], json!({"id": 1, "n": "1e400"}));
    assert!(warned(&answer, "NUMBER_OUT_OF_RANGE"), "{answer}");
    for (params, expected) in [
        (json!({"filter": {"n": {"gt": 1}}}), json!([{"id": 2, "n": 3}])),
        (json!({"sort": "n", "first": 1}), json!([{"id": 2, "n": 3}])),
    ] {
        let answer = server.call(ask(params.clone())).await;
        assert_eq!(answer["data"]["items"], expected, "{params} {answer}");
        assert!(warned(&answer, "NUMBER_OUT_OF_RANGE"));
    }
    let sum = server.call(ask(json!({"aggregate": {"s": {"sum": "n"}}}))).await;
    assert_eq!(sum["data"]["aggregations"]["s"], 3, "{sum}");
    assert!(warned(&sum, "VALIDATION_SKIPPED_WARNING"));
}

/// A link in the body leads on as one in a header does, whatever its place; where it is null, that is the end.
#[tokio::test]
async fn links_in_the_body() {
    let shapes: [fn(Value) -> Value; 4] = [
        |link| json!({"next": link, "results": []}),
        |link| json!({"links": {"next": link}, "results": []}),
        |link| json!({"_links": {"next": {"href": link}}, "results": []}),
        |link| json!({"@odata.nextLink": link, "results": []}),
    ];
    for shape in shapes {
        let (server, api) = server("{per_page: {type: integer}}", Setup::default(), move |request| {
            let page = number(request, "page").unwrap_or(1);
            let link = if page < 3 { json!(format!("/things?page={}", page + 1)) } else { Value::Null };
            let mut body = shape(link);
            body["results"] = json!(items((page - 1) * 20, 20));
            Answer::json(200, body)
        })
        .await;
        let fifty = server.call(ask(json!({"first": 50}))).await;
        assert_eq!(fifty["data"]["items"].as_array().unwrap().len(), 50, "{fifty}");
        assert!(
            fifty["data"]["pageInfo"]["endCursor"].is_string()
                && !warned(&fifty, "VALIDATION_INCOMPLETE_WARNING")
        );
        let all = server.call(ask(json!({"all": true}))).await;
        assert_eq!(
            (&all["data"]["pageInfo"]["totalCount"], &all["data"]["pageInfo"]["hasNextPage"]),
            (&json!(60), &json!(false)),
            "{all}"
        );
        let counted = server.data(ask(json!({"aggregate": {"n": {"count": true}}}))).await;
        assert_eq!(
            (&counted["aggregations"]["n"], &counted["applied"]["complete"]),
            (&json!(60), &json!(true))
        );
        assert!(api.requests().iter().all(|request| request.path() == "/things"));
    }
}

/// A field that one item lacks and others hide behind null is unknown; a field that is null is there.
#[tokio::test]
async fn fields_behind_null() {
    let body =
        json!([{"id": 1, "owner": null}, {"id": 2, "owner": {"login": null}}, {"id": 3, "owner": null}]);
    let (server, _api) = server("{}", Setup::default(), move |_| Answer::json(200, body.clone())).await;
    let misspelt = server.call(ask(json!({"filter": {"owner.logn": "x"}}))).await;
    assert!(warned(&misspelt, "VALIDATION_UNKNOWN_FIELD_WARNING"), "{misspelt}");
    assert_eq!(misspelt["warnings"][0]["details"]["suggestion"], "owner.login");
    let there = server.call(ask(json!({"filter": {"owner.login": "x"}}))).await;
    assert!(!warned(&there, "VALIDATION_UNKNOWN_FIELD_WARNING"), "{there}");
}
