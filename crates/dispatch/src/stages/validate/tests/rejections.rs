//! Rejected parameters: code, text, details, every problem, and an example that works.
//!
//! Nothing is sent for any of them (operations document, section 5.4; ruling W4).

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_operations::call::ToolEndpoint;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

fn create(params: Value) -> Value {
    json!({"operation": "create_book", "params": params})
}

fn codes(error: &Value) -> Vec<String> {
    let problems = error["details"]["problems"].as_array().unwrap();
    problems
        .iter()
        .map(|p| format!("{} {}", p["code"].as_str().unwrap(), p["param"].as_str().unwrap()))
        .collect()
}

/// O5.4-1 C5.3-1 O8.1-2 X-errors-9 O8.4-2 R2.2-2 R6.2.1-11: a missing parameter is named, with its type and
/// operation; null in a path is a missing one.
#[tokio::test]
async fn missing_parameters() {
    let (server, api) = TestServer::library().await;
    let error = server.error(create(json!({"genre": "essay"}))).await;
    assert_eq!(error["code"], "VALIDATION_MISSING_PARAM");
    assert_eq!(
        error["message"],
        "Missing required parameter 'title' for operation 'create_book'. Expected: string"
    );
    assert_eq!(error["details"]["param_name"], "title");
    assert_eq!(error["details"]["operation"], "create_book");
    let null = server.error(json!({"operation": "get_book", "params": {"book_id": null}})).await;
    assert_eq!(null["code"], "VALIDATION_MISSING_PARAM", "a path has no place for null");
    assert!(api.requests().is_empty());
}

/// O5.4-2 O8.1-3 X-errors-8 X-errors-10 R11.4-2: a wrong type is named, with what was expected and what came, by the words
/// of the message and by its details.
#[tokio::test]
async fn wrong_types() {
    let (server, api) = TestServer::library().await;
    for (name, value, expected, actual) in [
        ("title", json!(5), "string", "integer"),
        ("pages", json!("5"), "integer", "string"),
        ("pages", json!(5.5), "integer", "number"),
        ("rating", json!(true), "number", "boolean"),
        ("in_print", json!("true"), "boolean", "string"),
        ("tags", json!("a"), "string[]", "string"),
        ("keywords", json!(5), "string | string[]", "integer"),
        ("metadata", json!([]), "object", "array"),
    ] {
        let mut params = json!({"title": "T", "genre": "essay"});
        params[name] = value;
        let error = server.error(create(params)).await;
        assert_eq!(error["code"], "VALIDATION_INVALID_TYPE", "{name}");
        assert_eq!(error["message"], format!("Parameter '{name}' expected '{expected}', got '{actual}'"));
        let details = &error["details"];
        assert_eq!(details["param_name"], name);
        assert_eq!((&details["expected_type"], &details["actual_type"]), (&json!(expected), &json!(actual)));
    }
    let error = server.error(create(json!({"title": "T", "genre": "essay", "tags": ["a", 5]}))).await;
    assert_eq!(error["details"]["param_name"], "tags[1]", "the element is named");
    assert!(api.requests().is_empty());
}

/// X-errors-10 O8.4-1: null is no value; for a parameter that may be absent the answer says to leave it out.
#[tokio::test]
async fn null_for_an_optional_parameter() {
    let (server, api) = TestServer::library().await;
    let error = server.error(create(json!({"title": "T", "genre": "essay", "language": null}))).await;
    assert_eq!(error["code"], "VALIDATION_INVALID_TYPE");
    assert_eq!(error["message"], "Parameter 'language' expected 'string', got 'null'. Leave 'language' out");
    assert_eq!(
        error["details"]["problems"][0]["message"],
        "Parameter 'language' expected 'string', got 'null': leave 'language' out"
    );
    assert_eq!(error["details"]["example"]["params"], json!({"title": "title", "genre": "novel"}));
    let required = server.error(create(json!({"title": null, "genre": "essay"}))).await;
    assert_eq!(required["message"], "Parameter 'title' expected 'string', got 'null'");
    assert!(api.requests().is_empty());
}

