//! Starts `serve --http` on a free port and speaks HTTP with it, one connection a request.

use crate::outside::harness::{DEADLINE, Place, TOKEN, command, inside, shop};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStderr};
use tokio::time::timeout;

pub const NEWEST: &str = "2026-07-28";
const ABOUT: &str = "io.modelcontextprotocol";

/// A running `aqueduct serve --http`.
pub struct HttpServer {
    pub address: SocketAddr,
    child: Child,
    errors: Option<Lines<BufReader<ChildStderr>>>,
    _place: Place,
}

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }

    /// The JSON-RPC message in it: the whole body, or the last event of a stream.
    pub fn message(&self) -> Value {
        let text = match self.header("content-type") {
            Some("text/event-stream") => {
                let mut data = self.body.lines().filter_map(|line| line.strip_prefix("data:"));
                data.rfind(|text| !text.trim().is_empty()).unwrap_or_default()
            }
            _ => self.body.as_str(),
        };
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The result object inside a tool result.
    pub fn inside(&self) -> Value {
        inside(&self.message())
    }
}

impl HttpServer {
    /// Serves the shop in front of this API, with more lines for its configuration.
    pub async fn shop(base_url: &str, config: &str) -> HttpServer {
        let place = Place::new();
        place.write("aqueduct.toml", config);
        let shop = shop();
        HttpServer::start(place, &[&shop, "--base-url", base_url], &[("SHOP_TOKEN", TOKEN)]).await
    }

    /// Serves these sources from a folder.
    pub async fn start(place: Place, arguments: &[&str], variables: &[(&str, &str)]) -> HttpServer {
        let arguments = [&["serve", "--http", "127.0.0.1:0"], arguments].concat();
        let mut child = command(&arguments, variables, &place.path()).spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
        let first = timeout(DEADLINE, errors.next_line()).await.unwrap().unwrap().unwrap();
        let url = first.strip_prefix("listening on ").and_then(|rest| rest.strip_suffix("/mcp"));
        let address = url.and_then(|url| url.split_once("://")).unwrap_or_else(|| panic!("{first}")).1;
        let address = address.parse().unwrap();
        HttpServer { address, child, errors: Some(errors), _place: place }
    }

    /// The next line on standard error.
    pub async fn next_error(&mut self) -> String {
        let errors = self.errors.as_mut().expect("nobody else reads it");
        timeout(DEADLINE, errors.next_line()).await.expect("a line in time").unwrap().expect("it runs")
    }

    /// Standard error, for somebody else to read.
    pub fn take_errors(&mut self) -> Lines<BufReader<ChildStderr>> {
        self.errors.take().expect("nobody else reads it")
    }

    pub fn process_id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Waits for the end of the process; gives its exit code and the rest of standard error.
    pub async fn ended(&mut self) -> (i32, String) {
        let status = timeout(DEADLINE, self.child.wait()).await.expect("the server ends").unwrap();
        let mut rest = String::new();
        let errors = self.errors.as_mut().expect("nobody else reads it");
        while let Some(line) = timeout(DEADLINE, errors.next_line()).await.unwrap().unwrap() {
            rest.push_str(&line);
        }
        (status.code().unwrap_or(-1), rest)
    }

    pub async fn connect(&self) -> TcpStream {
        timeout(DEADLINE, TcpStream::connect(self.address)).await.unwrap().unwrap()
    }

    /// Sends these bytes and reads until the server closes the connection.
    pub async fn exchange(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect().await;
        stream.write_all(bytes).await.unwrap();
        read_answer(&mut stream).await
    }

