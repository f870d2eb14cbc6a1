//! A call in the log: its span, with who called what, and one line at its end.
//!
//! A call in; a line when it is done, has failed or was dropped. Names come from clients, so only what can be one is logged.

use aqueduct_operations::call::Call;
use aqueduct_operations::naming::is_snake_case;
use aqueduct_operations::reply::Reply;
use std::time::{Duration, Instant};
use tracing::{Span, field};

/// The log of one call. One that is dropped before its reply was cancelled by the client, or the client is gone.
pub(crate) struct CallLog {
    span: Span,
    started: Instant,
    replied: bool,
}

impl CallLog {
    /// A call begins.
    pub fn begin(call: &Call) -> CallLog {
        let span = tracing::info_span!(
            target: "aqueduct::call",
            "call",
            operation = loggable(call.operation()),
            source = field::Empty,
            gate = field::Empty,
            danger = field::Empty,
            rule = field::Empty,
            caller = call.origin.caller.name(),
            session = %call.origin.session,
            outcome = field::Empty,
            upstream_ms = field::Empty,
            duration_ms = field::Empty,
        );
        CallLog { span, started: Instant::now(), replied: false }
    }

    /// The span that everything of the call happens in.
    pub fn span(&self) -> Span {
        self.span.clone()
    }

    /// It has its reply; how long that took.
    pub fn finish(mut self, reply: &Reply) -> Duration {
        let took = self.started.elapsed();
        self.replied = true;
        self.span.record("duration_ms", millis(took));
        self.span.record("outcome", outcome(reply));
        match reply {
            Reply::Success(_) | Reply::Batch(_) => {
                self.span.in_scope(|| tracing::info!(target: "aqueduct::call", "done"))
            }
            Reply::Failure(failure) => {
                let cause = failure.cause.as_deref().unwrap_or_default();
                self.span.in_scope(|| tracing::info!(target: "aqueduct::call", cause, "failed"));
            }
        }
        took
    }
}

impl Drop for CallLog {
    fn drop(&mut self) {
        if !self.replied {
            self.span.record("duration_ms", millis(self.started.elapsed()));
            self.span.record("outcome", "cancelled");
            self.span.in_scope(|| tracing::info!(target: "aqueduct::call", "cancelled"));
        }
    }
}

/// Notes in the current span how long a call spent calling out.
pub(crate) fn record_upstream(took: Duration) {
    Span::current().record("upstream_ms", millis(took));
}

/// `success`, or the failure's code.
pub(crate) fn outcome(reply: &Reply) -> &'static str {
    match reply {
        Reply::Success(_) | Reply::Batch(_) => "success",
        Reply::Failure(failure) => failure.code.name(),
    }
}

fn loggable(operation: &str) -> &str {
    if is_snake_case(operation) && operation.len() <= 160 { operation } else { "(not a name)" }
}

fn millis(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e6).round() / 1e3
}