/// C4.6-1 C4.6-2 C4.6-3 C4.6-4 C4.6.1-1 C4.6.1-2 C4.6.2-2 O5.4-3 X-errors-11: every unknown name is told once,
/// with the valid ones, wherever it stood; nothing is sent.
#[tokio::test]
async fn unknown_parameters() {
    let (server, api) = TestServer::library().await;
    let request = json!({"operation": "get_book", "params": {"book_id": 1, "verbse": true, "x": 1}, "x": 2, "stray": 3});
    let error = server.error(request).await;
    assert_eq!(error["code"], "VALIDATION_UNKNOWN_PARAM");
    assert_eq!(
        error["message"],
        "Unknown parameter(s) for operation 'get_book': verbse, x, stray. Valid parameters: book_id, verbose, fields, preset, after, budget. Send \
         'verbose' instead of 'verbse'"
    );
    assert_eq!(error["details"]["operation"], "get_book");
    assert_eq!(error["details"]["unknown_params"], json!(["verbse", "x", "stray"]));
    assert_eq!(
        error["details"]["valid_params"],
        json!(["book_id", "verbose", "fields", "preset", "after", "budget"])
    );
    let none = server.error(json!({"operation": "get_status", "params": {"a": 1}})).await;
    assert_eq!(
        none["message"],
        "Unknown parameter(s) for operation 'get_status': a. Valid parameters: fields, preset, after, budget"
    );
    assert!(api.requests().is_empty());
}

/// X-errors-7: names and values stand in single quotes, after words that fit the code.
#[tokio::test]
async fn quoted_values() {
    let (server, _api) = TestServer::library().await;
    for (family, request, code, opening) in [
        ("read", json!({"operation": "get_shop"}), "NOT_FOUND_OPERATION", "Unknown operation: 'get_shop'"),
        (
            "read",
            json!({"operation": "get_book"}),
            "VALIDATION_MISSING_PARAM",
            "Missing required parameter 'book_id' for operation 'get_book'",
        ),
        (
            "read",
            json!({"operation": "get_book", "params": {"book_id": "one"}}),
            "VALIDATION_INVALID_TYPE",
            "Parameter 'book_id' expected 'integer', got 'string'",
        ),
        (
            "read",
            json!({"operation": "list_books", "params": {"genre": "it's"}}),
            "VALIDATION_INVALID_VALUE",
            "Parameter 'genre' must be one of novel, essay, poetry; got 'it's'",
        ),
        (
            "read",
            json!({"operation": "get_book", "params": {"book_id": 1, "x": 1}}),
            "VALIDATION_UNKNOWN_PARAM",
            "Unknown parameter(s) for operation 'get_book': ",
        ),
        (
            "read",
            json!({"operation": "create_book"}),
            "VALIDATION_ENDPOINT_MISMATCH",
            "Operation 'create_book' must use CREATE endpoint",
        ),
        (
            "delete",
            json!({"operation": "delete_all_books"}),
            "PERMISSION_DANGER_LEVEL_DENIED",
            "Operation 'delete_all_books' (danger: forbidden) denied for adapter trust level 'validated'",
        ),
        (
            "read",
            json!({"operation": "introspect", "params": {"query": "shops"}}),
            "INVALID_QUERY_TYPE",
            "Unknown query type: 'shops'",
        ),
    ] {
        let error = server.call_by(family, request).await["error"].take();
        assert_eq!(error["code"], code, "{error}");
        assert!(error["message"].as_str().unwrap().starts_with(opening), "{error}");
    }
}

/// C4.6.2-1: with strict mode off an unknown parameter is left out, with a warning, and the call runs.
#[tokio::test]
async fn lenient_mode() {
    let (_, api) = TestServer::library().await;
    let server = Setup::lenient().serve_library(&api);
    let answer = server.call(json!({"operation": "get_book", "params": {"book_id": 1, "nope": 2}})).await;
    assert_eq!(answer["success"], true);
    assert_eq!(answer["warnings"][0]["code"], "VALIDATION_UNKNOWN_PARAM");
    assert_eq!(answer["warnings"][0]["details"], json!({"unknown_params": ["nope"]}));
    assert_eq!(api.only_request().target, "/books/1");
    let error = server.error(json!({"operation": "get_book", "params": {"nope": 2}})).await;
    assert_eq!(error["code"], "VALIDATION_MISSING_PARAM", "other problems stay problems");
}

