use super::support::{LONG, call_of, clients, eventually, run, run_with, until};
use aqueduct_mcp_client::Event;
use aqueduct_operations::handler::{Answered, HandlerError};
use aqueduct_operations::mcp::{Reach, ServerConfig};
use aqueduct_testkit::mcp::people::{Ear, Person};
use aqueduct_testkit::mcp::web::{Speaks, WebServer};
use serde_json::json;
use std::sync::Arc;

fn config(server: &WebServer) -> ServerConfig {
    let headers = vec![("Authorization".to_owned(), "Bearer ${GIVEN_SECRET}".into())];
    ServerConfig {
        name: "web".into(),
        reach: Reach::Http { url: server.url.clone(), headers },
        timeout: LONG,
    }
}

/// S-mcp-2 S-mcp-5: a server over HTTP, of the newest protocol and of the older one, with headers on every request.
#[tokio::test]
async fn both_protocols_over_http() {
    for (speaks, version) in [(Speaks::Newest, "2026-07-28"), (Speaks::Older, "2025-11-25")] {
        let server = WebServer::start(speaks).await;
        let clients = clients();
        let client = clients.add(config(&server));
        client.ready().await.unwrap();
        let listing = client.listing().unwrap();
        assert_eq!(listing.tools[0]["name"], "tool_0", "{version}");
        assert_eq!(listing.server["name"], "fake-web", "{version}");
        let envelope = run(&clients, "web", "echo", json!({"a": [1]})).await.unwrap();
        assert_eq!(envelope.data, json!({"got": {"a": [1]}, "version": version}));
        let seen = server.credentials();
        assert!(!seen.is_empty() && seen.iter().all(|value| value == "Bearer given-s3cret"), "{seen:?}");
        clients.close_all().await;
    }
}

/// Progress and questions are passed on in both protocols, the newest asking by way of its results.
#[tokio::test]
async fn progress_and_questions_over_http() {
    for speaks in [Speaks::Newest, Speaks::Older] {
        let server = WebServer::start(speaks).await;
        let clients = clients();
        let client = clients.add(config(&server));
        let ear = Arc::new(Ear::default());
        run_with(client.handler(call_of("steps")).as_ref(), json!({}), Some(ear.clone()), None)
            .await
            .unwrap();
        assert_eq!(ear.heard().len(), 3, "{speaks:?}");
        let ask = client.handler(call_of("ask"));
        let person = Arc::new(Person::who_says(Answered::Accepted(json!({"ok": true}))));
        let envelope = run_with(ask.as_ref(), json!({}), None, Some(person.clone())).await.unwrap();
        assert_eq!(
            envelope.data["answer"],
            json!({"action": "accept", "content": {"ok": true}}),
            "{speaks:?}"
        );
        assert_eq!(person.asked()[0].message, "Really?");
        if speaks == Speaks::Newest {
            assert_eq!(envelope.data["state"], "where I was");
        }
        let alone = run_with(ask.as_ref(), json!({}), None, None).await.unwrap();
        assert_eq!(alone.data["answer"]["action"], "decline", "{speaks:?}");
        clients.close_all().await;
    }
}

/// A changed list is followed over HTTP: in the newest protocol one has to listen for it, in the older it is told.
#[tokio::test]
async fn changes_are_followed_over_http() {
    for speaks in [Speaks::Newest, Speaks::Older] {
        let server = WebServer::start(speaks).await;
        let clients = clients();
        let mut events = clients.events();
        clients.add(config(&server)).ready().await.unwrap();
        let changes = tokio::spawn(async move {
            until(&mut events, |event| match event {
                Event::Changed { listing, .. } => Some(listing.tools.len()),
                _ => None,
            })
            .await
        });
        // Until somebody listens there is nobody to tell.
        eventually(|| {
            server.offer(3);
            changes.is_finished()
        })
        .await;
        assert_eq!(changes.await.unwrap(), 3, "{speaks:?}");
        clients.close_all().await;
    }
}

/// Whoever goes away cancels the call over HTTP too.
#[tokio::test]
async fn a_dropped_call_is_cancelled_over_http() {
    for speaks in [Speaks::Newest, Speaks::Older] {
        let server = WebServer::start(speaks).await;
        let clients = clients();
        clients.add(config(&server)).ready().await.unwrap();
        let hanging = run(&clients, "web", "hang", json!({}));
        // An answer to another call says that the first has arrived.
        tokio::select! {
            biased;
            _ = hanging => panic!("it hangs"),
            answer = run(&clients, "web", "echo", json!({})) => drop(answer.unwrap()),
        }
        eventually(|| server.cancelled() == 1).await;
        clients.close_all().await;
    }
}

/// Ruling S7: credentials follow no redirect.
#[tokio::test]
async fn redirects_are_not_followed() {
    let server = WebServer::start(Speaks::Newest).await;
    let mut config = config(&server);
    let url = WebServer::redirecting_to(&server.url).await;
    if let Reach::Http { url: place, .. } = &mut config.reach {
        *place = url;
    }
    let clients = clients();
    assert!(clients.add(config).ready().await.is_err());
    assert_eq!(server.credentials(), Vec::<String>::new());
    clients.close_all().await;
}

/// A server that goes away is said to be unreachable at once, and found again when it is back.
#[tokio::test]
async fn a_lost_address_is_tried_again() {
    let server = WebServer::start(Speaks::Newest).await;
    let clients = clients();
    let mut events = clients.events();
    let mut gone = config(&server);
    if let Reach::Http { url, .. } = &mut gone.reach {
        // Nobody listens on the port of a listener that was closed.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        url.set_port(Some(port)).unwrap();
    }
    gone.name = "gone".into();
    clients.add(gone);
    until(&mut events, |event| matches!(event, Event::Lost { .. }).then_some(())).await;
    let error = run(&clients, "gone", "echo", json!({})).await.unwrap_err();
    let HandlerError::Unavailable { message } = error else { panic!("{error:?}") };
    assert!(message.contains("'gone'") && message.contains("being restarted"), "{message}");
    clients.close_all().await;
}
