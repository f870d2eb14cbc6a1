//! A fake MCP server over standard streams, of the older protocol, its JSON written by hand.
//!
//! Its tools do what tests need: answer in every form, fail in every way, tell progress, ask, change the list, stay
//! silent, die. A program is made of it by calling `main` with its arguments.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The tools, exactly as they are listed.
pub fn tools() -> Vec<Value> {
    let tool = |name: &str, description: &str| json!({"name": name, "description": description, "inputSchema": {"type": "object"}});
    vec![
        json!({"name": "echo", "title": "Echo", "description": "Gives back what it gets.",
            "inputSchema": {"type": "object", "properties": {"Some Text": {"type": "string"}}},
            "outputSchema": {"type": "object", "properties": {"got": {"type": "object"}}},
            "annotations": {"readOnlyHint": true, "costHint": 3},
            "execution": {"taskSupport": "forbidden"}, "_meta": {"vendor/x": [1, 2]}, "x-unknown": {"kept": true}}),
        json!({"name": "odd.Schema", "inputSchema": true}),
        tool("blocks", "Content of every kind."),
        tool("fail", "A result that is a failure."),
        tool("refuse", "An error of the protocol."),
        tool("steps", "Tells progress, in as many steps as wanted."),
        tool("hang", "Never answers."),
        tool("die", "Ends the process."),
        tool("ask", "Asks a person."),
        tool("cancelled", "Which calls were cancelled."),
        tool("grow", "Adds a tool."),
        tool("process", "Its process and environment."),
    ]
}

struct Server {
    out: Mutex<io::Stdout>,
    tools: Mutex<Vec<Value>>,
    cancelled: Mutex<Vec<Value>>,
    waiting: Mutex<BTreeMap<i64, Sender<Value>>>,
    stops: Mutex<BTreeMap<String, Sender<()>>>,
    nudges: (Sender<Sender<()>>, Mutex<Receiver<Sender<()>>>),
    page: usize,
    is_going_in_circles: bool,
    is_endless: bool,
    has_empty_pages: bool,
    questions: i64,
}

/// Serves until its input ends. Arguments: `--banner`, `--page N`, `--circles`, `--endless`, `--empty-pages`, `--questions N`, `--late MS`, `--exit CODE`,
/// `--sticky` (does not end with its input), `--secret` (tells a variable on its standard error), `--tools FILE` (more tools, which
/// answer with what their `_meta.answer` holds, `_meta.times` of it in a list, or a page of `_meta.page` items of it; in a text block
/// with `_meta.as_text`; with `_meta.applies` the arguments choose among its items).
#[expect(clippy::disallowed_methods, reason = "it reads the tools that a test gave it")]
pub fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let args: Vec<String> = args.collect();
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let number = |flag: &str| {
        let place = args.iter().position(|arg| arg == flag)?;
        args.get(place + 1)?.parse::<u64>().ok()
    };
    if let Some(code) = number("--exit") {
        writeln!(io::stderr(), "cannot go on").ok();
        return ExitCode::from(u8::try_from(code).unwrap_or(1));
    }
    if let Some(wait) = number("--late") {
        pause(Duration::from_millis(wait));
    }
    if has("--banner") {
        writeln!(io::stdout(), "Welcome to the fake server v1\n{{\"not\": \"a message\"}}").ok();
    }
    if has("--secret") {
        let secret = std::env::vars().find(|(name, _)| name == "SECRET").unwrap_or_default().1;
        writeln!(io::stderr(), "using {secret}").ok();
    }
    let file = args.iter().position(|arg| arg == "--tools").and_then(|place| args.get(place + 1));
    let more = file.and_then(|file| std::fs::File::open(file).ok());
    let more: Vec<Value> = more.and_then(|file| serde_json::from_reader(file).ok()).unwrap_or_default();
    let server = Arc::new(Server {
        out: Mutex::new(io::stdout()),
        tools: Mutex::new(tools().into_iter().chain(more).collect()),
        cancelled: Mutex::default(),
        waiting: Mutex::default(),
        stops: Mutex::default(),
        nudges: {
            let (nudge, nudged) = channel();
            (nudge, Mutex::new(nudged))
        },
        page: number("--page").map_or(usize::MAX, |page| page as usize),
        is_going_in_circles: has("--circles"),
        is_endless: has("--endless"),
        has_empty_pages: has("--empty-pages"),
        questions: number("--questions").map_or(1, |times| times as i64),
    });
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if let Ok(message) = serde_json::from_str::<Value>(&line) {
            server.hear(message);
        }
    }
    while has("--sticky") {
        pause(Duration::from_secs(1));
    }
    ExitCode::SUCCESS
}

#[expect(clippy::disallowed_methods, reason = "being slow is what this program is for")]
fn pause(time: Duration) {
    thread::sleep(time);
}

fn repeated(given: &Value) -> Value {
    match given["times"].as_u64() {
        Some(times) => json!({"items": vec![&given["answer"]; usize::try_from(times).unwrap_or_default()]}),
        None => given["answer"].clone(),
    }
}

