//! Results of tools and functions are cached as responses of APIs are: under the declared time, for one caller, until a
//! mutation.
//!
//! Every run gives its own number, so that a cached result is told from a new one.

use super::cache::{Switch, call_as};
use crate::test_server::{Setup, TestServer, error_of};
use aqueduct_operations::category::Category;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::handler::{
    Boxed, ElicitRequest, ElicitResponse, Elicitor, Envelope, Handler, HandlerCall, HandlerError,
};
use aqueduct_operations::params::{ParamLocation, ValueKind};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::response::CacheRule;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{HandlerKind, HandlerTarget, Method, Target};
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::operation::{operation, param, site, target};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

/// Gives the number of the run, and before that does what its parameter says.
#[derive(Debug, Default)]
struct Numbered {
    runs: Arc<AtomicU64>,
    server: Value,
    /// What slow runs wait for.
    go_on: Arc<Notify>,
}

impl Handler for Numbered {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        let number = self.runs.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            match run.values.get("how").and_then(Value::as_str) {
                Some("fail") => return Err(HandlerError::failed(format!("failure {number}"))),
                Some("say so") => return Ok(Envelope::mcp("xx.get_x", json!(number), true)),
                Some("ask") => {
                    let question = ElicitRequest { message: "Which?".to_owned(), schema: json!({}) };
                    run.asker.unwrap().ask(question).await;
                }
                Some("wait") => self.go_on.notified().await,
                _ => {}
            }
            Ok(Envelope::local("xx.get_x", json!(number)))
        })
    }

    fn preview(&self, _values: &Map<String, Value>) -> Value {
        Value::Null
    }

    fn identity(&self) -> Option<Digest> {
        (!self.server.is_null()).then(|| Digest::of_text(&self.server.to_string()))
    }
}

fn rule(ttl: Option<u64>) -> CacheRule {
    CacheRule { enabled: true, ttl: ttl.map(Duration::from_secs) }
}

/// A source whose operations all count together.
fn source(name: &str, cache: CacheRule, handler: Numbered) -> LoadedSource {
    let handler: Arc<dyn Handler> = Arc::new(handler);
    let make = |name: &str, category| {
        let http = target(site("http://localhost"), Method::Get, "/");
        let mut made = operation(name, category, http);
        made.params = vec![param("how", ValueKind::String, ParamLocation::Body)];
        made.target = Target::Handler(HandlerTarget::new(HandlerKind::McpTool, Arc::clone(&handler)));
        made
    };
    let mut fresh = make("get_fresh", Category::Read);
    fresh.cache = Some(CacheRule { enabled: false, ttl: None });
    let mut next = make("get_next", Category::Read);
    next.non_idempotent = true;
    let mut some = make("create_some", Category::Create);
    some.invalidates = Some(vec!["get_x".to_owned()]);
    LoadedSource {
        source: Source { name: name.to_owned(), cache, ..Source::built_in() },
        operations: vec![
            make("get_x", Category::Read),
            make("get_y", Category::Read),
            fresh,
            next,
            make("create_x", Category::Create),
            some,
        ],
    }
}

fn serve_with(setup: Setup, cache: CacheRule) -> TestServer {
    let loaded = source("xx", cache, Numbered::default());
    setup.serve_loaded(vec![loaded], TestClock::default())
}

fn serve(cache: CacheRule) -> TestServer {
    serve_with(Setup::default(), cache)
}

async fn read(server: &TestServer, operation: &str) -> Value {
    server.data(json!({"operation": operation})).await
}

/// R10.5-1 R10.5-2: cached for the declared time, for one caller and the same values, and not where that is switched off.
#[tokio::test]
async fn cached_for_the_declared_time() {
    let server = serve(rule(Some(60)));
    let get = async |caller: Option<&str>, params: Value| {
        call_as(&server, caller, json!({"operation": "get_x", "params": params})).await["data"].take()
    };
    assert_eq!(get(None, json!({})).await, 0);
    assert_eq!(get(None, json!({})).await, 0, "a hit");
    assert_eq!(get(Some("ann"), json!({})).await, 1, "another caller");
    assert_eq!(get(Some("bob"), json!({})).await, 2);
    assert_eq!(get(Some("ann"), json!({})).await, 1);
    assert_eq!(get(None, json!({"how": "well"})).await, 3, "other values");
    assert_eq!(read(&server, "get_y").await, 4, "another operation");
    assert_eq!(read(&server, "get_fresh").await, 5, "switched off");
    assert_eq!(read(&server, "get_fresh").await, 6);
    server.clock.advance(Duration::from_secs(59));
    assert_eq!(get(None, json!({})).await, 0);
    server.clock.advance(Duration::from_secs(2));
    assert_eq!(get(None, json!({})).await, 7, "too old");
    for off in [rule(None), CacheRule { enabled: false, ..rule(Some(60)) }] {
        let server = serve(off);
        assert_eq!((read(&server, "get_x").await, read(&server, "get_x").await), (json!(0), json!(1)));
    }
}

