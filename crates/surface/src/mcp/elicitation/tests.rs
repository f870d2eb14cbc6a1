//! Questions as clients get them and answer them, over a connection in this process.
//!
//! Official clients of both worlds here; what exactly is on the wire, in `requests` and `round_trips`.

mod confirmations;
mod requests;
mod round_trips;

use crate::mcp::AqlServer;
use crate::test_dispatcher::{TOOL, TestDispatcher, inside, order};
use aqueduct_operations::call::SessionId;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, ErrorData, Implementation, ProtocolVersion,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RequestContext};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// The other end of a served connection, message by message.
struct Wire {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    closing: CancellationToken,
    ids: u64,
}

impl Wire {
    fn to(desk: &TestDispatcher) -> Wire {
        let closing = CancellationToken::new();
        let server =
            AqlServer::new(Arc::clone(&desk.dispatcher), SessionId::new("session-1"), closing.clone());
        let (client, ours) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move { server.serve(ours).await.unwrap().waiting().await });
        Wire::on(client, closing)
    }

    fn on(stream: DuplexStream, closing: CancellationToken) -> Wire {
        let (read, write) = tokio::io::split(stream);
        Wire { lines: BufReader::new(read).lines(), write, closing, ids: 100 }
    }

    async fn send(&mut self, message: Value) {
        self.write.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// Sends a request; its id.
    async fn request(&mut self, method: &str, params: Value) -> u64 {
        self.ids += 1;
        self.send(json!({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})).await;
        self.ids
    }

    async fn next(&mut self) -> Value {
        let line = timeout(Duration::from_secs(3_600), self.lines.next_line()).await.expect("a message");
        serde_json::from_str(&line.unwrap().expect("it is open")).unwrap()
    }
}

/// Accepts every question, with the number of them or what is set, and remembers what was asked.
#[derive(Debug, Clone, Default)]
struct Person {
    answer: Option<(ElicitationAction, Value)>,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::builder().enable_elicitation().build(),
            Implementation::new("person", "1"),
        )
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            panic!("{request:?}")
        };
        let mut asked = self.asked.lock().unwrap();
        asked.push(json!(message));
        let count = asked.len();
        let (action, content) =
            self.answer.clone().unwrap_or((ElicitationAction::Accept, json!({"count": count})));
        Ok(ElicitResult::new(action).with_content(content))
    }
}

/// How official clients of both worlds open a connection.
fn lifecycles() -> [ClientLifecycleMode; 2] {
    let newest = vec![ProtocolVersion::V_2026_07_28];
    [ClientLifecycleMode::Initialize, ClientLifecycleMode::Discover { preferred_versions: newest }]
}

/// What an official client gets for one call of the only tool: data, or the error.
async fn called(
    client: impl ClientHandler,
    lifecycle: ClientLifecycleMode,
    desk: &TestDispatcher,
    arguments: Value,
) -> Value {
    inside(&json!({"result": called_whole(client, lifecycle, desk, arguments).await}))
}

/// The result of one call of the only tool, as an official client gets it.
async fn called_whole(
    client: impl ClientHandler,
    lifecycle: ClientLifecycleMode,
    desk: &TestDispatcher,
    arguments: Value,
) -> Value {
    let closing = CancellationToken::new();
    let server = AqlServer::new(Arc::clone(&desk.dispatcher), SessionId::new("session-1"), closing);
    let (theirs, ours) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move { server.serve(ours).await.unwrap().waiting().await });
    let client = client.serve_with_lifecycle(theirs, lifecycle).await.unwrap();
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let params = CallToolRequestParams::new(TOOL).with_arguments(arguments);
    let result =
        timeout(Duration::from_secs(60), client.call_tool(params)).await.expect("an answer").unwrap();
    client.cancel().await.unwrap();
    json!(result)
}

/// Every question of a call is put to an official client, by the way that its version has, and the answers come back.
#[tokio::test]
async fn official_clients_are_asked() {
    for lifecycle in lifecycles() {
        let (desk, person) = (TestDispatcher::new(), Person::default());
        let data = called(person.clone(), lifecycle.clone(), &desk, order(3)).await;
        assert_eq!(data["said"], json!([{"count": 1}, {"count": 2}, {"count": 3}]), "{lifecycle:?}");
        let asked = json!(["How many, 1?", "How many, 2?", "How many, 3?"]);
        assert_eq!(json!(*person.asked.lock().unwrap()), asked, "{lifecycle:?}");
    }
}