/// The part of a list that `cursor` and `page_size` ask for, and the cursor of the next one.
fn page(items: &[Value], arguments: &Value, most: usize) -> Value {
    let from = arguments["cursor"].as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0_usize);
    let size = arguments["page_size"].as_u64().and_then(|size| usize::try_from(size).ok()).unwrap_or(most);
    let page: Vec<&Value> = items.iter().skip(from).take(size.min(most)).collect();
    let end = from + page.len();
    let next = (end < items.len()).then(|| end.to_string());
    json!({"items": page, "nextCursor": next})
}

/// The items that have what the arguments say, to the type of it, and hold the `words`; in the order that is asked for.
fn chosen(items: &[Value], arguments: &Value) -> Vec<Value> {
    let words = arguments["words"].as_str().unwrap_or_default().trim_matches('"').to_lowercase();
    let fits = |item: &&Value| {
        let is_asked = |(name, value): (&String, &Value)| item.get(name).is_none_or(|own| own == value);
        arguments.as_object().into_iter().flatten().all(is_asked)
            && item.to_string().to_lowercase().contains(&words)
    };
    let mut chosen: Vec<Value> = items.iter().filter(fits).cloned().collect();
    if let Some(key) = arguments["order_by"].as_str() {
        chosen.sort_by_key(|item| item[key].as_u64());
    }
    if arguments["direction"] == "desc" {
        chosen.reverse();
    }
    chosen
}

/// The result of a tool of a file.
fn result_of(given: &Value, arguments: &Value) -> Value {
    let most = given["page"].as_u64().and_then(|most| usize::try_from(most).ok());
    let mut given = given.clone();
    if let Some(items) = given["answer"].as_array().filter(|_| given["applies"] == true) {
        given["answer"] = chosen(items, arguments).into();
    }
    let data = match (most, given["answer"].as_array()) {
        (Some(most), Some(items)) => page(items, arguments, most),
        _ => repeated(&given),
    };
    if given["as_text"] == true {
        return json!({"content": [{"type": "text", "text": data.to_string()}]});
    }
    json!({"content": [], "structuredContent": data})
}

