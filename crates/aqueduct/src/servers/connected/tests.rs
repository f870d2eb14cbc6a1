//! Tests of `connected`.

use super::{ConnectedServers, ServerNeed};
use crate::servers::ServerSettings;
use crate::servers::gate::key_of;
use aqueduct_adapter_files::file_servers::FileServers;
use aqueduct_mcp_client::Pins;
use aqueduct_operations::consent::{Consent, ConsentRequest};
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::mcp::{ServerConfig, ServerListing, ServerTransport};
use aqueduct_sources::mcp_server::ServerConnector;
use aqueduct_upstream::ProcessEnvironment;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);

fn server(name: &str, command: &str, args: &[&str]) -> ServerConfig {
    let args = args.iter().map(|arg| (*arg).to_owned()).collect();
    let reach = ServerTransport::Stdio { command: command.to_owned(), args, env: Vec::new(), cwd: None };
    ServerConfig { name: name.to_owned(), reach, timeout: Duration::from_secs(60) }
}

/// What a server of the same name offered is no pin for one that is reached in another way.
#[test]
fn pins_are_of_one_way_to_a_server() {
    let mut keys = vec![
        key_of(&server("a", "x", &[])),
        key_of(&server("a", "y", &[])),
        key_of(&server("a", "x", &["z"])),
        key_of(&server("b", "x", &[])),
    ];
    assert!(keys.iter().take(3).all(|key| key.starts_with("a@")), "{keys:?}");
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 4);
}

fn named(config: &ServerConfig) -> ConnectPermit {
    ConnectPermit::named_by_operator(config.clone())
}

/// Allows nothing.
#[derive(Debug)]
struct NoConsent;

impl Consent for NoConsent {
    fn allows(&self, _request: &ConsentRequest) -> bool {
        false
    }

    fn source(&self) -> &str {
        "a"
    }
}

/// A handler that waits for the operator's consent is of one way to a server too, so that neither a confirmation nor a
/// cached result of another server is taken for its own.
#[test]
fn handlers_under_consent_know_their_server() {
    let servers = Arc::new(ConnectedServers::new(
        ServerSettings::default(),
        ServerNeed::All,
        Arc::new(ProcessEnvironment),
    ));
    let named = |config: &ServerConfig| Arc::clone(&servers).named_by_file(config.clone());
    let identity = |config: &ServerConfig| named(config).handler("read").identity();
    let (one, other) = (server("a", "x", &[]), server("a", "y", &[]));
    assert_eq!(identity(&one), Some(one.identity()));
    assert_ne!(identity(&one), identity(&other));
    // Anyone who takes the file for one of the operator's own starts nothing either.
    let refused = named(&one);
    refused.open();
    refused.allow(Arc::new(NoConsent));
    refused.open();
    assert!(servers.clients().is_none());
}

/// A server that was seen before is not waited for, though another one is new; that one only until it is settled.
#[cfg(unix)]
#[test]
fn only_new_servers_are_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pins.json");
    let silent = server("silent", "sleep", &["1000"]);
    let tools = vec![json!({"name": "read", "inputSchema": {"type": "object"}})];
    let listing = ServerListing { tools, ..ServerListing::default() };
    Pins::new(&path).review(&key_of(&silent), &listing, false).unwrap();
    let settings = ServerSettings { pins: Some(path), patience: PATIENCE, ..ServerSettings::default() };
    let servers = ConnectedServers::new(settings, ServerNeed::All, Arc::new(ProcessEnvironment));
    servers.add(named(&silent));
    servers.add(named(&server("new", "no-such-program-here", &[])));
    let began = Instant::now();
    servers.wait_for_listings();
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
    assert!(servers.listing(&silent).is_ok());
}

/// A caller of an operation of one server does not wait for another that hangs.
#[cfg(unix)]
#[test]
fn only_the_server_that_is_meant_is_waited_for() {
    let settings = ServerSettings { patience: PATIENCE, ..ServerSettings::default() };
    let need = ServerNeed::Operation("my_files__read".to_owned());
    let servers = ConnectedServers::new(settings, need, Arc::new(ProcessEnvironment));
    servers.add(named(&server("silent", "sleep", &["1000"])));
    servers.add(named(&server("my-files", "no-such-program-here", &[])));
    let began = Instant::now();
    servers.wait_for_listings();
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
}

/// What is waited for once is not waited for again.
#[cfg(unix)]
#[test]
fn there_is_one_wait() {
    let patience = Duration::from_millis(200);
    let settings = ServerSettings { patience, ..ServerSettings::default() };
    let servers = ConnectedServers::new(settings, ServerNeed::All, Arc::new(ProcessEnvironment));
    servers.add(named(&server("silent", "sleep", &["1000"])));
    servers.wait_for_listings();
    assert_eq!(servers.patience(), Duration::ZERO);
    assert!(servers.states()[0].1.is_err());
}

#[test]
fn nothing_is_started_where_nothing_is_needed() {
    let servers =
        ConnectedServers::new(ServerSettings::default(), ServerNeed::Nothing, Arc::new(ProcessEnvironment));
    let config = server("one", "no-such-program-here", &[]);
    servers.add(named(&config));
    servers.add(named(&config));
    assert!(servers.clients().is_none() && servers.listing(&config).is_err());
    assert_eq!(servers.not_started().len(), 1);
}
