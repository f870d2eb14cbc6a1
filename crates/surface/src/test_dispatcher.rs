//! A server with an operation that asks the person behind a call, one that needs a scope, and one that needs a confirmation.
//!
//! The questions come from a task of their own, as those of another server do. How each call ends is heard here.

use aqueduct_dispatch::{Catalog, DispatchSettings, Dispatcher};
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::exposure::{Exposure, Mode};
use aqueduct_operations::handler::{
    Boxed, ElicitRequest, ElicitResponse, Elicitor, Envelope, Handler, HandlerCall, HandlerError,
};
use aqueduct_operations::limits::Limits;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{ParamLocation, ValueKind};
use aqueduct_operations::registry::{LoadedSource, NamingScheme, Registry};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{HandlerKind, HandlerTarget, Method, Target};
use aqueduct_safety::confirmation::GateSettings;
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::operation::{operation, param, site, target};
use aqueduct_upstream::{Upstream, UpstreamSettings};
use futures::future::join_all;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

/// The only tool.
pub const TOOL: &str = "mcp_aql";

/// How a call of `order` ended: with these responses, or without an end.
pub type CallEnd = Option<Value>;

/// A dispatcher, and how its calls of `order` end.
pub struct TestDispatcher {
    pub dispatcher: Arc<Dispatcher>,
    /// What time it is at the desk.
    pub clock: Arc<TestClock>,
    ends: mpsc::UnboundedReceiver<CallEnd>,
    holding: Arc<Notify>,
    released: Arc<Notify>,
}

/// What `order` asks.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"count": {"type": "integer", "minimum": 1}, "note": {"type": "string", "pattern": "^a"}},
        "required": ["count"],
    })
}

/// The arguments of a call of `order` that asks this often.
pub fn order(times: u32) -> Value {
    json!({"operation": "order", "params": {"times": times}})
}

/// The data of a tool result; the error where there are none.
pub fn inside(answer: &Value) -> Value {
    let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
    let answer: Value = serde_json::from_str(text).unwrap();
    let part = if answer["success"] == true { &answer["data"] } else { &answer["error"] };
    part.clone()
}

impl TestDispatcher {
    pub fn new() -> TestDispatcher {
        let (ends_sender, ends) = mpsc::unbounded_channel();
        let holding = Arc::new(Notify::new());
        let released = Arc::new(Notify::new());
        let mut ordering = handled(
            "order",
            Category::Execute,
            TestHandler {
                ends_sender,
                schema: schema(),
                holding: Arc::clone(&holding),
                released: Arc::clone(&released),
            },
        );
        let flag = |name| param(name, ValueKind::Boolean, ParamLocation::Body);
        ordering.params = vec![param("times", ValueKind::Integer, ParamLocation::Body)];
        ordering.params.extend(["odd", "hold", "together", "apart"].map(flag));
        let mut guarded = handled("count_stock", Category::Read, CallCounter);
        guarded.required_scopes = vec!["stock:read".to_owned()];
        let source = Source { name: "desk".to_owned(), ..Source::built_in() };
        let mut removing = handled("delete_stock", Category::Delete, CallCounter);
        removing.danger.level = DangerLevel::Destructive;
        let doors = handled("count_doors", Category::Read, CallCounter);
        let operations = vec![ordering, guarded, doors, removing];
        let registry =
            Registry::build(vec![LoadedSource { source, operations }], NamingScheme::Bare).unwrap();
        let exposure = Exposure { mode: Mode::Single, ..Exposure::default() };
        let catalog = Catalog::build(registry, exposure, &Limits::default());
        let gatekeeper = aqueduct_safety::gatekeeper(GateSettings::default(), Arc::new(TestClock::default()));
        let environment = Arc::new(TestEnvironment::with(&[]));
        let upstream = Upstream::new(UpstreamSettings::default(), environment);
        let clock = Arc::new(TestClock::default());
        let settings = DispatchSettings {
            clock: Arc::clone(&clock) as _,
            asks_people: true,
            ..DispatchSettings::default()
        };
        let dispatcher = Dispatcher::new(catalog, gatekeeper, upstream, settings);
        TestDispatcher { dispatcher: Arc::new(dispatcher), clock, ends, holding, released }
    }

