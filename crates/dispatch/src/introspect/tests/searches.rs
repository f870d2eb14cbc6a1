//! Searching for operations: the request of a person in, what to call out.

use super::ask;
use crate::test_server::{Setup, TestServer, adapter, data_of, schema};
use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes, SessionId};
use aqueduct_operations::limits::Limits;
use aqueduct_query::measure;
use serde_json::{Value, json};

const HOST: &str = r#"trust: {level: certified}
operations:
  read:
    - {name: list_issues, maps_to: "GET /repos/{repo}/issues", description: "List repository issues. Pull requests are issues too.", tags: [issues], params: {repo: {type: string, required: true, description: "The repository"}, state: {type: string, enum: [open, closed, all], description: "Which ones"}, labels: {type: string, description: "Comma-separated labels"}, page: {type: integer}, per_page: {type: integer}}}
    - {name: get_issue, maps_to: "GET /repos/{repo}/issues/{number}", description: "Get an issue", params: {repo: {type: string, required: true}, number: {type: integer, required: true}}}
    - {name: list_branches, maps_to: "GET /repos/{repo}/branches", description: "List branches", params: {repo: {type: string, required: true}}}
    - {name: get_weather, maps_to: GET /weather, description: "Get the weather", triggers: [umbrella], when_to_use: "Before somebody goes out"}
    - {name: list_audit_entries, maps_to: GET /audit/entries, description: "List audit entries", required_scopes: [audit]}
  create:
    - {name: create_issue, maps_to: "POST /repos/{repo}/issues", description: "Create an issue", params: {repo: {type: string, required: true}, title: {type: string, required: true}, labels: {type: "string[]"}, assignee: {type: string}}}
  update:
    - {name: update_issue, maps_to: "PATCH /repos/{repo}/issues/{number}", description: "Update an issue", params: {repo: {type: string, required: true}, number: {type: integer, required: true}, state: {type: string, enum: [open, closed]}, title: {type: string}}}
  delete:
    - {name: delete_branch, maps_to: "DELETE /repos/{repo}/branches/{branch}", description: "Delete a branch", params: {repo: {type: string, required: true}, branch: {type: string, required: true}}}"#;

const PAY: &str = r#"trust: {level: certified}
operations:
  read:
    - {name: list_refunds, maps_to: GET /refunds, description: "List refunds"}
  create:
    - {name: create_customer, maps_to: POST /customers, description: "Create a customer", params: {email: {type: string, required: true}}}
  execute:
    - {name: create_refund, maps_to: POST /refunds, description: "Refund a charge", params: {charge: {type: string, required: true}, amount: {type: integer, description: "How much of it"}}}"#;

fn server() -> TestServer {
    let at = "http://127.0.0.1:9";
    Setup::default().serve(&[adapter("host", at, HOST), adapter("pay", at, PAY)])
}

fn names(found: &Value) -> Vec<&str> {
    found["matches"].as_array().unwrap().iter().map(|each| each["name"].as_str().unwrap()).collect()
}

async fn find(server: &TestServer, request: &str) -> Value {
    ask(server, json!({"query": "search", "search": request})).await
}

/// X-intro-35 W2: a match has its name, its tool, one line, what is required with types, and a correct request.
#[tokio::test]
async fn enough_to_call_it() {
    let server = server();
    let found = find(&server, "refund a charge").await;
    assert_eq!(
        found["matches"][0],
        json!({
            "name": "pay__create_refund",
            "tool": "mcp_aql_execute",
            "description": "Refund a charge. Destructive; needs confirmation.",
            "required": {"charge": "string"},
            "more_optional": ["amount"],
            "example": {"operation": "pay__create_refund", "params": {"charge": "charge"}},
        }),
        "{found}"
    );
    assert_eq!((found["confidence"].as_str(), names(&found).len()), (Some("clear"), 1), "{found}");
    let found = find(&server, "list all closed issues with these labels").await;
    assert_eq!(names(&found)[0], "host__list_issues", "{found}");
    let best = &found["matches"][0];
    assert_eq!(best["optional"], json!({"state": "open | closed | all", "labels": "string"}), "{found}");
    assert_eq!(best["example"]["params"]["state"], "closed", "what the request says");
    let found = find(&server, "set the state of an issue to closed").await;
    assert_eq!(names(&found)[0], "host__update_issue", "{found}");
    let best = &found["matches"][0];
    assert_eq!(best["optional"], json!({"input.state": "open | closed"}), "{found}");
    let mut preview = best["example"].clone();
    preview["params"]["dry_run"] = true.into();
    assert_eq!(server.data(preview).await["dry_run"], true, "the example is a correct request");
}

