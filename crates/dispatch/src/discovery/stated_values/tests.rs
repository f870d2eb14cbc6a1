//! Values that requests state, and that an example made of them is always a correct request.

use super::stated_values;
use crate::Catalog;
use crate::stages::envelope::RequestEnvelope;
use crate::stages::route::Routed;
use crate::stages::validate::{MergePolicy, UnknownParams, ValidationContext, validate};
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_operations::example::request_stating;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_schema::work::Meter;
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::sample::{Index, select};
use proptest::{prop_oneof, proptest};
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

const HOST: &str = r#"trust: {level: certified}
operations:
  read:
    - {name: list_issues, maps_to: "GET /repos/{owner}/{repo}/issues", description: "List issues", params: {owner: {type: string, required: true}, repo: {type: string, required: true}, state: {type: string, enum: [open, closed, all]}, page: {type: integer}, labels: {type: "string[]"}}}
    - {name: get_pull, maps_to: "GET /repos/{owner}/{repo}/pulls/{number}", description: "Get a pull request", params: {owner: {type: string, required: true}, repo: {type: string, required: true}, number: {type: integer, required: true}}}
    - {name: search_code, maps_to: GET /search/code, description: "Search code", params: {q: {type: string, required: true}}}
    - {name: get_subscription, maps_to: "GET /subscriptions/{subscription_exposed_id}", description: "Get a subscription", params: {subscription_exposed_id: {type: string, required: true}}}
    - {name: get_customer, maps_to: "GET /customers/{id}", description: "Get a customer", params: {id: {type: string, required: true}}}
  create:
    - {name: create_repo, maps_to: POST /user/repos, description: "Create a repository", params: {name: {type: string, required: true}, private: {type: boolean, default: false}, homepage: {type: string, format: uri}}}
    - {name: create_issue, maps_to: "POST /repos/{owner}/{repo}/issues", description: "Create an issue", params: {owner: {type: string, required: true}, repo: {type: string, required: true}, title: {type: string, required: true}, body: {type: string}}}
    - {name: invite_user, maps_to: POST /invitations, description: "Invite somebody", params: {email: {type: string, required: true, format: email}, role: {type: string, enum: [reader, main_editor]}, password: {type: string, sensitive: true}}}
    - {name: create_refund, maps_to: POST /payments/back, description: "Give money back", params: {charge: {type: string, required: true}, payment_intent: {type: string}, amount: {type: integer, description: "In the smallest currency unit"}, currency: {type: string, description: "In lowercase"}, count: {type: integer}}}
    - {name: create_tip, maps_to: POST /tips, description: "Leave a tip", params: {amount: {type: integer, description: "A recent amount or percentage, as central as can be"}}}
    - {name: create_coupon, maps_to: POST /coupons, description: "Create a coupon", params: {percent_off: {type: number}, amount_off: {type: integer}, price: {type: number}, name: {type: string}}}
  update:
    - {name: update_issue, maps_to: "PATCH /repos/{owner}/{repo}/issues/{issue_number}", description: "Update an issue", params: {owner: {type: string, required: true}, repo: {type: string, required: true}, issue_number: {type: integer, required: true}, state: {type: string, enum: [open, closed]}, state_reason: {type: string, enum: [completed, not_planned]}}}"#;

fn said(name: &str, request: &str) -> Value {
    let server = Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", HOST)]);
    let catalog = server.dispatcher.catalog();
    Value::Object(stated_values(request, &catalog.find(name).unwrap().1.operation))
}

