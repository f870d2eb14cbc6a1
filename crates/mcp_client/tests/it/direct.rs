//! One server, spoken to directly by who examines it.

use super::support::{fake, program, settings, variables};
use aqueduct_mcp_client::{ClientSettings, DirectClient, NotConnected};
use aqueduct_operations::gatekeeper::ExaminePermit;
use aqueduct_operations::mcp::ServerConfig;
use std::time::{Duration, Instant};

async fn connect(config: ServerConfig, startup: Duration) -> Result<DirectClient, NotConnected> {
    let settings = ClientSettings { startup, ..settings() };
    DirectClient::connect(ExaminePermit::named_by_operator(config), settings, &*variables()).await
}

/// The wait for the handshake is bounded, for all that is tried together, and the error says what was waited for.
#[tokio::test]
async fn a_silent_server_is_given_up_once() {
    let begun = Instant::now();
    let silent = program("mute", "/bin/sh", &["-c", "echo still loading >&2; sleep 60"]);
    let Err(failure) = connect(silent, Duration::from_secs(2)).await else { panic!("it is silent") };
    let said = failure.to_string();
    assert!(
        said.contains("it did not answer 'initialize' within 2 s; its last words: still loading"),
        "{said}"
    );
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
}

/// What a server prints between its messages is counted, and the first of it is kept.
#[tokio::test]
async fn stray_lines_are_counted() {
    let clean = connect(fake("clean", &[]), super::support::LONG).await.unwrap();
    assert_eq!(clean.stray_lines().unwrap().count, 0);
    clean.close().await;
    let chatty = connect(fake("chatty", &["--banner"]), super::support::LONG).await.unwrap();
    let stray = chatty.stray_lines().unwrap();
    assert_eq!((stray.count, stray.first.as_str()), (2, "Welcome to the fake server v1"));
    chatty.close().await;
}
