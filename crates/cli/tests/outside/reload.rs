//! Sources that are loaded again through the library: clients hear of it, and what is wrong changes nothing.

use crate::outside::harness::{DEADLINE, Place};
use crate::outside::http::server::{NEWEST, read_until};
use aqueduct::{Aqueduct, Reloaded};
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

const CHANGED: &str = "notifications/tools/list_changed";

fn adapter(operation: &str) -> String {
    described(operation, "Show notes")
}

fn described(operation: &str, description: &str) -> String {
    format!(
        "---\nname: notes\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Notes of mine\"\ntarget: {{ base_url: \
         \"http://127.0.0.1:9\", transport: http, protocol: rest, serialization: json }}\noperations:\n  read:\n    - {{ \
         name: {operation}, maps_to: \"GET /notes\", description: \"{description}\" }}\n---\n"
    )
}

fn notes(place: &Place) -> Aqueduct {
    let path = place.write("notes-adapter.md", adapter("list_notes"));
    Aqueduct::builder().source(path, SourceSettings::default()).build().unwrap()
}

/// What introspection tells of an operation; null when there is none.
async fn told(aqueduct: &Aqueduct, operation: &str) -> Value {
    let params = json!({"query": "operations", "name": operation}).as_object().unwrap().clone();
    let reply = aqueduct.call_operation("introspect", params).await.to_json();
    serde_json::from_str::<Value>(&reply).unwrap()["data"]["operation"]["description"].take()
}

/// A pipe with the name of an adapter file is passed over with a word, once, also where it comes later; nothing waits for it.
#[cfg(unix)]
#[tokio::test]
async fn a_pipe_is_told_of() {
    let place = Place::new();
    let pipe = |name: &str| {
        let made = std::process::Command::new("mkfifo").arg(place.path().join(name)).status().unwrap();
        assert!(made.success());
    };
    pipe("first-adapter.md");
    let folder = place.path();
    let builder = || Aqueduct::builder().source(&folder, SourceSettings::default());
    let alone = builder().build().unwrap_err().to_string();
    assert!(alone.contains("'first-adapter.md' is passed over: it is a pipe"), "{alone}");
    let codes = |found: &[Diagnostic]| found.iter().map(|each| each.code).collect::<Vec<_>>();
    place.write("notes-adapter.md", adapter("list_notes"));
    let aqueduct = builder().build().unwrap();
    assert_eq!(codes(aqueduct.diagnostics()), ["PASSED_OVER"]);
    pipe("second-adapter.md");
    let reloaded = aqueduct.reload();
    assert!(!reloaded.is_new && codes(&reloaded.diagnostics) == ["PASSED_OVER"], "{reloaded:?}");
    assert!(reloaded.diagnostics[0].position.file.ends_with("second-adapter.md"), "{reloaded:?}");
    assert_eq!(aqueduct.reload(), Reloaded::default(), "the same is told once");
    let folder = folder.display().to_string();
    let ran = place.run(&["validate", &folder], &[], "").await;
    assert!(ran.code == 0 && ran.stderr.matches("PASSED_OVER").count() == 2, "{ran:?}");
    std::fs::remove_file(place.path().join("notes-adapter.md")).unwrap();
    let ran = place.run(&["validate", &folder], &[], "").await;
    assert!(ran.code == 3 && ran.stderr.contains("PASSED_OVER"), "{ran:?}");
}

/// C2.3.3-3, ruling S8: introspection tells what is served now, never what it told before; a file that is no good leaves
/// everything as it was.
#[tokio::test]
async fn the_last_good_version_stays() {
    let place = Place::new();
    let aqueduct = notes(&place);
    assert_eq!(told(&aqueduct, "list_notes").await, "Show notes");
    place.write("notes-adapter.md", described("list_notes", "Show all notes"));
    assert_eq!(aqueduct.reload(), Reloaded { is_new: true, diagnostics: Vec::new() });
    assert_eq!(aqueduct.reload(), Reloaded::default(), "nothing has changed");
    assert_eq!(told(&aqueduct, "list_notes").await, "Show all notes");
    place.write("notes-adapter.md", adapter("find_notes"));
    assert!(aqueduct.reload().is_new);
    assert_eq!(told(&aqueduct, "find_notes").await, "Show notes");
    assert_eq!(told(&aqueduct, "list_notes").await, Value::Null);
    place.write("notes-adapter.md", "---\nname: [\n---\n");
    let reloaded = aqueduct.reload();
    assert!(!reloaded.is_new && reloaded.diagnostics[0].code == "YAML_SYNTAX", "{reloaded:?}");
    assert_eq!(aqueduct.reload(), Reloaded::default(), "the same problem is told once");
    assert_eq!(told(&aqueduct, "find_notes").await, "Show notes");
}

