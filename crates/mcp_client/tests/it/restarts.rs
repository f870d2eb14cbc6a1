use super::support::{
    LONG, add, clients, data, eventually, example, fake, is_alive, program, run, settings, until, variables,
};
use aqueduct_mcp_client::{Backoff, ClientEvent, ClientSettings, McpClients};
use aqueduct_operations::handler::HandlerError;
use serde_json::json;
use std::time::{Duration, Instant};

/// PEERS 7: a server that dies fails its calls clearly, those under way and those that come, and is started again.
#[tokio::test]
async fn a_dead_server_fails_at_once_and_comes_back() {
    let backoff = Backoff { first: Duration::from_secs(2), longest: Duration::from_secs(30) };
    let clients = McpClients::start(ClientSettings { backoff, ..settings() }, variables()).unwrap();
    let mut events = clients.events();
    add(&clients, fake("mortal", &[]));
    add(&clients, fake("other", &[]));
    assert_eq!(clients.wait_ready(LONG).await, []);
    let before = data(&clients, "mortal", "process").await["pid"].clone();
    let (hanging, dying) = tokio::join!(
        run(&clients, "mortal", "hang", json!({})),
        run(&clients, "mortal", "die", json!({"code": 9}))
    );
    for error in [hanging.unwrap_err(), dying.unwrap_err()] {
        let HandlerError::Failed { message, .. } = error else { panic!("{error:?}") };
        assert!(message.starts_with("The MCP server 'mortal' ended during the call"), "{message}");
    }
    until(&mut events, |event| matches!(event, ClientEvent::Lost { .. }).then_some(())).await;
    let asked = Instant::now();
    let error = run(&clients, "mortal", "echo", json!({})).await.unwrap_err();
    assert!(asked.elapsed() < Duration::from_secs(1), "at once");
    let HandlerError::Unavailable { message } = error else { panic!("{error:?}") };
    assert!(message.contains("'mortal'") && message.contains("exit status: 9"), "{message}");
    assert!(message.contains("being restarted, in about 1.") || message.contains("in about 2."), "{message}");
    assert!(!regex_of_leaks(&message), "{message}");
    run(&clients, "other", "echo", json!({})).await.unwrap();

    until(&mut events, |event| matches!(event, ClientEvent::Same { .. }).then_some(())).await;
    let after = data(&clients, "mortal", "process").await["pid"].clone();
    assert_ne!(before, after);
    clients.close_all().await;
}

/// The word "at" before another one looks like a stack trace to clients.
fn regex_of_leaks(message: &str) -> bool {
    message.split_whitespace().rev().skip(1).any(|word| word.ends_with("at"))
}

/// A server that cannot start is tried again and again, and delays no one; why and when is told.
#[tokio::test]
async fn a_server_that_cannot_start_is_tried_again() {
    let clients = clients();
    let mut events = clients.events();
    let tries = tempfile::NamedTempFile::new().unwrap();
    let script = format!("echo x >> '{}'; echo cannot go on >&2; exit 4", tries.path().display());
    add(&clients, program("broken", "sh", &["-c", &script]));
    add(&clients, fake("fine", &[]));
    run(&clients, "fine", "echo", json!({})).await.unwrap();
    let (why, words, wait) = until(&mut events, |event| match event {
        ClientEvent::Lost { name, why, stderr, retry_in } if name == "broken" => {
            Some((why, stderr, retry_in))
        }
        _ => None,
    })
    .await;
    assert!(why.contains("exit status: 4"), "{why}");
    assert_eq!(words, ["cannot go on"]);
    assert!(wait.unwrap() <= Duration::from_millis(20), "{wait:?}");
    eventually(|| std::fs::read_to_string(tries.path()).unwrap().lines().count() > 5).await;
    clients.close_all().await;
}

/// A server that has answered a call is back soon, however often it dies.
#[tokio::test]
async fn a_server_that_works_is_back_soon() {
    let backoff = Backoff { first: Duration::from_millis(20), longest: Duration::from_secs(30) };
    let clients = McpClients::start(ClientSettings { backoff, ..settings() }, variables()).unwrap();
    let mut events = clients.events();
    add(&clients, fake("mortal", &[]));
    assert_eq!(clients.wait_ready(LONG).await, []);
    for _ in 0..8 {
        run(&clients, "mortal", "echo", json!({})).await.unwrap();
        run(&clients, "mortal", "die", json!({})).await.unwrap_err();
        let wait = until(&mut events, |event| match event {
            ClientEvent::Lost { retry_in, .. } => retry_in,
            _ => None,
        })
        .await;
        assert!(wait <= Duration::from_millis(20), "{wait:?}");
        until(&mut events, |event| matches!(event, ClientEvent::Same { .. }).then_some(())).await;
    }
    clients.close_all().await;
}

