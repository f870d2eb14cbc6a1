//! How a request is read and what is sent for it.
//!
//! Requests go in by the endpoint that takes everything; what comes out is seen by the recording API.

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::log;
use serde_json::{Value, json};

/// R1.3-4 R1.3-5 R1.3-6 R1.3-7 R2.2-1 R2.2-7 R5.1-1 O2.1-1 C5.2-1: an operation's name leads to its request, with
/// credentials attached, and the JSON that comes back is the data of the answer, untouched.
#[tokio::test]
async fn from_name_to_answer() {
    let book = json!({"id": 7, "title": "Candide", "created_at": "2026-02-04T10:30:00Z", "shelf": null});
    let api = FakeApi::always(Answer::json(201, book.clone())).await;
    let server = Setup::default().serve_library(&api);
    let request = json!({"operation": "create_book", "params": {"title": "Candide", "genre": "novel"}});
    assert_eq!(server.call(request).await, json!({"success": true, "data": book}));
    let sent = api.only_request();
    assert_eq!((sent.method.as_str(), sent.target.as_str()), ("POST", "/books"));
    assert_eq!(sent.json(), json!({"title": "Candide", "genre": "novel", "language": "en"}));
    assert_eq!(sent.header("authorization"), Some("Bearer lib-t0ken-4711-secret"));
}

/// R1.1-1 R2.2-3 O1-1: every operation of an adapter file is served, by nothing but the file: each goes out with
/// the method and path that it is mapped to.
#[tokio::test]
async fn every_operation_is_served() {
    let (_, api) = TestServer::library().await;
    let server = Setup::trust("certified").serve_library(&api);
    let list = server.data(json!({"operation": "introspect", "query": "operations"})).await;
    for operation in list["operations"].as_array().unwrap().iter().filter(|each| each["name"] != "introspect")
    {
        let query = json!({"operation": "introspect", "query": "operations", "name": operation["name"]});
        let mut request = server.data(query).await["operation"]["examples"][0]["request"].take();
        let asked = server.call(request.clone()).await;
        if let Some(token) = asked["error"]["details"].get("confirmation_token") {
            request["params"]["confirmation_token"] = token.clone();
            server.data(request).await;
        }
    }
    let sent: Vec<String> =
        api.requests().iter().map(|request| format!("{} {}", request.method, request.path())).collect();
    assert_eq!(
        sent,
        [
            "POST /books",
            "GET /books/1",
            "GET /books",
            "PATCH /books/1",
            "PUT /books/1/touch",
            "DELETE /books/1",
            "DELETE /books",
            "PUT /hours",
            "PATCH /layout",
            "GET /notes/111111",
            "POST /reminders",
            "POST /scans",
            "POST /scans/scan_id/cancel",
            "GET /shelves/shelf_code",
            "GET /status",
        ]
    );
}

/// C4.4-1 R5.2-2 O2.2-2: a request may hold nothing but the operation.
#[tokio::test]
async fn params_may_be_absent() {
    let (server, api) = TestServer::library().await;
    server.data(json!({"operation": "get_status"})).await;
    server.data(json!({"operation": "get_status", "params": {}})).await;
    assert_eq!(api.requests()[0].target, api.requests()[1].target);
}

/// C4.2-1 C4.4-2 O2.3-1 O2.3-4 R6.1-1: a parameter works in `params` and on top level, also mixed.
#[tokio::test]
async fn parameters_on_either_level() {
    let (server, api) = TestServer::library().await;
    for request in [
        json!({"operation": "get_book", "params": {"book_id": 5, "verbose": true}}),
        json!({"operation": "get_book", "book_id": 5, "verbose": true}),
        json!({"operation": "get_book", "book_id": 5, "params": {"verbose": true}}),
    ] {
        server.data(request).await;
    }
    let targets: Vec<String> = api.requests().into_iter().map(|request| request.target).collect();
    assert_eq!(targets, ["/books/5?verbose=true"; 3]);
}

/// C4.2-2 O2.3-2 O2.3-3 R6.1-1: where both levels have the name, `params` wins.
#[tokio::test]
async fn params_win_over_top_level() {
    let (server, api) = TestServer::library().await;
    server.data(json!({"operation": "get_book", "book_id": 1, "params": {"book_id": 2}})).await;
    assert_eq!(api.only_request().target, "/books/2");
}

/// C4.2-2: a value that is passed over for a different one leaves a line in the log; the same value twice does not.
#[tokio::test]
async fn values_passed_over_are_logged() {
    log::keep();
    let (server, api) = TestServer::library().await;
    let said = || log::text().matches("parameters came twice with different values").count();
    for request in [
        json!({"operation": "get_book", "book_id": 2, "params": {"book_id": 2}}),
        json!({"operation": "get_book", "params": {"bookId": 2, "book_id": 2}}),
    ] {
        server.data(request).await;
    }
    assert_eq!(said(), 0);
    for request in [
        json!({"operation": "get_book", "book_id": 1, "params": {"book_id": 2}}),
        json!({"operation": "get_book", "params": {"bookId": 1, "book_id": 2}}),
        json!({"operation": "update_book", "params": {"book_id": 2, "input": {"pageCount": 1, "page_count": 2}}}),
    ] {
        server.data(request).await;
    }
    assert_eq!(said(), 3, "{}", log::text());
    assert!(api.requests().iter().all(|request| request.path() == "/books/2"));
}