/// What authors say people ask for is found; the name of a source finds its operations.
#[tokio::test]
async fn words_of_authors() {
    let server = server();
    assert_eq!(names(&find(&server, "do I need an umbrella").await)[0], "host__get_weather");
    let found = find(&server, "pay list").await;
    assert_eq!(names(&found)[0], "pay__list_refunds", "{found}");
}

/// X-intro-35: filters, the number of matches and the budget are kept to.
#[tokio::test]
async fn in_parts() {
    let server = server();
    let search = async |more: Value| {
        let mut params = json!({"query": "search", "search": "issues of a repository"});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask(&server, params).await
    };
    let of_all = |found: &Value, is_meant: &dyn Fn(&str) -> bool| {
        let names = names(found);
        assert!(!names.is_empty() && names.iter().all(|name| is_meant(name)), "{found}");
    };
    of_all(&search(json!({"category": "create"})).await, &|name| name.contains("__create_"));
    of_all(&search(json!({"source": "pay"})).await, &|name| name.starts_with("pay__"));
    assert_eq!(names(&search(json!({"tag": "issues"})).await), ["host__list_issues"]);
    let two = search(json!({"first": 2})).await;
    assert_eq!((names(&two).len(), two.get("left_out")), (2, None), "{two}");
    let small = search(json!({"budget": 1, "first": 4})).await;
    assert_eq!((names(&small).len(), &small["left_out"]), (1, &json!(3)), "{small}");
}

/// What stands in quotes is a value, and names no operation where the rest says what to do.
#[tokio::test]
async fn quotations_are_values() {
    let server = server();
    for request in [
        "create an issue titled \"delete the branch; list refunds\"",
        "create an issue titled 'list the refunds of a customer'",
    ] {
        let found = find(&server, request).await;
        assert_eq!(names(&found)[0], "host__create_issue", "{found}");
    }
    let found = find(&server, "find \"list refunds\"").await;
    assert_eq!(names(&found)[0], "pay__list_refunds", "the rest says nothing: {found}");
}

/// What no one can serve is told so, with the nearest groups and a few names, but no example to be led astray by.
#[tokio::test]
async fn weak_matches() {
    let server = server();
    for request in
        ["qqq zzz", "make me a sandwich", "tell me a joke", "turn on the kitchen lights", "play some music"]
    {
        let found = find(&server, request).await;
        assert_eq!(found["confidence"], "weak", "{found}");
        assert!(found["groups"]["host"].is_object(), "{found}");
        assert!(found["hint"].as_str().unwrap().contains("groups"));
        let matches = found["matches"].as_array().unwrap();
        assert!(matches.len() <= 3, "{found}");
        for each in matches {
            let keys: Vec<&String> = each.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["name", "tool", "description"], "{found}");
        }
    }
    // Where not a word is known there is no match, and the groups are those of every source.
    for request in ["εμφάνισε όλα τα ανοιχτά ζητήματα του αποθετηρίου μου", "qwx zzv yyq xxv wwq vvz uuq ttz"]
    {
        let found = find(&server, request).await;
        assert_eq!((found["confidence"].as_str(), names(&found).len()), (Some("weak"), 0), "{found}");
        assert!(found["groups"]["host"].is_object() && found["groups"]["pay"].is_object(), "{found}");
        assert_eq!(found["groups"].as_object().unwrap().len(), 2, "only sources: {found}");
    }
    let few = ask(&server, json!({"query": "search", "search": "qqq zzz", "first": 1})).await;
    assert!(names(&few).len() <= 1, "{few}");
}

