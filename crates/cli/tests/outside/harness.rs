//! Starts the real binary: `Server` speaks MCP with it line by line, `run` is one command to its end.
//!
//! Nothing of the surrounding environment reaches the binary. Every wait has a deadline.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{sleep, timeout};

/// The longest wait for anything.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// A token that no output may show.
pub const TOKEN: &str = "sk-live-4242-shop-token";

/// A file among the fixtures.
pub fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name).display().to_string()
}

/// The program of a fake MCP server, beside the tests themselves.
pub fn fake_server() -> String {
    let tests: PathBuf = std::env::current_exe().unwrap();
    let folder = tests.parent().and_then(|deps| deps.parent()).unwrap().join("examples");
    folder.join("fake_mcp_server").display().to_string()
}

/// The shop's adapter file.
pub fn shop() -> String {
    fixture("shop-adapter.md")
}

pub fn command(arguments: &[&str], variables: &[(&str, &str)], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct"));
    command.env_clear().args(arguments).current_dir(folder).kill_on_drop(true);
    // A server needs a place for its state: here, unless the test says where the usual one is.
    let is_serving =
        matches!(arguments.first(), Some(&"serve" | &"doctor")) && !arguments.contains(&"--help");
    if is_serving && !variables.iter().any(|(name, _)| name.ends_with("HOME")) {
        command.env("AQUEDUCT_STATE_DIR", folder.join("state"));
    }
    command.envs(variables.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What a command left behind.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Its output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A folder of its own for one test, and commands run in it.
pub struct Place {
    pub folder: TempDir,
}

impl Place {
    pub fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    /// Writes a file and gives its path.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().to_path_buf()
    }

    /// Runs a command to its end.
    pub async fn run(&self, arguments: &[&str], variables: &[(&str, &str)], input: &str) -> Ran {
        let mut child = command(arguments, variables, self.folder.path()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        let feeding = tokio::spawn(async move {
            // A command that ends without reading is no mistake of the test.
            drop(stdin.write_all(input.as_bytes()).await);
        });
        let ended = timeout(DEADLINE, child.wait_with_output()).await.expect("the command ends").unwrap();
        feeding.await.unwrap();
        Ran {
            code: ended.status.code().unwrap_or(-1),
            stdout: String::from_utf8(ended.stdout).unwrap(),
            stderr: String::from_utf8(ended.stderr).unwrap(),
        }
    }
}

/// Runs a command in a folder of its own.
pub async fn run(arguments: &[&str]) -> Ran {
    Place::new().run(arguments, &[], "").await
}

/// A running `aqueduct serve`.
pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    errors: Arc<Mutex<String>>,
    reading: tokio::task::JoinHandle<()>,
    next_id: i64,
    /// Every line that came on standard output.
    pub seen: Vec<String>,
    _place: Place,
}

impl Server {
    /// Starts `serve` with these arguments, its state in a folder of its own unless they say otherwise.
    pub fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Server {
        Server::start_in(Place::new(), arguments, variables)
    }

    pub fn start_in(place: Place, arguments: &[&str], variables: &[(&str, &str)]) -> Server {
        let all = [&["serve"], arguments].concat();
        let command = command(&all, variables, place.folder.path());
        Server::start_with(place, command)
    }

    /// Starts `serve` in a way of the test's own.
    pub fn start_with(place: Place, mut command: Command) -> Server {
        let mut child = command.spawn().unwrap();
        let errors = Arc::new(Mutex::new(String::new()));
        let mut stderr = child.stderr.take().unwrap();
        let kept = Arc::clone(&errors);
        let reading = tokio::spawn(async move {
            let mut buffer = [0; 8192];
            while let Ok(count) = stderr.read(&mut buffer).await {
                if count == 0 {
                    break;
                }
                kept.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..count]));
            }
        });
        Server {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
            errors,
            reading,
            next_id: 0,
            seen: Vec::new(),
            _place: place,
        }
    }

    /// Starts the shop against an upstream and opens a session.
    pub async fn shop(base_url: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Server {
        let shop = shop();
        let mut all = vec![shop.as_str(), "--base-url", base_url];
        all.extend(arguments);
        let mut with_token = vec![("SHOP_TOKEN", TOKEN)];
        with_token.extend(variables);
        let mut server = Server::start(&all, &with_token);
        server.open().await;
        server
    }

    pub async fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(line).await.unwrap();
        input.write_all(b"\n").await.unwrap();
        input.flush().await.unwrap();
    }

    pub async fn send(&mut self, message: Value) {
        self.send_bytes(message.to_string().as_bytes()).await;
    }

    /// The next line, or nothing when the output has ended.
    pub async fn next_line(&mut self) -> Option<String> {
        let line = timeout(DEADLINE, self.output.next_line()).await.expect("an answer in time").unwrap();
        self.seen.extend(line.clone());
        line
    }

    /// The next message. Whatever is not JSON-RPC on standard output is a failure.
    pub async fn next(&mut self) -> Value {
        let line = self.next_line().await.unwrap_or_else(|| panic!("ended: {}", self.errors()));
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// The answer to the request with this id; others are skipped.
    pub async fn answer(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        loop {
            let message = self.next().await;
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    /// Sends a request without waiting; gives its id.
    pub async fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(message).await;
        id
    }

    /// A request and its whole answer.
    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params).await;
        self.answer(id).await
    }

    pub async fn initialize(&mut self, version: &str) -> Value {
        let client = json!({"name": "test", "version": "1.0"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let answer = self.request("initialize", params).await;
        self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        answer
    }

    /// Opens a session; gives the result of `initialize`.
    pub async fn open(&mut self) -> Value {
        self.initialize("2025-11-25").await["result"].clone()
    }

    pub async fn tools(&mut self) -> Vec<Value> {
        let answer = self.request("tools/list", Value::Null).await;
        answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
    }

    pub async fn tool_names(&mut self) -> Vec<String> {
        self.tools().await.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// The whole answer to a tool call with these arguments.
    pub async fn call_raw(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// The result object of a call, taken out of its text block.
    pub async fn call(&mut self, tool: &str, operation: &str, params: Value) -> Value {
        let answer = self.call_raw(tool, json!({"operation": operation, "params": params})).await;
        inside(&answer)
    }

    /// True while a request gets its answer.
    pub async fn is_alive(&mut self) -> bool {
        self.request("ping", Value::Null).await["result"] == json!({})
    }

    /// What came on standard error so far.
    pub fn errors(&self) -> String {
        self.errors.lock().unwrap().clone()
    }

    /// Waits until this text is on standard error.
    pub async fn until_errors_have(&self, text: &str) {
        let waiting = async {
            while !self.errors().contains(text) {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(DEADLINE, waiting).await.unwrap_or_else(|_| panic!("no '{text}' in {}", self.errors()));
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn process_id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Waits for the end of the process; gives its exit code and everything on standard error.
    pub async fn ended(&mut self) -> (i32, String) {
        while self.next_line().await.is_some() {}
        let status = timeout(DEADLINE, self.child.wait()).await.expect("the server ends").unwrap();
        timeout(DEADLINE, &mut self.reading).await.expect("standard error ends").unwrap();
        (status.code().unwrap_or(-1), self.errors())
    }

    /// Closes input and output at once, as a client that dies does; gives the exit code.
    pub async fn vanish(mut self) -> i32 {
        self.input = None;
        drop(self.output);
        let status = timeout(DEADLINE, self.child.wait()).await.expect("the server ends").unwrap();
        status.code().unwrap_or(-1)
    }

    /// Closes the output alone and sends one more request; gives the exit code, with the input open until then.
    pub async fn close_output_and_ask(self) -> (i32, String) {
        let Server { mut child, input, output, errors, reading, _place, .. } = self;
        drop(output);
        let mut input = input.expect("the input is open");
        input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"ping\"}\n").await.unwrap();
        let status = timeout(DEADLINE, child.wait()).await.expect("the server ends").unwrap();
        timeout(DEADLINE, reading).await.expect("standard error ends").unwrap();
        drop(input);
        let errors = errors.lock().unwrap().clone();
        (status.code().unwrap_or(-1), errors)
    }

    /// Ends the process as `kill -9` does.
    pub async fn kill(&mut self) {
        self.child.kill().await.unwrap();
    }

    /// Closes the input and waits for the end.
    pub async fn finish(&mut self) -> (i32, String) {
        self.close_input();
        self.ended().await
    }
}

/// The result object inside a tool result, which must have one text block and an explicit `isError`.
pub fn inside(answer: &Value) -> Value {
    let result = &answer["result"];
    let content = result["content"].as_array().unwrap_or_else(|| panic!("no content: {answer}"));
    assert_eq!(content.len(), 1, "{answer}");
    assert_eq!(content[0]["type"], "text", "{answer}");
    assert!(result["isError"].is_boolean(), "{answer}");
    let text = content[0]["text"].as_str().unwrap();
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The code of a failure.
pub fn code(result: &Value) -> &str {
    result["error"]["code"].as_str().unwrap_or_else(|| panic!("no failure: {result}"))
}
