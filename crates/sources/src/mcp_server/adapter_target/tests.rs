//! Files of MCP servers: the way to the server comes back, its secrets do not.
//!
//! A server and a sample source in; the text of the file, and the server that it names when it is loaded again,
//! out.

use super::adapter_target;
use aqueduct_adapter_files::AdapterFileKind;
use aqueduct_adapter_files::file_servers::{FileServers, NoServers};
use aqueduct_adapter_files::write::{WriteOptions, write};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::connection::Connection;
use aqueduct_source_kind::kind::{DocumentReader, LoadServices, SourceContent, SourceKind};
use aqueduct_source_kind::named_connection::NamedConnection;
use aqueduct_source_kind::settings::SourceSettings;
use secrecy::ExposeSecret;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Keeps the server that a file names.
#[derive(Debug, Default)]
struct SeenServers(Mutex<Option<ServerConfig>>);

impl FileServers for SeenServers {
    fn named_by_file(self: Arc<Self>, config: ServerConfig) -> Arc<dyn NamedConnection> {
        *self.0.lock().unwrap() = Some(config.clone());
        Arc::new(NoServers).named_by_file(config)
    }
}

struct NoServices;

impl LoadServices for NoServices {
    fn settings(&self, _declared_name: &str) -> SourceSettings {
        SourceSettings::default()
    }

    fn references(&self, _settings: &SourceSettings) -> Box<dyn DocumentReader + '_> {
        panic!("a file refers to no other")
    }

    fn connection(&self) -> Option<&dyn Connection> {
        None
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
    let servers = Arc::new(SeenServers::default());
    let content = SourceContent { place: "files-adapter.md", bytes: text.as_bytes().to_vec().into() };
    let outcome = AdapterFileKind(Arc::clone(&servers) as _).load(content, &NoServices);
    let loaded = outcome.loaded.unwrap_or_else(|| panic!("{:?}\n{text}", outcome.diagnostics));
    let config = servers.0.lock().unwrap().take().unwrap();
    (loaded, config)
}

/// What is compared of an operation.
fn summaries(loaded: &LoadedSource) -> Vec<String> {
    let summary = |operation: &Operation| {
        format!("{} {:?} {:?} {:?}", operation.name, operation.category, operation.params, operation.origin)
    };
    loaded.operations.iter().map(summary).collect()
}

fn server(reach: ServerTransport) -> ServerConfig {
    ServerConfig { name: "files".into(), reach, timeout: Duration::from_secs(7) }
}

fn secret(name: &str, value: &str) -> NamedSecret {
    NamedSecret::new(name, value)
}

/// Writes the sample for this server and loads it again.
fn again(reach: ServerTransport) -> (String, ServerConfig) {
    let (before, _) = loaded(FILE);
    let server = server(reach);
    let target = adapter_target(&server);
    let text = write(&before, None, &WriteOptions { imported_from: None, target: Some(&target) });
    let (after, config) = loaded(&text);
    assert_eq!(summaries(&after), summaries(&before), "{text}");
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
        env.iter().map(|NamedSecret { name, value }| (name.as_str(), value.expose_secret())).collect();
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
        headers.iter().map(|NamedSecret { name, value }| (name.as_str(), value.expose_secret())).collect();
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
    assert_eq!(headers[0].value.expose_secret(), "Basic ${TEAM_USER}:${TEAM_PASSWORD}");
}