/// Of many other parameters the first ones are named, and the rest is counted.
#[tokio::test]
async fn many_other_parameters() {
    let params: String = (0..15).map(|number| format!(", with_{number}: {{type: integer}}")).collect();
    let blocks = HOST.replace(
        "Create an issue\", params: {repo: {type: string, required: true}",
        &format!("Create an issue\", params: {{repo: {{type: string, required: true}}{params}"),
    );
    let server = Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", &blocks)]);
    let found = find(&server, "create an issue").await;
    assert_eq!(found["confidence"], "clear", "{found}");
    let best = &found["matches"][0];
    assert_eq!(best["more_optional"].as_array().map(Vec::len), Some(12), "{found}");
    assert_eq!(best["more_optional_left_out"], 5, "{found}");
}

/// The scores that are shown are those that ranked, also below the first dozen, where values of the request do not count.
#[tokio::test]
async fn explained_scores_are_in_order() {
    let rows: String = (0..14)
        .map(|n| format!("    - {{name: list_issues_{n}, maps_to: \"GET /issues/{n}\", description: \"List issues\"}}\n"))
        .chain((0..6).map(|n| {
            format!("    - {{name: list_issues_by_{n}, maps_to: \"GET /issues/{n}/{{issue}}/a/b\", description: \"List issues\", params: {{issue: {{type: integer, required: true}}}}}}\n")
        }))
        .collect();
    let blocks = format!("trust: {{level: certified}}\noperations:\n  read:\n{rows}");
    let server = Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", &blocks)]);
    let catalog = server.dispatcher.catalog();
    let explained = catalog.explain_search("list issues, as for issue 42", |_| true, 30);
    assert_eq!(explained.len(), 20);
    let scores: Vec<f32> = explained.iter().map(|(_, why)| why.score).collect();
    assert!(scores.is_sorted_by(|one, next| one >= next), "{scores:?}");
    for (entry, why) in &explained {
        assert!((why.score - why.parts.sum()).abs() < 0.001, "{}", entry.public_name);
    }
}

/// An example has the values that the request states, in optional parameters too, and nothing that it does not speak of.
#[tokio::test]
async fn values_of_the_request() {
    let server = server();
    let found = find(&server, "list issues of repo hello-world, page 3").await;
    let params = &found["matches"][0]["example"]["params"];
    assert_eq!(*params, json!({"repo": "hello-world", "page": 3}), "{found}");
    let found = find(&server, "close issue 42 of repo hello-world").await;
    let best = &found["matches"][0];
    assert_eq!(best["name"], "host__update_issue", "{found}");
    assert_eq!(best["optional"], json!({"input.state": "open | closed"}), "{found}");
    assert_eq!(
        best["example"]["params"],
        json!({"repo": "hello-world", "number": 42, "input": {"state": "closed"}}),
        "{found}"
    );
}

