//! Tests of `json`.

use super::JsonLines;
use serde_json::Value;
use std::io::Write;
use std::sync::Mutex;
use tracing_subscriber::layer::SubscriberExt;

static WRITTEN: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct SpanFields;

impl Write for SpanFields {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        WRITTEN.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn one_object_a_line() {
    let subscriber = tracing_subscriber::registry().with(JsonLines { out: || SpanFields });
    tracing::subscriber::with_default(subscriber, || {
        let span =
            tracing::info_span!("call", operation = "get_x", outcome = tracing::field::Empty, took = 1.5);
        span.record("outcome", "success");
        span.in_scope(
            || tracing::warn!(target: "aqueduct::x", took = 2.5, found = 3, "said \"so\"\nand \u{202e}more"),
        );
    });
    let written = String::from_utf8(WRITTEN.lock().unwrap().clone()).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    let [line] = lines[..] else { panic!("{written}") };
    assert!(!line.contains('\u{202e}'), "nothing disguises on a terminal");
    let line: Value = serde_json::from_str(line).unwrap();
    let expected = [
        ("level", Value::from("warn")),
        ("target", "aqueduct::x".into()),
        ("message", "said \"so\"\nand \u{202e}more".into()),
        ("operation", "get_x".into()),
        ("outcome", "success".into()),
        ("took", 2.5.into()),
        ("found", 3.into()),
    ];
    for (name, value) in expected {
        assert_eq!(line[name], value, "{line}");
    }
    assert!(line["timestamp"].as_str().unwrap().ends_with('Z'), "{line}");
}