    /// Waits until a call that holds has asked all it wanted to.
    pub async fn holding(&self) {
        timeout(Duration::from_secs(60), self.holding.notified()).await.expect("a call holds");
    }

    /// Lets a call end whose question goes on without it.
    pub fn release(&self) {
        self.released.notify_one();
    }

    /// How the next call to end does.
    pub async fn next_end(&mut self) -> CallEnd {
        timeout(Duration::from_secs(3_600), self.ends.recv()).await.expect("a call ends").unwrap()
    }
}

fn handled(name: &str, category: Category, handler: impl Handler + 'static) -> Operation {
    let mut operation = operation(name, category, target(site("http://localhost"), Method::Get, "/"));
    operation.target = Target::Handler(HandlerTarget::new(HandlerKind::Function, Arc::new(handler)));
    operation
}

#[derive(Debug)]
struct CallCounter;

impl Handler for CallCounter {
    fn run<'a>(&'a self, _run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async { Ok(Envelope::local("desk.count", json!({"count": 7}))) })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        json!(values)
    }
}

#[derive(Debug)]
struct TestHandler {
    ends_sender: mpsc::UnboundedSender<CallEnd>,
    schema: Value,
    holding: Arc<Notify>,
    released: Arc<Notify>,
}

/// Tells how a run ends.
struct Ending {
    ends_sender: mpsc::UnboundedSender<CallEnd>,
    end: CallEnd,
}

impl Ending {
    fn answers_given(&mut self, answers: Value) {
        self.end = Some(answers);
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        // The test may be over, and no one listens then.
        self.ends_sender.send(self.end.take()).ok();
    }
}

impl Handler for TestHandler {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        let mut ending = Ending { ends_sender: self.ends_sender.clone(), end: None };
        Box::pin(async move {
            let times = run.values.get("times").and_then(Value::as_u64).unwrap_or(1);
            let is_odd = run.values.contains_key("odd");
            let schema = if is_odd {
                json!({"type": "object", "properties": {"deep": {"type": "object"}}})
            } else {
                self.schema.clone()
            };
            let ask = async |number: u64| match &run.asker {
                Some(asker) => {
                    let question =
                        ElicitRequest { message: format!("How many, {number}?"), schema: schema.clone() };
                    ask(Arc::clone(asker), question).await
                }
                None => json!("nobody"),
            };
            if let Some(asker) = run.asker.as_ref().filter(|_| run.values.contains_key("apart")) {
                let (asker, ends_sender) = (Arc::clone(asker), self.ends_sender.clone());
                let question =
                    ElicitRequest { message: "For another call?".to_owned(), schema: schema.clone() };
                tokio::spawn(async move {
                    let answered = asker.ask_apart(question).await;
                    ends_sender.send(Some(json!(answered == ElicitResponse::Declined))).ok();
                });
                self.released.notified().await;
                return Ok(Envelope::local("desk.order", json!({"said": "later"})));
            }
            let answers_given = if run.values.contains_key("together") {
                join_all((1..=times).map(ask)).await
            } else {
                let mut answers_given = Vec::new();
                for number in 1..=times {
                    answers_given.push(ask(number).await);
                }
                answers_given
            };
            if run.values.contains_key("hold") {
                self.holding.notify_one();
                std::future::pending::<()>().await;
            }
            ending.answers_given(json!(answers_given));
            Ok(Envelope::local("desk.order", json!({"said": answers_given})))
        })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        json!(values)
    }
}

async fn ask(asker: Arc<dyn Elicitor>, question: ElicitRequest) -> Value {
    let asking = tokio::spawn(async move { asker.ask(question).await });
    match AbortOnDropHandle::new(asking).await.unwrap() {
        ElicitResponse::Accepted(value) => value,
        ElicitResponse::Declined => json!("declined"),
        ElicitResponse::Cancelled => json!("cancelled"),
    }
}
