//! What an instance says about itself, written into the store every few seconds, and taken out at the end.
//!
//! The catalog in service and the counted calls in; a row out, when it says something else than before or is about to look old.

use super::OperatorPageSettings;
use crate::aqueduct::Aqueduct;
use aqueduct_dispatch::Catalog;
use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_store::Store;
use aqueduct_surface::operator_page::{InstanceReport, ToolsReport};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How often it is looked for news.
const LOOK: Duration = Duration::from_secs(3);
/// How long a row stands without news: well below what counts as silence.
const FRESH: Duration = Duration::from_secs(8);
/// How long the end of the row is waited for.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes the row of one instance.
pub struct Reporter<'a> {
    aqueduct: &'a Aqueduct,
    store: Store,
    id: String,
    started_at: Timestamp,
    name: String,
    transport: String,
    page: watch::Receiver<Option<SocketAddr>>,
    /// What the tools cost, with the catalog that they are of.
    tools: Option<(Arc<Catalog>, ToolsReport)>,
}

impl<'a> Reporter<'a> {
    pub fn new(
        aqueduct: &'a Aqueduct,
        store: Store,
        settings: &OperatorPageSettings,
        page: watch::Receiver<Option<SocketAddr>>,
    ) -> Reporter<'a> {
        Reporter {
            aqueduct,
            store,
            id: uuid::Uuid::new_v4().to_string(),
            started_at: SystemClock.now(),
            name: settings.name.clone(),
            transport: settings.transport.clone(),
            page,
            tools: None,
        }
    }

    /// What the store knows the instance by.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Writes until `stop` is cancelled. The store logs what fails, and it is tried again.
    pub async fn run(mut self, stop: &CancellationToken) {
        let mut written: Option<(Instant, Value)> = None;
        loop {
            let report = self.report();
            let is_due = written.as_ref().is_none_or(|(at, last)| at.elapsed() >= FRESH || *last != report);
            if is_due {
                let result = self.store.report_instance(&self.id, self.started_at, &report).await;
                written = result.is_ok().then(|| (Instant::now(), report));
            }
            tokio::select! {
                () = stop.cancelled() => break,
                // Where the page is, the caller that asks for it wants to know at once. Its sender lives as long as we do.
                Ok(()) = self.page.changed() => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
        // What is not taken out looks old soon.
        tokio::time::timeout(PATIENCE, self.store.forget_instance(&self.id)).await.ok();
    }

    fn report(&mut self) -> Value {
        let hour = self.aqueduct.serving.metrics.last_hour();
        let catalog = self.aqueduct.catalog();
        let tools = match self.tools.take() {
            Some((counted, tools)) if Arc::ptr_eq(&counted, &catalog) => tools,
            Some(_) | None => ToolsReport::of(&catalog),
        };
        self.tools = Some((Arc::clone(&catalog), tools.clone()));
        let mut known = InstanceReport::of(&catalog, &hour);
        for (source, tally) in self.aqueduct.dispatcher.limiters().tallies() {
            if let Some(report) = known.sources.iter_mut().find(|report| report.name == source) {
                report.waiting = u64::try_from(tally.waiting).unwrap_or(u64::MAX);
            }
        }
        json!(InstanceReport {
            name: self.name.clone(),
            transport: self.transport.clone(),
            started_at: self.started_at.as_millisecond(),
            page: self.page.borrow().map(|address| address.to_string()),
            tools,
            ..known
        })
    }
}
