//! What calls see of the registry: every operation with its decision, and the introspection responses, worked out once.
//!
//! Immutable. A reload builds another catalog and swaps it in; calls in flight finish on the one they started with.

use crate::built_in::relationships::RelationshipIndex;
use crate::catalog_view::CatalogView;
use crate::discovery::{
    OperationIndex, Resources, is_about_looking, request_of_name, sample_request, search, task_sent,
};
use crate::executions::ExecutionIndex;
use crate::introspect::IntrospectionCache;
use crate::update_companion::UpdateCompanions;
use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes};
use aqueduct_operations::category::Category;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::gatekeeper::{GateDecision, GateEffect, PolicyRules};
use aqueduct_operations::limits::Limits;
use aqueduct_operations::naming::namespaced;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::rate_limits::RateLimits;
use aqueduct_operations::registry::Registry;
use aqueduct_operations::target::{BuiltIn, Target};
use aqueduct_search::Explanation;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// One immutable view of everything that can be called.
#[derive(Debug)]
pub struct Catalog {
    rules: Arc<PolicyRules>,
    registry: Registry,
    decisions: Vec<GateDecision>,
    /// The places of operations that a rule treats otherwise for some callers.
    ruled_by_caller: Vec<usize>,
    /// The places of operations that need scopes.
    needing_scopes: Vec<usize>,
    /// By place: whether calls of the operation only read, and never ask their client anything.
    unattended: Vec<bool>,
    /// The place of what to call instead, by the place of the deprecated operation.
    replacements: HashMap<usize, usize>,
    exposure: Exposure,
    introspection: IntrospectionCache,
    companions: UpdateCompanions,
    relationships: RelationshipIndex,
    executions: ExecutionIndex,
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
        let places = |is_meant: &dyn Fn(&RegistryEntry) -> bool| -> Vec<usize> {
            let entries = registry.entries().iter().enumerate();
            entries.filter(|(_, entry)| is_meant(entry)).map(|(index, _)| index).collect()
        };
        let ruled_by_caller = places(&|entry| rules.depends_on_caller(entry));
        let needing_scopes = places(&|entry| !entry.operation.required_scopes.is_empty());
        let entries = registry.entries().iter().zip(&decisions);
        let unattended = entries.map(|(entry, decision)| runs_unattended(&rules, entry, decision)).collect();
        let introspection = IntrospectionCache::prepare(&registry, &exposure, limits);
        let companions = UpdateCompanions::of(registry.entries());
        let relationships = RelationshipIndex::of(&registry);
        let executions = ExecutionIndex::of(&registry);
        Catalog {
            rules,
            replacements: replacements(&registry),
            registry,
            decisions,
            ruled_by_caller,
            needing_scopes,
            unattended,
            exposure,
            introspection,
            companions,
            relationships,
            executions,
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

    /// A call of an operation of this server itself, where it is served.
    pub fn built_in_call(&self, built_in: BuiltIn, params: Value, origin: CallOrigin) -> Option<Call> {
        let is_it = |entry: &&Arc<RegistryEntry>| matches!(entry.operation.target, Target::BuiltIn(other) if other == built_in);
        let entry = self.registry.entries().iter().find(is_it)?;
        let mut arguments = Map::new();
        arguments.insert("operation".to_owned(), entry.public_name.as_str().into());
        arguments.insert("params".to_owned(), params);
        Some(Call { arguments, origin })
    }

    /// What holds for everybody.
    pub fn common_view(&self) -> CatalogView<'_> {
        CatalogView::common(self)
    }

