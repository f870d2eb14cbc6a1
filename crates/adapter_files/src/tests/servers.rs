//! Files of MCP servers: a program or an endpoint, tools as operations, and no secret in the file.
//!
//! The text of a file in; the server that it names, or the codes of the mistakes, out.
//! No server is started here.

use super::{SHOP, schema};
use crate::file_servers::FileServers;
use crate::{FileContext, load_with};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::consent::{Consent, ConsentRequest};
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError, SealedHandler};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::operation::Grouping;
use aqueduct_operations::target::{HandlerKind, Target};
use aqueduct_source_kind::kind::LoadedContent;
use aqueduct_source_kind::named_connection::NamedConnection;
use aqueduct_source_kind::settings::{LoadOutcome, SourceSettings};
use secrecy::ExposeSecret;
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A tool that is never called here.
#[derive(Debug)]
struct Tool(String);

impl Handler for Tool {
    fn run<'a>(&'a self, _: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async { Err(HandlerError::Unavailable { message: "not here".to_owned() }) })
    }

    fn preview(&self, _: &Map<String, Value>) -> Value {
        json!(self.0)
    }
}

/// Keeps the server that a file names.
#[derive(Debug, Default)]
struct SeenServers(Mutex<Option<ServerConfig>>);

impl FileServers for SeenServers {
    fn named_by_file(self: Arc<Self>, config: ServerConfig) -> Arc<dyn NamedConnection> {
        *self.0.lock().unwrap() = Some(config);
        Arc::new(SeenServer)
    }
}

#[derive(Debug)]
struct SeenServer;

impl NamedConnection for SeenServer {
    fn consent_requests(&self) -> Vec<ConsentRequest> {
        Vec::new()
    }

    fn allow(&self, _consent: Arc<dyn Consent>) {}

    fn open(&self) {}

    fn handler(self: Arc<Self>, tool: &str) -> SealedHandler {
        SealedHandler::new(Tool(tool.to_owned()))
    }
}

fn file(target: &str, operation: &str) -> String {
    let start = SHOP.find("target:").unwrap();
    format!("{}target: {target}\noperations:\n  execute:\n    - {operation}\n---\n", &SHOP[..start])
}

const RUN: &str =
    "{name: execute_it, description: It acts, maps_to: TOOL runIt, params: {path: {type: string}}}";

/// Loads a text, and gives back the server that it names.
fn loaded_with(text: &str, settings: SourceSettings) -> (LoadOutcome, Option<ServerConfig>) {
    let seen = Arc::new(SeenServers::default());
    let servers = Arc::clone(&seen) as Arc<dyn FileServers>;
    let context = FileContext { settings: &|_| settings.clone(), servers: &servers };
    let LoadedContent { loaded, diagnostics, .. } = load_with("shop-adapter.md", text.as_bytes(), &context);
    let outcome = LoadOutcome { loaded, diagnostics };
    schema::agrees(text, &outcome);
    let config = seen.0.lock().unwrap().take();
    (outcome, config)
}

fn config(text: &str) -> ServerConfig {
    let (outcome, config) = loaded_with(text, SourceSettings::default());
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    config.unwrap()
}

fn codes(text: &str) -> Vec<String> {
    let (outcome, _) = loaded_with(text, SourceSettings::default());
    outcome.diagnostics.iter().map(|d| format!("{} {}", d.code, d.path)).collect()
}

/// S-mcp-6 S-mcp-21: a command is a program that is started, with arguments, environment and folder.
#[test]
fn programs() {
    let config = config(&file(
        "{protocol: mcp, transport: stdio, command: npx, args: [-y, some-server], env: {TOKEN: '${MY_TOKEN}', MODE: fast}, cwd: /srv, timeout_ms: 5000}",
        RUN,
    ));
    assert_eq!((config.name.as_str(), config.timeout), ("shop", Duration::from_secs(5)));
    let ServerTransport::Stdio { command, args, env, cwd } = config.reach else { panic!() };
    assert_eq!(
        (command.as_str(), args.as_slice()),
        ("npx", &["-y".to_owned(), "some-server".to_owned()][..])
    );
    let env: Vec<(&str, &str)> =
        env.iter().map(|set| (set.name.as_str(), set.value.expose_secret())).collect();
    assert_eq!(env, [("TOKEN", "${MY_TOKEN}"), ("MODE", "fast")]);
    assert_eq!(cwd.unwrap().to_str(), Some("/srv"));
}

/// S-mcp-5 S-mcp-21: a URL is an endpoint, with headers; credentials travel as the names of variables.
#[test]
fn endpoints() {
    let text = file(
        "{protocol: mcp, transport: http, base_url: 'https://mcp.example.com/mcp?v=2', headers: {X-V: '2'}}",
        RUN,
    );
    let ServerTransport::Http { url, headers } = config(&text).reach else { panic!() };
    assert_eq!((url.as_str(), headers.len()), ("https://mcp.example.com/mcp?v=2", 1));
    let bearer = text.replacen("operations:", "auth: {type: bearer, token_env: T}\noperations:", 1);
    let ServerTransport::Http { headers, .. } = config(&bearer).reach else { panic!() };
    let shown: Vec<(&str, &str)> =
        headers.iter().map(|set| (set.name.as_str(), set.value.expose_secret())).collect();
    assert_eq!(shown, [("X-V", "2"), ("Authorization", "Bearer ${T}")]);
    let basic =
        text.replacen("operations:", "auth: {type: basic, username_env: U, password_env: P}\noperations:", 1);
    let ServerTransport::Http { headers, .. } = config(&basic).reach else { panic!() };
    assert_eq!(headers[1].value.expose_secret(), "Basic ${U}:${P}");
    let in_query =
        text.replacen("operations:", "auth: {type: api_key, key_env: K, query_name: key}\noperations:", 1);
    assert_eq!(codes(&in_query), ["AUTH_NOT_POSSIBLE auth"]);
    let settings = SourceSettings {
        base_url: Some("http://127.0.0.1:9/other".parse().unwrap()),
        auth: Some(Auth::ApiKey {
            key_env: "K".into(),
            place: aqueduct_operations::auth::KeyPlace::Header("X-K".into()),
        }),
        headers: vec![NamedSecret::new("X-Team", "blue")],
        ..Default::default()
    };
    let (_, config) = loaded_with(&text, settings);
    let ServerTransport::Http { url, headers } = config.unwrap().reach else { panic!() };
    let names: Vec<&str> = headers.iter().map(|set| set.name.as_str()).collect();
    assert_eq!((url.port(), names), (Some(9), vec!["X-V", "X-K", "X-Team"]));
}

