use super::support::{LONG, add, clients, data, eventually, fake, is_alive, program};
use aqueduct_mcp_client::OnFailure;
use aqueduct_operations::gatekeeper::ConnectPermit;
use std::time::{Duration, Instant};

/// S-mcp-23 S-mcp-24 S-mcp-25: several are loaded; one is found by name, all are listed, what all offer is
/// there; one that fails does not take the others.
#[tokio::test]
async fn several_are_loaded() {
    let clients = clients();
    let configs = [fake("b", &[]), program("broken", "no-such-program", &[]), fake("a", &["--page", "3"])];
    let loaded =
        clients.load(configs.map(ConnectPermit::named_by_operator), OnFailure::KeepOthers).await.unwrap();
    assert_eq!(loaded.clients.iter().map(|client| client.name().to_owned()).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(loaded.failures.len(), 1);
    assert_eq!(loaded.failures[0].name, "broken");
    assert!(clients.client("a").unwrap().is_ready());
    assert!(clients.client("nobody").is_none());
    let names: Vec<String> = clients.clients().iter().map(|client| client.name().to_owned()).collect();
    assert_eq!(names, ["a", "b", "broken"]);
    let offered: usize =
        clients.clients().iter().filter_map(|client| client.listing()).map(|l| l.tools.len()).sum();
    assert_eq!(offered, 24);
    clients.close_all().await;
}

/// Strict loading fails as a whole and closes what it opened.
#[tokio::test]
async fn strict_loading_closes_all() {
    let clients = clients();
    add(&clients, fake("before", &[]));
    let configs = [fake("good", &[]), fake("bad", &["--exit", "1"])];
    let failures =
        clients.load(configs.map(ConnectPermit::named_by_operator), OnFailure::CloseAll).await.unwrap_err();
    assert_eq!(failures.len(), 1);
    let names: Vec<String> = clients.clients().iter().map(|client| client.name().to_owned()).collect();
    assert_eq!(names, ["before"], "what was there before stays");
    clients.close_all().await;
}

/// Ten servers start at the same time.
#[tokio::test]
async fn ten_start_together() {
    let clients = clients();
    let began = Instant::now();
    for number in 0..10 {
        add(&clients, fake(&format!("s{number}"), &["--late", "1000"]));
    }
    assert_eq!(clients.wait_ready(LONG).await, []);
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    clients.close_all().await;
}

/// A server that is replaced or removed is closed.
#[tokio::test]
async fn replaced_servers_end() {
    let clients = clients();
    add(&clients, fake("fake", &[]));
    let first = data(&clients, "fake", "process").await["pid"].as_u64().unwrap();
    add(&clients, fake("fake", &[]));
    let second = data(&clients, "fake", "process").await["pid"].as_u64().unwrap();
    assert_ne!(first, second);
    eventually(|| !is_alive(first)).await;
    clients.remove("fake");
    eventually(|| !is_alive(second)).await;
    assert!(clients.client("fake").is_none());
    clients.close_all().await;
}
