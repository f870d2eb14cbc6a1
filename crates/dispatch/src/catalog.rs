//! What calls see of the registry: every operation with its standing, and the introspection answers, worked out once.
//!
//! Immutable. A reload builds another catalog and swaps it in; calls in flight finish on the one they started with.

use crate::built_in::relationships::RelationshipIndex;
use crate::introspect::IntrospectionCache;
use crate::update_companion::Companions;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::gatekeeper::GateDecision;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::registry::Registry;
use std::sync::Arc;

/// One immutable view of everything that can be called.
#[derive(Debug)]
pub struct Catalog {
    registry: Registry,
    standings: Vec<GateDecision>,
    exposure: Exposure,
    answers: IntrospectionCache,
    companions: Companions,
    relationships: RelationshipIndex,
}

impl Catalog {
    /// Judges every operation and prepares the introspection answers.
    pub fn build(registry: Registry, exposure: Exposure, limits: &Limits) -> Catalog {
        let standings: Vec<GateDecision> =
            registry.entries().iter().map(|entry| GateDecision::of(entry)).collect();
        let answers = IntrospectionCache::prepare(&registry, &standings, &exposure, limits);
        let companions = Companions::of(registry.entries());
        let relationships = RelationshipIndex::of(&registry);
        Catalog { registry, standings, exposure, answers, companions, relationships }
    }

    /// The operation with this name and its standing, hidden or not.
    pub fn find(&self, name: &str) -> Option<(usize, &RegistryEntry, &GateDecision)> {
        let (index, entry) = self.registry.find(name)?;
        Some((index, entry, &self.standings[index]))
    }

    /// The operations that may be shown, with their standings.
    pub fn visible(&self) -> impl Iterator<Item = (&RegistryEntry, &GateDecision)> {
        let entries = self.registry.entries().iter().map(Arc::as_ref);
        entries.zip(&self.standings).filter(|(_, standing)| !standing.is_hidden())
    }

    /// How many operations are not shown.
    pub fn hidden_count(&self) -> usize {
        self.standings.iter().filter(|standing| standing.is_hidden()).count()
    }

    /// The names and sources behind it.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Which tools there are.
    pub fn exposure(&self) -> &Exposure {
        &self.exposure
    }

    pub(crate) fn answers(&self) -> &IntrospectionCache {
        &self.answers
    }

    /// The operation that reads what this one writes, and its standing.
    pub(crate) fn companion(&self, entry: &RegistryEntry) -> Option<(&RegistryEntry, &GateDecision)> {
        let (index, _) = self.registry.find(&entry.public_name)?;
        let read = self.companions.read_for(index)?;
        Some((self.registry.entries().get(read)?, &self.standings[read]))
    }

    /// True when answers of this operation show something that can be changed.
    pub(crate) fn is_versioned(&self, entry: &RegistryEntry) -> bool {
        self.registry.find(&entry.public_name).is_some_and(|(index, _)| self.companions.is_versioned(index))
    }

    /// How the things of all sources hang together.
    pub(crate) fn relationships(&self) -> &RelationshipIndex {
        &self.relationships
    }

    /// The operation in this place of the registry, and its standing.
    pub(crate) fn placed(&self, index: usize) -> (&RegistryEntry, &GateDecision) {
        (&self.registry.entries()[index], &self.standings[index])
    }

    pub(crate) fn standing(&self, index: usize) -> &GateDecision {
        &self.standings[index]
    }
}
