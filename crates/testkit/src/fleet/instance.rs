//! One instance: its process, and calls of it as a client makes them: without a session, or in one, as older versions have it.
//!
//! An operation in; what became of it out. One connection for each call, so that a killed instance takes no other call along.

use super::balancer::{SESSION, header};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::sync::Mutex;
use tokio::time::timeout;

const START: Duration = Duration::from_secs(60);
/// Longer than a call waits for its turn under a limit when its instance gets few of the units: what is called again counts twice.
const ANSWER: Duration = Duration::from_secs(300);
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(20);
const VERSION: &str = "2026-07-28";
const VERSION_WITH_SESSIONS: &str = "2025-11-25";
const ABOUT: &str = "io.modelcontextprotocol";

/// A running `aqueduct serve --http`.
#[derive(Debug)]
pub struct Instance {
    child: Child,
    client: Client,
}

/// How one instance is called.
#[derive(Debug, Clone)]
pub struct Client {
    address: SocketAddr,
    bearer: String,
    session: Option<Arc<ClientSession>>,
}

/// The session of a client of the version that has them.
#[derive(Debug, Default)]
struct ClientSession {
    /// The one that is open.
    id: Mutex<Option<String>>,
    opened: AtomicUsize,
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered {
    /// It was carried out.
    Done,
    /// It has to be confirmed, with this token or by this approval.
    Asked(String),
    /// It was refused, with this code.
    Refused(String),
    /// No one answered: the instance is gone, or knows no callers yet.
    Unanswered(String),
}

impl Answered {
    /// Whether the store could not say: nothing was decided, or it is not known.
    pub fn is_undecided(&self) -> bool {
        match self {
            Answered::Unanswered(_) => true,
            Answered::Refused(code) => code == "INTERNAL_ERROR",
            _ => false,
        }
    }
}

impl Instance {
    /// Starts it and waits until it listens.
    pub(super) async fn start(mut command: Command, bearer: &str) -> Instance {
        let mut child = command.spawn().expect("the program is started");
        let mut lines = BufReader::new(child.stderr.take().expect("a standard error")).lines();
        let listening = async {
            let mut said = String::new();
            while let Some(line) = lines.next_line().await.expect("text") {
                if let Some(rest) = line.strip_prefix("listening on http://") {
                    return rest.trim_end_matches("/mcp").parse().expect("an address");
                }
                said.push_str(&line);
            }
            panic!("the instance ended: {said}")
        };
        let address = timeout(START, listening).await.expect("the instance listens in time");
        // Its log is read, so that writing it never blocks.
        tokio::spawn(async move { while lines.next_line().await.is_ok_and(|line| line.is_some()) {} });
        Instance { child, client: Client { address, bearer: bearer.to_owned(), session: None } }
    }

    /// How it is called.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.client.address
    }

    /// Ends it as `kill -9` does.
    ///
    /// # Panics
    /// When there is no such process.
    pub async fn kill(mut self) {
        self.child.kill().await.expect("the process is killed");
    }
}

impl Client {
    /// Another address with the same token, such as a balancer's.
    #[must_use]
    pub fn at(&self, address: SocketAddr) -> Client {
        Client { address, ..self.clone() }
    }

    /// The same as another caller.
    #[must_use]
    pub fn by(&self, bearer: &str) -> Client {
        Client { bearer: bearer.to_owned(), ..self.clone() }
    }

    /// The same with a session of its own: opened when it is needed, and anew when it is no longer known.
    #[must_use]
    pub fn in_session(&self) -> Client {
        Client { session: Some(Arc::default()), ..self.clone() }
    }

    /// How many sessions it has opened.
    pub fn sessions_opened(&self) -> usize {
        self.session.as_ref().map_or(0, |session| session.opened.load(Ordering::Relaxed))
    }

    /// Deletes an order, with a token or without.
    pub async fn delete(&self, order: &str, token: Option<&str>) -> Answered {
        let mut params = json!({"order_id": order});
        if let Some(token) = token {
            params["confirmation_token"] = token.into();
        }
        self.call("mcp_aql_delete", "delete_order", params).await
    }

    /// The token for a deletion; asked for again while the store does not answer.
    ///
    /// # Panics
    /// When there is none.
    pub async fn token_for(&self, order: &str) -> String {
        match self.until_decided(order, None).await {
            Answered::Asked(token) => token,
            other => panic!("{order}: {other:?}"),
        }
    }

