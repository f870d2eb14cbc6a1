//! Names of sessions, whom they belong to, and what is left when they end.
//!
//! A whole dispatcher is behind them, so that a confirmation can be asked for and given.

use super::{HEADER, HandlerContext, HttpHandler, SessionEnds, SessionNames};
use crate::mcp::session::SessionResolver;
use crate::metrics::Metrics;
use aqueduct_dispatch::{Catalog, DispatchSettings, Dispatcher};
use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes, SessionId};
use aqueduct_operations::clock::SystemClock;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::registry::{NamingScheme, Registry};
use aqueduct_safety::confirmation::GateSettings;
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_upstream::{Upstream, UpstreamSettings};
use http::Request;
use rmcp::model::Extensions;
use serde_json::{Value, json};
use std::sync::Arc;

const ADAPTER: &str = r#"---
name: sample
type: adapter
version: "1.0.0"
description: "Sample things"
target: { base_url: "http://127.0.0.1:9", transport: http, protocol: rest, serialization: json, retries: 0 }
operations:
  delete:
    - { name: delete_thing, maps_to: "DELETE /thing", description: "Remove it" }
---
"#;

fn context() -> Arc<HandlerContext> {
    let outcome =
        aqueduct_adapter_files::load("sample-adapter.md", ADAPTER.as_bytes(), &SourceSettings::default());
    let registry = Registry::build(vec![outcome.loaded.unwrap()], NamingScheme::Bare).unwrap();
    let catalog = Catalog::build(registry, Exposure::default(), &Limits::default());
    let gatekeeper = aqueduct_safety::gatekeeper(GateSettings::default(), Arc::new(SystemClock));
    let environment = Arc::new(TestEnvironment::with(&[]));
    let upstream = Upstream::new(UpstreamSettings::default(), environment);
    let dispatcher = Dispatcher::new(catalog, gatekeeper, upstream, DispatchSettings::default());
    Arc::new(HandlerContext {
        names: SessionNames::new(None),
        dispatcher: Arc::new(dispatcher),
        metrics: Arc::new(Metrics::default()),
        session_ends: SessionEnds::default(),
    })
}

fn request(session: Option<&str>, caller: Option<&str>) -> Extensions {
    let mut builder = Request::builder();
    if let Some(session) = session {
        builder = builder.header(HEADER, session);
    }
    let (mut parts, ()) = builder.body(()).unwrap().into_parts();
    parts.extensions.insert(caller.map_or_else(Caller::local, Caller::named));
    parts.extensions.insert(Scopes::unrestricted());
    let mut extensions = Extensions::new();
    extensions.insert(parts);
    extensions
}

fn session_of(handler: &HttpHandler, request: &Extensions) -> SessionId {
    handler.sender_of(request).unwrap().session
}

async fn delete(context: &HandlerContext, session: &SessionId, token: Option<&Value>) -> Value {
    let mut params = json!({});
    if let Some(token) = token {
        params["confirmation_token"] = token.clone();
    }
    let Value::Object(arguments) = json!({"operation": "delete_thing", "params": params}) else {
        unreachable!()
    };
    let call = Call { arguments, origin: CallOrigin::local(session.clone()) };
    serde_json::from_str(&context.dispatcher.call(call).await.to_json()).unwrap()
}

/// C2.3.3-6: when a session ends, however it does, its confirmations are worth nothing.
#[tokio::test]
async fn the_end_of_a_session_forgets_what_belongs_to_it() {
    let context = context();
    for is_graceful in [false, true] {
        let visit = HttpHandler::new(Arc::clone(&context));
        visit.open();
        let session = session_of(&visit, &request(Some("abc"), None));
        let asked = delete(&context, &session, None).await;
        let token = &asked["error"]["details"]["confirmation_token"];
        assert!(token.is_string(), "{asked}");
        if is_graceful {
            context.session_ends.request_end(&session);
        }
        drop(visit);
        let stale = delete(&context, &session, Some(token)).await;
        assert_eq!(stale["error"]["code"], "TOKEN_INVALID", "{stale}");
    }
}

