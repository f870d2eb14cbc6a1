//! Trust, danger and confirmation, from the client's side.
//!
//! What is refused or not yet confirmed never reaches the API (rulings S1, S2 and W7).

use crate::test_server::{Setup, TestServer, adapter, data_of, error_of, library};
use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes, SessionEnd, SessionId, ToolEndpoint};
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::exposure::Glob;
use aqueduct_operations::gatekeeper::{Permission, PolicyRule};
use aqueduct_operations::trust::{MatrixDecision, TrustLevel};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Duration;

fn delete(book: u64) -> Value {
    json!({"operation": "delete_book", "params": {"book_id": book}})
}

fn with_token(mut request: Value, token: &Value) -> Value {
    request["params"]["confirmation_token"] = token.clone();
    request
}

async fn token_for(server: &TestServer, request: Value) -> Value {
    server.error(request).await["details"]["confirmation_token"].clone()
}

/// As much of a token as is shown: four of its digits.
fn beginning(token: &Value) -> String {
    format!("{}...", &token.as_str().unwrap()[.."conf_".len() + 4])
}

/// R1.3-10 R10.2-2 R10.2-3 R10.2-4 R10.2-5 X-danger-26 X-errors-20 X-errors-21 X-modes-22: by every level of trust, every operation of
/// the sample runs, asks, or is refused by its code, and a refused one is never sent.
#[tokio::test]
async fn trust_and_danger() {
    let (_, api) = TestServer::library().await;
    let calls = [
        json!({"operation": "get_status"}),
        json!({"operation": "create_book", "params": {"title": "T", "genre": "essay"}}),
        json!({"operation": "touch_book", "params": {"book_id": 1}}),
        delete(1),
        json!({"operation": "delete_all_books"}),
        json!({"operation": "cancel_scan", "params": {"scan_id": "s"}}),
        json!({"operation": "start_scan"}),
    ];
    for (trust, expected) in [
        ("untested", "trust trust trust trust trust trust trust"),
        ("generated", "runs trust trust trust trust trust trust"),
        ("community", "runs runs trust trust trust trust trust"),
        ("validated", "runs runs runs asks danger runs asks"),
        ("verified", "runs runs runs trust trust runs asks"),
        ("community_reviewed", "runs runs runs asks danger runs asks"),
        ("certified", "runs runs runs asks asks runs asks"),
        ("official", "runs runs runs asks asks runs asks"),
    ] {
        let server = Setup::trust(trust).serve_library(&api);
        let mut found = Vec::new();
        for call in &calls {
            let before = api.requests().len();
            let answer = server.call(call.clone()).await;
            let word = match answer["error"]["code"].as_str() {
                None => "runs",
                Some("CONFIRMATION_REQUIRED") => "asks",
                Some("PERMISSION_TRUST_LEVEL_INSUFFICIENT") => "trust",
                Some("PERMISSION_DANGER_LEVEL_DENIED") => "danger",
                Some(other) => panic!("{other}"),
            };
            assert_eq!(api.requests().len() - before, usize::from(word == "runs"));
            found.push(word);
        }
        assert_eq!(found.join(" "), expected, "{trust}");
    }
    let matrix = TrustLevel::Validated.cell(DangerLevel::Destructive);
    assert_eq!(matrix, MatrixDecision::Confirm, "the table agrees with what was seen");
}

/// X-errors-20 X-errors-21 O8.4-1: a refusal says what would allow it, in its text and in its details.
#[tokio::test]
async fn refusals_name_the_setting() {
    let (server, api) = TestServer::library().await;
    let error = server.error(json!({"operation": "delete_all_books"})).await;
    assert_eq!(
        error["message"],
        "Operation 'delete_all_books' (danger: forbidden) denied for adapter trust level 'validated'. The operator can \
         allow it with --trust certified."
    );
    let details = &error["details"];
    assert_eq!(details["operation"], "delete_all_books");
    assert_eq!(
        (&details["danger_level"], &details["adapter_trust"]),
        (&json!("forbidden"), &json!("validated"))
    );
    assert_eq!(details["minimum_trust_required"], "certified");
    assert!(details["reasons"][0].is_string());
    let error = Setup::trust("generated").serve_library(&api).error(delete(1)).await;
    assert_eq!(
        error["message"],
        "Operation 'delete_book' requires trust level 'validated', adapter has 'generated'. The operator can allow it \
         with --trust validated."
    );
    let details = &error["details"];
    assert_eq!(details["operation"], "delete_book");
    assert_eq!(
        (&details["required_trust"], &details["actual_trust"]),
        (&json!("validated"), &json!("generated"))
    );
    assert_eq!(details["danger_level"], 2, "a number here");
}

