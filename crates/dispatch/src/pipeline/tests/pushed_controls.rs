//! Controls that become parameters of the source are judged as parameters: no rule on a parameter is gone round by them.
//!
//! The same list stands behind an API and behind a handler, which takes what is pushed as arguments.

use crate::test_server::{Setup, TestServer, error_of};
use aqueduct_operations::category::Category;
use aqueduct_operations::gatekeeper::{ParamCondition, Permission, PolicyRule};
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::response::{PushFilter, PushQuery, PushSort};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{HandlerKind, HandlerTarget, Method, Target};
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::operation::{operation, site, target};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex};

fn items() -> Value {
    json!([{"id": 1, "owner": "ann", "n": 5}, {"id": 2, "owner": "bob", "n": 6}])
}

/// A handler that keeps what it was given.
#[derive(Debug, Default)]
struct Keeping(Mutex<Vec<Value>>);

impl Handler for Keeping {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        self.0.lock().unwrap().push(json!(run.values));
        Box::pin(async { Ok(Envelope::local("shop.list_things", items())) })
    }

    fn preview(&self, _values: &Map<String, Value>) -> Value {
        Value::Null
    }
}

/// A list whose controls are all pushed. The source's name of `owner` is another one, where it has names of its own.
fn list(api: &FakeApi, owner: &str) -> Operation {
    let mut list = operation("list_things", Category::Read, target(site(&api.base_url()), Method::Get, "/"));
    list.params = ["owner", "n", "search"].map(|name| Param::new(name, ValueKind::String)).to_vec();
    list.params[0].upstream_name = owner.to_owned();
    list.answers.collection = true;
    let filter =
        |key: &str, param: &str| PushFilter { key: key.to_owned(), param: param.to_owned(), values: None };
    list.answers.push.filters = vec![filter("owner", owner), filter("n", "n")];
    let fields = vec![("id".to_owned(), "number".to_owned())];
    list.answers.push.sort = Some(PushSort { param: "by".to_owned(), order_param: None, fields });
    list.answers.push.query = Some(PushQuery { param: "search".to_owned() });
    list
}

fn rule(permission: Permission, param: &str, value: Value) -> PolicyRule {
    PolicyRule {
        source: None,
        operation: None,
        category: None,
        caller: None,
        params: vec![ParamCondition { name: param.to_owned(), values: vec![value] }],
        permission,
        reason: None,
    }
}

fn serve(operation: Operation, rules: Vec<PolicyRule>) -> TestServer {
    let source = Source { name: "shop".to_owned(), ..Source::built_in() };
    let loaded = LoadedSource { source, operations: vec![operation] };
    Setup { rules, ..Setup::default() }.serve_loaded(vec![loaded], TestClock::default())
}

async fn api() -> FakeApi {
    FakeApi::always(Answer::json(200, items())).await
}

fn ask(params: Value) -> Value {
    json!({"operation": "list_things", "params": params})
}

fn denials() -> Vec<PolicyRule> {
    let deny = |param: &str, value: Value| rule(Permission::Deny, param, value);
    vec![
        deny("owner", json!("ann")),
        deny("n", json!(5)),
        deny("by", json!("number")),
        deny("search", json!("red")),
    ]
}

fn around() -> [Value; 9] {
    [
        json!({"filter": {"owner": "ann"}}),
        json!({"filter": {"owner": "ANN "}}),
        json!({"filter": {"owner": {"eq": "ann"}}}),
        json!({"filter": {"owner": {"in": ["ann"]}}}),
        json!({"filter": {"owner": "ann"}, "first": 1}),
        json!({"filter": {"n": 5.0}}),
        json!({"filter": {"n": "5.0"}}),
        json!({"sort": "id"}),
        json!({"query": "red"}),
    ]
}