    /// A request without a body.
    pub async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.exchange(&self.request(method, path, headers, b"")).await
    }

    /// A message posted to `/mcp`.
    pub async fn post(&self, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        self.exchange(&self.posted(headers, body)).await
    }

    /// The bytes of a message posted to `/mcp`.
    pub fn posted(&self, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
        let mut all =
            vec![("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
        all.extend(headers);
        self.request("POST", "/mcp", &all, body)
    }

    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            head.push_str(&format!("host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            head.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        [head.as_bytes(), body].concat()
    }

    /// Opens a session; gives its identifier.
    pub async fn open(&self, version: &str, headers: &[(&str, &str)]) -> String {
        let client = json!({"name": "test", "version": "1.0"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let opened = self.post(headers, message.to_string().as_bytes()).await;
        assert_eq!(opened.message()["result"]["protocolVersion"], version, "{opened:?}");
        let session = opened.header("mcp-session-id").unwrap_or_else(|| panic!("{opened:?}")).to_owned();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let all = [&[("mcp-session-id", session.as_str())], headers].concat();
        assert_eq!(self.post(&all, ready.to_string().as_bytes()).await.status, 202);
        session
    }

    /// A request within a session.
    pub async fn in_session(&self, session: &str, headers: &[(&str, &str)], message: &Value) -> Answer {
        let all = [&[("mcp-session-id", session)], headers].concat();
        self.post(&all, message.to_string().as_bytes()).await
    }

    /// A request of the stateless protocol.
    pub async fn stateless(&self, headers: &[(&str, &str)], message: &Value) -> Answer {
        self.exchange(&self.stateless_bytes(headers, message)).await
    }

    pub fn stateless_bytes(&self, headers: &[(&str, &str)], message: &Value) -> Vec<u8> {
        let mut message = message.clone();
        message["params"]["_meta"] = json!({format!("{ABOUT}/protocolVersion"): NEWEST,
            format!("{ABOUT}/clientCapabilities"): {}, format!("{ABOUT}/clientInfo"): {"name": "test", "version": "1"}});
        let method = message["method"].as_str().unwrap();
        let mut all = vec![("mcp-protocol-version", NEWEST), ("mcp-method", method)];
        if let Some(name) = message["params"]["name"].as_str() {
            all.push(("mcp-name", name));
        }
        all.extend(headers);
        self.posted(&all, message.to_string().as_bytes())
    }

    /// One value of the metrics; zero when it is not there.
    pub async fn metric(&self, name: &str) -> f64 {
        let page = self.ask("GET", "/metrics", &[]).await.body;
        let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map_or(0.0, |value| value.parse().unwrap())
    }
}

/// Reads until the connection is closed.
pub async fn read_answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    timeout(DEADLINE, stream.read_to_end(&mut bytes)).await.expect("an answer in time").unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if is_chunked { unchunked(body) } else { body.to_owned() };
    Answer { status, head: head.to_owned(), body }
}

/// Reads until this has come.
pub async fn read_until(stream: &mut TcpStream, wanted: &str) -> String {
    let mut seen = String::new();
    let mut piece = [0; 4096];
    while !seen.split_once("\r\n\r\n").is_some_and(|(_, body)| body.contains(wanted)) {
        let read = timeout(DEADLINE, stream.read(&mut piece))
            .await
            .unwrap_or_else(|_| panic!("not in {seen}"))
            .unwrap();
        assert!(read > 0, "the stream ended without it: {seen}");
        seen.push_str(std::str::from_utf8(&piece[..read]).unwrap());
    }
    seen
}

fn unchunked(mut rest: &str) -> String {
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || size > after.len() {
            break;
        }
        body.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
    }
    body
}

/// A tool call.
pub fn call(id: i64, tool: &str, operation: &str, params: Value) -> Value {
    let arguments = json!({"operation": operation, "params": params});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// A removal, which must be confirmed.
pub fn delete(token: Option<&str>) -> Value {
    let mut params = json!({"order_id": "7"});
    if let Some(token) = token {
        params["confirmation_token"] = token.into();
    }
    call(5, "mcp_aql_delete", "delete_order", params)
}

/// The token that a removal asks to be confirmed with.
pub fn token_in(asked: &Value) -> String {
    assert_eq!(asked["error"]["code"], "CONFIRMATION_REQUIRED", "{asked}");
    asked["error"]["details"]["confirmation_token"].as_str().unwrap().to_owned()
}

/// Two tokens for a configuration: ann's is `one`, bob's is `two`.
pub const TOKENS: &str = r#"
[[http.tokens]]
name = "ann"
sha256 = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
[[http.tokens]]
name = "bob"
sha256 = "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3"
"#;
pub const ANN: (&str, &str) = ("authorization", "Bearer one");
pub const BOB: (&str, &str) = ("authorization", "Bearer two");