/// S7: where there are several sources the flag names the one it is for, as it has to.
#[tokio::test]
async fn refusals_name_the_source_among_several() {
    let (_, api) = TestServer::library().await;
    let other = adapter("other", &api.base_url(), "operations: {}");
    let both = Setup::trust("generated").serve(&[library(&api.base_url()), other]);
    for (operation, level) in [("library__delete_book", "validated"), ("delete_book", "validated")] {
        let error = both.error(json!({"operation": operation, "params": {"book_id": 1}})).await;
        let flag = format!("--trust library={level}");
        assert_eq!(error["details"]["setting"], flag, "{error}");
        assert!(error["message"].as_str().unwrap().ends_with(&format!("allow it with {flag}.")), "{error}");
    }
}

/// X-danger-14: what no one has tested can be asked about, and not even its harmless operations run.
#[tokio::test]
async fn untested_sources_can_only_be_asked_about() {
    let (_, api) = TestServer::library().await;
    let server = Setup::trust("untested").serve_library(&api);
    let list = server.data(json!({"operation": "introspect", "query": "operations"})).await;
    assert_eq!(list["operations"].as_array().unwrap().len(), 1, "introspect itself: {list}");
    let error = server.error(json!({"operation": "get_status"})).await;
    assert_eq!(error["code"], "PERMISSION_TRUST_LEVEL_INSUFFICIENT");
    assert!(api.requests().is_empty());
}

/// A hidden operation is refused before its endpoint and its parameters are looked at, and left out of every list.
#[tokio::test]
async fn hidden_operations() {
    let (server, _) = TestServer::library().await;
    let wrong = json!({"operation": "delete_all_books", "params": {"nope": 1}});
    let error = error_of(server.call_by("read", wrong).await);
    assert_eq!(error["code"], "PERMISSION_DANGER_LEVEL_DENIED");
    for query in [
        json!({"query": "operations"}),
        json!({"query": "operations", "name": "delete_all_books"}),
        json!({"query": "danger"}),
        json!({"query": "danger", "name": "delete_all_books"}),
        json!({"query": "types"}),
        json!({"query": "adapter_info"}),
    ] {
        let data = server.data(json!({"operation": "introspect", "params": query})).await;
        assert!(!data.to_string().contains("delete_all_books"), "{data}");
    }
    let list = server.data(json!({"operation": "introspect", "query": "operations"})).await;
    assert_eq!(list["_protocol"]["hidden"], 1);
    assert_eq!(server.dispatcher.catalog().hidden_count(), 1);
}

/// X-errors-22 X-errors-29 X-danger-4 X-danger-16 X-danger-24 C4.7.2-2: the first call is answered with a token, the reasons and the
/// question; the same call with the token runs, once, and the token does not go upstream.
#[tokio::test]
async fn confirmed_calls() {
    let (server, api) = TestServer::library().await;
    let answer = server.call(delete(7)).await;
    let details = &answer["error"]["details"];
    assert!(answer["error"]["message"].as_str().unwrap().starts_with("This operation requires confirmation"));
    assert_eq!(
        (&details["operation"], &details["danger_level"]),
        (&json!("delete_book"), &json!("destructive"))
    );
    assert_eq!(details["reasons"], json!(["removes the book"]));
    assert_eq!(details["confirmation_message"], "Remove book '7'?");
    assert_eq!(details["expires_at"], "2026-01-01T12:05:00Z");
    assert_eq!(answer["confirmation"]["token"], details["confirmation_token"]);
    assert!(api.requests().is_empty());

    server.data(with_token(delete(7), &details["confirmation_token"])).await;
    assert_eq!(
        (api.only_request().method.as_str(), api.only_request().target.as_str()),
        ("DELETE", "/books/7")
    );

    let again = server.error(with_token(delete(7), &details["confirmation_token"])).await;
    assert_eq!(again["code"], "TOKEN_ALREADY_USED");
    assert!(again["message"].as_str().unwrap().starts_with("Confirmation token has already been used"));
    assert_eq!(again["details"]["token"], beginning(&details["confirmation_token"]));
    assert_eq!(again["details"]["consumed_at"], "2026-01-01T12:00:00Z");
    assert_eq!(api.requests().len(), 1);
}

