//! Controls that are pushed to handlers: each arrives under the name that is its parameter's, as the type that it declares.

use super::ask;
use crate::test_server::Setup;
use aqueduct_operations::category::Category;
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::response::{Paging, PagingStyle, PushFilter, PushQuery, PushSort};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{HandlerKind, HandlerTarget, Method, Target};
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::operation::{operation, site, target};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex};

#[derive(Debug, Default)]
struct Recorder(Mutex<Vec<Map<String, Value>>>);

impl Handler for Recorder {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        self.0.lock().unwrap().push(run.values.clone());
        Box::pin(async { Ok(Envelope::local("shelf.list_things", json!([{"id": 1}]))) })
    }

    fn preview(&self, _values: &Map<String, Value>) -> Value {
        Value::Null
    }
}

fn list(params: &[(&str, &str)], handler: &Arc<Recorder>) -> Operation {
    let http = target(site("http://localhost"), Method::Get, "/");
    let mut operation = operation("list_things", Category::Read, http);
    let param = |(name, kind): &(&str, &str)| Param::new(*name, ValueKind::parse(kind).unwrap());
    operation.params = params.iter().map(param).collect();
    operation.answers.collection = true;
    operation.target = Target::Handler(HandlerTarget::new(HandlerKind::McpTool, Arc::clone(handler)));
    operation
}

/// What the handler is given for the first page of a question.
async fn given(operation: Operation, handler: &Recorder, question: Value) -> Value {
    let source = Source { name: "shelf".to_owned(), ..Source::built_in() };
    let loaded = LoadedSource { source, operations: vec![operation] };
    Setup::default().serve_loaded(vec![loaded], TestClock::default()).data(ask(question)).await;
    let mut runs = std::mem::take(&mut *handler.0.lock().unwrap());
    Value::Object(runs.remove(0))
}

fn filters(names: &[&str]) -> Vec<PushFilter> {
    let filter = |name: &&str| PushFilter { key: (*name).into(), param: (*name).into(), values: None };
    names.iter().map(filter).collect()
}

#[tokio::test]
async fn filters_have_the_declared_types() {
    let handler = Arc::default();
    let params = [
        ("done", "boolean"),
        ("price", "number"),
        ("rank", "integer"),
        ("code", "string"),
        ("tags", "string[]"),
        ("sizes", "number[]"),
        ("level", "integer | boolean"),
    ];
    let mut operation = list(&params, &handler);
    operation.answers.push.filters = filters(&params.map(|(name, _)| name));
    let sent = json!({"done": true, "price": 2.5, "rank": -3, "code": 7, "tags": "red", "sizes": 1.5, "level": true});
    let expected = json!({"done": true, "price": 2.5, "rank": -3, "code": "7", "tags": ["red"], "sizes": [1.5], "level": true});
    assert_eq!(given(operation, &handler, json!({"filter": sent})).await, expected);
}

/// A parameter is named as the other side calls it; one that is not declared is sent as it is.
#[tokio::test]
async fn names_of_the_other_side() {
    let handler = Arc::default();
    let mut operation = list(&[("is_done", "boolean"), ("page_size", "integer")], &handler);
    for (param, own) in operation.params.iter_mut().zip(["isDone", "pageSize"]) {
        param.upstream_name = own.to_owned();
    }
    operation.answers.push.filters =
        vec![PushFilter { key: "done".to_owned(), param: "isDone".to_owned(), values: None }];
    operation.answers.push.query = Some(PushQuery { param: "words".to_owned() });
    operation.answers.paging =
        Some(Paging { param: Some("from".to_owned()), ..Paging::of(PagingStyle::Offset) });
    let question = json!({"filter": {"done": false}, "query": "12", "offset": 5, "limit": 3});
    let expected = json!({"is_done": false, "page_size": 3, "words": "12", "from": 5});
    assert_eq!(given(operation, &handler, question).await, expected);
}

#[tokio::test]
async fn fields_and_order() {
    let handler = Arc::default();
    for (kind, expected) in [("string[]", json!(["id", "owner"])), ("string", json!("id;owner"))] {
        let mut operation = list(&[("columns", kind), ("by", "string"), ("descending", "boolean")], &handler);
        operation.answers.fields.param = Some("columns".to_owned());
        operation.answers.fields.join = ";".to_owned();
        operation.answers.push.sort = Some(PushSort {
            param: "by".to_owned(),
            order_param: None,
            fields: vec![("id".to_owned(), "number".to_owned())],
        });
        let question = json!({"fields": ["id", "owner.login"], "sort": "id"});
        let expected = json!({"columns": expected, "by": "number"});
        assert_eq!(given(operation, &handler, question).await, expected);
    }
}