/// O5.4-4 R11.4-2 C4.7.2-1 X-errors-34: enum, bounds, lengths, pattern, format and elements, each with what would be right; one
/// code for them all, and the constraint beside it.
#[tokio::test]
async fn constraints() {
    let (server, api) = TestServer::library().await;
    for (name, value, constraint, message) in [
        (
            "genre",
            json!("drama"),
            "enum",
            "Parameter 'genre' must be one of novel, essay, poetry; got 'drama'",
        ),
        ("pages", json!(0), "minimum", "Parameter 'pages' must be 1 or more; got '0'"),
        ("pages", json!(5001), "maximum", "Parameter 'pages' must be 5000 or less; got '5001'"),
        (
            "title",
            json!(""),
            "minLength",
            "Parameter 'title' must be 1 or more characters; got '0 characters'",
        ),
        ("isbn", json!("12"), "pattern", "Parameter 'isbn' must be text matching ^\\d{13}$; got '12'"),
        (
            "published",
            json!("4 Feb 2026"),
            "format",
            "Parameter 'published' must be an ISO 8601 date such as 2026-02-04; got '4 Feb 2026'",
        ),
        ("donor_code", json!("short"), "minLength", "Parameter 'donor_code' must be 8 or more characters"),
    ] {
        let mut params = json!({"title": "T", "genre": "essay"});
        params[name] = value;
        let error = server.error(create(params)).await;
        assert_eq!(
            (&error["code"], &error["message"]),
            (&json!("VALIDATION_INVALID_VALUE"), &json!(message))
        );
        assert_eq!(
            (&error["details"]["param_name"], &error["details"]["constraint"]),
            (&json!(name), &json!(constraint))
        );
        assert!(error["details"]["expected"].is_string());
    }
    let chapters = json!({"title": "T", "genre": "essay", "chapters": ["short", "far too long a title"]});
    assert_eq!(server.error(create(chapters)).await["details"]["param_name"], "chapters[1]");
    assert!(api.requests().is_empty());
}

/// X-intro-29: words of a client or an author never make a message look like leaked internals; the details hold
/// them as they are.
#[tokio::test]
async fn words_from_outside() {
    let (_, api) = TestServer::library().await;
    let blocks = "operations:\n  read:\n    - name: get_x\n      maps_to: GET /x\n      params:\n        drink: {type: string, \
                  enum: [flat white, tea]}\n        place: {type: string, pattern: \"^at [a-z]+$\"}";
    let server = Setup::default().serve(&[adapter("cafe", &api.base_url(), blocks)]);
    for (params, expected) in [
        (
            json!({"drink": "failed at line 3"}),
            "Parameter 'drink' must be as details.expected says; got '[not shown]'",
        ),
        (json!({"place": "home"}), "Parameter 'place' must be as details.expected says; got 'home'"),
        (
            json!({"what is": 1, "TypeError": 1}),
            "Unknown parameter(s) for operation 'get_x': [not shown], [not shown]. Valid parameters: drink, place, fields, preset, after, budget",
        ),
    ] {
        assert_eq!(server.error(json!({"operation": "get_x", "params": params})).await["message"], expected);
    }
    let error = server.error(json!({"operation": "get_x", "params": {"drink": "what now"}})).await;
    assert_eq!(error["details"]["expected"], "one of flat white, tea");
    assert_eq!(error["details"]["received"], "what now");
    let error = server.error(json!({"operation": "get_x", "params": {"what is": 1}})).await;
    assert_eq!(error["details"]["unknown_params"], json!(["what is"]));
}