#[tokio::test]
async fn told_over_stdio() {
    let place = Place::new();
    let aqueduct = notes(&place);
    let (client, server) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(server);
    let serving = tokio::spawn({
        let aqueduct = aqueduct.clone();
        async move { aqueduct.serve_streams(input, output, CancellationToken::new()).await }
    });
    let (answers, mut requests) = tokio::io::split(client);
    let mut answers = BufReader::new(answers).lines();
    let mut next = async || timeout(DEADLINE, answers.next_line()).await.unwrap().unwrap().unwrap();
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    requests.write_all(format!("{hello}\n{ready}\n{list}\n").as_bytes()).await.unwrap();
    let hello: Value = serde_json::from_str(&next().await).unwrap();
    assert_eq!(hello["result"]["capabilities"]["tools"]["listChanged"], true);
    assert!(next().await.contains("list_notes"));
    place.write("notes-adapter.md", adapter("find_notes"));
    assert!(aqueduct.reload().is_new);
    assert!(next().await.contains(CHANGED));
    requests.write_all(format!("{list}\n").as_bytes()).await.unwrap();
    assert!(next().await.contains("find_notes"));
    requests.shutdown().await.unwrap();
    timeout(DEADLINE, serving).await.expect("it ends").unwrap().unwrap();
}

async fn send(address: SocketAddr, head: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let common = format!("host: {address}\r\ncontent-length: {}\r\n", body.len());
    stream.write_all(format!("{head}\r\n{common}\r\n{body}").as_bytes()).await.unwrap();
    stream
}

const POST: &str =
    "POST /mcp HTTP/1.1\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream";

/// With a session by its stream; without one by the stream that was asked for.
#[tokio::test]
async fn told_over_http() {
    let place = Place::new();
    let aqueduct = notes(&place);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let serving = tokio::spawn({
        let (aqueduct, stop) = (aqueduct.clone(), stop.clone());
        async move { aqueduct.serve_http(listener, stop).await }
    });
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string();
    let opened = read_until(&mut send(address, POST, &hello).await, "protocolVersion").await;
    let session = opened.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let in_session = format!("{POST}\r\nmcp-session-id: {session}");
    read_until(&mut send(address, &in_session, &ready).await, "").await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    read_until(&mut send(address, &in_session, &list).await, "list_notes").await;
    let get = format!("GET /mcp HTTP/1.1\r\naccept: text/event-stream\r\nmcp-session-id: {session}");
    let mut of_session = send(address, &get, "").await;
    let filter = json!({"toolsListChanged": true});
    let about = "io.modelcontextprotocol";
    let meta = json!({format!("{about}/protocolVersion"): NEWEST, format!("{about}/clientCapabilities"): {},
        format!("{about}/clientInfo"): client});
    let listen = json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
        "params": {"notifications": filter, "_meta": meta}});
    let head = format!("{POST}\r\nmcp-protocol-version: {NEWEST}\r\nmcp-method: subscriptions/listen");
    let mut subscribed = send(address, &head, &listen.to_string()).await;
    read_until(&mut subscribed, "acknowledged").await;
    read_until(&mut of_session, "").await;
    place.write("notes-adapter.md", adapter("find_notes"));
    assert!(aqueduct.reload().is_new);
    read_until_more(&mut subscribed).await;
    read_until_more(&mut of_session).await;
    stop.cancel();
    timeout(DEADLINE, serving).await.expect("it stops").unwrap().unwrap();
}

/// The rest of a stream up to the news.
async fn read_until_more(stream: &mut TcpStream) {
    let mut lines = BufReader::new(stream).lines();
    while let Some(line) = timeout(DEADLINE, lines.next_line()).await.expect("the news in time").unwrap() {
        if line.contains(CHANGED) {
            return;
        }
    }
    panic!("the stream ended without the news");
}
