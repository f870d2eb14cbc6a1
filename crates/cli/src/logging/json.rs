//! Log lines as JSON: one object a line, flat, with what the event says and what it happened in.
//!
//! Events and spans in, lines out: `timestamp`, `level`, `target`, `message`, then the fields. Where an event and the call around
//! it name the same field, the event's counts.

use crate::commands::terminal_safe_json;
use aqueduct_operations::clock::{Clock, SystemClock, iso8601};
use serde_json::{Map, Value};
use std::fmt;
use std::io::Write;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Writes a line for every event.
pub struct JsonLines<W> {
    /// Opens what lines go to.
    pub out: fn() -> W,
}

/// The fields of a span, or of an event.
#[derive(Debug, Default)]
struct FieldVisitor(Map<String, Value>);

impl Visit for FieldVisitor {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.set(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field, value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field, value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.set(field, format!("{value:?}").into());
    }
}

impl FieldVisitor {
    fn set(&mut self, field: &Field, value: Value) {
        self.0.insert(field.name().to_owned(), value);
    }
}

impl<S, W> Layer<S> for JsonLines<W>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: Write + 'static,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = FieldVisitor::default();
        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(fields) = span.extensions_mut().get_mut::<FieldVisitor>() {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = FieldVisitor::default();
        for span in context.event_scope(event).into_iter().flatten() {
            if let Some(outer) = span.extensions().get::<FieldVisitor>() {
                let more = outer.0.iter().filter(|(name, _)| !fields.0.contains_key(*name));
                let more: Vec<_> = more.map(|(name, value)| (name.clone(), value.clone())).collect();
                fields.0.extend(more);
            }
        }
        event.record(&mut fields);
        let metadata = event.metadata();
        let message = fields.0.remove("message").unwrap_or_default();
        let line = line(&metadata.level().to_string(), metadata.target(), message, fields.0);
        // Where standard error is closed there is no one to tell.
        drop((self.out)().write_all(line.as_bytes()));
    }
}

/// One line.
pub fn line(level: &str, target: &str, message: Value, fields: Map<String, Value>) -> String {
    let mut object = Map::new();
    object.insert("timestamp".to_owned(), iso8601(SystemClock.now()).into());
    object.insert("level".to_owned(), level.to_lowercase().into());
    object.insert("target".to_owned(), target.into());
    object.insert("message".to_owned(), message);
    for (name, value) in fields {
        object.entry(name).or_insert(value);
    }
    format!("{}\n", terminal_safe_json(&Value::Object(object).to_string()))
}

#[cfg(test)]
mod tests;