/// O5.4-6 R5.2-3: kinds are told in the order missing, type, unknown, constraint, and within a kind in the order of the
/// parameters; all problems of all kinds are listed (ruling W4).
#[tokio::test]
async fn every_problem_at_once() {
    let (server, _) = TestServer::library().await;
    let all =
        json!({"rating": 9, "pages": 0, "isbn": "x", "language": 5, "in_print": 1, "nope": 1, "title": "T"});
    let error = server.error(create(all)).await;
    assert_eq!(
        codes(&error),
        [
            "VALIDATION_MISSING_PARAM genre",
            "VALIDATION_INVALID_TYPE language",
            "VALIDATION_INVALID_TYPE in_print",
            "VALIDATION_UNKNOWN_PARAM nope",
            "VALIDATION_INVALID_VALUE pages",
            "VALIDATION_INVALID_VALUE rating",
            "VALIDATION_INVALID_VALUE isbn",
        ]
    );
    let pages = &error["details"]["problems"][4];
    assert_eq!((&pages["expected"], &pages["received"]), (&json!("1 or more"), &json!("0")));
    assert_eq!(error["code"], "VALIDATION_MISSING_PARAM");
    for (fixed, code) in [
        (
            json!({"genre": "essay", "title": "T", "pages": 0, "language": 5, "nope": 1}),
            "VALIDATION_INVALID_TYPE",
        ),
        (json!({"genre": "essay", "title": "T", "pages": 0, "nope": 1}), "VALIDATION_UNKNOWN_PARAM"),
        (json!({"genre": "essay", "title": "T", "pages": 0}), "VALIDATION_INVALID_VALUE"),
    ] {
        assert_eq!(server.error(create(fixed)).await["code"], code);
    }
}

/// O8.4-1: the example in a rejection is a request that works.
#[tokio::test]
async fn the_example_works() {
    let (server, _api) = TestServer::library().await;
    for operation in [
        "create_book",
        "get_book",
        "find_shelf",
        "get_secret_note",
        "update_book",
        "update_hours",
        "update_layout",
    ] {
        let error = server.error(json!({"operation": operation, "params": {"nope": 1}})).await;
        let example = error["details"]["example"].clone();
        assert_eq!(example["operation"], operation);
        server.data(example).await;
    }
}

/// O8.4-1: the example shows the parameters that were wrong, or that were meant, beside the required ones.
#[tokio::test]
async fn the_example_shows_what_was_wrong() {
    let (server, _api) = TestServer::library().await;
    for (request, expected) in [
        (
            create(json!({"title": "T", "pages": 0, "isbn": 5})),
            json!({"title": "title", "genre": "novel", "pages": 1, "isbn": "1111111111111"}),
        ),
        (
            create(json!({"title": "T", "genre": "essay", "tags": ["a", 5], "publishd": "x"})),
            json!({"title": "title", "genre": "novel", "published": "2026-01-31", "tags": ["tags"]}),
        ),
        (
            json!({"operation": "update_book", "params": {"book_id": 1, "page_count": 3, "input": {"languge": "en"}}}),
            json!({"book_id": 1, "input": {"language": "en"}}),
        ),
    ] {
        let example = server.error(request).await["details"]["example"].take();
        assert_eq!(example["params"], expected);
        server.data(example).await;
    }
}

/// O8.4-1 O8.4-2: other words for keys of the protocol get the right one.
#[tokio::test]
async fn mistaken_keys() {
    let (server, api) = TestServer::library().await;
    for key in ["parameters", "arguments", "args"] {
        let mut request = json!({"operation": "get_book"});
        request[key] = json!({"book_id": 1});
        let error = server.error(request).await;
        assert_eq!(error["code"], "VALIDATION_MISSING_PARAM");
        let hint = format!("Send 'params' instead of '{key}'");
        assert!(error["message"].as_str().unwrap().ends_with(&hint), "{error}");
        let nested = server.error(json!({"operation": "get_book", "params": {key: {"book_id": 1}}})).await;
        let hint = format!("Put the content of '{key}' directly into 'params'");
        assert!(nested["message"].as_str().unwrap().ends_with(&hint), "{nested}");
    }
    for key in ["token", "confirm", "confirmed", "confirmation"] {
        let error =
            server.error(json!({"operation": "delete_book", "params": {"book_id": 1, key: true}})).await;
        let hint =
            format!("Leave '{key}' out, or send the token of CONFIRMATION_REQUIRED as 'confirmation_token'");
        assert!(error["message"].as_str().unwrap().ends_with(&hint), "{error}");
        let plain = server.error(json!({"operation": "get_book", "params": {"book_id": 1, key: true}})).await;
        assert!(!plain.to_string().contains("confirmation_token"), "{plain}");
    }
    for key in ["op", "Operation", "OPERATION"] {
        let twice = server.error(json!({"operation": "get_status", key: "get_status"})).await;
        let hint = format!("Send 'operation' instead of '{key}'");
        assert!(twice["message"].as_str().unwrap().ends_with(&hint), "{twice}");
    }
    assert!(api.requests().is_empty());
}

