//! Files of MCP servers: the way to the server comes back, its secrets do not.
//!
//! A server and a sample source in; the text of the file, and the server that it names when it is loaded again,
//! out.

use super::fingerprint;
use crate::load;
use crate::write::{WriteOptions, write};
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError, SealedHandler};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::handler_factory::HandlerFactory;
use aqueduct_source_kind::settings::SourceSettings;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Debug)]
struct Tool(#[expect(dead_code, reason = "compared by its print")] String);

impl Handler for Tool {
    fn run<'a>(&'a self, _: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async { Err(HandlerError::Unavailable { message: "not here".to_owned() }) })
    }

    fn preview(&self, _: &Map<String, Value>) -> Value {
        json!(null)
    }
}

const FILE: &str = "---
name: files
type: adapter
version: \"1.0.0\"
description: Files of this machine
target: {protocol: mcp, transport: stdio, command: x}
operations:
  read:
    - name: read_file
      description: Read one
      maps_to: TOOL readFile
      params: {path: {schema: {type: string}, required: true}}
      imported_from: {name: readFile, place: TOOL readFile, reason: readOnlyHint}
  update:
    - {name: edit_file, description: Edit one, maps_to: TOOL edit_file, params: {path: {type: string}, input: {type: object}}}
---
";

/// Loads a text, and gives back the server that it names.
fn loaded(text: &str) -> (LoadedSource, ServerConfig) {
    let told = Arc::new(Mutex::new(None));
    let seen = Arc::clone(&told);
    let handlers = HandlerFactory::new(move |config: &ServerConfig, tool: &str| {
        *seen.lock().unwrap() = Some(config.clone());
        SealedHandler::new(Tool(tool.to_owned()))
    });
    let settings = SourceSettings { handlers: Some(handlers), ..Default::default() };
    let outcome = load("files-adapter.md", text.as_bytes(), &settings);
    let loaded = outcome.loaded.unwrap_or_else(|| panic!("{:?}\n{text}", outcome.diagnostics));
    let config = told.lock().unwrap().take().unwrap();
    (loaded, config)
}

fn server(reach: ServerTransport) -> ServerConfig {
    ServerConfig { name: "files".into(), reach, timeout: Duration::from_secs(7) }
}

fn secret(name: &str, value: &str) -> (String, SecretString) {
    (name.to_owned(), SecretString::from(value))
}

/// Writes the sample for this server and loads it again.
fn again(reach: ServerTransport) -> (String, ServerConfig) {
    let (before, _) = loaded(FILE);
    let server = server(reach);
    let text = write(&before, None, &WriteOptions { imported_from: None, server: Some(&server) });
    let (after, config) = loaded(&text);
    assert_eq!(fingerprint(&after), fingerprint(&before), "{text}");
    assert_eq!(config.timeout, server.timeout);
    (text, config)
}

#[test]
fn programs() {
    let (text, config) = again(ServerTransport::Stdio {
        command: "npx".into(),
        args: ["-y", "server", "--api-key", "hunter2", "--token=hunter2", "--mode", "fast"]
            .map(String::from)
            .to_vec(),
        env: vec![
            secret("GITHUB_TOKEN", "hunter2"),
            secret("OTHER", "Hunter2-hunter2-hunter2"),
            secret("KEPT", "${KEPT_ELSEWHERE}"),
            secret("LOG_LEVEL", "debug"),
        ],
        cwd: Some(PathBuf::from("/srv/x y")),
    });
    assert!(!text.to_lowercase().contains("hunter2"), "{text}");
    let ServerTransport::Stdio { command, args, env, cwd } = config.reach else { panic!() };
    assert_eq!((command.as_str(), cwd.unwrap().to_str()), ("npx", Some("/srv/x y")));
    assert_eq!(args, ["-y", "server", "--api-key", "${API_KEY}", "--token=${TOKEN}", "--mode", "fast"]);
    let env: Vec<(&str, &str)> =
        env.iter().map(|(name, value)| (name.as_str(), value.expose_secret())).collect();
    assert_eq!(
        env,
        [
            ("GITHUB_TOKEN", "${GITHUB_TOKEN}"),
            ("OTHER", "${OTHER}"),
            ("KEPT", "${KEPT_ELSEWHERE}"),
            ("LOG_LEVEL", "debug"),
        ]
    );
}

#[test]
fn endpoints() {
    let (text, config) = again(ServerTransport::Http {
        url: "https://mcp.example.com/mcp?v=1&api_key=hunter2&key=query-hunter2&key=hunter2&token=${TOKEN}&flag".parse().unwrap(),
        headers: vec![
            secret("Authorization", "Bearer hunter2"),
            secret("X-Api-Key", "${MY_KEY}"),
            secret("X-Version", "3"),
        ],
    });
    assert!(!text.contains("hunter2"), "{text}");
    let ServerTransport::Http { url, headers } = config.reach else { panic!() };
    assert_eq!(
        url.as_str(),
        "https://mcp.example.com/mcp?v=1&api_key=${FILES_API_KEY}&key=${FILES_KEY}&key=${FILES_KEY_2}&token=${TOKEN}&flag"
    );
    let headers: Vec<(&str, &str)> =
        headers.iter().map(|(name, value)| (name.as_str(), value.expose_secret())).collect();
    assert_eq!(
        headers,
        [("X-Version", "3"), ("Authorization", "Bearer ${FILES_AUTHORIZATION}"), ("X-Api-Key", "${MY_KEY}"),]
    );
}

/// A name and a password stay two variables.
#[test]
fn basic_credentials() {
    let (text, config) = again(ServerTransport::Http {
        url: "https://mcp.example.com/mcp".parse().unwrap(),
        headers: vec![secret("Authorization", "Basic ${TEAM_USER}:${TEAM_PASSWORD}")],
    });
    assert!(text.contains("type: basic") && text.contains("password_env: TEAM_PASSWORD"), "{text}");
    let ServerTransport::Http { headers, .. } = config.reach else { panic!() };
    assert_eq!(headers[0].1.expose_secret(), "Basic ${TEAM_USER}:${TEAM_PASSWORD}");
}
