//! Serving what the files say now, without a pause: looks at the sources again and swaps the catalog.
//!
//! A scope in; diagnostics, log lines and perhaps another catalog in service out. Calls that have begun go on with the
//! catalog they began with. `watch` reloads when a file changes.

#[cfg(feature = "watch")]
mod notices;
#[cfg(not(feature = "watch"))]
#[path = "reload/no_notices.rs"]
mod notices;
mod watch;

pub use watch::FileWatcher;
pub(crate) use watch::{begin as watch, follow_connections};

use crate::boot::{FileChange, RefreshScope, Refreshed, SourceSet};
use aqueduct_dispatch::{Catalog, Dispatcher};
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::gatekeeper::PolicyRules;
use aqueduct_operations::limits::Limits;
#[cfg(feature = "store")]
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::registry::Registry;
#[cfg(feature = "store")]
use aqueduct_safety::safety_loop::{SafetyLoop, ServedOperations};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What looking at the sources again gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reloaded {
    /// Something else is served than before, and clients are notified.
    pub is_new: bool,
    /// Findings about the files that changed. A file with an error stays in service as it was when it was last good.
    pub diagnostics: Vec<Diagnostic>,
}

/// The sources, and what serves them.
#[derive(Debug)]
pub(crate) struct Reloader {
    sources: Mutex<SourceSet>,
    dispatcher: Arc<Dispatcher>,
    plan: CatalogPlan,
}

/// How a registry becomes a catalog.
#[derive(Debug)]
pub(crate) struct CatalogPlan {
    /// Which tools there are.
    pub exposure: Exposure,
    /// The payload limits.
    pub limits: Limits,
    /// The rules of the operator.
    pub rules: Arc<PolicyRules>,
    /// Watches agents, by what the sources ask for too.
    #[cfg(feature = "store")]
    pub agents: Option<Arc<SafetyLoop>>,
}

impl CatalogPlan {
    /// The catalog of a registry.
    pub fn catalog(&self, registry: Registry) -> Catalog {
        #[cfg(feature = "store")]
        let registry = match &self.agents {
            Some(agents) => {
                let source_limits = registry.sources().iter().filter_map(|source| source.autonomy.clone());
                let is_of_source = |entry: &&Arc<RegistryEntry>| {
                    registry.sources().iter().any(|source| source.name == entry.source.name)
                };
                let served = ServedOperations::of(registry.entries().iter().filter(is_of_source));
                agents.set_sources(source_limits.collect(), served);
                registry.with_safety_settings(agents.shown_settings())
            }
            None => registry,
        };
        Catalog::under(Arc::clone(&self.rules), registry, self.exposure.clone(), &self.limits)
    }
}

impl Reloader {
    /// Keeps what is served by a dispatcher up to date with its sources.
    pub fn new(sources: SourceSet, dispatcher: Arc<Dispatcher>, plan: CatalogPlan) -> Reloader {
        Reloader { sources: Mutex::new(sources), dispatcher, plan }
    }

    /// Looks at the sources again.
    pub fn reload(&self, scope: RefreshScope<'_>) -> Reloaded {
        // Held until the swap, so that of two reloads the later one wins.
        let mut sources = self.sources();
        let Refreshed { registry, is_new, changes, diagnostics } = sources.refresh(scope);
        match registry.map(|registry| self.plan.catalog(registry)) {
            Some(catalog) if is_new => self.dispatcher.replace(catalog),
            Some(catalog) => self.dispatcher.replace_quietly(catalog),
            None => {}
        }
        changes.iter().for_each(log);
        Reloaded { is_new, diagnostics }
    }

    /// The process ends, and with it the pauses of agents that wait for a code.
    #[cfg(feature = "store")]
    pub async fn close_agents(&self) {
        if let Some(agents) = &self.plan.agents {
            agents.close().await;
        }
    }

    /// Calls the listener whenever a connection offers something else than before, or a document on the web has come.
    fn on_change(&self, listener: impl Fn() + Clone + Send + 'static) {
        let kinds = {
            let sources = self.sources();
            sources.on_documents(listener.clone());
            sources.kinds()
        };
        kinds.follow_connections(listener);
    }

    /// The sources, for as long as what this gives is kept.
    pub fn sources(&self) -> MutexGuard<'_, SourceSet> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn log(change: &FileChange) {
    match change {
        FileChange::Taken { source, version, operations } => {
            tracing::info!(target: "aqueduct::load", source, version, operations, "reloaded");
        }
        FileChange::Raised { file, source, from, to, callable } => {
            let callable = in_few_words(callable);
            tracing::warn!(
                target: "aqueduct::load",
                file,
                source,
                old = from.name(),
                new = to.name(),
                callable,
                "the file raises its own trust level; what it makes callable is listed. Set the level yourself with --trust if this is \
                 not meant"
            );
        }
        FileChange::Gone { source } => tracing::info!(target: "aqueduct::load", source, "removed"),
        FileChange::Refused { file, is_served: true } => {
            tracing::warn!(target: "aqueduct::load", file, "has errors; the last good version stays in service");
        }
        FileChange::Refused { file, is_served: false } => {
            tracing::warn!(target: "aqueduct::load", file, "has errors and is not served");
        }
    }
}

/// The first of these names, and how many more there are.
fn in_few_words(names: &[String]) -> String {
    const NAMED: usize = 20;
    let named = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => "nothing more".to_owned(),
        count if count > NAMED => format!("{named} and {} more", count - NAMED),
        _ => named,
    }
}