/// A denial of a parameter denies it in a control too, by the name that the operation declares and by the source's own.
#[tokio::test]
async fn denied_parameters_are_not_pushed() {
    let api = api().await;
    let by_public_name = serve(list(&api, "owner_login"), denials());
    let mut by_upstream_name = denials();
    by_upstream_name[0].params[0].name = "owner_login".to_owned();
    let by_upstream_name = serve(list(&api, "owner_login"), by_upstream_name);
    for params in around() {
        for server in [&by_public_name, &by_upstream_name] {
            let error = server.error(ask(params.clone())).await;
            assert_eq!(error["code"], "PERMISSION_DENIED", "{params}");
        }
    }
    assert!(api.requests().is_empty());
    by_public_name.data(ask(json!({"filter": {"owner": "bob", "n": 6}}))).await;
    assert_eq!(api.requests()[0].query(), Some("owner_login=bob&n=6"));
}

/// What a reference of a batch stands for is judged, in a control as well.
#[tokio::test]
async fn references_are_judged() {
    let api = api().await;
    let server = serve(list(&api, "owner_login"), denials());
    let through = ask(json!({"filter": {"owner": "$results[0].data.items[0].owner"}}));
    let answer = server.call(json!({"operations": [ask(json!({})), through]})).await;
    let denied = error_of(answer["results"][1]["result"].clone());
    assert_eq!(denied["code"], "PERMISSION_DENIED", "{answer}");
    assert_eq!(api.requests().len(), 1);
}

/// Arguments of a handler that controls become are judged too.
#[tokio::test]
async fn handlers_too() {
    let (api, handler) = (api().await, Arc::new(Keeping::default()));
    let handled = Operation {
        target: Target::Handler(HandlerTarget::new(HandlerKind::McpTool, Arc::clone(&handler))),
        ..list(&api, "owner")
    };
    let server = serve(handled, denials());
    for params in around() {
        let error = server.error(ask(params.clone())).await;
        assert_eq!(error["code"], "PERMISSION_DENIED", "{params}");
    }
    assert!(handler.0.lock().unwrap().is_empty());
    server.data(ask(json!({"filter": {"owner": "bob"}}))).await;
    assert_eq!(handler.0.lock().unwrap()[0]["owner"], "bob");
}

/// A rule that allows one value holds for no other that a control would send in its place.
#[tokio::test]
async fn allowed_values_are_not_replaced() {
    let api = api().await;
    let mut allow = rule(Permission::Allow, "owner", json!("bob"));
    allow.operation = Some(aqueduct_operations::exposure::Glob::of_text("list_things"));
    let mut confirm = list(&api, "owner_login");
    confirm.danger.requires_confirmation = true;
    let server = serve(confirm, vec![allow]);
    server.data(ask(json!({"filter": {"owner": "bob"}}))).await;
    let error = server.error(ask(json!({"filter": {"owner": "ann"}}))).await;
    assert_eq!(error["code"], "CONFIRMATION_REQUIRED");
    let mut other = ask(json!({"filter": {"owner": "eve"}}));
    other["params"]["confirmation_token"] = error["details"]["confirmation_token"].clone();
    assert_eq!(server.error(other).await["code"], "TOKEN_SCOPE_MISMATCH", "a token is for what was pushed");
}

/// What the caller has set is sent as it is; the control is applied to what comes. A default gives way.
#[tokio::test]
async fn set_parameters_are_not_overwritten() {
    let api = api().await;
    let server = serve(list(&api, "owner_login"), Vec::new());
    let both = json!({"owner": "bob", "n": "6", "filter": {"owner": "ann"}, "query": "ann"});
    let data = server.data(ask(both)).await;
    assert_eq!(data["items"], json!([items()[0]]));
    assert_eq!(data["applied"]["filter"], "here");
    let query = |request: &Recorded| request.query().map(str::to_owned);
    assert_eq!(query(&api.requests()[0]).as_deref(), Some("owner_login=bob&n=6&search=ann"));
    let mut with_default = list(&api, "owner_login");
    with_default.params[0].default = Some(json!("bob"));
    serve(with_default, Vec::new()).data(ask(json!({"filter": {"owner": "ann"}}))).await;
    assert_eq!(query(&api.requests()[1]).as_deref(), Some("owner_login=ann"));
}
