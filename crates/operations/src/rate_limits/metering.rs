//! How a request is held to the limits of its source: the sender asks before each request, and tells what came back.
//!
//! A permit carries the meter that its `GateRequest` was given, so that pages, retries, redirects, hops, runs of handlers and the
//! rounds of a tool that asks can all ask it. A refusal here means that nothing was sent.

use crate::gatekeeper::confirmations::{AskFailure, IssuedToken, TokenRefusal};
use crate::handler::Boxed;
use jiff::Timestamp;
use serde_json::Value;
use std::fmt::Debug;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Holds the requests of one operation for one call to the limits.
pub trait RequestMeter: Debug + Send + Sync {
    /// Waits until a request may be sent, and counts it.
    fn admit<'a>(&'a self) -> Boxed<'a, Result<RequestSlot, Box<LimitRefusal>>>;
}

/// The right to send one request, until its response is read.
#[must_use = "the request is under way as long as this is there"]
#[derive(Debug)]
pub struct RequestSlot(Option<Box<dyn RequestRecord>>);

/// What becomes of a request that was admitted.
pub trait RequestRecord: Debug + Send + Sync {
    /// The head of a response has come.
    fn answered(&mut self, head: &dyn ResponseFacts);

    /// The whole response has come.
    fn returned(&mut self, body: &str);
}

/// The head of a response.
pub trait ResponseFacts {
    /// The status.
    fn status(&self) -> u16;
    /// A header.
    fn header(&self, name: &str) -> Option<&str>;
    /// How long it asks to wait.
    fn retry_after(&self) -> Option<Duration>;
}

impl RequestSlot {
    /// Of a source without limits.
    pub fn unlimited() -> RequestSlot {
        RequestSlot(None)
    }

    /// With somebody who counts what comes back.
    pub fn recorded(record: impl RequestRecord + 'static) -> RequestSlot {
        RequestSlot(Some(Box::new(record)))
    }

    /// The head of a response has come.
    pub fn answered(&mut self, head: &dyn ResponseFacts) {
        if let Some(record) = &mut self.0 {
            record.answered(head);
        }
    }

    /// The whole response has come.
    pub fn returned(&mut self, body: &str) {
        if let Some(record) = &mut self.0 {
            record.returned(body);
        }
    }
}

/// The requests of one run, one after another: at most one is under way. Without a meter each may be sent.
#[derive(Debug, Clone, Default)]
pub struct MeteredRequests {
    meter: Option<Arc<dyn RequestMeter>>,
    under_way: Arc<Mutex<Option<RequestSlot>>>,
}

impl MeteredRequests {
    pub(crate) fn new(meter: Option<Arc<dyn RequestMeter>>) -> MeteredRequests {
        MeteredRequests { meter, under_way: Arc::default() }
    }

    pub(crate) fn are_metered(&self) -> bool {
        self.meter.is_some()
    }

    /// Waits until the next request may be sent, and counts it. The one before has ended by then.
    pub async fn begin(&self) -> Result<(), Box<LimitRefusal>> {
        if let Some(meter) = &self.meter {
            self.end(None);
            let slot = meter.admit().await?;
            self.replace(Some(slot));
        }
        Ok(())
    }

    /// The request has ended, with this response if it had one.
    pub fn end(&self, response: Option<&Value>) {
        if let (Some(mut slot), Some(response)) = (self.replace(None), response) {
            slot.returned(&response.to_string());
        }
    }

    fn replace(&self, slot: Option<RequestSlot>) -> Option<RequestSlot> {
        mem::replace(&mut *self.under_way.lock().unwrap_or_else(PoisonError::into_inner), slot)
    }
}

/// Decides whether a call goes on that has come to a pause.
pub trait PauseHandler: Debug + Send + Sync {
    /// True when the call was told already to go on.
    fn goes_on(&self) -> bool;

    /// Redeems what came with the call, asks a person, or refuses.
    fn decide<'a>(&'a self, pause: &'a PausedQuota) -> Boxed<'a, Result<(), Box<LimitRefusal>>>;

