//! Traces of calls, sent to a collector over OTLP: the feature `otlp`, and the variable `OTEL_EXPORTER_OTLP_ENDPOINT`.
//!
//! Spans of calls and their stages in; what a collector may know of them out. Only the attributes of a closed list leave this process:
//! names of operations, sources and callers, decisions and times. No session, no parameter, no text of a client, no event of the log.

use aqueduct_egress::tls;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{Protocol, SpanExporter as OtlpExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanEvents, SpanExporter, SpanLinks};
use std::sync::OnceLock;
use std::time::Duration;
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

/// What a collector may know of a span.
const ATTRIBUTES: [&str; 12] = [
    "operation",
    "source",
    "gate",
    "danger",
    "rule",
    "caller",
    "outcome",
    "upstream_ms",
    "duration_ms",
    "method",
    "host",
    "path",
];

/// How long a collector is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// What sends, until the process ends.
static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

/// Sends spans to this collector, if one is named.
pub fn layer<S>(endpoint: Option<&str>) -> Result<Option<impl Layer<S>>, String>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let Some(endpoint) = endpoint.map(str::trim).filter(|endpoint| !endpoint.is_empty()) else {
        return Ok(None);
    };
    tls::ready();
    let place = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
    let exporter = OtlpExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(place)
        .with_timeout(PATIENCE)
        .build()
        .map_err(|error| {
            format!("OTEL_EXPORTER_OTLP_ENDPOINT is '{endpoint}', which leads to no collector: {error}")
        })?;
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(FilteredExporter(exporter))
        .with_resource(Resource::builder_empty().with_attribute(service()).build())
        .build();
    let layer = spans(PROVIDER.get_or_init(|| provider));
    Ok(Some(layer))
}

/// Sends what is left: the process ends.
pub fn finish() {
    if let Some(provider) = PROVIDER.get()
        && let Err(error) = provider.shutdown_with_timeout(PATIENCE)
    {
        tracing::warn!(target: "aqueduct::traces", %error, "the last traces were not sent");
    }
}

fn service() -> opentelemetry::KeyValue {
    opentelemetry::KeyValue::new("service.name", "aqueduct")
}

/// Makes spans of calls, their stages and what they send.
fn spans<S>(provider: &SdkTracerProvider) -> impl Layer<S> + use<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("aqueduct"))
        .with_location(false)
        .with_threads(false)
        .with_level(false)
        .with_target(false)
        .with_tracked_inactivity(false)
        .with_filter(filter_fn(is_shown))
}

/// Spans of a call; events of the log are none.
fn is_shown(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    metadata.is_span()
        && match metadata.name() {
            "call" => target == "aqueduct::call",
            "upstream" => target.starts_with("aqueduct_upstream") && *metadata.level() <= Level::DEBUG,
            _ => target == "aqueduct::stage",
        }
}

/// Lets out what a collector may know.
#[derive(Debug)]
struct FilteredExporter<E>(E);

impl<E: SpanExporter> SpanExporter for FilteredExporter<E> {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        for span in &mut batch {
            span.attributes.retain(|attribute| ATTRIBUTES.contains(&attribute.key.as_str()));
            span.events = SpanEvents::default();
            span.links = SpanLinks::default();
        }
        self.0.export(batch).await
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

#[cfg(test)]
mod tests;