    /// What this caller sees.
    pub fn view_of(&self, caller: &Caller, scopes: &Scopes) -> CatalogView<'_> {
        CatalogView::of(self, caller, scopes)
    }

    /// True when no caller sees anything else than the others do.
    pub fn is_the_same_for_all(&self) -> bool {
        self.ruled_by_caller.is_empty() && self.needing_scopes.is_empty()
    }

    /// True when a call of this operation only reads, and never asks its client anything on the way, for any caller with any
    /// values.
    pub fn runs_unattended(&self, name: &str) -> bool {
        self.find(name).is_some_and(|(index, ..)| self.unattended[index])
    }

    pub(crate) fn ruled_by_caller(&self) -> &[usize] {
        &self.ruled_by_caller
    }

    pub(crate) fn needing_scopes(&self) -> &[usize] {
        &self.needing_scopes
    }

    /// The places of what to call instead of deprecated operations, by their places.
    pub(crate) fn replacements(&self) -> &HashMap<usize, usize> {
        &self.replacements
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

    /// A request in the words of this server, to show how the search is used.
    pub fn sample_request(&self) -> &str {
        self.sample_request.get_or_init(|| sample_request(&self.common_view()))
    }

    /// The words of a name that nothing has, as a request to search with.
    pub fn request_of_name(&self, name: &str) -> String {
        request_of_name(self, name)
    }

    /// What a call of something that does not exist looks for, as a request to search with: the task in its arguments, where its
    /// name says only that something is looked for, or any request of this server; else the words of the name.
    pub fn request_of_call(&self, name: &str, arguments: &Map<String, Value>) -> String {
        let params = arguments.get("params").and_then(Value::as_object);
        let places: Vec<&Map<String, Value>> = params.into_iter().chain([arguments]).collect();
        // The words of such a name find nothing.
        match is_about_looking(name) {
            true => task_sent(&places).unwrap_or_else(|| self.sample_request().to_owned()),
            false => self.request_of_name(name),
        }
    }

    /// The operations that serve a request best, each with where its score comes from, for people who ask why.
    pub fn explain_search(
        &self,
        request: &str,
        admits: impl Fn(&RegistryEntry) -> bool,
        most: usize,
    ) -> Vec<(&RegistryEntry, Explanation)> {
        let found = search(&self.common_view(), request, admits, most);
        let index = self.search_index();
        let explained = |(place, parts)| Some((self.placed(place), index.explain(request, place, parts)?));
        found.matches.into_iter().zip(found.parts).filter_map(explained).collect()
    }

    /// The relationships of all sources.
    pub(crate) fn relationships(&self) -> &RelationshipIndex {
        &self.relationships
    }

    /// The operations that start executions.
    pub(crate) fn executions(&self) -> &ExecutionIndex {
        &self.executions
    }

    /// True when an operation starts work that goes on after its call.
    pub fn starts_executions(&self) -> bool {
        !self.executions.is_empty()
    }

    /// The operation in this place of the registry.
    pub(crate) fn placed(&self, index: usize) -> &RegistryEntry {
        &self.registry.entries()[index]
    }

    pub(crate) fn decision(&self, index: usize) -> &GateDecision {
        &self.decisions[index]
    }
}

/// True for a READ that can ask its client nothing.
/// Questions come from tools of other servers, from confirmations, and from quotas that pause.
fn runs_unattended(rules: &PolicyRules, entry: &RegistryEntry, decision: &GateDecision) -> bool {
    let is_plain = matches!(entry.operation.target, Target::Http(_) | Target::BuiltIn(BuiltIn::Introspect));
    let pauses = |limits: &Arc<RateLimits>| limits.quotas.limits.iter().any(|quota| quota.pause.is_some());
    entry.operation.category == Category::Read
        && is_plain
        && decision.effect == GateEffect::Allow
        && !rules.depends_on_call(entry)
        && !entry.source.rate_limits.as_ref().is_some_and(pauses)
}

/// For each deprecated operation the one to call instead: the one of its own source by that name, else any. What names nothing
/// that is here is left out.
fn replacements(registry: &Registry) -> HashMap<usize, usize> {
    let replacement = |entry: &RegistryEntry| {
        let name = entry.operation.deprecated.as_ref()?.replacement.as_ref()?;
        let found = registry.find(&namespaced(&entry.source.name, name)).or_else(|| registry.find(name))?;
        Some(found.0)
    };
    let entries = registry.entries().iter().enumerate();
    entries.filter_map(|(index, entry)| Some((index, replacement(entry)?))).collect()
}