/// What the request names counts: its source, where there are several, and the places for its values. `first` is honoured also
/// where one match is clear. No value is made up for an optional parameter.
#[tokio::test]
async fn names_and_values_count() {
    let at = "http://127.0.0.1:9";
    let boards = r#"trust: {level: certified}
operations:
  read:
    - {name: get_card, maps_to: "GET /cards/{id_card}", description: "Get a card", params: {id_card: {type: string, required: true}}}
  create:
    - {name: create_card, maps_to: POST /cards, description: "Create a card", params: {list: {type: string, required: true}, name: {type: string}, due: {type: integer}}}"#;
    let bank = boards.replace("a card", "a payment card").replace("/cards", "/payment/cards");
    let server = Setup::default().serve(&[adapter("trello-com", at, boards), adapter("bank", at, &bank)]);
    for (request, name) in [
        ("create a card in Trello called \"Milk\"", "trello_com__create_card"),
        ("create a card at the bank", "bank__create_card"),
    ] {
        assert_eq!(names(&find(&server, request).await)[0], name, "{request}");
    }
    let found = find(&server, "create a card in trello called \"Milk\", due sometime").await;
    let best = &found["matches"][0];
    assert_eq!(best["example"]["params"], json!({"list": "list", "name": "Milk"}), "{found}");
    assert_eq!(best["optional"], json!({"name": "string", "due": "integer"}), "{found}");
    let some =
        ask(&server, json!({"query": "search", "search": "create a card in trello", "first": 3})).await;
    assert_eq!(names(&some).len(), 3, "{some}");
}

/// A request whose words are mostly not of this server is never clear; the name of a source, or whatever stands in quotes, does not
/// make it so.
#[tokio::test]
async fn requests_for_somebody_else() {
    let at = "http://127.0.0.1:9";
    let server = Setup::default().serve(&[adapter("host", at, HOST)]);
    assert_eq!(find(&server, "create an issue").await["confidence"], "clear");
    for request in ["post to slack", "create a Jira issue", "mute user 5 in the meeting"] {
        assert_ne!(find(&server, request).await["confidence"], "clear", "{request}");
    }
    let found = find(&server, "create an issue titled \"Slack webhook is broken\"").await;
    assert_eq!(found["confidence"], "clear", "{found}");
    assert_eq!(found["matches"][0]["example"]["params"]["title"], "Slack webhook is broken", "{found}");
    let jira = Setup::default().serve(&[adapter("jira", at, HOST)]);
    assert_eq!(find(&jira, "create a Jira issue").await["confidence"], "clear");
}

/// A source whose name is a word of others too is named only where the request says that it is a place.
#[tokio::test]
async fn sources_with_ordinary_names() {
    let at = "http://127.0.0.1:9";
    let shop = "trust: {level: certified}\noperations:\n  read:\n    - {name: list_mail_addresses, maps_to: GET /mail/addresses, description: \"List mail addresses\"}\n    - {name: list_orders, maps_to: GET /orders, description: \"List orders\"}";
    let mail = "trust: {level: certified}\noperations:\n  read:\n    - {name: list_addresses, maps_to: GET /people/addresses, description: \"List addresses of people\"}\n    - {name: list_folders, maps_to: GET /folders, description: \"List folders\"}";
    let server = Setup::default().serve(&[adapter("shop", at, shop), adapter("mail", at, mail)]);
    for (request, name) in [
        ("list mail addresses", "shop__list_mail_addresses"),
        ("list addresses in mail", "mail__list_addresses"),
        ("list addresses from the mail", "mail__list_addresses"),
    ] {
        assert_eq!(names(&find(&server, request).await)[0], name, "{request}");
    }
}

/// `search` alone is a search, and what has no part in an answer is told.
#[tokio::test]
async fn what_is_taken() {
    let server = server();
    let found = ask(&server, json!({"search": "list branches"})).await;
    assert_eq!(names(&found)[0], "host__list_branches", "{found}");
    for (params, ignored) in [
        (
            json!({"query": "search", "search": "list branches", "after": "x", "name": "y"}),
            json!(["after", "name"]),
        ),
        (json!({"query": "operations", "name": "host__list_branches", "search": "x"}), json!(["search"])),
        (json!({"query": "types", "source": "host"}), json!(["source"])),
    ] {
        let answer = server.call(json!({"operation": "introspect", "params": params})).await;
        assert_eq!(answer["success"], true, "{answer}");
        let warning = &answer["warnings"][0];
        assert_eq!(warning["code"], "PARAMETER_IGNORED", "{answer}");
        let mut told: Vec<&str> = warning["details"]["params"]
            .as_array()
            .unwrap()
            .iter()
            .map(|each| each.as_str().unwrap())
            .collect();
        told.sort_unstable();
        assert_eq!(json!(told), ignored, "{answer}");
    }
    let nothing = server.error(json!({"operation": "introspect", "params": {"first": 3}})).await;
    assert_eq!(nothing["code"], "VALIDATION_MISSING_PARAM", "{nothing}");
}

