//! The operator's page of a running server, and what every instance says about itself for it.
//!
//! Of several instances on one store the first to bind the address serves the page for all. The others try again every few seconds,
//! and take over when it ends. Each writes a small row about itself into the store, so that whoever serves the page shows them all.

mod desk;
mod reporter;

use crate::aqueduct::Aqueduct;
use aqueduct_store::{Store, StoreError};
use aqueduct_surface::operator_page::{InstanceReport, bind, serve};
use desk::StoreDesk;
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
pub enum OperatorPageNews {
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
        on_news: impl Fn(&OperatorPageNews),
        stop: CancellationToken,
    ) {
        let Some(store) = &self.store else { return };
        let (page, is_served) = watch::channel(None);
        let reporter = Reporter::new(self, store.clone(), &settings, is_served);
        let serving = async {
            match settings.address {
                Some(address) => self.keep_page(store, address, &page, &on_news, &stop).await,
                None => stop.cancelled().await,
            }
        };
        tokio::join!(serving, reporter.run(&stop));
    }

    async fn keep_page(
        &self,
        store: &Store,
        address: SocketAddr,
        page: &watch::Sender<Option<SocketAddr>>,
        on_news: &impl Fn(&OperatorPageNews),
        stop: &CancellationToken,
    ) {
        let mut is_told = false;
        while !stop.is_cancelled() {
            let served = self.serve_page(store, address, page, on_news, stop).await;
            page.send_replace(None);
            let Err(error) = served else { continue };
            if !is_told {
                is_told = true;
                let news = match error.kind() {
                    io::ErrorKind::AddrInUse => taken(store, address).await,
                    _ => OperatorPageNews::Failed(address, error),
                };
                on_news(&news);
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(TRY_AGAIN) => {}
            }
        }
    }

    async fn serve_page(
        &self,
        store: &Store,
        address: SocketAddr,
        page: &watch::Sender<Option<SocketAddr>>,
        on_news: &impl Fn(&OperatorPageNews),
        stop: &CancellationToken,
    ) -> io::Result<()> {
        let listener = bind(address).await?;
        let bound = listener.local_addr()?;
        page.send_replace(Some(bound));
        on_news(&OperatorPageNews::Open(bound));
        let desk = StoreDesk {
            store: store.clone(),
            gate_settings: self.gate_settings.clone(),
            challenge_ttl: self.challenge_ttl,
        };
        let counts = Arc::clone(&self.serving.metrics.page);
        serve(listener, Arc::new(desk), counts, stop.clone()).await
    }
}

/// Who has the address: another instance on this store, or something else.
async fn taken(store: &Store, address: SocketAddr) -> OperatorPageNews {
    let shown = address.to_string();
    match operator_pages(store).await {
        Ok(pages) if pages.contains(&shown) => OperatorPageNews::ServedElsewhere(address),
        Ok(_) | Err(_) => OperatorPageNews::Taken(address),
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