/// R10.5-3: a mutation drops what is cached of its source, or of the operations that it names, also when it fails; so does
/// a READ that may not be repeated.
#[tokio::test]
async fn a_mutation_drops_what_it_names() {
    let server = serve(rule(Some(60)));
    let both = async || (read(&server, "get_x").await, read(&server, "get_y").await);
    assert_eq!(both().await, (json!(0), json!(1)));
    assert_eq!(both().await, (json!(0), json!(1)));
    read(&server, "create_some").await;
    assert_eq!(both().await, (json!(3), json!(1)));
    read(&server, "create_x").await;
    assert_eq!(both().await, (json!(5), json!(6)));
    server.error(json!({"operation": "create_x", "params": {"how": "fail"}})).await;
    assert_eq!(both().await, (json!(8), json!(9)));
    read(&server, "get_next").await;
    assert_eq!(both().await, (json!(11), json!(12)));
}

/// A mutation concerns its own source, and others that reach the same server; functions belong to one source.
#[tokio::test]
async fn whom_a_mutation_concerns() {
    for (server, other, is_dropped) in [
        (json!({"url": "a"}), json!({"url": "a"}), true),
        (json!({"url": "a"}), json!({"url": "b"}), false),
        (Value::Null, Value::Null, false),
    ] {
        let runs: Arc<AtomicU64> = Arc::default();
        let loaded = [("xx", server), ("yy", other)];
        let loaded = loaded.map(|(name, server)| {
            let handler = Numbered { runs: Arc::clone(&runs), server, ..Numbered::default() };
            source(name, rule(Some(60)), handler)
        });
        let server = Setup::default().serve_loaded(loaded.to_vec(), TestClock::default());
        assert_eq!(read(&server, "xx__get_x").await, 0);
        assert_eq!(read(&server, "yy__get_x").await, 1, "of another source");
        read(&server, "xx__create_x").await;
        assert_eq!(read(&server, "yy__get_x").await, if is_dropped { 3 } else { 1 });
    }
}

/// R10.5-3: what was read while something was changed is not cached.
#[tokio::test]
async fn a_mutation_during_a_read() {
    let go_on = Arc::new(Notify::new());
    let handler = Numbered { go_on: Arc::clone(&go_on), ..Numbered::default() };
    let loaded = vec![source("xx", rule(Some(60)), handler)];
    let server = Setup::default().serve_loaded(loaded, TestClock::default());
    let slow = get_x("wait");
    let reading = async {
        let first = server.data(slow.clone()).await;
        go_on.notify_one();
        (first, server.data(slow.clone()).await)
    };
    let changing = async {
        assert_eq!(read(&server, "create_x").await, 1);
        go_on.notify_one();
    };
    let ((first, second), ()) = tokio::join!(reading, changing);
    assert_eq!((first, second), (json!(0), json!(2)), "it ran again");
    assert_eq!(server.data(slow).await, 2, "what was read after the change is cached");
}

/// Failures are not cached.
#[tokio::test]
async fn failures_are_not_cached() {
    let server = serve(rule(Some(60)));
    for how in ["fail", "say so"] {
        let failed = json!({"operation": "get_x", "params": {"how": how}});
        assert_ne!(server.error(failed.clone()).await["message"], Value::Null);
        let before = read(&server, "get_fresh").await;
        server.error(failed).await;
        assert_eq!(read(&server, "get_fresh").await, before.as_u64().unwrap() + 2, "it ran again");
    }
}

/// Ruling S10: a cached result is not given to someone who may not call.
#[tokio::test]
async fn cached_results_pass_the_gate() {
    let switch = Arc::new(Switch::default());
    let setup = Setup { policy: Some(Arc::clone(&switch) as _), ..Setup::default() };
    let server = serve_with(setup, rule(Some(60)));
    assert_eq!(read(&server, "get_x").await, 0);
    switch.0.store(true, Ordering::Relaxed);
    let refused = error_of(server.call(json!({"operation": "get_x"})).await);
    assert_eq!(refused["code"], "PERMISSION_DENIED");
}

#[derive(Debug)]
struct Person;

impl Elicitor for Person {
    fn ask<'a>(&'a self, _question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
        Box::pin(async { ElicitResponse::Accepted(json!({})) })
    }
}

/// What a person was asked about is theirs alone, and they are asked again.
#[tokio::test]
async fn results_after_a_question_are_not_cached() {
    let server = serve(rule(Some(60)));
    let get = async |how: &str| server.call_asking(Arc::new(Person), get_x(how)).await["data"].take();
    assert_eq!((get("ask").await, get("ask").await), (json!(0), json!(1)));
    assert_eq!((get("well").await, get("well").await), (json!(2), json!(2)), "nothing was asked");
}

fn get_x(how: &str) -> Value {
    json!({"operation": "get_x", "params": {"how": how}})
}
