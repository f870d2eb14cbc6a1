//! The operator's page of a running server, and what every instance says about itself for it.
//!
//! Of several instances on one store the first to bind the address serves the page for all. The others try again every few seconds,
//! and take over when it ends. Each writes a small row about itself into the store, so that the instance that serves the page shows them all.

mod backend;
mod reporter;

use crate::aqueduct::Aqueduct;
use aqueduct_store::{Store, StoreError};
use aqueduct_surface::operator_page::{InstanceReport, bind, serve};
use backend::StoreBackend;
use reporter::Reporter;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How often an address that is taken is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(2);

/// How an instance takes part in the operator's page.
#[derive(Debug, Clone)]
pub struct OperatorPageSettings {
    /// Where to serve it; nowhere, if this instance is only to be seen on it.
    pub address: Option<SocketAddr>,
    /// How people tell this instance from others.
    pub name: String,
    /// How clients reach it.
    pub transport: String,
}

/// What became of the page in this instance.
#[derive(Debug)]
pub enum OperatorPageEvent {
    /// It is served here.
    Open(SocketAddr),
    /// Another instance on the same store serves it; this one takes over when that ends.
    ServedElsewhere(SocketAddr),
    /// Something else has the address; it is tried again.
    Taken(SocketAddr),
    /// It cannot be served; it is tried again.
    Failed(SocketAddr, io::Error),
}

impl Aqueduct {
    /// Serves the operator's page, or waits for the address to become free, until `stop` is cancelled. Without a store there is
    /// nothing to serve, and this is over at once.
    pub async fn serve_operator_page(
        &self,
        settings: OperatorPageSettings,
        on_news: impl Fn(&OperatorPageEvent),
        stop: CancellationToken,
    ) {
        let Some(store) = &self.store else { return };
        let (page, is_served) = watch::channel(None);
        let reporter = Reporter::new(self, store.clone(), &settings, is_served);
        let instance = reporter.id().to_owned();
        let serving = async {
            match settings.address {
                Some(address) => {
                    let (instance, page, on_news, stop) = (&instance, &page, &on_news, &stop);
                    PageServer { aqueduct: self, store, instance, address, page, on_news, stop }.run().await;
                }
                None => stop.cancelled().await,
            }
        };
        tokio::join!(serving, reporter.run(&stop));
    }
}

/// The page of one instance at its address.
struct PageServer<'a, N> {
    aqueduct: &'a Aqueduct,
    store: &'a Store,
    instance: &'a str,
    address: SocketAddr,
    /// Where it is served, while it is.
    page: &'a watch::Sender<Option<SocketAddr>>,
    on_news: &'a N,
    stop: &'a CancellationToken,
}

impl<N: Fn(&OperatorPageEvent)> PageServer<'_, N> {
    /// Serves the page whenever the address is free.
    async fn run(&self) {
        let mut is_told = false;
        while !self.stop.is_cancelled() {
            let served = self.serve_once().await;
            self.page.send_replace(None);
            let Err(error) = served else { continue };
            if !is_told {
                is_told = true;
                let event = match error.kind() {
                    io::ErrorKind::AddrInUse => taken(self.store, self.address).await,
                    _ => OperatorPageEvent::Failed(self.address, error),
                };
                (self.on_news)(&event);
            }
            tokio::select! {
                () = self.stop.cancelled() => {}
                () = tokio::time::sleep(TRY_AGAIN) => {}
            }
        }
    }

    async fn serve_once(&self) -> io::Result<()> {
        let listener = bind(self.address).await?;
        let bound = listener.local_addr()?;
        self.page.send_replace(Some(bound));
        (self.on_news)(&OperatorPageEvent::Open(bound));
        let backend = StoreBackend {
            store: self.store.clone(),
            instance: self.instance.to_owned(),
            gate_settings: self.aqueduct.gate_settings.clone(),
            challenge_ttl: self.aqueduct.challenge_ttl,
        };
        let counts = Arc::clone(&self.aqueduct.serving.metrics.page);
        serve(listener, Arc::new(backend), counts, self.stop.clone()).await
    }
}

/// Who has the address: another instance on this store, or something else.
async fn taken(store: &Store, address: SocketAddr) -> OperatorPageEvent {
    let shown = address.to_string();
    match operator_pages(store).await {
        Ok(pages) if pages.contains(&shown) => OperatorPageEvent::ServedElsewhere(address),
        Ok(_) | Err(_) => OperatorPageEvent::Taken(address),
    }
}

/// Where the operator's page of this store is served now.
pub async fn operator_pages(store: &Store) -> Result<Vec<String>, StoreError> {
    let instances = store.instances().await?;
    Ok(instances.into_iter().filter_map(|instance| read(instance.report).page).collect())
}

/// A report of any version.
fn read(report: serde_json::Value) -> InstanceReport {
    serde_json::from_value(report).unwrap_or_default()
}