/// Operations that the policy hides, or that the caller has no scopes for, are never shown.
#[tokio::test]
async fn only_what_may_be_called() {
    let server = server();
    assert_eq!(names(&find(&server, "list audit entries").await)[0], "host__list_audit_entries");
    let asked = async |params: Value| {
        let Value::Object(arguments) = json!({"operation": "introspect", "params": params}) else { panic!() };
        let origin = CallOrigin::new(SessionId::new("session-1"), Caller::local(), Scopes::none());
        let reply = server.dispatcher.call(Call { arguments, origin }).await;
        serde_json::from_str::<Value>(&reply.to_json()).unwrap()
    };
    for params in [
        json!({"query": "search", "search": "list audit entries", "first": 50, "budget": 9_000}),
        json!({"query": "operations", "search": "list audit entries", "first": 50}),
        json!({"query": "operations", "name": "list_audit_entriez"}),
    ] {
        let shown = asked(params).await.to_string();
        assert!(!shown.contains("list_audit_entries"), "{shown}");
    }
    let low = Setup::trust("generated").serve(&[adapter("host", "http://127.0.0.1:9", HOST)]);
    let found =
        ask(&low, json!({"query": "search", "search": "delete a branch", "first": 50, "budget": 9_000}))
            .await;
    assert!(!found.to_string().contains("delete_branch"), "{found}");
}

/// X-intro-2: nothing to search for, or too much of it, is a clear failure in code and message.
#[tokio::test]
async fn requests_that_are_none() {
    let server = server();
    for (code, params) in [
        ("VALIDATION_MISSING_PARAM", json!({"query": "search"})),
        ("VALIDATION_MISSING_PARAM", json!({"query": "search", "search": "  "})),
        ("VALIDATION_MISSING_PARAM", json!({"query": "operations", "search": ""})),
        ("VALIDATION_INVALID_VALUE", json!({"query": "search", "search": "x".repeat(1_001)})),
    ] {
        let answer = server.call(json!({"operation": "introspect", "params": params})).await;
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert_eq!(answer["error"].as_object().unwrap().len(), 2, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("query:\"search\""), "{answer}");
    }
}

