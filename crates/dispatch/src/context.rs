//! What one call may use on its way, and the one place from which it sends requests upstream.
//!
//! A permitted request in, a response or a failure out. Every request has a permit (ruling S10) and waits for its own slot
//! of the limiter.

use crate::catalog::Catalog;
use crate::concurrency_limiter::ConcurrencySlot;
use crate::cursor::{CursorKey, NoKey};
use crate::dispatcher::Dispatcher;
use crate::observe::{ProgressReporter, UpstreamTime};
use crate::output::{self, OutputFit};
use crate::stages::meter::CallPauseHandler;
use crate::stages::shape::http_facts;
use crate::stages::validate::CheckedRequest;
use crate::worker_pool::LARGE;
use crate::{failure_map, upstream_log, warnings};
use aqueduct_operations::call::CallOrigin;
use aqueduct_operations::failure::{Failure, wording};
use aqueduct_operations::gatekeeper::{GateRecord, Permit};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::progress::ProgressStage;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use aqueduct_schema::work::Meter;
use aqueduct_upstream::{PreparedRequest, ReadOptions, UpstreamError, UpstreamResponse};
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// One call on its way.
pub struct CallContext<'a> {
    /// What all calls use.
    pub dispatcher: &'a Dispatcher,
    /// The catalog that was in service when it began.
    pub catalog: &'a Catalog,
    /// Where it comes from.
    pub origin: &'a CallOrigin,
    /// The steps that the call may take.
    pub meter: Arc<Meter>,
    pub reporter: Arc<ProgressReporter>,
    /// The time spent calling out.
    pub upstream_time: &'a UpstreamTime,
    /// The HTTP facts of the first response, when they are wanted.
    pub http_facts: OnceLock<Value>,
    /// Warnings about the responses.
    pub warnings: Mutex<Vec<Warning>>,
    /// Decides when a quota pauses.
    pub pause_handler: Arc<CallPauseHandler>,
}

/// Whether a cached response will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreshnessNeed {
    /// It will.
    AnyValid,
    /// The upstream itself must answer.
    FromUpstream,
}

impl CallContext<'_> {
    /// Sends a request of a call, by the permit for it, when the limiter has a slot.
    pub async fn send_in_slot(
        &self,
        permit: Permit<'_>,
        checked: &CheckedRequest<'_>,
        prepared: &PreparedRequest<'_>,
    ) -> Result<UpstreamResponse, Failure> {
        let _slot = self.slot(permit.record(), permit.record().values(), "Under way").await;
        self.send(permit, checked, prepared, FreshnessNeed::AnyValid).await
    }

    /// Waits for a slot of the limiter, and reports that the call waits, and what it does then.
    pub async fn slot(
        &self,
        record: &GateRecord<'_>,
        values: &Map<String, Value>,
        then: &str,
    ) -> ConcurrencySlot {
        self.reporter.report(ProgressStage::Initializing, "Waiting for a free slot");
        let slot = self.dispatcher.limiter.wait(record.entry(), values, self.origin).await;
        self.reporter.report(ProgressStage::Running { done: 0, steps: 1 }, then);
        slot
    }

    /// Sends a request that has its slot.
    pub async fn send(
        &self,
        permit: Permit<'_>,
        checked: &CheckedRequest<'_>,
        prepared: &PreparedRequest<'_>,
        freshness: FreshnessNeed,
    ) -> Result<UpstreamResponse, Failure> {
        let record = permit.record().clone();
        let entry = record.entry();
        let reading = ReadOptions {
            caller: record.caller().token().cloned(),
            source: Some(Arc::from(entry.source.name.as_str())),
            rule: entry.cache_rule(),
            fresh: freshness != FreshnessNeed::AnyValid,
        };
        let started = Instant::now();
        // On the heap: calls send from several places, and each would have to make room for it.
        let sending = Box::pin(self.dispatcher.upstream.send(permit, prepared, &reading));
        let response = sending.await;
        self.upstream_time.add_since(started);
        let response = response.map_err(|error| failed_upstream(error, &record))?;
        if response.numbers_as_text > 0 {
            self.warn(vec![warnings::numbers_beyond_range(response.numbers_as_text)]);
        }
        if checked.wants_http {
            self.http_facts.get_or_init(|| http_facts(&response));
        }
        Ok(response)
    }

    /// A response fitted to its schema, where no fields were chosen; nothing when it stays as it is. Changes become warnings.
    pub async fn fitted(&self, entry: &RegistryEntry, data: &RawJson) -> Result<Option<RawJson>, Failure> {
        let Some(schema) = &entry.operation.output else { return Ok(None) };
        let fit = if entry.source.fits_answers {
            OutputFit::ToDeclared
        } else {
            if !schema.is_examined() {
                self.dispatcher.workers.examine(Arc::clone(schema)).await?;
            }
            if !schema.closes_objects() {
                return Ok(None);
            }
            OutputFit::WithoutRefused
        };
        if !schema.is_ready() {
            self.dispatcher.workers.make(vec![Arc::clone(schema)]).await?;
        }
        let fitted = match output::at_once(schema, fit, data, &self.meter) {
            Some(fitted) => fitted,
            None => {
                let (schema, data) = (Arc::clone(schema), data.clone());
                let work = move |meter: &Meter| output::fitted(&schema, fit, &data, meter);
                self.run_apart(work).await?
            }
        };
        let (data, warnings) = fitted.unwrap_or_else(|stop| (None, vec![output::unchecked(stop)]));
        self.warn(warnings);
        Ok(data)
    }

    /// Does work on another thread, within the steps of the call.
    pub async fn run_apart<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Meter) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.dispatcher.workers.run(&self.meter, work).await
    }

    /// Does work on so many bytes: here when they are few, else on another thread.
    pub async fn run_sized<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(&Meter) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        if bytes <= LARGE { Ok(work(&self.meter)) } else { self.run_apart(work).await }
    }

    /// Counts steps of work; an error when there are no more.
    pub fn count(&self, steps: u64) -> Result<(), Failure> {
        const ADVICE: &str = "Ask for less: fewer keys in 'filter', fewer 'fields', a smaller page, or a filter which the \
                              API applies itself";
        self.meter.spend(steps).map_err(|stop| failure_map::too_much_work(stop, ADVICE))
    }

    /// Keeps warnings until the reply is put together.
    pub fn warn(&self, warnings: Vec<Warning>) {
        if !warnings.is_empty() {
            self.warnings.lock().unwrap_or_else(PoisonError::into_inner).extend(warnings);
        }
    }

    /// The warnings so far.
    pub fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The key of cursors.
    pub fn cursor_key(&self) -> Result<&CursorKey, Failure> {
        self.dispatcher.cursor_key.as_ref().ok_or_else(|| wording::internal(NoKey))
    }
}

/// The failure for an error of the upstream, which is logged.
pub fn failed_upstream(error: UpstreamError, record: &GateRecord<'_>) -> Failure {
    let status = match &error {
        UpstreamError::Status(error) => Some(error.status),
        UpstreamError::Unreadable(error) => Some(error.http_status),
        UpstreamError::Build(_)
        | UpstreamError::Credential(_)
        | UpstreamError::Destination(_)
        | UpstreamError::Transport(_)
        | UpstreamError::Limited(_)
        | UpstreamError::TooLarge { .. } => None,
    };
    let is_sent = !matches!(&error, UpstreamError::Limited(_));
    let failure = failure_map::upstream(error, record.entry(), record.values());
    if is_sent {
        upstream_log::failed(record, status, failure)
    } else {
        upstream_log::not_sent(record, failure)
    }
}