/// A server that has run long enough starts again with the first wait, however often it ended before.
#[tokio::test]
async fn health_takes_the_waits_back() {
    let mut settings = settings();
    settings.healthy_after = Duration::ZERO;
    let first = settings.backoff.first;
    let clients = McpClients::start(settings, variables()).unwrap();
    let mut events = clients.events();
    add(&clients, fake("frail", &[]));
    assert_eq!(clients.wait_ready(LONG).await, []);
    for _ in 0..5 {
        run(&clients, "frail", "die", json!({})).await.unwrap_err();
        let wait = until(&mut events, |event| match event {
            ClientEvent::Lost { retry_in, .. } => retry_in,
            _ => None,
        })
        .await;
        assert!(wait <= first, "{wait:?}");
        until(&mut events, |event| matches!(event, ClientEvent::Same { .. }).then_some(())).await;
    }
    clients.close_all().await;
}

/// A server that hangs delays no one else, not even on its own connection.
#[tokio::test]
async fn a_hanging_call_delays_nobody() {
    let clients = clients();
    add(&clients, fake("fake", &[]));
    let handler = clients.handler("fake", "hang").unwrap();
    let hanging = (0..20).map(|_| super::support::run_with(&handler, json!({}), None, None));
    let hanging = futures::future::join_all(hanging);
    tokio::select! {
        biased;
        _ = hanging => panic!("they hang"),
        answer = run(&clients, "fake", "echo", json!({"a": 1})) => assert_eq!(answer.unwrap().data["got"]["a"], 1),
    }
    clients.close_all().await;
}

/// S-mcp-27: closing ends the children, those too that do not end with their input.
#[tokio::test]
async fn closing_ends_children() {
    let settings = ClientSettings { grace: Duration::from_millis(200), ..settings() };
    let clients = McpClients::start(settings, variables()).unwrap();
    add(&clients, fake("polite", &[]));
    add(&clients, fake("sticky", &["--sticky"]));
    let mut pids = Vec::new();
    for name in ["polite", "sticky"] {
        pids.push(data(&clients, name, "process").await["pid"].as_u64().unwrap());
    }
    assert!(pids.iter().all(|pid| is_alive(*pid)));
    clients.close_all().await;
    assert!(!pids.iter().any(|pid| is_alive(*pid)));
    assert!(clients.clients().is_empty());
}

/// S-mcp-27: a server that is closed has time to leave in order.
#[cfg(unix)]
#[tokio::test]
async fn closing_leaves_time() {
    let folder = tempfile::tempdir().unwrap();
    let last = folder.path().join("last");
    let line = format!("{}; sleep 0.3; echo bye > {}", example("fake_server").display(), last.display());
    let clients = clients();
    add(&clients, program("orderly", "sh", &["-c", &line]));
    assert_eq!(clients.wait_ready(LONG).await, []);
    clients.close_all().await;
    assert_eq!(std::fs::read_to_string(&last).unwrap(), "bye\n");
}

/// PEERS 8: many restarts under load: every call ends, and no process of before is left.
#[tokio::test]
async fn restarts_under_load() {
    let clients = clients();
    add(&clients, fake("fake", &[]));
    assert_eq!(clients.wait_ready(LONG).await, []);
    let mut pids = Vec::new();
    for _ in 0..10 {
        let pid = loop {
            match run(&clients, "fake", "process", json!({})).await {
                Ok(process) => break process.data["pid"].as_u64().unwrap(),
                Err(HandlerError::Unavailable { .. }) => tokio::time::sleep(Duration::from_millis(5)).await,
                Err(error) => panic!("{error:?}"),
            }
        };
        pids.push(pid);
        let load = (0..50).map(|_| run(&clients, "fake", "echo", json!({})));
        let (answers, death) = tokio::time::timeout(LONG, async {
            tokio::join!(futures::future::join_all(load), run(&clients, "fake", "die", json!({})))
        })
        .await
        .expect("no call hangs");
        assert!(death.is_err());
        for answer in answers {
            assert!(matches!(
                answer,
                Ok(_) | Err(HandlerError::Failed { .. } | HandlerError::Unavailable { .. })
            ));
        }
    }
    eventually(|| !pids.iter().any(|pid| is_alive(*pid))).await;
    clients.close_all().await;
}
