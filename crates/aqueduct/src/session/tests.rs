//! What programs do with the library: confirm, cancel, be told, fail with a code, serve beside routes of their own.
//! A program that uses the crate root alone; nothing of it touches the network.

use crate::{
    Aqueduct, Boxed, Envelope, Handler, HandlerCall, HandlerError, HttpSettings, OperationKind,
    OperationSpec, Progress, ProgressListener, Reply, Route, SourceSettings,
};
use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

fn json_of(reply: &Reply) -> Value {
    serde_json::from_str(&reply.to_json()).unwrap()
}

fn spec(name: &str, kind: OperationKind) -> OperationSpec {
    OperationSpec::new("shop", name, kind, "Does something")
}

fn params(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// What must be confirmed runs with the token of the same session, once, and for the same values alone.
#[tokio::test]
async fn a_session_lasts_from_question_to_confirmation() {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let mut delete = spec("delete_book", OperationKind::Mutation);
    delete.input_schema = json!({"type": "object", "properties": {"id": {"type": "integer"}}});
    let aqueduct = Aqueduct::builder()
        .operation(delete, move |values: Map<String, Value>| {
            counted.fetch_add(1, Ordering::SeqCst);
            async move { Ok::<_, HandlerError>(json!({"deleted": values["id"]})) }
        })
        .build()
        .unwrap();
    let session = aqueduct.session();
    let book = || params(json!({"id": 7}));
    let asked = session.call("delete_book", book()).await;
    let token = asked.confirmation_token().unwrap_or_else(|| panic!("{asked:?}")).to_owned();
    assert_eq!(runs.load(Ordering::SeqCst), 0);

    let elsewhere = aqueduct.session().confirm("delete_book", book(), &token).await;
    assert!(elsewhere.failure().is_some(), "a token is of its session");
    let another = session.confirm("delete_book", params(json!({"id": 8})), &token).await;
    assert_eq!(json_of(&another)["error"]["code"], "TOKEN_SCOPE_MISMATCH");
    assert_eq!(runs.load(Ordering::SeqCst), 0);

    let asked = session.call("delete_book", book()).await;
    let token = asked.confirmation_token().unwrap().to_owned();
    let done = session.confirm("delete_book", book(), &token).await;
    assert_eq!(done.read::<Value>().unwrap(), json!({"deleted": 7}));
    assert!(session.confirm("delete_book", book(), &token).await.failure().is_some(), "once");
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

/// `call_operation` is one session from call to call, and another than those that are made.
#[tokio::test]
async fn plain_calls_can_be_confirmed() {
    let aqueduct = Aqueduct::builder()
        .operation(spec("delete_book", OperationKind::Mutation), |_: Map<String, Value>| async {
            Ok::<_, HandlerError>(json!("gone"))
        })
        .build()
        .unwrap();
    let asked = aqueduct.call_operation("delete_book", Map::new()).await;
    let token = asked.confirmation_token().unwrap_or_else(|| panic!("{asked:?}")).to_owned();
    let elsewhere = aqueduct.session().confirm("delete_book", Map::new(), &token).await;
    assert!(elsewhere.failure().is_some(), "a token is of its session");
    let agreed = || params(json!({"confirmation_token": token}));
    let done = aqueduct.clone().call_operation("delete_book", agreed()).await;
    assert_eq!(done.read::<Value>().unwrap(), json!("gone"));
    assert!(aqueduct.call_operation("delete_book", agreed()).await.failure().is_some(), "once");
}

/// A handler says what is the matter, and each of its words has its code and the name of its source.
#[tokio::test]
async fn errors_of_handlers_have_their_codes() {
    let fail = |values: Map<String, Value>| async move {
        Err::<Value, _>(match values["how"].as_str() {
            Some("not_found") => HandlerError::not_found("There is no book 7"),
            Some("conflict") => HandlerError::conflict("Book 7 is lent out"),
            Some("invalid") => HandlerError::invalid("title", "Titles do not end in a comma"),
            Some("unavailable") => HandlerError::unavailable("The shop opens again tomorrow"),
            _ => HandlerError::failed("The shelf fell over"),
        })
    };
    let mut spec = spec("get_book", OperationKind::Query);
    spec.input_schema = json!({"type": "object", "properties": {"how": {"type": "string"}}});
    let aqueduct = Aqueduct::builder().operation(spec, fail).build().unwrap();
    for (how, code, message) in [
        ("not_found", "NOT_FOUND_RESOURCE", "There is no book 7"),
        ("conflict", "CONFLICT_ALREADY_EXISTS", "Book 7 is lent out"),
        ("invalid", "VALIDATION_INVALID_VALUE", "Titles do not end in a comma"),
        ("unavailable", "TRANSPORT_CONNECTION_REFUSED", "The shop opens again tomorrow"),
        ("failed", "INTERNAL_ERROR", "The shelf fell over"),
    ] {
        let reply = aqueduct.call_operation("get_book", params(json!({"how": how}))).await;
        let error = &json_of(&reply)["error"];
        assert_eq!((error["code"].as_str(), error["message"].as_str()), (Some(code), Some(message)), "{how}");
        assert_eq!(error["details"]["adapter"], "shop", "{how}");
        assert_eq!(error["details"]["source"], "shop", "{how}: it is nobody else's");
    }
    let invalid = aqueduct.call_operation("get_book", params(json!({"how": "invalid"}))).await;
    assert_eq!(json_of(&invalid)["error"]["details"]["param_name"], "title");
}

/// N2: names go on working when another source is added.
#[tokio::test]
async fn names_do_not_change() {
    let count = |_: Map<String, Value>| async { Ok::<_, HandlerError>(json!(3)) };
    let one = Aqueduct::builder().operation(spec("get_stock", OperationKind::Query), count).build().unwrap();
    let two = Aqueduct::builder()
        .operation(spec("get_stock", OperationKind::Query), count)
        .source("../../examples/todo-adapter.md", SourceSettings::default())
        .build()
        .unwrap();
    for aqueduct in [&one, &two] {
        for name in ["get_stock", "shop__get_stock"] {
            assert_eq!(aqueduct.call_operation(name, Map::new()).await.read::<i32>().unwrap(), 3, "{name}");
        }
        let other = aqueduct.call_operation("other__get_stock", Map::new()).await;
        assert_eq!(json_of(&other)["error"]["code"], "NOT_FOUND_OPERATION");
    }
    let list = one.call_operation("introspect", params(json!({"query": "operations"}))).await;
    let names: Vec<Value> = json_of(&list)["data"]["operations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| each["name"].clone())
        .collect();
    assert_eq!(names, ["get_stock", "introspect"], "one name is shown");
}

#[derive(Debug, Default)]
struct Waiting {
    begun: Notify,
    dropped: Arc<Notify>,
}

struct DropNotice(Arc<Notify>);

impl Drop for DropNotice {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

impl Handler for Waiting {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async move {
            let _bell = DropNotice(Arc::clone(&self.dropped));
            if let Some(listener) = &run.listener {
                listener.on_progress(1.0, Some(2.0), Some("Half of it".to_owned()));
            }
            self.begun.notify_one();
            std::future::pending().await
        })
    }

    fn preview(&self, _values: &Map<String, Value>) -> Value {
        Value::Null
    }
}

#[derive(Debug, Default)]
struct Notes(Mutex<Vec<String>>);

impl ProgressListener for Notes {
    fn on_progress(&self, progress: Progress) {
        self.0.lock().unwrap().push(progress.message);
    }
}

/// A call tells how far it is, and dropping its future ends what runs for it.
#[tokio::test]
async fn calls_are_told_of_and_cancelled() {
    let waiting = Arc::new(Waiting::default());
    let notes = Arc::new(Notes::default());
    let aqueduct = Aqueduct::builder()
        .operation_spec(spec("get_all", OperationKind::Query))
        .handler("shop.get_all", Arc::clone(&waiting) as Arc<dyn Handler>)
        .build()
        .unwrap();
    let session = aqueduct.session().telling(Arc::clone(&notes) as Arc<dyn ProgressListener>);
    tokio::select! {
        reply = session.call("get_all", Map::new()) => panic!("{reply:?}"),
        () = waiting.begun.notified() => {}
    }
    waiting.dropped.notified().await;
    let told = notes.0.lock().unwrap().clone();
    assert!(told.contains(&"Half of it".to_owned()), "{told:?}");
}

/// What a caller with scopes may not do is refused.
#[tokio::test]
async fn callers_with_scopes() {
    let mut spec = spec("get_stock", OperationKind::Query);
    spec.access_control.required_scopes = vec!["stock:read".to_owned()];
    let count = |_: Map<String, Value>| async { Ok::<_, HandlerError>(json!(3)) };
    let aqueduct = Aqueduct::builder().operation(spec, count).build().unwrap();
    let call = async |scopes: &[&str]| {
        let session = aqueduct.session().of_caller("ada", scopes.iter().map(|each| (*each).to_owned()));
        json_of(&session.call("get_stock", Map::new()).await)
    };
    assert_eq!(call(&["stock:read"]).await["data"], 3);
    assert_eq!(call(&["books:read"]).await["error"]["code"], "PERMISSION_DENIED");
}

/// The error of `build` says what is wrong and where, and how much more there is.
#[test]
fn the_first_errors_are_in_the_message() {
    let text = "---\nname: shop\ntype: adaptor\nversion: '1'\ntarget: {}\noperations: {}\n---\n";
    let error = Aqueduct::builder()
        .adapter_text("shop-adapter.md", text, SourceSettings::default())
        .build()
        .unwrap_err();
    let message = error.to_string();
    assert!(message.contains("shop-adapter.md:3:7: error[INVALID_VALUE] type:"), "{message}");
    assert!(message.contains(" more") && !message.contains('\n'), "{message}");
}

async fn get(app: &axum::Router, path: &str) -> (u16, String) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = app.clone();
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    let answer = plain_get(address, path).await;
    server.abort();
    answer
}

async fn plain_get(address: std::net::SocketAddr, path: &str) -> (u16, String) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, text)
}