#[test]
fn what_clearly_stands_there() {
    for (name, request, expected) in [
        (
            "list_issues",
            "list closed issues of octocat/hello-world, page 2",
            json!({"owner": "octocat", "repo": "hello-world", "state": "closed", "page": 2}),
        ),
        (
            "list_issues",
            "what merging release/1.2 into main in acme/site has left open",
            json!({"owner": "acme", "repo": "site", "state": "open"}),
        ),
        (
            "list_issues",
            "issues about branch feature/x of acme/site",
            json!({"owner": "acme", "repo": "site"}),
        ),
        (
            "list_issues",
            "issues about \"src/main.rs\" from acme/site",
            json!({"owner": "acme", "repo": "site"}),
        ),
        ("list_issues", "show docs/README.md of acme/site", json!({"owner": "acme", "repo": "site"})),
        ("list_issues", "all open issues", json!({"state": "open"})),
        ("get_customer", "what is known of \"Ada\"", json!({"id": "Ada"})),
        (
            "create_issue",
            "change the body of issue 12 in a/b to \"extra cheese\"",
            json!({"owner": "a", "repo": "b", "body": "extra cheese"}),
        ),
        ("list_issues", "issues with label \"good first issue\"", json!({"labels": ["good first issue"]})),
        ("get_pull", "show pull request #12 of a/b", json!({"owner": "a", "repo": "b", "number": 12})),
        (
            "get_pull",
            "octocat/hello-world#42",
            json!({"owner": "octocat", "repo": "hello-world", "number": 42}),
        ),
        ("get_pull", "PR 42 in a/b", json!({"owner": "a", "repo": "b", "number": 42})),
        ("update_issue", "reopen #42", json!({"issue_number": 42, "state": "open"})),
        ("get_subscription", "look up sub_1Nx2", json!({"subscription_exposed_id": "sub_1Nx2"})),
        ("get_customer", "what about cus_9", json!({"id": "cus_9"})),
        (
            "create_refund",
            "give $20 back for ch_3 ",
            json!({"charge": "ch_3", "amount": 2000, "currency": "usd"}),
        ),
        (
            "create_refund",
            "give 1,250.50 EUR back for pi_77",
            json!({"payment_intent": "pi_77", "amount": 125_050, "currency": "eur"}),
        ),
        (
            "create_refund",
            "give 12,50 € back for ch_3",
            json!({"charge": "ch_3", "amount": 1250, "currency": "eur"}),
        ),
        // What stands before an amount of money is no noun whose value it is.
        ("create_refund", "charge 25 EUR to somebody", json!({"amount": 2500, "currency": "eur"})),
        (
            "create_refund",
            "refund 10 dollars of charge ch_1",
            json!({"charge": "ch_1", "amount": 1000, "currency": "usd"}),
        ),
        ("create_refund", "refund €1.250,5", json!({"amount": 125_050, "currency": "eur"})),
        ("create_refund", "refund $12,500", json!({"amount": 1_250_000, "currency": "usd"})),
        ("create_refund", "refund $1,234,567.8", json!({"amount": 123_456_780, "currency": "usd"})),
        ("create_coupon", "a coupon for 12,5 % off", json!({"percent_off": 12.5})),
        ("create_coupon", "a coupon for 12,5% off", json!({"percent_off": 12.5})),
        ("create_coupon", "a coupon for 25% off", json!({"percent_off": 25})),
        ("create_coupon", "a coupon for 12.5 percent off", json!({"percent_off": 12.5})),
        ("create_coupon", "coupon with a price of $9.99", json!({"price": 9.99})),
        ("search_code", "search code for \"fn main\"", json!({"q": "fn main"})),
        ("get_customer", "who is customer cus_123?", json!({"id": "cus_123"})),
        ("create_repo", "a private repo called hello-world", json!({"private": true})),
        ("create_repo", "a repo named \"private\"", json!({"name": "private"})),
        (
            "create_repo",
            "make a repository named 'notes', not private",
            json!({"name": "notes", "private": false}),
        ),
        ("create_repo", "new repo for https://example.com/x", json!({"homepage": "https://example.com/x"})),
        (
            "create_issue",
            "open an issue titled “It's broken” in a/b",
            json!({"owner": "a", "repo": "b", "title": "It's broken"}),
        ),
        (
            "invite_user",
            "invite ada@example.com as main editor",
            json!({"email": "ada@example.com", "role": "main_editor"}),
        ),
        (
            "update_issue",
            "close issue 7 in octocat/hello-world as not planned",
            json!({"owner": "octocat", "repo": "hello-world", "issue_number": 7, "state": "closed", "state_reason": "not_planned"}),
        ),
    ] {
        assert_eq!(said(name, request), expected, "{request}");
    }
}

#[test]
fn nothing_is_made_up() {
    for (name, request) in [
        ("list_issues", "issues that are open and closed"),
        ("list_issues", "issues and/or pull requests"),
        ("list_issues", "issues of acme/site and of acme/shop"),
        ("list_issues", "compare acme/site acme/shop"),
        ("list_issues", "issues about file src/main.rs"),
        ("get_pull", "the 3 latest pull requests"),
        ("get_pull", "pull request \"twelve\""),
        ("list_issues", "list issues that are not closed"),
        ("list_issues", "show issues not yet closed"),
        ("list_issues", "list issues except closed ones"),
        ("list_issues", "list issues other than the open ones"),
        ("list_issues", "issues that aren't open"),
        ("create_issue", "move \"a\" behind \"b\""),
        ("create_issue", "my \"first\" issue"),
        ("get_pull", "the PR of ada"),
        ("get_customer", "sub_123 and in_9"),
        ("create_refund", "20 of them"),
        ("create_refund", "refund $1,2345"),
        ("create_refund", "refund $1,250,50"),
        ("create_refund", "refund $12,34.50"),
        ("create_refund", "refund $,250"),
        ("create_refund", "refund 1.250 EUR"),
        ("create_tip", "a tip of $5"),
        ("create_repo", "a repo, but don't make it private"),
        ("create_repo", "don\u{2019}t ever make my repo private"),
        ("create_repo", "it must not be a private one"),
        ("create_repo", "private? no"),
        ("create_coupon", "coupons_v2 of 2026"),
        ("invite_user", "the password is \"hunter2\""),
        ("update_issue", "comment 5 on an issue"),
        ("get_customer", "'; DROP TABLE customers; --"),
        ("create_repo", "make a repository in \"acme\""),
        ("create_issue", "change the title or the body of it to \"c\""),
        ("search_code", ""),
    ] {
        assert_eq!(said(name, request), json!({}), "{request}");
    }
}

