//! The catalog as one caller sees it: without what this caller may not call.
//!
//! A catalog, a caller and scopes in; the operations that may be shown, with this caller's decisions, out. Where neither scopes
//! nor rules by caller make a difference the view is the common one, for which texts are written once per catalog.

use crate::catalog::Catalog;
use crate::discovery::{NounGroup, groups, sample_request_for, topics};
use aqueduct_operations::call::{Caller, Scopes};
use aqueduct_operations::gatekeeper::{GateDecision, Permission};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::Target;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A source with fewer topics is described by its nouns.
const FEW_TOPICS: usize = 4;

/// What one caller sees of a catalog.
#[derive(Debug, Clone)]
pub struct CatalogView<'c> {
    catalog: &'c Catalog,
    /// Whose view it is; none where it is everybody's.
    caller: Option<Caller>,
    /// The decisions that are others for this caller, by their places in the registry.
    own: HashMap<usize, GateDecision>,
    /// The places of operations that need a scope which the caller does not have.
    out_of_scope: HashSet<usize>,
}

impl<'c> CatalogView<'c> {
    /// What holds for everybody.
    pub(crate) fn common(catalog: &'c Catalog) -> CatalogView<'c> {
        CatalogView { catalog, caller: None, own: HashMap::new(), out_of_scope: HashSet::new() }
    }

    /// What holds for this caller. Costs nothing where no operation needs scopes and no rule names callers.
    pub(crate) fn of(catalog: &'c Catalog, caller: &Caller, scopes: &Scopes) -> CatalogView<'c> {
        let own = catalog.ruled_by_caller().iter().filter_map(|index| {
            let decision = GateDecision::for_caller(catalog.rules(), catalog.placed(*index), caller);
            (decision != *catalog.decision(*index)).then_some((*index, decision))
        });
        let is_missing =
            |index: &&usize| scopes.missing(&catalog.placed(**index).operation.required_scopes).is_some();
        let out_of_scope = catalog.needing_scopes().iter().filter(is_missing).copied();
        CatalogView {
            catalog,
            caller: Some(caller.clone()),
            own: own.collect(),
            out_of_scope: out_of_scope.collect(),
        }
    }

    /// The catalog, for what is the same for all callers.
    pub fn catalog(&self) -> &'c Catalog {
        self.catalog
    }

    /// True when this caller sees what everybody sees.
    pub fn is_common(&self) -> bool {
        self.own.is_empty() && self.out_of_scope.is_empty()
    }

    /// True when the texts of operations are the common ones, though some may not be shown.
    pub(crate) fn has_common_texts(&self) -> bool {
        let is_lost = |index: &usize| !self.shows(*index) && !self.catalog.decision(*index).is_hidden();
        self.own.values().all(GateDecision::is_hidden) && !self.catalog.replacements().values().any(is_lost)
    }

    /// The public name of what to call instead of the deprecated operation in this place, if that may be called.
    pub(crate) fn replacement_of(&self, index: usize) -> Option<&'c str> {
        let replacement = *self.catalog.replacements().get(&index)?;
        self.shows(replacement).then(|| self.catalog.placed(replacement).public_name.as_str())
    }

    /// The decision on the operation in this place.
    pub(crate) fn decision(&self, index: usize) -> &GateDecision {
        self.own.get(&index).unwrap_or_else(|| self.catalog.decision(index))
    }

    /// What else calls of the operation in this place may come to, by rules that look at their values.
    pub(crate) fn by_call(&self, index: usize) -> Vec<(Permission, String)> {
        let (rules, entry) = (self.catalog.rules(), self.catalog.placed(index));
        self.decision(index).by_call(rules, entry, self.caller.as_ref())
    }

    /// True when the operation in this place may be shown.
    pub(crate) fn shows(&self, index: usize) -> bool {
        !self.out_of_scope.contains(&index) && !self.decision(index).is_hidden()
    }

    /// True when neither scopes nor rules by caller decide on the operation in this place.
    pub(crate) fn is_for_everybody(&self, index: usize) -> bool {
        let is_in = |places: &[usize]| places.binary_search(&index).is_ok();
        !is_in(self.catalog.needing_scopes()) && !is_in(self.catalog.ruled_by_caller())
    }

    /// The operation with this name, unless it may not be shown.
    pub fn find(&self, name: &str) -> Option<(usize, &'c RegistryEntry, &GateDecision)> {
        let (index, entry) = self.catalog.registry().find(name)?;
        self.shows(index).then(|| (index, entry, self.decision(index)))
    }

    /// The operations that may be shown, with their places.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (usize, &'c RegistryEntry)> {
        let entries = self.catalog.registry().entries().iter().map(Arc::as_ref).enumerate();
        entries.filter(|(index, _)| self.shows(*index))
    }

    /// The operations that may be shown.
    pub fn visible(&self) -> impl Iterator<Item = &'c RegistryEntry> {
        self.placed().map(|(_, entry)| entry)
    }

    /// The sources, without those of which others may call something and this caller nothing.
    pub fn sources(&self) -> Vec<&'c Arc<Source>> {
        let own: HashSet<&str> = self.visible().map(|entry| entry.source.name.as_str()).collect();
        let all: HashSet<&str> =
            self.catalog.visible().map(|(entry, _)| entry.source.name.as_str()).collect();
        let is_shown = |name: &str| own.contains(name) || !all.contains(name);
        self.catalog.registry().sources().iter().filter(|source| is_shown(&source.name)).collect()
    }

    /// How many operations are not shown.
    pub fn hidden_count(&self) -> usize {
        self.catalog.registry().entries().len() - self.placed().count()
    }

    /// What the admitted operations are about, by source and topic, the commonest first; by noun where a source has hardly any
    /// topics.
    pub fn topics(&self, admits: impl Fn(&RegistryEntry) -> bool) -> Vec<NounGroup<'c>> {
        let resources = self.catalog.resources();
        let shown = || {
            let of_sources =
                self.placed().filter(|(_, entry)| !matches!(entry.operation.target, Target::BuiltIn(_)));
            of_sources.filter(|(_, entry)| admits(entry))
        };
        let topics = topics(shown(), resources);
        let has_topics =
            |source: &str| topics.iter().filter(|topic| topic.source == source).count() >= FEW_TOPICS;
        let nouns = groups(shown(), resources).into_iter().filter(|noun| !has_topics(noun.source));
        let mut chosen: Vec<NounGroup<'c>> =
            topics.iter().filter(|topic| has_topics(topic.source)).cloned().collect();
        chosen.extend(nouns);
        chosen
    }

    /// A request in the words of this server for one of the operations that are admitted, to show how the search is used. It is
    /// about what everybody may call.
    pub fn sample_request_for(&self, admits: impl Fn(&RegistryEntry) -> bool) -> Option<String> {
        sample_request_for(self, admits)
    }
}

#[cfg(test)]
mod tests;
