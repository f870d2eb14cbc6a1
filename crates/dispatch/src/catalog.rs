//! What calls see of the registry: every operation with its decision, and the introspection responses, worked out once.
//!
//! Immutable. A reload builds another catalog and swaps it in; calls in flight finish on the one they started with.

use crate::built_in::relationships::RelationshipIndex;
use crate::discovery::Resources;
use crate::introspect::IntrospectionCache;
use crate::update_companion::Companions;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::gatekeeper::GateDecision;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::registry::Registry;
use std::sync::{Arc, OnceLock};

/// One immutable view of everything that can be called.
#[derive(Debug)]
pub struct Catalog {
    registry: Registry,
    decisions: Vec<GateDecision>,
    exposure: Exposure,
    introspection: IntrospectionCache,
    companions: Companions,
    relationships: RelationshipIndex,
    resources: OnceLock<Resources>,
}

impl Catalog {
    /// Judges every operation and prepares the introspection responses.
    pub fn build(registry: Registry, exposure: Exposure, limits: &Limits) -> Catalog {
        let decisions: Vec<GateDecision> =
            registry.entries().iter().map(|entry| GateDecision::of(entry)).collect();
        let introspection = IntrospectionCache::prepare(&registry, &decisions, &exposure, limits);
        let companions = Companions::of(registry.entries());
        let relationships = RelationshipIndex::of(&registry);
        let resources = OnceLock::new();
        Catalog { registry, decisions, exposure, introspection, companions, relationships, resources }
    }

    /// The operation with this name and its decision, hidden or not.
    pub fn find(&self, name: &str) -> Option<(usize, &RegistryEntry, &GateDecision)> {
        let (index, entry) = self.registry.find(name)?;
        Some((index, entry, &self.decisions[index]))
    }

    /// The operations that may be shown, with their decisions.
    pub fn visible(&self) -> impl Iterator<Item = (&RegistryEntry, &GateDecision)> {
        let entries = self.registry.entries().iter().map(Arc::as_ref);
        entries.zip(&self.decisions).filter(|(_, decision)| !decision.is_hidden())
    }

    /// How many operations are not shown.
    pub fn hidden_count(&self) -> usize {
        self.decisions.iter().filter(|decision| decision.is_hidden()).count()
    }

    /// The names and sources behind it.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Which tools there are.
    pub fn exposure(&self) -> &Exposure {
        &self.exposure
    }

    pub(crate) fn introspection(&self) -> &IntrospectionCache {
        &self.introspection
    }

    /// The operation that reads what this one writes, and its decision.
    pub(crate) fn companion(&self, entry: &RegistryEntry) -> Option<(&RegistryEntry, &GateDecision)> {
        let (index, _) = self.registry.find(&entry.public_name)?;
        let read = self.companions.read_for(index)?;
        Some((self.registry.entries().get(read)?, &self.decisions[read]))
    }

    /// True when responses of this operation show something that can be changed.
    pub(crate) fn is_versioned(&self, entry: &RegistryEntry) -> bool {
        self.registry.find(&entry.public_name).is_some_and(|(index, _)| self.companions.is_versioned(index))
    }

    /// What every operation is about.
    pub(crate) fn resources(&self) -> &Resources {
        self.resources.get_or_init(|| Resources::of(self.registry.entries()))
    }

    /// The relationships of all sources.
    pub(crate) fn relationships(&self) -> &RelationshipIndex {
        &self.relationships
    }

    /// The operation in this place of the registry, and its decision.
    pub(crate) fn placed(&self, index: usize) -> (&RegistryEntry, &GateDecision) {
        (&self.registry.entries()[index], &self.decisions[index])
    }

    pub(crate) fn decision(&self, index: usize) -> &GateDecision {
        &self.decisions[index]
    }
}
