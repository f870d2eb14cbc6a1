//! What calls see of the registry: every operation with its decision, and the introspection responses, worked out once.
//!
//! Immutable. A reload builds another catalog and swaps it in; calls in flight finish on the one they started with.

use crate::built_in::relationships::RelationshipIndex;
use crate::discovery::{
    NounGroup, OperationIndex, Resources, groups, sample_request, sample_request_for, search, topics,
};
use crate::introspect::IntrospectionCache;
use crate::update_companion::UpdateCompanions;
use aqueduct_operations::call::Scopes;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::gatekeeper::{GateDecision, PolicyRules};
use aqueduct_operations::limits::Limits;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::registry::Registry;
use aqueduct_operations::target::Target;
use aqueduct_search::Explanation;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A source with fewer topics is described by its nouns.
const FEW_TOPICS: usize = 4;

/// One immutable view of everything that can be called.
#[derive(Debug)]
pub struct Catalog {
    rules: Arc<PolicyRules>,
    registry: Registry,
    decisions: Vec<GateDecision>,
    exposure: Exposure,
    introspection: IntrospectionCache,
    companions: UpdateCompanions,
    relationships: RelationshipIndex,
    resources: OnceLock<Resources>,
    index: OnceLock<Arc<OperationIndex>>,
    /// The index of the catalog before this one, until this one has its own.
    earlier: Mutex<Option<Arc<OperationIndex>>>,
    sample_request: OnceLock<String>,
}

impl Catalog {
    /// Judges every operation by trust and danger alone, and prepares the introspection responses.
    pub fn build(registry: Registry, exposure: Exposure, limits: &Limits) -> Catalog {
        Catalog::under(Arc::default(), registry, exposure, limits)
    }

    /// Judges every operation by the operator's rules too.
    pub fn under(
        rules: Arc<PolicyRules>,
        registry: Registry,
        exposure: Exposure,
        limits: &Limits,
    ) -> Catalog {
        let decisions: Vec<GateDecision> =
            registry.entries().iter().map(|entry| GateDecision::under(&rules, entry)).collect();
        let introspection = IntrospectionCache::prepare(&registry, &decisions, &exposure, limits);
        let companions = UpdateCompanions::of(registry.entries());
        let relationships = RelationshipIndex::of(&registry);
        Catalog {
            rules,
            registry,
            decisions,
            exposure,
            introspection,
            companions,
            relationships,
            resources: OnceLock::new(),
            index: OnceLock::new(),
            earlier: Mutex::default(),
            sample_request: OnceLock::new(),
        }
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

    /// The rules of the operator that it was judged by.
    pub fn rules(&self) -> &PolicyRules {
        &self.rules
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

    /// The operation that reads what this one writes.
    pub(crate) fn companion(&self, entry: &RegistryEntry) -> Option<&RegistryEntry> {
        let (index, _) = self.registry.find(&entry.public_name)?;
        let read = self.companions.read_for(index)?;
        self.registry.entries().get(read).map(|entry| &**entry)
    }

    /// True when responses of this operation show something that can be changed.
    pub(crate) fn is_versioned(&self, entry: &RegistryEntry) -> bool {
        self.registry.find(&entry.public_name).is_some_and(|(index, _)| self.companions.is_versioned(index))
    }

    /// What every operation is about.
    pub(crate) fn resources(&self) -> &Resources {
        self.resources.get_or_init(|| Resources::of(self.registry.entries()))
    }

    /// What operations are searched by. The first search waits until it is built; `prepare_search` builds it before.
    pub(crate) fn search_index(&self) -> &OperationIndex {
        self.index.get_or_init(|| {
            let earlier = self.earlier.lock().unwrap_or_else(PoisonError::into_inner).take();
            let synonyms = &self.exposure.synonyms;
            Arc::new(OperationIndex::build(self.registry.entries(), synonyms, earlier.as_deref()))
        })
    }

    /// Builds what operations are searched by.
    pub fn prepare_search(&self) {
        self.search_index();
    }

    /// The same catalog, which comes after another one: where that one can be searched this one can, and only sources that have
    /// changed are read anew for it.
    #[must_use]
    pub(crate) fn following(self, before: &Catalog) -> Catalog {
        if let Some(index) = before.index.get() {
            *self.earlier.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(index));
            self.prepare_search();
        }
        self
    }

    #[cfg(test)]
    pub(crate) fn can_be_searched(&self) -> bool {
        self.index.get().is_some()
    }

    /// What the admitted operations are about, by source and topic, the commonest first; by noun where a source has hardly any
    /// topics.
    pub fn topics(&self, admits: impl Fn(&RegistryEntry) -> bool) -> Vec<NounGroup<'_>> {
        let all = || self.registry.entries().iter().map(Arc::as_ref).enumerate();
        let shown = || {
            all().filter(|(index, entry)| {
                !self.decisions[*index].is_hidden()
                    && !matches!(entry.operation.target, Target::BuiltIn(_))
                    && admits(entry)
            })
        };
        let topics = topics(shown(), self.resources());
        let has_topics =
            |source: &str| topics.iter().filter(|topic| topic.source == source).count() >= FEW_TOPICS;
        let nouns = groups(shown(), self.resources()).into_iter().filter(|noun| !has_topics(noun.source));
        let mut chosen: Vec<NounGroup<'_>> =
            topics.iter().filter(|topic| has_topics(topic.source)).cloned().collect();
        chosen.extend(nouns);
        chosen
    }

    /// A request in the words of this server, to show how the search is used.
    pub fn sample_request(&self) -> &str {
        self.sample_request.get_or_init(|| sample_request(self))
    }

    /// The same for one of the operations that are admitted.
    pub fn sample_request_for(&self, admits: impl Fn(&RegistryEntry) -> bool) -> Option<String> {
        sample_request_for(self, admits)
    }

    /// The operations that serve a request best, each with where its score comes from, for people who ask why.
    pub fn explain_search(
        &self,
        request: &str,
        admits: impl Fn(&RegistryEntry) -> bool,
        most: usize,
    ) -> Vec<(&RegistryEntry, Explanation)> {
        let found = search(self, &Scopes::unrestricted(), request, admits, most).matches;
        let explained =
            |index: &usize| Some((self.placed(*index), self.search_index().explain(request, *index)?));
        found.iter().filter_map(explained).collect()
    }

    /// The relationships of all sources.
    pub(crate) fn relationships(&self) -> &RelationshipIndex {
        &self.relationships
    }

    /// The operation in this place of the registry.
    pub(crate) fn placed(&self, index: usize) -> &RegistryEntry {
        &self.registry.entries()[index]
    }

    pub(crate) fn decision(&self, index: usize) -> &GateDecision {
        &self.decisions[index]
    }
}