/// X-intro-4 X-intro-5 X-intro-35 W2: with `search` the list stays strict, is ordered by the search, goes on after a name, and
/// `_protocol` has the least.
#[tokio::test]
async fn ranked_lists() {
    let server = server();
    let strict = schema(include_str!("../schemas/introspection-response.json"));
    let params = json!({"query": "operations", "search": "list the issues", "first": 3});
    let answer = server.call(json!({"operation": "introspect", "params": params})).await;
    crate::test_server::assert_valid(&strict, &answer);
    let list = data_of(answer);
    let keys: Vec<&String> = list["_protocol"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["version", "session_id", "hidden", "page"]);
    let named = |list: &Value| -> Vec<String> {
        list["operations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|each| each["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(named(&list)[0], "host__list_issues");
    assert_eq!(list["_protocol"]["page"]["returned"], 3);
    let mut seen = named(&list);
    let mut page = list["_protocol"]["page"].clone();
    while let Some(after) = page["after"].as_str() {
        let params = json!({"query": "operations", "search": "list the issues", "first": 3, "after": after});
        let next = ask(&server, params).await;
        seen.extend(named(&next));
        page = next["_protocol"]["page"].clone();
    }
    let total = usize::try_from(page["total"].as_u64().unwrap()).unwrap();
    let mut once = seen.clone();
    once.sort();
    once.dedup();
    assert_eq!((once.len(), seen.len()), (total, total));
}

/// What was repaired or left out of a request is told with its answer.
#[tokio::test]
async fn warnings_of_the_request_come_through() {
    let server = Setup::lenient().serve(&[adapter("host", "http://127.0.0.1:9", HOST)]);
    let params = json!({"query": "search", "search": "list branches", "nonsense": 1}).to_string();
    let answer = server.call(json!({"operation": "introspect", "params": params})).await;
    assert_eq!(answer["success"], true, "{answer}");
    let codes: Vec<&str> =
        answer["warnings"].as_array().unwrap().iter().map(|each| each["code"].as_str().unwrap()).collect();
    assert_eq!(codes.len(), 2, "{answer}");
    assert!(codes.contains(&"ARGUMENT_REPAIRED"), "{answer}");
    assert!(answer["warnings"].to_string().contains("nonsense"), "{answer}");
}

/// Words that call for an operation are neither topics nor tags.
#[tokio::test]
async fn triggers_are_no_tags() {
    let blocks = HOST.replace("trust: {level", "tags: [code]\ntriggers: [ticketing]\ntrust: {level");
    let server = Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", &blocks)]);
    let catalog = server.dispatcher.catalog();
    assert!(catalog.common_view().topics(|_| true).iter().all(|topic| topic.noun != "umbrella"));
    for word in ["umbrella", "ticketing"] {
        let params = json!({"query": "operations", "tag": word});
        let error = server.error(json!({"operation": "introspect", "params": params})).await;
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("Known: 'code', 'issues'."), "{message}");
    }
    assert_eq!(names(&find(&server, "umbrella").await)[0], "get_weather");
}

/// W16: no part of a list is larger than a response may be, whatever is asked for.
#[tokio::test]
async fn within_the_largest_response() {
    let limits = Limits { max_response_tokens: 150, ..Limits::default() };
    let server = Setup::limits(limits).serve(&[adapter("host", "http://127.0.0.1:9", HOST)]);
    let count = |params: Value| {
        let server = server.clone();
        async move {
            let answer = server.call(json!({"operation": "introspect", "params": params})).await;
            (measure::tokens(&answer["data"].to_string()), answer)
        }
    };
    for params in [
        json!({"query": "search", "search": "list the issues", "first": 8, "budget": 9_000}),
        json!({"query": "operations", "search": "issues", "first": 8, "budget": 9_000}),
        json!({"query": "danger", "first": 2}),
        json!({"query": "danger", "first": 2, "after": "list_issues"}),
        json!({"query": "types", "first": 2}),
    ] {
        let (tokens, answer) = count(params.clone()).await;
        assert_eq!(answer["success"], true, "{answer}");
        assert!(tokens < 300, "{params}: {tokens}");
    }
    for params in
        [json!({"query": "danger"}), json!({"query": "types"}), json!({"query": "types", "first": 999})]
    {
        let (_, answer) = count(params).await;
        assert_eq!(answer["error"]["code"], "VALIDATION_PAYLOAD_TOO_LARGE", "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("'first'"), "{answer}");
    }
}

/// A request that has the name of an operation finds it first, however it is written; in several sources it finds all of them.
#[tokio::test]
async fn operations_called_by_name() {
    let server = server();
    for request in [
        "create_refund",
        "CreateRefund",
        "create/refund",
        "CREATE-REFUND",
        "please run pay__create_refund now",
    ] {
        let found = find(&server, request).await;
        assert_eq!(names(&found), ["pay__create_refund"], "{request}: {found}");
        assert_eq!(found["confidence"], "clear", "{request}: {found}");
    }
    let at = "http://127.0.0.1:9";
    let twice = Setup::default().serve(&[adapter("one", at, PAY), adapter("two", at, PAY)]);
    let found = find(&twice, "create_refund").await;
    assert_eq!(names(&found)[..2], ["one__create_refund", "two__create_refund"], "{found}");
    assert_eq!(found["confidence"], "several");
}
