//! The spans of one call, as an exporter gets them.

use super::{FilteredExporter, spans};
use aqueduct::serde_json::{Map, Value, json};
use aqueduct::{Aqueduct, OperationKind, OperationSpec};
use opentelemetry::trace::{SpanId, Status};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use std::sync::{Arc, Mutex};
use tracing_subscriber::layer::SubscriberExt;

/// Keeps what it is given.
#[derive(Debug, Clone, Default)]
struct Kept(Arc<Mutex<Vec<SpanData>>>);

impl SpanExporter for Kept {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.0.lock().unwrap().extend(batch);
        Ok(())
    }
}

/// The stages of a call are spans beneath that of the call, and say nothing of what was sent.
#[tokio::test]
async fn the_stages_of_a_call() {
    let kept = Kept::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(FilteredExporter(kept.clone())).build();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(spans(&provider)));
    let spec = OperationSpec::new("shop", "get_book", OperationKind::Query, "Get a book");
    let book = |_: Map<String, Value>| async { Ok(json!({"title": "Moby-Dick"})) };
    let aqueduct = Aqueduct::builder().operation(spec, book).build().unwrap();
    assert!(aqueduct.call_operation("get_book", Map::new()).await.read::<Value>().is_ok());
    let secret = Map::from_iter([("client text".to_owned(), json!("hunter2"))]);
    assert!(aqueduct.call_operation("get_book", secret).await.read::<Value>().is_err());
    provider.force_flush().unwrap();
    let spans = kept.0.lock().unwrap().clone();
    let calls: Vec<&SpanData> = spans.iter().filter(|span| span.name == "call").collect();
    let [first, second] = calls.as_slice() else { panic!("{spans:?}") };
    let stages = |call: &SpanData| -> Vec<String> {
        let beneath = spans.iter().filter(|span| span.parent_span_id == call.span_context.span_id());
        beneath.map(|span| span.name.to_string()).collect()
    };
    assert_eq!(stages(first), ["envelope", "route", "validate", "gatekeep", "run", "shape"]);
    assert_eq!(stages(second), ["envelope", "route", "validate"], "it went no further");
    assert_eq!(first.parent_span_id, SpanId::INVALID);
    let said = |call: &SpanData, key: &str| {
        call.attributes.iter().find(|each| each.key.as_str() == key).map(|each| each.value.to_string())
    };
    let expected =
        [("operation", "get_book"), ("source", "shop"), ("outcome", "success"), ("gate", "allowed")];
    for (key, value) in expected {
        assert_eq!(said(first, key).as_deref(), Some(value), "{key}");
    }
    let all = format!("{spans:?}");
    for private in ["hunter2", "client text", "Moby-Dick", "session", "busy_ns", "thread"] {
        assert!(!all.contains(private), "{private}: {all}");
    }
    assert!(spans.iter().all(|span| span.events.is_empty() && span.status != Status::Ok));
}