/// O4.1-2: where two aliases say different things and nothing says which one counts, the request is refused.
#[tokio::test]
async fn contradictions_are_refused() {
    let (server, api) = TestServer::library().await;
    let update = |input: Value| json!({"operation": "update_book", "params": {"book_id": 7, "input": input}});
    let delete = |confirmation: &str| {
        json!({"operation": "delete_book", "_confirmation": confirmation,
               "params": {"book_id": 1, "confirmation_token": "conf_a"}})
    };
    for (request, param) in [
        (json!({"operation": "get_book", "params": {"bookId": 1, "bookID": 2}}), "book_id"),
        (update(json!({"pageCount": 1, "pageCOUNT": 2})), "input.page_count"),
        (delete("conf_b"), "confirmation_token"),
    ] {
        let error = server.error(request).await;
        assert_eq!(error["code"], "VALIDATION_INVALID_VALUE", "{error}");
        assert_eq!(
            error["message"],
            format!("Parameter '{param}' must be sent once: it came in two spellings with different values")
        );
        assert!(!error.to_string().contains("conf_a"), "{error}");
    }
    assert!(api.requests().is_empty());
    server.data(json!({"operation": "get_book", "params": {"bookId": 1, "bookID": 1}})).await;
    server.data(update(json!({"pageCount": 1, "pageCOUNT": 1}))).await;
    assert_eq!(api.requests().len(), 2);
    assert_eq!(server.error(delete("conf_a")).await["code"], "TOKEN_INVALID", "the same token twice is one");
}

/// O4.1-2 O4.1-3: camelCase spellings are taken as aliases, in `input` too; where both come, snake_case wins.
#[tokio::test]
async fn camel_case_aliases() {
    let (server, api) = TestServer::library().await;
    server.data(json!({"operation": "get_book", "params": {"bookId": 3}})).await;
    server.data(json!({"operation": "get_book", "bookId": 4, "params": {}})).await;
    server.data(json!({"operation": "get_book", "params": {"bookId": 5, "book_id": 6}})).await;
    let update = json!({"bookId": 7, "input": {"pageCount": 10, "page_count": 11}});
    server.data(json!({"operation": "update_book", "params": update})).await;
    let requests = api.requests();
    let targets: Vec<&str> = requests.iter().map(|request| request.path()).collect();
    assert_eq!(targets, ["/books/3", "/books/4", "/books/6", "/books/7"]);
    assert_eq!(requests[3].json(), json!({"pages": 11}));
    let strict = adapter(
        "strict",
        &api.base_url(),
        "compat: {camel_case: false}\noperations:\n  read:\n    - name: get_x\n      maps_to: GET /x/{item_id}\n      \
         params: {item_id: {type: string, required: true}}",
    );
    let error = Setup::default().serve(&[strict]).error(json!({"operation": "get_x", "itemId": "1"})).await;
    assert_eq!(error["details"]["problems"][1]["param"], "itemId");
}

/// O5.2-6: declared paths are tried in order, then the name that introspection shows; the way there is no unknown
/// parameter, everything beside it is.
#[tokio::test]
async fn declared_sources() {
    let (server, api) = TestServer::library().await;
    for params in [
        json!({"operation": "find_shelf", "params": {"shelf": {"code": "A"}, "shelf_code": "Z"}, "shelfCode": "Y"}),
        json!({"operation": "find_shelf", "params": {"shelf": {}}, "shelfCode": "B"}),
        json!({"operation": "find_shelf", "params": {"shelf_code": "Z"}, "shelfCode": "B"}),
        json!({"operation": "find_shelf", "params": {"shelf_code": "C"}}),
    ] {
        server.data(params).await;
    }
    let targets: Vec<String> = api.requests().into_iter().map(|request| request.target).collect();
    assert_eq!(targets, ["/shelves/A", "/shelves/B", "/shelves/B", "/shelves/C"]);
    let stray = json!({"operation": "find_shelf", "params": {"shelf_code": "C"}, "shelf": {"code": "A"}});
    assert_eq!(server.error(stray).await["details"]["unknown_params"], json!(["shelf"]));
}

/// R2.2-2 R5.2-4 O5.4-5 O5.2-4: defaults fill what was not sent, and only that.
#[tokio::test]
async fn defaults() {
    let (server, api) = TestServer::library().await;
    server.data(json!({"operation": "list_books"})).await;
    server.data(json!({"operation": "list_books", "params": {"page": 3}})).await;
    server.data(json!({"operation": "list_books", "params": {"page_size": 10}})).await;
    let queries: Vec<String> =
        api.requests().iter().map(|request| request.query().unwrap_or_default().to_owned()).collect();
    assert_eq!(queries, ["page=1&page_size=25", "page=3&page_size=25", "page=1&page_size=10"]);
}