/// A rejection can be mended: it is no protocol error, and stays small however much was wrong.
#[tokio::test]
async fn large_rejections_stay_small() {
    let (server, _) = TestServer::library().await;
    let params: Value =
        (0..5_000).map(|n| (format!("unknown_{n}"), json!(n))).collect::<serde_json::Map<_, _>>().into();
    let reply = server.reply("session-1", ToolEndpoint::Any, create(params.clone())).await;
    assert!(!reply.is_error());
    let error = server.error(create(params)).await;
    assert_eq!(error["details"]["problems"].as_array().unwrap().len(), 100);
    let mut wrong = json!({"title": "T", "genre": "essay"});
    wrong["chapters"] = vec!["far too long a title"; 9_000].into();
    assert!(server.error(create(wrong)).await.to_string().len() < 40_000);
    let mut long = json!({"title": "T", "genre": "essay"});
    long["n".repeat(500_000)] = json!(1);
    assert!(server.error(create(long)).await.to_string().len() < 5_000);
}

const BODIES: &str = "operations:
  create:
    - name: add_note
      maps_to: POST /notes
      description: Adds one
      body: {needs: [title]}
      params: {title: {type: string}, text: {type: string}, draft: {type: boolean, in: query}, number: {type: integer}}
";

/// An optional body is absent, or whole: what it must have is demanded as soon as any of it is there.
#[tokio::test]
async fn a_body_is_absent_or_whole() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let server = Setup::default().serve(&[adapter("notes", &api.base_url(), BODIES)]);
    let add = |params: Value| json!({"operation": "add_note", "params": params});
    let error = server.error(add(json!({"text": "x"}))).await;
    assert_eq!(error["code"], "VALIDATION_MISSING_PARAM");
    assert_eq!(error["details"]["param_name"], "title");
    assert_eq!(error["details"]["example"]["params"], json!({"title": "title"}));
    assert!(api.requests().is_empty());
    server.data(add(json!({"draft": true}))).await;
    server.data(add(json!({"title": "t", "text": "x"}))).await;
    let sent: Vec<String> =
        api.requests().iter().map(|each| String::from_utf8_lossy(&each.body).into_owned()).collect();
    assert_eq!(sent, ["", r#"{"title":"t","text":"x"}"#]);
}

/// C4.7.3-1 C4.7.3-2: an integer of 64 bits that comes as text is sent exactly; as a number it is refused.
#[tokio::test]
async fn large_integers_are_sent_exactly() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let server = Setup::default().serve(&[adapter("notes", &api.base_url(), BODIES)]);
    for digits in ["9007199254740993", "-9223372036854775808", "18446744073709551615"] {
        server.data(json!({"operation": "add_note", "params": {"title": "t", "number": digits}})).await;
        let sent = api.requests().last().unwrap().body.clone();
        assert_eq!(String::from_utf8_lossy(&sent), format!("{{\"title\":\"t\",\"number\":{digits}}}"));
    }
    for wrong in [json!("5"), json!("18446744073709551616"), json!(9_007_199_254_740_993_i64), json!(1e30)] {
        let error =
            server.error(json!({"operation": "add_note", "params": {"title": "t", "number": wrong}})).await;
        assert!(error["code"].as_str().unwrap().starts_with("VALIDATION_INVALID"), "{error}");
    }
}