/// The routes are nested under a path, merged with others of the same names, and chosen; tokens guard ours alone.
#[tokio::test]
async fn routes_beside_others() {
    let token = crate::Token::new("ada", &"a".repeat(64)).unwrap();
    let aqueduct = Aqueduct::builder()
        .source("../../examples/todo-adapter.md", SourceSettings::default())
        .http(HttpSettings { tokens: vec![token], ..HttpSettings::default() })
        .build()
        .unwrap();
    let own = || axum::Router::<()>::new().route("/healthz", axum::routing::get(|| async { "mine" }));
    let app = own().merge(aqueduct.router_of(&[Route::Mcp])).nest("/ai", aqueduct.router());
    let (status, body) = get(&app, "/healthz").await;
    assert!(status == 200 && body.ends_with("mine"), "{body}");
    assert_eq!(get(&app, "/ai/healthz").await.0, 200);
    assert_eq!(get(&app, "/mcp").await.0, 401);
    assert_eq!(get(&app, "/ai/mcp").await.0, 401);
    assert_eq!(get(&app, "/ai/metrics").await.0, 401);
    assert_eq!(get(&app, "/metrics").await.0, 404, "it was not chosen");
    assert_eq!(get(&app, "/elsewhere").await.0, 404, "what is not ours needs no token of ours");
}