/// R1.2-3: the same request gives the same bytes, in whatever order its parameters came.
#[tokio::test]
async fn requests_are_deterministic() {
    let (server, api) = TestServer::library().await;
    let one = r#"{"operation":"create_book","params":{"title":"T","genre":"essay","pages":9,"rating":4.5,"tags":["a"]}}"#;
    let two = r#"{"params":{"tags":["a"],"rating":4.5,"pages":9},"genre":"essay","title":"T","operation":"create_book"}"#;
    for text in [one, one, two] {
        server.data(serde_json::from_str(text).unwrap()).await;
    }
    let seen: Vec<(String, Vec<u8>)> =
        api.requests().into_iter().map(|request| (request.target, request.body)).collect();
    assert!(seen[0] == seen[1] && seen[1] == seen[2], "{seen:?}");
}

/// R1.2-1: text of an adapter file that looks like code or a template is data and goes out as it stands.
#[tokio::test]
async fn nothing_is_evaluated() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let text = adapter(
        "literal",
        &api.base_url(),
        "operations:\n  create:\n    - name: create_x\n      maps_to: POST /x\n      params:\n        a: {type: string, \
         default: \"${HOME} {{1+1}} $(id) %PATH%\"}",
    );
    Setup::default().serve(&[text]).data(json!({"operation": "create_x"})).await;
    assert_eq!(api.only_request().json(), json!({"a": "${HOME} {{1+1}} $(id) %PATH%"}));
}

/// C4.7.3-1: an integer may come as `5.0`; it goes out as `5`. Numbers keep their digits.
#[tokio::test]
async fn whole_numbers() {
    let (server, api) = TestServer::library().await;
    server.data(json!({"operation": "get_book", "params": {"book_id": 5.0}})).await;
    let params = json!({"title": "T", "genre": "essay", "pages": 9.0, "rating": 4.0});
    server.data(json!({"operation": "create_book", "params": params})).await;
    assert_eq!(api.requests()[0].target, "/books/5");
    assert!(api.requests()[1].body_text().contains(r#""pages":9,"#));
    let params =
        json!({"title": "T", "genre": "essay", "rating": 0.1, "metadata": {"exact": 123_456.789_012_345}});
    server.data(json!({"operation": "create_book", "params": params})).await;
    let sent = api.requests()[2].body_text();
    assert!(sent.contains(r#""rating":0.1,"metadata":{"exact":123456.789012345}"#), "{sent}");
}

/// C4.7.6-2 R7.3-11 O3.2-1: null in an answer stays, and an empty answer is null, with `data` present.
#[tokio::test]
async fn nulls_in_answers() {
    let api = FakeApi::in_turn(vec![Answer::empty(204), Answer::json(200, json!(null))]).await;
    let server = Setup::default().serve_library(&api);
    for _ in 0..2 {
        let answer = server.call(json!({"operation": "get_status"})).await;
        assert_eq!(answer, json!({"success": true, "data": null}));
    }
}

/// O3.4-1 O3.4-2 C10.3-1: HTTP facts come with the answer when `_meta.http` asks for them, under `_meta`, and only then.
#[tokio::test]
async fn http_facts_on_request() {
    let answer =
        Answer::json(200, json!(1)).header("X-Page", "1").header("Link", "<a>").header("Link", "<b>");
    let api = FakeApi::always(answer).await;
    let server = Setup::default().serve_library(&api);
    for request in [
        json!({"operation": "get_status", "_meta": {"http": true}}),
        json!({"operation": "get_status", "params": {"_meta": {"http": true}}}),
    ] {
        let mut answer = server.call(request).await;
        let metadata: Vec<&String> = answer
            .as_object()
            .unwrap()
            .keys()
            .filter(|key| !["success", "data"].contains(&key.as_str()))
            .collect();
        assert_eq!(metadata, ["_meta"]);
        let http = answer["_meta"]["http"].take();
        assert_eq!((&http["status"], &http["content_type"]), (&json!(200), &json!("application/json")));
        assert_eq!((&http["headers"]["x-page"], &http["headers"]["link"]), (&json!("1"), &json!("<a>, <b>")));
    }
    for meta in [json!({"http": "true"}), json!({"http": false}), json!(true), json!({})] {
        let answer = server.call(json!({"operation": "get_status", "_meta": meta})).await;
        assert_eq!(answer.get("_meta"), None::<&Value>);
    }
}

/// C4.6.1-3 C4.6.1-4: the protocol's own fields and those with an underscore are no parameters, and are not sent.
#[tokio::test]
async fn protocol_fields_are_no_parameters() {
    let (server, api) = TestServer::library().await;
    let request = json!({
        "operation": "create_book", "_meta": {"a": 1}, "_request_id": "r",
        "params": {"title": "T", "genre": "essay", "_meta": {}, "_note": 5},
    });
    server.data(request).await;
    assert_eq!(api.only_request().json(), json!({"title": "T", "genre": "essay", "language": "en"}));
}
