//! Bounds of size and time, by a clock that the test runs: no network, pieces of a stream as the test cuts them.
//!
//! One event, a silence and what is collected have bounds; a stream as a whole has none.

use super::super::{CollectLimits, EventStream, ServerSentEvent, collect, events_of};
use super::{event, http_target, opened, streaming, watching};
use crate::error::{TransportErrorKind, UpstreamError};
use crate::upstream::{Upstream, UpstreamSettings};
use aqueduct_egress::redact::Redactor;
use aqueduct_testkit::api::FakeApi;
use aqueduct_testkit::environment::TestEnvironment;
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

type Pieces = BoxStream<'static, Result<Vec<u8>, std::io::Error>>;

/// The events of a body that comes like this.
fn stream_from(pieces: Pieces) -> EventStream {
    let body = reqwest::Body::wrap_stream(pieces);
    let operation = watching("https://api.example.com");
    let site = Arc::clone(&http_target(&operation).site);
    events_of(http::Response::new(body).into(), site, Redactor::default(), 1000)
}

pub(super) fn stream_of(pieces: Vec<Vec<u8>>) -> EventStream {
    stream_from(stream::iter(pieces.into_iter().map(Ok)).boxed())
}

/// The same piece again and again, after the same wait.
fn ticking(piece: &'static str, wait: Duration) -> Pieces {
    stream::unfold((), move |()| async move {
        tokio::time::sleep(wait).await;
        Some((Ok(piece.as_bytes().to_vec()), ()))
    })
    .boxed()
}

/// S-openapi-31: the timeout (30 s here) bounds a silence, not the stream; a comment breaks the silence.
#[tokio::test(start_paused = true)]
async fn silence() {
    let started = tokio::time::Instant::now();
    let slow = stream_from(ticking("data: 1\n\n", Duration::from_secs(29)));
    assert!(slow.take(100).all(async |event| event.is_ok()).await);
    assert!(started.elapsed() > Duration::from_secs(2800));
    let commented = ticking(": still here\n", Duration::from_secs(29)).take(50);
    let commented = commented.chain(stream::iter([Ok(b"data: 1\n\n".to_vec())]));
    assert!(stream_from(commented.boxed()).next().await.unwrap().is_ok());
    let silent =
        stream::iter([Ok(b"data: 1\n\n".to_vec())]).chain(ticking("data: 2\n\n", Duration::from_secs(31)));
    let events: Vec<_> = stream_from(silent.boxed()).collect().await;
    assert_eq!(events.len(), 2);
    match &events[1] {
        Err(UpstreamError::Transport(error)) => {
            assert_eq!(error.kind, TransportErrorKind::Timeout { after: Duration::from_secs(30) });
        }
        other => panic!("{other:?}"),
    }
}

/// R11.5-1: one event is bounded, the stream is not.
#[tokio::test]
async fn size() {
    let settings = UpstreamSettings { max_response_size: 100, ..UpstreamSettings::default() };
    let upstream = Upstream::new(settings, Arc::new(TestEnvironment::default()));
    let api = FakeApi::start(|request| match request.index {
        0 => streaming("data: 1234567890\n\n".repeat(1000)),
        1 => streaming(format!("data: 1\n\ndata: {}", "x".repeat(95))),
        _ => streaming("data: 1\n".repeat(50)),
    })
    .await;
    let operation = watching(&api.base_url());
    assert_eq!(opened(&upstream, &operation, json!({})).await.unwrap().count().await, 1000);
    for count in [2, 1] {
        let events: Vec<_> = opened(&upstream, &operation, json!({})).await.unwrap().collect().await;
        assert_eq!(events.len(), count);
        let last = events.last().unwrap();
        assert!(matches!(last, Err(UpstreamError::TooLarge { limit: 100, actual: 101.. })), "{last:?}");
    }
}

fn limits(max_events: usize, max_bytes: usize) -> CollectLimits {
    CollectLimits { max_events, max_bytes, duration: Duration::from_secs(10) }
}

fn three() -> EventStream {
    stream_of(vec![b"data: 111\n\nevent: x\ndata: 222\n\ndata: 333\n\n".to_vec()])
}

/// S-openapi-36: collected up to a number, a size or a time; each event is told as it comes.
#[tokio::test(start_paused = true)]
async fn collected() {
    let all =
        [event(None, json!(111), None), event(Some("x"), json!(222), None), event(None, json!(333), None)];
    for (limits, count, ended) in [
        (limits(10, 100), 3, true),
        (limits(4, 48), 3, true),
        (limits(3, 100), 3, false),
        (limits(2, 100), 2, false),
        (limits(0, 100), 0, false),
        (limits(10, 47), 2, false),
        (limits(10, 35), 1, false),
        (limits(10, 11), 0, false),
    ] {
        let mut told = Vec::new();
        let collected = collect(three(), limits, |event: &ServerSentEvent| told.push(event.clone())).await;
        assert_eq!(collected.events, all[..count], "{limits:?}");
        assert_eq!((collected.ended, collected.error), (ended, None), "{limits:?}");
        assert_eq!(told, collected.events);
    }
    let endless = stream_from(ticking("data: 1\n\n", Duration::from_secs(3)));
    let collected = collect(endless, limits(100, 1000), |_| {}).await;
    assert_eq!((collected.events.len(), collected.ended), (3, false));
}

/// What came before a connection broke is still there.
#[tokio::test(start_paused = true)]
async fn collected_until_it_broke() {
    let breaking = stream::iter([Ok(b"data: 1\n\n".to_vec())]).chain(ticking("", Duration::from_secs(60)));
    let limits = CollectLimits { duration: Duration::from_secs(600), ..limits(10, 100) };
    let collected = collect(stream_from(breaking.boxed()), limits, |_| {}).await;
    assert_eq!((collected.events.len(), collected.ended), (1, false));
    assert!(matches!(collected.error, Some(UpstreamError::Transport(_))), "{:?}", collected.error);
}
