//! Streams that connect again: where they left off, when the server says, and no more often than was allowed.
//!
//! A fake API answers one connection after the other; the events and the identifiers that it was sent are compared.

use super::super::{EventStream, Reconnect, ServerSentEvent};
use super::{http_target, streaming, upstream, watching};
use crate::error::UpstreamError;
use crate::test_support::program;
use aqueduct_testkit::api::{Answer, FakeApi};
use futures::StreamExt;
use serde_json::{Map, json};
use std::time::Duration;

const NEVER: Duration = Duration::from_secs(3600);
const SOON: Duration = Duration::from_millis(1);

async fn following(api: &FakeApi, reconnect: Reconnect) -> EventStream {
    let operation = watching(&api.base_url());
    let target = http_target(&operation);
    upstream(&[])
        .subscribe_reconnecting(&program(), &operation, target, &Map::new(), reconnect)
        .await
        .unwrap()
}

fn reconnect(times: u32) -> Reconnect {
    Reconnect { times, wait: SOON, longest_wait: NEVER }
}

fn last_ids(api: &FakeApi) -> Vec<Option<String>> {
    api.requests().iter().map(|request| request.header("last-event-id").map(str::to_owned)).collect()
}

/// The server's wait is kept, the last identifier is sent, and the number of connections is bounded.
#[tokio::test]
async fn from_the_last_event_on() {
    let api = FakeApi::in_turn(vec![
        streaming("retry: 1\nid: a\ndata: 1\n\nid: b\n\n"),
        streaming("data: 2\n\n"),
        streaming("id\ndata: 3\n\n"),
        streaming("data: 4\n\n"),
    ])
    .await;
    let stream = following(&api, Reconnect { wait: NEVER, ..reconnect(4) }).await;
    let events: Vec<ServerSentEvent> = stream.map(Result::unwrap).collect().await;
    let data: Vec<_> = events.into_iter().map(|event| event.data).collect();
    assert_eq!(data, [json!(1), json!(2), json!(3), json!(4), json!(4)]);
    let b = || Some("b".to_owned());
    assert_eq!(last_ids(&api), [None, b(), b(), None, None]);
}

/// The wait has a bound of ours, whatever the server asks for.
#[tokio::test]
async fn no_endless_wait() {
    let api = FakeApi::always(streaming("retry: 99999999999999\ndata: 1\n\n")).await;
    let stream = following(&api, Reconnect { longest_wait: SOON, ..reconnect(2) }).await;
    assert_eq!(stream.count().await, 3);
}

/// A broken connection is made again; the last error is told when there are no more left.
#[tokio::test]
async fn broken_connections() {
    let api = FakeApi::in_turn(vec![
        streaming("data: 1\n\n"),
        Answer::drop_connection(),
        streaming("data: 2\n\n"),
        Answer::drop_connection(),
    ])
    .await;
    let events: Vec<_> = following(&api, reconnect(4)).await.collect().await;
    assert_eq!(events.len(), 3);
    assert!(matches!(events[2], Err(UpstreamError::Transport(_))), "{events:?}");
    assert_eq!(api.requests().len(), 5);
}

/// Refusals and 204 end it for good.
#[tokio::test]
async fn for_good() {
    for (answer, count) in
        [(Answer::empty(204), 1), (Answer::empty(500), 2), (Answer::json(200, json!(1)), 2)]
    {
        let api = FakeApi::in_turn(vec![streaming("data: 1\n\n"), answer]).await;
        let events: Vec<_> = following(&api, reconnect(9)).await.collect().await;
        assert_eq!((events.len(), api.requests().len()), (count, 2), "{events:?}");
    }
}
