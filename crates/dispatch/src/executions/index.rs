//! Which operations start executions, and by which others these are followed.
//!
//! The registry in; out, for each such operation, the places of its steps. Made once for each catalog.

use aqueduct_operations::category::Category;
use aqueduct_operations::danger::{Danger, DangerLevel, DangerOrigin};
use aqueduct_operations::execution::Execution;
use aqueduct_operations::lifecycle::{Lifecycle, LifecycleStep, StatusSource};
use aqueduct_operations::operation::{Declaration, Operation, RegistryEntry};
use aqueduct_operations::registry::Registry;
use aqueduct_operations::target::{HttpTarget, Method, Target};
use std::collections::HashMap;
use std::sync::Arc;

/// The operations that start executions, by source and name.
#[derive(Debug, Default)]
pub struct ExecutionIndex {
    starters: HashMap<(String, String), Starter>,
}

/// An operation that starts executions.
#[derive(Debug)]
pub struct Starter {
    /// Its place in the registry.
    pub entry: usize,
    /// What it declares.
    pub lifecycle: Arc<Lifecycle>,
    /// The operation that tells the state.
    pub status: StatusReader,
    /// The operation that ends a job.
    pub cancel: Option<usize>,
    /// The operation that tries a job again.
    pub retry: Option<usize>,
    /// The operation that tells of changes.
    pub events: Option<usize>,
}

/// A step of a lifecycle, with the operation that makes it.
#[derive(Debug, Clone, Copy)]
pub struct StarterStep<'s> {
    /// The place of the operation in the registry.
    pub place: usize,
    /// What is sent.
    pub step: &'s LifecycleStep,
}

impl Starter {
    /// How a job is ended, where that is declared.
    pub fn cancel_step(&self) -> Option<StarterStep<'_>> {
        Some(StarterStep { place: self.cancel?, step: self.lifecycle.cancel.as_ref()? })
    }

    /// How a job is tried again, where that is declared.
    pub fn retry_step(&self) -> Option<StarterStep<'_>> {
        Some(StarterStep { place: self.retry?, step: self.lifecycle.retry.as_ref()? })
    }
}

/// Who tells the state of a job.
#[derive(Debug)]
pub enum StatusReader {
    /// The operation in this place.
    Operation(usize),
    /// The resource at the address that the API gave: a read of the same site, which no one can call.
    Location(Arc<RegistryEntry>),
}

impl ExecutionIndex {
    /// Finds the steps of every operation with a lifecycle. One whose steps are not there starts no executions.
    pub fn of(registry: &Registry) -> ExecutionIndex {
        let mut starters = HashMap::new();
        for (place, entry) in registry.entries().iter().enumerate() {
            let Some(lifecycle) = &entry.operation.lifecycle else { continue };
            let sibling = |name: &str| {
                let is_it = |other: &Arc<RegistryEntry>| {
                    other.source.name == entry.source.name && other.operation.name == name
                };
                registry.entries().iter().position(is_it)
            };
            let status = match &lifecycle.status {
                StatusSource::Operation(step) => sibling(&step.operation).map(StatusReader::Operation),
                StatusSource::Location => location_reader(entry).map(StatusReader::Location),
            };
            let Some(status) = status else { continue };
            let step = |step: &Option<LifecycleStep>| step.as_ref().and_then(|step| sibling(&step.operation));
            let starter = Starter {
                entry: place,
                lifecycle: Arc::clone(lifecycle),
                status,
                cancel: step(&lifecycle.cancel),
                retry: step(&lifecycle.retry),
                events: step(&lifecycle.events),
            };
            starters.insert((entry.source.name.clone(), entry.operation.name.clone()), starter);
        }
        ExecutionIndex { starters }
    }

    /// True when nothing starts executions.
    pub fn is_empty(&self) -> bool {
        self.starters.is_empty()
    }

    /// The operation of this source and name.
    fn find(&self, source: &str, operation: &str) -> Option<&Starter> {
        self.starters.get(&(source.to_owned(), operation.to_owned()))
    }

    /// The operation that started an execution.
    pub fn starter_of(&self, execution: &Execution) -> Option<&Starter> {
        self.find(&execution.spec.source, &execution.spec.operation)
    }

    /// The operation behind an entry.
    pub fn of_entry(&self, entry: &RegistryEntry) -> Option<&Starter> {
        entry.operation.lifecycle.as_ref()?;
        self.find(&entry.source.name, &entry.operation.name)
    }

    /// The sources that have any.
    pub fn sources(&self) -> Vec<String> {
        let mut names: Vec<String> = self.starters.keys().map(|(source, _)| source.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// A GET on the site of an operation, with its credentials and scopes.
fn location_reader(entry: &RegistryEntry) -> Option<Arc<RegistryEntry>> {
    let Target::Http(target) = &entry.operation.target else { return None };
    let reading = HttpTarget {
        auth: target.auth.clone(),
        ..HttpTarget::new(Arc::clone(&target.site), Method::Get, Vec::new())
    };
    let name = format!("{}_status", entry.operation.name);
    let declaration = Declaration {
        danger: Danger::new(DangerLevel::Safe, DangerOrigin::Declared),
        required_scopes: entry.operation.required_scopes.clone(),
        ..Declaration::new(name, String::new(), Category::Read, Vec::new())
    };
    Some(Arc::new(RegistryEntry {
        public_name: format!("{}_status", entry.public_name),
        operation: Arc::new(Operation { declaration, target: Target::Http(reading) }),
        source: Arc::clone(&entry.source),
    }))
}