/// X-errors-22: the person who confirms sees what would run: operation, source and values, defaults included, each where a
/// request has it; sensitive ones are hidden and long ones cut.
#[tokio::test]
async fn what_would_run_is_shown() {
    let (_, api) = TestServer::library().await;
    let blocks = "operations:\n  update:\n    - name: update_vault\n      maps_to: PATCH /vaults/{vault_id}\n      \
                  description: \"Change a vault\"\n      dangerous: true\n      params:\n        vault_id: {type: \
                  integer, required: true}\n        notify: {type: boolean, in: query, default: true}\n        \
                  pin: {type: string, sensitive: true}\n        note: {type: string}\n        tags: {type: array}";
    let server = Setup::default().serve(&[adapter("bank", &api.base_url(), blocks)]);
    let tags = vec!["tag"; 100];
    let input = json!({"pin": "hush-hush", "note": "short", "tags": tags});
    let request = json!({"operation": "update_vault", "params": {"vault_id": 7, "input": input}});
    let error = server.error(request).await;
    let details = &error["details"];
    assert_eq!((&details["operation"], &details["source"]), (&json!("update_vault"), &json!("bank")));
    let mut shown = details["params"].clone();
    let cut = shown["input"]["tags"].take();
    assert!(cut.as_str().unwrap().starts_with("[\"tag\",") && cut.as_str().unwrap().ends_with("\"tag\"]"));
    assert!(cut.as_str().unwrap().contains("more characters"), "{cut}");
    assert_eq!(
        shown,
        json!({"vault_id": 7, "notify": true, "input": {"pin": "[hidden]", "note": "short", "tags": null}})
    );
    assert!(!error.to_string().contains("hush-hush") && error.to_string().len() < 1_500, "{error}");
    assert!(api.requests().is_empty());
}

/// X-danger-16: the token may come as `_confirmation`, as camelCase, and on top level (ruling W7).
#[tokio::test]
async fn spellings_of_the_token() {
    let (server, api) = TestServer::library().await;
    for (index, place) in ["_confirmation", "confirmation_token", "confirmationToken"].into_iter().enumerate()
    {
        for on_top in [true, false] {
            let mut request = json!({"operation": "send_reminder", "params": {"reader": "Ann"}});
            let token = token_for(&server, request.clone()).await;
            let level = if on_top { &mut request } else { &mut request["params"] };
            level[place] = token;
            server.data(request).await;
        }
        assert_eq!(api.requests().len(), 2 * (index + 1));
    }
    assert!(api.requests().iter().all(|request| request.json() == json!({"reader": "Ann"})));
}

/// X-errors-27 X-errors-28 X-errors-30: every way in which a token is no good has its code and details, and nothing is
/// sent.
#[tokio::test]
async fn tokens_that_are_no_good() {
    let (server, api) = TestServer::library().await;
    for (bad, shown) in [
        (json!("conf_0123456789abcdef0123"), "conf_0123..."),
        (json!("yes"), "[REDACTED]"),
        (json!(true), "[REDACTED]"),
        (json!({}), "[REDACTED]"),
        (json!(null), "[REDACTED]"),
    ] {
        let error = server.error(with_token(delete(7), &bad)).await;
        assert_eq!(error["code"], "TOKEN_INVALID", "{bad}");
        assert_eq!(error["details"]["token"], shown, "{bad}");
        assert!(error["message"].as_str().unwrap().starts_with("Invalid confirmation token"));
    }
    let token = token_for(&server, delete(7)).await;
    for other in [
        delete(8),
        json!({"operation": "delete_book", "params": {"book_id": 7, "reason": "r"}}),
        json!({"operation": "start_scan", "params": {}}),
    ] {
        let error = server.error(with_token(other.clone(), &token)).await;
        assert_eq!(error["code"], "TOKEN_SCOPE_MISMATCH");
        assert!(error["message"].as_str().unwrap().starts_with("Confirmation token scope mismatch"));
        assert_eq!(error["details"]["token"], beginning(&token));
        assert_eq!(error["details"]["token_operation"], "delete_book");
        assert_eq!(error["details"]["requested_operation"], other["operation"]);
    }
    let full = token.as_str().unwrap().to_owned();
    let error = server.error(with_token(delete(9), &token)).await;
    assert!(!error.to_string().contains(&full), "only its beginning is shown");

    server.clock.advance(Duration::from_secs(331));
    let error = server.error(with_token(delete(7), &token)).await;
    assert_eq!(error["code"], "TOKEN_EXPIRED");
    assert!(error["message"].as_str().unwrap().starts_with("Confirmation token has expired"));
    assert_eq!(error["details"]["token"], beginning(&token));
    assert_eq!(error["details"]["expired_at"], "2026-01-01T12:05:00Z");
    assert_eq!(error["details"]["current_time"], "2026-01-01T12:05:31Z");
    assert!(api.requests().is_empty());
}