    /// Deletes an order, again and again until there is a yes or a no. After two minutes it is left as it is.
    pub async fn until_decided(&self, order: &str, token: Option<&str>) -> Answered {
        let started = Instant::now();
        loop {
            let answered = self.delete(order, token).await;
            if !answered.is_undecided() || started.elapsed() > PATIENCE {
                return answered;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Reads an order.
    pub async fn read(&self, order: &str) -> Answered {
        self.call("mcp_aql_read", "get_order", json!({"order_id": order})).await
    }

    async fn call(&self, tool: &str, operation: &str, params: Value) -> Answered {
        let mut params = json!({"name": tool, "arguments": {"operation": operation, "params": params}});
        let answer = match &self.session {
            None => {
                params["_meta"] = json!({format!("{ABOUT}/protocolVersion"): VERSION,
                    format!("{ABOUT}/clientCapabilities"): {}, format!("{ABOUT}/clientInfo"): about()});
                let head = format!(
                    "mcp-protocol-version: {VERSION}\r\nmcp-method: tools/call\r\nmcp-name: {tool}\r\n"
                );
                self.post(&head, &request("tools/call", &params)).await
            }
            Some(session) => self.call_in(session, &params).await,
        };
        answer.map_or_else(Answered::Unanswered, |answer| judged(&answer))
    }

    async fn call_in(&self, session: &ClientSession, params: &Value) -> Result<String, String> {
        let mut open = session.id.lock().await;
        let id = match &*open {
            Some(id) => id.clone(),
            None => {
                let id = self.open().await?;
                session.opened.fetch_add(1, Ordering::Relaxed);
                open.insert(id).clone()
            }
        };
        let answer = self.post(&head_in(&id), &request("tools/call", params)).await?;
        // So a server says that it does not know the session: the client has to begin anew.
        if answer.lines().next().is_some_and(|status| status.contains(" 404 ")) {
            *open = None;
        }
        Ok(answer)
    }

    /// Opens a session; its identifier.
    async fn open(&self) -> Result<String, String> {
        let params =
            json!({"protocolVersion": VERSION_WITH_SESSIONS, "capabilities": {}, "clientInfo": about()});
        let answer = self.post("", &request("initialize", &params)).await?;
        let id =
            header(&answer, SESSION).ok_or_else(|| answer.lines().next().unwrap_or_default().to_owned())?;
        let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
        self.post(&head_in(&id), &told).await?;
        Ok(id)
    }

    /// Sends a message on a connection of its own; the whole answer, or why there is none.
    async fn post(&self, head: &str, body: &str) -> Result<String, String> {
        let request = format!(
            "POST /mcp HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nauthorization: Bearer {}\r\ncontent-type: \
             application/json\r\naccept: application/json, text/event-stream\r\n{head}content-length: {}\r\n\r\n{body}",
            self.address,
            self.bearer,
            body.len()
        );
        match timeout(ANSWER, exchange(self.address, request.as_bytes())).await {
            Ok(answer) => answer.map_err(|error| error.to_string()),
            Err(_) => Err("no answer in time".to_owned()),
        }
    }
}

fn about() -> Value {
    json!({"name": "fleet", "version": "1"})
}

fn request(method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
}

/// What each message of a session has in its head.
fn head_in(session: &str) -> String {
    format!("mcp-protocol-version: {VERSION_WITH_SESSIONS}\r\n{SESSION}: {session}\r\n")
}

async fn exchange(address: SocketAddr, request: &[u8]) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// What an answer says. Its message is the only line that begins like one, whether it is the body, a chunk or an event.
fn judged(answer: &str) -> Answered {
    let lines = answer.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
    let message = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut result = message.filter_map(|message| {
        serde_json::from_str::<Value>(message["result"]["content"][0]["text"].as_str()?).ok()
    });
    let Some(result) = result.next_back() else {
        let head = answer.lines().next().unwrap_or("the connection was closed");
        return Answered::Unanswered(head.to_owned());
    };
    if result["success"] == true {
        return Answered::Done;
    }
    let error = &result["error"];
    let named = ["confirmation_token", "approval_id"].map(|key| error["details"][key].as_str());
    match (error["code"].as_str().unwrap_or_default(), named.into_iter().flatten().next()) {
        ("CONFIRMATION_REQUIRED", Some(name)) => Answered::Asked(name.to_owned()),
        (code, _) => Answered::Refused(code.to_owned()),
    }
}