/// S-mcp-22 X-plugins-6: one of command and URL, as the transport says; decision 25: never both.
#[test]
fn ways_that_contradict() {
    for (target, code) in [
        ("{protocol: mcp, transport: stdio}", "MISSING_KEY target.command"),
        ("{protocol: mcp, transport: http}", "MISSING_KEY target.base_url"),
        (
            "{protocol: mcp, transport: http, base_url: 'https://a.example', command: x}",
            "UNKNOWN_KEY target.command",
        ),
        (
            "{protocol: mcp, transport: stdio, command: x, base_url: 'https://a.example'}",
            "UNKNOWN_KEY target.base_url",
        ),
        ("{protocol: mcp, transport: stdio, command: x, env: {'A=B': c}}", "INVALID_NAME target.env.A=B"),
        ("{protocol: mcp, transport: http, base_url: 'https://'}", "INVALID_VALUE target.base_url"),
        (
            "{protocol: mcp, transport: http, base_url: 'http://mcp.example.com'}",
            "PLAIN_HTTP target.base_url",
        ),
    ] {
        assert_eq!(codes(&file(target, RUN)), [code], "{target}");
    }
    let rest = SHOP.replace("transport: http", "transport: stdio");
    assert_eq!(codes(&rest), ["INVALID_VALUE target.transport"]);
    let rest = SHOP.replace("  transport: http", "  command: x\n  transport: http");
    assert_eq!(codes(&rest), ["UNKNOWN_KEY target.command"]);
}

/// Decision 15: credentials come from the environment, and what looks like one is refused and not shown.
#[test]
fn secrets() {
    for env in [
        "API_TOKEN: hunter2secret",
        "GITHUB_PAT: hunter2secret",
        "DB_PASSWORD: 'x${Y}hunter2secret'",
        "MY_KEY: hunter2secret",
    ] {
        let text = file(&format!("{{protocol: mcp, transport: stdio, command: x, env: {{{env}}}}}"), RUN);
        let (outcome, _) = loaded_with(&text, SourceSettings::default());
        let [found] = outcome.diagnostics.as_slice() else { panic!("{env}") };
        assert_eq!(found.code, "EMBEDDED_CREDENTIAL", "{env}");
        assert!(!found.to_string().contains("hunter2"), "{found}");
    }
    let url =
        file("{protocol: mcp, transport: http, base_url: 'https://a.example/?api_key=hunter2secret'}", RUN);
    assert_eq!(codes(&url), ["EMBEDDED_CREDENTIAL target.base_url"]);
    let named = file("{protocol: mcp, transport: http, base_url: 'https://a.example/?api_key=${KEY}'}", RUN);
    assert_eq!(codes(&named), Vec::<String>::new());
    let auth = "{protocol: mcp, transport: stdio, command: x}\nauth: {type: bearer, token_env: T}";
    assert_eq!(codes(&file(auth, RUN)), ["NO_EFFECT auth"]);
}

/// S-mcp-4 S-mcp-13: a tool is called by its own name, through the handler of the connector.
#[test]
fn tools() {
    let target = "{protocol: mcp, transport: stdio, command: x}";
    let (outcome, _) = loaded_with(&file(target, RUN), SourceSettings::default());
    let operation = outcome.loaded.unwrap().operations.remove(0);
    let Target::Handler(handler) = &operation.target else { panic!() };
    assert_eq!((handler.kind, handler.preview(&Map::new())), (HandlerKind::McpTool, json!("runIt")));
    assert_eq!(operation.grouping, Grouping::Flat);
    // Anyone who only looks at the file connects to nothing.
    let without = crate::load("shop-adapter.md", file(target, RUN).as_bytes(), &SourceSettings::default());
    assert_eq!(without.loaded.unwrap().operations.len(), 1);
    let at = "operations.execute[0]";
    assert_eq!(
        codes(&file(target, &RUN.replace("TOOL runIt", "POST /x"))),
        [format!("PROTOCOL_MISMATCH {at}.maps_to")]
    );
    let tool = SHOP.replace("GET /items/{id}", "TOOL x");
    assert_eq!(codes(&tool), ["PROTOCOL_MISMATCH operations.read[0].maps_to"]);
    let about_http = RUN.replace("maps_to", "base_url: 'https://a.example', maps_to");
    assert_eq!(codes(&file(target, &about_http)), [format!("NO_EFFECT {at}.base_url")]);
}

/// The fields of a tool's UPDATE stand beside its identifiers: a tool does not tell them apart.
#[test]
fn updates_by_tools_are_flat() {
    let text = file("{protocol: mcp, transport: stdio, command: x}", RUN).replace("execute:", "update:");
    let (outcome, _) = loaded_with(&text, SourceSettings::default());
    assert_eq!(outcome.loaded.unwrap().operations[0].grouping, Grouping::Flat);
}