impl Server {
    fn say(&self, message: &Value) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(out, "{message}").and_then(|()| out.flush()).ok();
    }

    fn answer(&self, id: &Value, result: Value) {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
    }

    fn refuse(&self, id: &Value, code: i64, message: &str) {
        let error = json!({"code": code, "message": message, "data": {"why": "because"}});
        self.say(&json!({"jsonrpc": "2.0", "id": id, "error": error}));
    }

    fn hear(self: &Arc<Self>, message: Value) {
        let id = message["id"].clone();
        match message["method"].as_str() {
            Some("initialize") => self.answer(
                &id,
                json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": true}},
                    "serverInfo": {"name": "fake", "version": "1.2.3", "x-more": 1}, "instructions": "Be kind."}),
            ),
            Some("tools/list") => self.list(&id, &message["params"]["cursor"]),
            Some("tools/call") => {
                let (stop, stopped) = channel();
                self.stops.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_string(), stop);
                let server = Arc::clone(self);
                thread::spawn(move || server.call(&id, &message["params"], &stopped));
            }
            Some("notifications/cancelled") => {
                let cancelled = message["params"]["requestId"].clone();
                self.stops.lock().unwrap_or_else(PoisonError::into_inner).remove(&cancelled.to_string());
                self.cancelled.lock().unwrap_or_else(PoisonError::into_inner).push(cancelled);
            }
            Some(_) if !id.is_null() => self.refuse(&id, -32601, "no such method"),
            Some(_) => {}
            None => {
                let waiting = id.as_i64().and_then(|id| {
                    self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&id)
                });
                if let Some(waiting) = waiting {
                    waiting.send(message["result"].clone()).ok();
                }
            }
        }
    }

    fn list(&self, id: &Value, cursor: &Value) {
        let tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let start = cursor.as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
        let end = usize::min(start + self.page.min(tools.len()), tools.len());
        if self.is_endless {
            let number: u64 = cursor.as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
            let tools: Vec<Value> = (0..999).map(|n| json!({"name": format!("t{number}_{n}")})).collect();
            return self.answer(id, json!({"tools": tools, "nextCursor": (number + 1).to_string()}));
        }
        if self.has_empty_pages {
            let number: u64 = cursor.as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
            return self.answer(id, json!({"tools": [], "nextCursor": (number + 1).to_string()}));
        }
        let mut page = json!({"tools": &tools[start..end]});
        if self.is_going_in_circles {
            page["nextCursor"] = json!("0");
        } else if end < tools.len() {
            page["nextCursor"] = json!(end.to_string());
        }
        self.answer(id, page);
    }

    fn call(&self, id: &Value, params: &Value, stopped: &Receiver<()>) {
        let arguments = &params["arguments"];
        match params["name"].as_str().unwrap_or_default() {
            "echo" => self.answer(
                id,
                json!({"content": [{"type": "text", "text": arguments.to_string()}],
                "structuredContent": {"got": arguments, "params": params}}),
            ),
            "blocks" => self.answer(
                id,
                json!({"content": [
                {"type": "text", "text": "{\"a\":1}", "annotations": {"priority": 1}},
                {"type": "image", "data": "aGk=", "mimeType": "image/png"},
                {"type": "resource_link", "uri": "a:b", "name": "c"},
                {"type": "hologram", "depth": 3}], "x-extra": 1}),
            ),
            "fail" => {
                self.answer(id, json!({"content": [{"type": "text", "text": "disk full"}], "isError": true}))
            }
            "deep" => {
                let (open, close) = ("[".repeat(500), "]".repeat(500));
                let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
                let result = format!(r#"{{"content":[],"structuredContent":{{"deep":{open}{close}}}}}"#);
                writeln!(out, r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
                    .and_then(|()| out.flush())
                    .ok();
            }
            "tell" => {
                let secret = std::env::vars().find(|(name, _)| name == "SECRET").unwrap_or_default().1;
                let token = &params["_meta"]["progressToken"];
                let told =
                    json!({"progressToken": token, "progress": 1, "message": format!("with {secret}")});
                self.say(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": told}));
                match arguments["how"].as_str() {
                    Some("refuse") => self.refuse(id, -32010, &format!("not with {secret}")),
                    how => {
                        let block = json!({"type": "text", "text": format!("I have {secret}")});
                        self.answer(id, json!({"content": [block], "isError": how == Some("fail")}));
                    }
                }
            }
            "refuse" => self.refuse(id, arguments["code"].as_i64().unwrap_or(-32000), "not today"),
            "steps" => self.steps(id, params, stopped),
            "hang" => drop(stopped.recv()),
            "die" => std::process::exit(arguments["code"].as_i64().unwrap_or(1) as i32),
            "ask" => self.ask(id),
            "ask_late" => self.ask_late(id),
            "nudge" => self.nudge(id),
            "cancelled" => {
                let cancelled = self.cancelled.lock().unwrap_or_else(PoisonError::into_inner).clone();
                self.answer(id, json!({"content": [], "structuredContent": {"cancelled": cancelled}}));
            }
            "grow" => {
                let tool = json!({"name": "grown", "inputSchema": {"type": "object"}});
                self.tools.lock().unwrap_or_else(PoisonError::into_inner).push(tool);
                self.say(&json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
                self.answer(id, json!({"content": []}));
            }
            "process" => {
                let variables: BTreeMap<String, String> = std::env::vars().collect();
                let folder = std::env::current_dir().unwrap_or_default();
                self.answer(
                    id,
                    json!({"content": [], "structuredContent":
                    {"pid": std::process::id(), "variables": variables, "folder": folder}}),
                );
            }
            name => {
                let tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let given = tools.iter().find(|tool| tool["name"] == name).map(|tool| &tool["_meta"]);
                match given.filter(|given| !given["answer"].is_null()) {
                    Some(given) => self.answer(id, result_of(given, arguments)),
                    None => self.refuse(id, -32602, "Unknown tool"),
                }
            }
        }
    }

    fn steps(&self, id: &Value, params: &Value, stopped: &Receiver<()>) {
        let steps = params["arguments"]["steps"].as_u64().unwrap_or(3);
        let pause = Duration::from_millis(params["arguments"]["pause"].as_u64().unwrap_or(0));
        for step in 1..=steps {
            if stopped.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let told = json!({"progressToken": params["_meta"]["progressToken"], "progress": step, "total": steps,
                "message": format!("step {step}")});
            self.say(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": told}));
        }
        self.answer(id, json!({"content": [], "structuredContent": {"steps": steps}}));
    }

    /// Asks when another call nudges it, so that the question comes while that one is the latest.
    fn ask_late(&self, id: &Value) {
        let asked = self.nudges.1.lock().unwrap_or_else(PoisonError::into_inner).recv();
        self.ask_and(id, || asked.iter().for_each(|asked| asked.send(()).unwrap_or_default()));
    }

    /// Nudges the other call, and ends as soon as that has asked.
    fn nudge(&self, id: &Value) {
        let (asked, has_asked) = channel();
        self.nudges.0.send(asked).ok();
        has_asked.recv().ok();
        self.answer(id, json!({"content": [], "structuredContent": {"nudged": true}}));
    }

    fn ask(&self, id: &Value) {
        self.ask_and(id, || ());
    }

    fn ask_and(&self, id: &Value, then: impl FnOnce()) {
        let (mut answers, mut then) = (Vec::new(), Some(then));
        for question in 1..=self.questions {
            let (send, answer) = channel();
            let number = id.as_i64().unwrap_or_default() + question * 1_000_000;
            self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(number, send);
            let schema =
                json!({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]});
            self.say(&json!({"jsonrpc": "2.0", "id": number, "method": "elicitation/create",
                "params": {"message": "Really?", "requestedSchema": schema}}));
            if let Some(then) = then.take() {
                then();
            }
            answers.push(answer.recv().unwrap_or_default());
        }
        let mut said = json!({"answer": answers.last()});
        if answers.len() > 1 {
            said["answers"] = answers.into();
        }
        self.answer(id, json!({"content": [], "structuredContent": said}));
    }
}