/// C2.3.3-1 C2.3.3-6 C2.3.5-2 C2.3.5-3: a token belongs to its session, which is ours: nothing that a client says in
/// `_meta` makes it another one, and the end of the session, whichever it is, ends the token.
#[tokio::test]
async fn tokens_belong_to_their_session() {
    let (server, api) = TestServer::library().await;
    let token = token_for(&server, delete(7)).await;
    let mut stolen = with_token(delete(7), &token);
    stolen["_meta"] = json!({"session_id": "session-1", "sessionId": "session-1", "session": "session-1"});
    let error = error_of(server.call_as("session-2", ToolEndpoint::Any, stolen).await);
    assert_eq!(error["code"], "TOKEN_INVALID");
    assert_eq!(error["details"]["session_id"], "session-2");
    for end in [SessionEnd::Abrupt, SessionEnd::Graceful] {
        let token = token_for(&server, delete(7)).await;
        server.dispatcher.end_session(&SessionId::new("session-1"), &Caller::local(), end);
        assert_eq!(server.error(with_token(delete(7), &token)).await["code"], "TOKEN_INVALID", "{end:?}");
    }
    assert!(api.requests().is_empty());
}

/// X-gate-2: validation comes before the gate: no token is given for a request that would fail.
#[tokio::test]
async fn no_token_for_a_bad_request() {
    let (server, _) = TestServer::library().await;
    let error = server.error(json!({"operation": "delete_book", "params": {}})).await;
    assert_eq!(error["code"], "VALIDATION_MISSING_PARAM");
    assert_eq!(error["details"].get("confirmation_token"), None);
}

/// O6.4-1 O6.4-2: `dangerous: true` is seen by the client and asks first, as `requires_confirmation` does.
#[tokio::test]
async fn the_dangerous_mark() {
    let (server, api): (TestServer, FakeApi) = TestServer::library().await;
    let details = server.error(json!({"operation": "start_scan"})).await["details"].clone();
    assert_eq!(details["danger_level"], "destructive");
    let shown =
        server.data(json!({"operation": "introspect", "query": "operations", "name": "start_scan"})).await;
    let description = shown["operation"]["description"].as_str().unwrap();
    assert!(description.ends_with("Destructive; needs confirmation."), "{description}");
    let mild = server.error(json!({"operation": "send_reminder", "params": {"reader": "A"}})).await;
    assert_eq!(mild["code"], "CONFIRMATION_REQUIRED");
    let shown =
        server.data(json!({"operation": "introspect", "query": "operations", "name": "send_reminder"})).await;
    assert_eq!(shown["operation"]["description"], "Remind a reader. Needs confirmation.", "not as a danger");
    data_of(
        server
            .call(with_token(
                json!({"operation": "start_scan", "params": {}}),
                &details["confirmation_token"],
            ))
            .await,
    );
    assert_eq!(api.only_request().path(), "/scans");
}