/// The adapter files of the repository.
const FILES: [&str; 6] = [
    include_str!("../../../../cli/src/demo/bookshop-adapter.md"),
    include_str!("../../../../cli/tests/fixtures/github-api-adapter.md"),
    include_str!("../../../../cli/tests/fixtures/shop-adapter.md"),
    include_str!("../../../../../examples/kinto-adapter.md"),
    include_str!("../../../../../examples/todo-adapter.md"),
    include_str!("../../test_server/library-adapter.md"),
];

/// A server for each of them, and for the sample above.
fn served() -> &'static [TestServer] {
    static SERVED: OnceLock<Vec<TestServer>> = OnceLock::new();
    SERVED.get_or_init(|| {
        let files = FILES.iter().map(|text| text.replace("BASE_URL", "http://127.0.0.1:9")).chain([adapter(
            "host",
            "http://127.0.0.1:9",
            HOST,
        )]);
        files.map(|text| Setup::trust("certified").serve(&[text])).collect()
    })
}

fn entries(catalog: &Catalog) -> Vec<&RegistryEntry> {
    catalog.visible().map(|(entry, _)| entry).filter(|entry| entry.public_name != "introspect").collect()
}

/// Words of requests: of the operation itself, values of all kinds, and anything.
fn words_of_requests() -> impl Strategy<Value = Vec<String>> {
    let stock = [
        "octocat/hello-world",
        "#42",
        "7",
        "0",
        "-1",
        "99999999999",
        "\"a text\"",
        "'x'",
        "\"\"",
        "cus_123",
        "v1.2",
        "ada@example.com",
        "https://example.com/a?b=c",
        "not",
        "no",
        "private",
        "all",
        "open",
        "closed",
        "as",
        "named",
        "called",
        "titled",
        "with",
        "id",
        "number",
        "page",
        "2026-01-02",
        "true",
        "«é»",
        "2e3",
    ];
    vec(prop_oneof![3 => select(stock.to_vec()).prop_map(str::to_owned), 1 => any::<String>()], 0..8)
}

proptest! {
    /// An example with what a request states passes our own validation, whatever the request says.
    #[test]
    fn examples_are_correct(at in any::<Index>(), operation in any::<Index>(), names in vec(any::<Index>(), 0..6), said in words_of_requests()) {
        let servers = served();
        let server = &servers[at.index(servers.len())];
        let catalog = server.dispatcher.catalog();
        let entries = entries(&catalog);
        let entry = entries[operation.index(entries.len())];
        let params = &entry.operation.params;
        let mut request = entry.operation.name.replace('_', " ");
        let longest = names.len().max(said.len());
        for at in 0..longest {
            if let Some(name) = names.get(at).filter(|_| !params.is_empty()) {
                let param = &params[name.index(params.len())];
                let value = param.shape.allowed.iter().flatten().nth(at).and_then(Value::as_str).unwrap_or_default();
                request.push_str(&format!(" {} {value}", param.name.replace('_', " ")));
            }
            said.get(at).into_iter().for_each(|word| request.push_str(&format!(" {word}")));
        }
        let values = stated_values(&request, &entry.operation);
        let example = request_stating(entry, &values);
        let (_, entry, decision) = catalog.find(&entry.public_name).unwrap();
        let params = example["params"].as_object().unwrap().clone();
        let operation = entry.public_name.clone();
        let envelope = RequestEnvelope { operation, params, top_level: Map::new(), params_repaired: false };
        let limits = Limits::default();
        let checking = ValidationContext { strictness: UnknownParams::Strict, merging: MergePolicy::Not, limits: &limits };
        let checked = validate(Routed { entry, decision, envelope }, checking, &Meter::default());
        assert!(checked.is_ok(), "{request}\n{example}\n{:?}", checked.err());
    }
}