/// C2.3.2-1 C2.3.2-2: a session that its client or the server closes has a graceful end, any other an abrupt one.
#[test]
fn how_sessions_end() {
    let context = context();
    let end = |id: &str, before_the_end: &dyn Fn(&SessionId)| {
        let visit = HttpHandler::new(Arc::clone(&context));
        visit.open();
        let session = session_of(&visit, &request(Some(id), None));
        before_the_end(&session);
        drop(visit);
    };
    let counted = |end: &str| {
        let line = format!("aqueduct_sessions_ended_total{{end=\"{end}\"}} ");
        let text = context.metrics.text();
        text.lines().find_map(|each| each.strip_prefix(line.as_str()).map(str::to_owned)).unwrap()
    };
    end("dropped", &|_| {});
    assert_eq!((counted("graceful"), counted("abrupt")), ("0".into(), "1".into()));
    end("closed", &|session| context.session_ends.request_end(session));
    end("closed", &|_| {});
    assert_eq!((counted("graceful"), counted("abrupt")), ("1".into(), "2".into()));
    end("stopped", &|_| context.session_ends.end_all());
    assert_eq!((counted("graceful"), counted("abrupt")), ("2".into(), "2".into()));
    assert!(context.session_ends.lock().is_empty());
}

/// Ruling S4: a request belongs to the session it names only where one was opened, else to its caller.
#[test]
fn whose_session_it_is() {
    let context = context();
    let (open, single) = (HttpHandler::new(Arc::clone(&context)), HttpHandler::new(Arc::clone(&context)));
    open.open();
    assert_eq!(session_of(&open, &request(Some("abc"), None)), context.names.of_session("abc"));
    for session in [None, Some("abc")] {
        let ann = Caller::named("ann");
        assert_eq!(session_of(&single, &request(session, Some("ann"))), context.names.of_caller(&ann));
        assert_eq!(session_of(&single, &request(session, None)), context.names.of_caller(&Caller::local()));
    }
}

/// What has not passed the guard has no caller or no scopes, and is no one's: no default stands in for either.
#[test]
fn nobody_sends_what_the_guard_has_not_seen() {
    let handler = HttpHandler::new(context());
    let with = |caller: Option<Caller>, scopes: Option<Scopes>| {
        let (mut parts, ()) = Request::new(()).into_parts();
        caller.map(|caller| parts.extensions.insert(caller));
        scopes.map(|scopes| parts.extensions.insert(scopes));
        let mut extensions = Extensions::new();
        extensions.insert(parts);
        extensions
    };
    for request in [
        Extensions::new(),
        with(None, None),
        with(Some(Caller::local()), None),
        with(None, Some(Scopes::unrestricted())),
    ] {
        assert!(handler.sender_of(&request).is_none());
    }
    assert!(handler.sender_of(&with(Some(Caller::local()), Some(Scopes::none()))).is_some());
}

#[test]
fn identifiers_are_bound_to_their_owner() {
    let names = SessionNames::new(None);
    let caller = |name: &str| Caller::named(name);
    let shown = names.shown("abc", &caller("ann"));
    assert_eq!(names.known(&shown, &caller("ann")).as_deref(), Some("abc"));
    assert_eq!(names.known(&shown, &caller("bob")), None);
    assert_eq!(names.known("abc", &caller("ann")), None);
    assert_eq!(names.known(&format!("{shown}0"), &caller("ann")), None);
    assert_eq!(SessionNames::new(None).known(&shown, &caller("ann")), None, "another process");
    assert_eq!(names.known(&names.shown("abc", &Caller::local()), &Caller::local()).as_deref(), Some("abc"));
}

#[test]
fn sessions_differ() {
    let names = SessionNames::new(None);
    let caller = |name: &str| names.of_caller(&Caller::named(name));
    let local = names.of_caller(&Caller::local());
    let all = [names.of_session("a"), names.of_session("b"), caller("a"), caller("b"), local];
    for (index, one) in all.iter().enumerate() {
        assert!(!all[index + 1..].contains(one));
    }
    assert_eq!(caller("a"), caller("a"));
}

/// Where a store outlives the process, a caller who opens no session has the same one in the next process, on any machine; the
/// local one on this machine.
#[test]
fn sessions_of_callers_outlive_the_process() {
    let session = |machine: Option<&str>, caller: &Caller| SessionNames::new(machine).of_caller(caller);
    let (ann, local) = (Caller::named("ann"), Caller::local());
    assert_eq!(session(Some("a"), &ann), session(Some("b"), &ann));
    assert_eq!(session(Some("a"), &local), session(Some("a"), &local));
    assert_ne!(session(Some("a"), &local), session(Some("b"), &local));
    assert_ne!(session(Some("a"), &ann), session(Some("a"), &Caller::named("bob")));
    assert_ne!(session(None, &ann), session(None, &ann));
}