/// X-token-4: a token is for the controls of its call too: the version that is changed, and how much is read.
#[tokio::test]
async fn tokens_are_bound_to_controls() {
    let api = FakeApi::always(Answer::json(200, json!([{"id": 1}]))).await;
    let operations = "operations:
  read:
    - {name: list_notes, maps_to: GET /notes, description: All, requires_confirmation: true}
  update:
    - name: update_note
      maps_to: PATCH /notes/{id}
      description: Changes it
      requires_confirmation: true
      params: {id: {type: string, required: true}, title: {type: string}}
";
    let server = Setup::default().serve(&[adapter("notes", &api.base_url(), operations)]);
    let update = json!({"operation": "update_note", "params": {"id": "1", "if_match": "\"v3\"", "input": {"title": "b"}}});
    let mut unconditional = update.clone();
    unconditional["params"].as_object_mut().unwrap().remove("if_match");
    let some = json!({"operation": "list_notes", "params": {"first": 5}});
    let all = json!({"operation": "list_notes", "params": {"all": true}});
    for (sent, (confirmed, other)) in [(update, unconditional), (some, all)].into_iter().enumerate() {
        let asked = server.error(confirmed.clone()).await;
        let shown = &asked["details"]["params"];
        assert!(shown["if_match"] == "\"v3\"" || shown["first"] == 5, "whoever confirms sees them: {shown}");
        let token = &asked["details"]["confirmation_token"];
        let refused = server.error(with_token(other, token)).await;
        assert_eq!(refused["code"], "TOKEN_SCOPE_MISMATCH", "{confirmed}");
        assert_eq!(api.requests().len(), sent);
        server.data(with_token(confirmed, token)).await;
        assert_eq!(api.requests().len(), sent + 1);
    }
}

/// X-gate-8: what a rule or a missing scope denies to one caller is refused before its parameters are looked at, as the gatekeeper would
/// refuse it; others learn what is wrong with theirs.
#[tokio::test]
async fn what_a_caller_may_not_call_is_not_validated() {
    let operations = "trust: {level: certified}\noperations:\n  read:\n    - {name: list_salaries, maps_to: 'GET /salaries', params: {department: {type: string, required: true}}}\n    - {name: list_audits, maps_to: 'GET /audits', required_scopes: [audit], params: {year: {type: integer, required: true}}}";
    let rule = PolicyRule {
        source: None,
        operation: Some(Glob::parse("list_salaries").unwrap()),
        category: None,
        caller: Some(Glob::parse("ada").unwrap()),
        params: Vec::new(),
        permission: Permission::Deny,
        reason: None,
    };
    let server = Setup { rules: vec![rule], ..Setup::default() }.serve(&[adapter(
        "host",
        "http://127.0.0.1:9",
        operations,
    )]);
    let error = async |caller: &str, scopes: Scopes, family: &str, request: Value| {
        let origin = CallOrigin::new(SessionId::new("session-1"), Caller::named(caller), scopes);
        let origin = CallOrigin { endpoint: ToolEndpoint::Family(family.to_owned()), ..origin };
        let arguments = request.as_object().unwrap().clone();
        let reply = server.dispatcher.call(Call { arguments, origin }).await;
        error_of(serde_json::from_str(&reply.to_json()).unwrap())
    };
    let salaries = json!({"operation": "list_salaries", "params": {"wrong": 1}});
    let audits = json!({"operation": "list_audits", "params": {"wrong": 1}});
    for family in ["read", "delete"] {
        let by_rule = error("ada", Scopes::unrestricted(), family, salaries.clone()).await;
        assert_eq!(by_rule["code"], "PERMISSION_DENIED", "{by_rule}");
        assert!(!by_rule.to_string().contains("department"), "{by_rule}");
        let by_scope = error("eve", Scopes::none(), family, audits.clone()).await;
        assert_eq!(by_scope["code"], "PERMISSION_DENIED", "{by_scope}");
        assert_eq!(by_scope["details"]["missing_scope"], "audit", "{by_scope}");
        assert!(!by_scope.to_string().contains("year"), "{by_scope}");
    }
    let no_object = json!({"operation": "list_salaries", "params": 5});
    let shown = error("ada", Scopes::unrestricted(), "read", no_object).await;
    assert!(!shown.to_string().contains("department"), "{shown}");
    let allowed = error("eve", Scopes::unrestricted(), "read", salaries).await;
    assert!(allowed.to_string().contains("department"), "{allowed}");
    let scoped = error("ada", Scopes::only(["audit".to_owned()]), "read", audits).await;
    assert!(scoped.to_string().contains("year"), "{scoped}");
}