    /// A quota has come to its warning.
    fn warn(&self, warning: QuotaWarning);
}

/// Told of quotas that have come to their pause, once for each pause.
pub trait PauseListener: Debug + Send + Sync {
    /// A quota has. No caller waits for what is done about it.
    fn on_pause(&self, pause: &PausedQuota);
}

/// A quota that has come to its pause. Amounts are as they are shown.
#[derive(Debug, Clone, PartialEq)]
pub struct PausedQuota {
    /// The source.
    pub source: String,
    /// The metric.
    pub metric: String,
    /// What counts now.
    pub current: f64,
    /// Where it pauses.
    pub pause: f64,
    /// Where it stops.
    pub hard_stop: Option<f64>,
    /// When it starts again.
    pub resets_at: Timestamp,
    /// In how many seconds that is.
    pub retry_after_seconds: u64,
}

/// A quota that has come to its warning.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotaWarning {
    /// The source.
    pub source: String,
    /// The metric.
    pub metric: String,
    /// What counts now.
    pub current: f64,
    /// Where it warns.
    pub warn: f64,
    /// Where it pauses.
    pub pause: Option<f64>,
    /// Where it stops.
    pub hard_stop: Option<f64>,
}

/// Why a request is not sent now.
#[derive(Debug, Clone)]
pub enum LimitRefusal {
    /// A limit of the API would be exceeded.
    Api(ApiRefusal),
    /// A quota is paused.
    Paused(PausedQuota, PauseAnswer),
    /// A quota is used up.
    Exhausted {
        /// The metric.
        metric: String,
        /// What counts now.
        current: f64,
        /// Where it stops.
        hard_stop: f64,
        /// When it starts again.
        resets_at: Timestamp,
        /// The same in seconds from now.
        retry_after_seconds: u64,
    },
    /// The token that came with the call is no good.
    Token(TokenRefusal),
    /// No person could be asked.
    NotAsked(AskFailure),
    /// It is unknown what is left: why, in words that name no path or host.
    Unavailable(String),
}

/// Who has to say yes to a call that came to a pause, or did not.
#[derive(Debug, Clone)]
pub enum PauseAnswer {
    /// The person at the client, by this token.
    Token(IssuedToken),
    /// The operator.
    Operator,
    /// The person was asked and said no.
    Declined,
    /// The person was asked and gave no answer.
    Unanswered,
}

/// A limit of the API that would be exceeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiRefusal {
    /// Why it was not waited for, or no longer.
    pub reason: ApiRefusalReason,
    /// The limit, where it is one that was declared.
    pub limit: Option<u64>,
    /// What is left of it.
    pub remaining: u64,
    /// In what time.
    pub window: Option<&'static str>,
    /// When units are there again.
    pub resets_at: Option<Timestamp>,
    /// In how many seconds to try again.
    pub retry_after_seconds: u64,
}

/// Why a request was not waited for, or no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApiRefusalReason {
    /// It would wait too long, or has.
    TooLong,
    /// Too many wait already.
    QueueFull,
    /// The API itself asked to wait.
    AskedToWait,
}

impl LimitRefusal {
    /// Its name in metrics.
    pub fn name(&self) -> &'static str {
        match self {
            LimitRefusal::Api(_) => "api_limit",
            LimitRefusal::Paused(..) => "quota_pause",
            LimitRefusal::Exhausted { .. } => "quota_exhausted",
            LimitRefusal::Token(_) => "token",
            LimitRefusal::NotAsked(_) => "not_asked",
            LimitRefusal::Unavailable(_) => "store_unavailable",
        }
    }
}

/// Two refusals are alike when they are of one kind: tokens and amounts are not compared.
impl PartialEq for LimitRefusal {
    fn eq(&self, other: &LimitRefusal) -> bool {
        self.name() == other.name()
    }
}

impl Eq for LimitRefusal {}
