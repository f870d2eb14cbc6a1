//! The operator's page beside a server: whether there is one, where, and what the person is told of it.
//!
//! A store and where to listen in; a page for as long as the server runs out. Clients are served whatever becomes of it.

use crate::config::{OperatorListen, ResolvedConfig};
use crate::report::{self, CommandError};
use aqueduct::store::Store;
use aqueduct::{Aqueduct, OperatorPageEvent, OperatorPageSettings};
use std::net::SocketAddr;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often a store that is lost is asked again whether there is an operator.
const RETRY: Duration = Duration::from_secs(2);

/// What is needed to serve the page.
#[derive(Debug)]
pub struct PageTask {
    store: Store,
    listen: OperatorListen,
    transport: String,
}

impl PageTask {
    /// The page of a server whose clients come by this transport; nothing where nothing is kept.
    pub fn new(
        config: &ResolvedConfig,
        listen: OperatorListen,
        transport: impl Into<String>,
    ) -> Result<Option<PageTask>, CommandError> {
        match (&config.store, listen) {
            (Some(store), _) => {
                Ok(Some(PageTask { store: store.clone(), listen, transport: transport.into() }))
            }
            (None, OperatorListen::At(_)) => Err(CommandError::configuration(
                "the operator's page needs a store; name a directory for it with --state-dir, or turn the page off with --operator none",
            )),
            (None, OperatorListen::Usual(_) | OperatorListen::Nowhere) => Ok(None),
        }
    }

    /// Serves it until `stop` is cancelled.
    pub async fn run(self, aqueduct: Aqueduct, stop: CancellationToken) {
        let address = match self.listen {
            OperatorListen::At(address) => Some(address),
            OperatorListen::Usual(_) | OperatorListen::Nowhere => {
                let is_set = stop.run_until_cancelled(self.has_passphrase()).await;
                if is_set != Some(true) {
                    return;
                }
                self.usual()
            }
        };
        let settings = OperatorPageSettings { address, name: instance_name(), transport: self.transport };
        aqueduct.serve_operator_page(settings, report_event, stop).await;
    }

    fn usual(&self) -> Option<SocketAddr> {
        match self.listen {
            OperatorListen::Usual(address) | OperatorListen::At(address) => Some(address),
            OperatorListen::Nowhere => None,
        }
    }

    /// Whether there is an operator, once the store says so.
    async fn has_passphrase(&self) -> bool {
        loop {
            match self.store.operator_passphrase().await {
                Ok(passphrase) => return passphrase.is_some(),
                // The store has logged it.
                Err(_) => tokio::time::sleep(RETRY).await,
            }
        }
    }
}

fn report_event(event: &OperatorPageEvent) {
    match event {
        OperatorPageEvent::Open(address) => report::address(&format!("operator's page on http://{address}/")),
        OperatorPageEvent::ServedElsewhere(address) => report::note(&format!(
            "another process serves the operator's page, http://{address}/; this one takes over when that ends"
        )),
        OperatorPageEvent::Taken(address) => report::note(&format!(
            "warning: {address} is taken by another program, so there is no operator's page of this server; it is tried again. Choose \
             another address with --operator ADDR, or 'none'"
        )),
        OperatorPageEvent::Failed(address, error) => report::note(&format!(
            "warning: the operator's page cannot be served on {address}: {error}; it is tried again"
        )),
    }
}

/// The machine, where it has a name, and the process.
fn instance_name() -> String {
    let process = std::process::id();
    match machine() {
        Some(machine) => format!("{machine}, process {process}"),
        None => format!("process {process}"),
    }
}

#[cfg(unix)]
fn machine() -> Option<String> {
    rustix::system::uname().nodename().to_str().ok().filter(|name| !name.is_empty()).map(str::to_owned)
}

#[cfg(not(unix))]
fn machine() -> Option<String> {
    None
}
