//! Tests of `body`.

use crate::error::{UnreadableKind, UpstreamError};
use crate::response::UpstreamResponse;
use crate::test_support::{data, program_call, unreadable};
use crate::upstream::{Upstream, UpstreamSettings};
use aqueduct_testkit::api::{self, FakeApi};
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::operation::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value};
use std::io::Write;
use std::sync::Arc;

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn deflate(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

async fn read_with_limit(limit: u64, answer: api::Answer) -> Result<UpstreamResponse, UpstreamError> {
    let api = FakeApi::always(answer).await;
    let operation = get("g", &api.base_url(), "/x");
    let settings = UpstreamSettings { max_response_size: limit, ..UpstreamSettings::default() };
    let upstream = Upstream::new(settings, Arc::new(TestEnvironment::default()));
    program_call(&upstream, &operation, &Map::new()).await
}

/// R11.5-1 R11.5-2 C4.7.5-2: bodies are capped, announced or not, and counted after decompression.
#[tokio::test]
async fn size_limit() {
    assert_eq!(UpstreamSettings::default().max_response_size, 10_485_760);
    let text = Value::from("x".repeat(998)).to_string();
    let fits = read_with_limit(1000, api::Answer::bytes(200, text.clone())).await;
    assert_eq!(fits.unwrap().data.as_str().len(), 1000);
    let announced = api::Answer::stall_after("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n");
    let error = read_with_limit(999, announced).await.unwrap_err();
    assert_eq!(error, UpstreamError::TooLarge { limit: 999, actual: 5000 });
    let unannounced = format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{text}");
    let error = read_with_limit(999, api::Answer::raw(unannounced)).await.unwrap_err();
    assert_eq!(error, UpstreamError::TooLarge { limit: 999, actual: 1000 });
    let bomb = gzip(&Value::from("x".repeat(1_000_000)).to_string());
    assert!(bomb.len() < 5000);
    let error = read_with_limit(5000, api::Answer::bytes(200, bomb).header("Content-Encoding", "gzip")).await;
    assert!(matches!(error, Err(UpstreamError::TooLarge { limit: 5000, .. })), "{error:?}");
}

#[tokio::test]
async fn compression() {
    let text = r#"{"a":1}"#;
    let zstd = [&b"\x28\xb5\x2f\xfd\x20\x07\x39\x00\x00"[..], text.as_bytes()].concat();
    let brotli = [&b"\x60\x00\x10"[..], text.as_bytes(), b"\x03"].concat();
    for (name, bytes) in [("gzip", gzip(text)), ("deflate", deflate(text)), ("zstd", zstd), ("br", brotli)] {
        let good = api::Answer::bytes(200, bytes).header("Content-Encoding", name);
        assert_eq!(data(good).await, text, "{name}");
    }
    let cut = gzip(&"1".repeat(5000));
    let cut = api::Answer::bytes(200, &cut[..cut.len() / 2]).header("Content-Encoding", "gzip");
    assert_eq!(unreadable(cut).await.kind, UnreadableKind::Encoding);
    let garbage = api::Answer::bytes(200, "no gzip").header("Content-Encoding", "gzip");
    assert_eq!(unreadable(garbage).await.kind, UnreadableKind::Encoding);
}
