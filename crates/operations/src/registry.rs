//! All operations of all sources, by public name. Immutable: a reload builds another one.
//!
//! Loaded sources in, a registry and diagnostics of clashes out.

pub mod execution_entries;
pub mod introspect_entry;
mod problem;
mod relationships_entry;
mod type_names;

pub use problem::SourceProblem;

use crate::autonomy::SafetyMode;
use crate::naming::namespaced;
use crate::operation::{Operation, RegistryEntry};
use crate::source::Source;
use crate::target::Target;
use crate::types::TypeDef;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// A source with its operations, as a loader hands them over.
#[derive(Debug, Clone)]
pub struct LoadedSource {
    /// The source.
    pub source: Source,
    /// Its operations, in the order of the file.
    pub operations: Vec<Operation>,
}

/// A loaded source that is shared: clones are cheap.
#[derive(Debug, Clone)]
pub struct SharedSource {
    /// The source.
    pub source: Arc<Source>,
    /// Its operations, in the order of the file.
    pub operations: Vec<Arc<Operation>>,
}

impl From<LoadedSource> for SharedSource {
    fn from(loaded: LoadedSource) -> SharedSource {
        let operations = loaded.operations.into_iter().map(Arc::new).collect();
        SharedSource { source: Arc::new(loaded.source), operations }
    }
}

impl SharedSource {
    /// A copy of its own for a caller that wants to change it.
    pub fn to_loaded(&self) -> LoadedSource {
        let operations = self.operations.iter().map(|operation| Operation::clone(operation)).collect();
        LoadedSource { source: Source::clone(&self.source), operations }
    }
}

/// A source with the public names of its operations and types. It is made once and shared by every registry that it is in.
#[derive(Debug)]
pub struct PublishedSource {
    source: Arc<Source>,
    entries: Vec<Arc<RegistryEntry>>,
}

impl PublishedSource {
    /// Gives the operations and types of a source their public names. Only what names a type is copied for that.
    pub fn new(mut shared: SharedSource, names: NamingScheme) -> PublishedSource {
        if names == NamingScheme::Namespaced {
            type_names::qualify(&mut shared);
        }
        let SharedSource { source, operations } = shared;
        let entry = |operation: Arc<Operation>| {
            let public_name = match names {
                NamingScheme::Bare => operation.name.clone(),
                NamingScheme::Namespaced => namespaced(&source.name, &operation.name),
            };
            Arc::new(RegistryEntry { public_name, operation, source: Arc::clone(&source) })
        };
        let entries = operations.into_iter().map(entry).collect();
        PublishedSource { source, entries }
    }
}

/// How public names are made (ruling N2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamingScheme {
    /// One source: names as they are.
    Bare,
    /// Several sources: `<source>__<operation>`.
    Namespaced,
}

/// Two sources that cannot be distinguished.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceClash {
    /// The same source name twice.
    #[error(
        "two sources are named '{0}'; give each its own name in aqueduct.toml: [sources.NAME] with from = \"FILE\""
    )]
    Source(String),
    /// Credentials of one source would be read for another.
    #[error(
        "the sources '{first}' and '{second}' would both read the variable {variable}; name one of them otherwise in \
         aqueduct.toml, or set its credentials with --auth-env {second}=VARIABLE"
    )]
    Variable {
        /// The variable.
        variable: String,
        /// The source that has it.
        first: String,
        /// The source that would have it too.
        second: String,
    },
    /// The same public name twice.
    #[error("two operations are named '{0}'; rename one of them")]
    Operation(String),
}

/// What the server offers besides its sources.
#[derive(Debug, Clone, Default)]
pub struct OwnOperations {
    /// Operations that keep their names, whatever the sources are called.
    pub entries: Vec<Arc<RegistryEntry>>,
    /// How agents are watched.
    pub safety: SafetyFacts,
}

/// What introspection says about the watch over agents.
#[derive(Debug, Clone, Default)]
pub struct SafetyFacts {
    /// Whether it is on.
    pub mode: SafetyMode,
    /// How far agents may go, where it is.
    pub settings: Option<Value>,
}

/// The immutable set of operations that a server offers.
#[derive(Debug)]
pub struct Registry {
    entries: Vec<Arc<RegistryEntry>>,
    by_name: HashMap<String, usize>,
    sources: Vec<Arc<Source>>,
    problems: Vec<SourceProblem>,
    safety: SafetyFacts,
}

impl Registry {
    /// Puts the sources together. `introspect` is always there; `query_relationships` when there are any to query,
    /// and operations on executions when something starts them.
    pub fn build(loaded: Vec<LoadedSource>, names: NamingScheme) -> Result<Registry, SourceClash> {
        let published: Vec<PublishedSource> =
            loaded.into_iter().map(|loaded| PublishedSource::new(loaded.into(), names)).collect();
        Registry::of(&published, &OwnOperations::default(), names)
    }

    /// The same of sources that have their public names; nothing of them is copied.
    pub fn of<'a>(
        published: impl IntoIterator<Item = &'a PublishedSource>,
        own: &OwnOperations,
        names: NamingScheme,
    ) -> Result<Registry, SourceClash> {
        let mut registry = Registry {
            entries: Vec::new(),
            by_name: HashMap::new(),
            sources: Vec::new(),
            problems: Vec::new(),
            safety: own.safety.clone(),
        };
        for PublishedSource { source, entries } in published {
            if registry.sources.iter().any(|each| each.name == source.name) {
                return Err(SourceClash::Source(source.name.clone()));
            }
            registry.check_variables(source)?;
            registry.sources.push(Arc::clone(source));
            for entry in entries {
                registry.add(Arc::clone(entry))?;
            }
        }
        let is_taken = |name: &str| {
            registry.entries.iter().any(|each| each.public_name == name || each.operation.name == name)
        };
        let mut built_in = execution_entries::entries(&registry.entries, is_taken);
        built_in.extend(relationships_entry::entry(&registry.sources, is_taken).map(Arc::new));
        for entry in built_in {
            registry.add(entry)?;
        }
        for entry in &own.entries {
            registry.add(Arc::clone(entry))?;
        }
        registry.add(Arc::new(introspect_entry::entry()))?;
        match names {
            NamingScheme::Namespaced => registry.add_bare_names(),
            NamingScheme::Bare => registry.add_full_names(),
        }
        Ok(registry)
    }

    /// Refuses a source that would read the credentials of another one.
    fn check_variables(&self, source: &Source) -> Result<(), SourceClash> {
        for other in &self.sources {
            let shared = source.own_variables.iter().find(|name| other.own_variables.contains(name));
            if let Some(variable) = shared {
                return Err(SourceClash::Variable {
                    variable: variable.clone(),
                    first: other.name.clone(),
                    second: source.name.clone(),
                });
            }
        }
        Ok(())
    }

    fn add(&mut self, entry: Arc<RegistryEntry>) -> Result<(), SourceClash> {
        let name = entry.public_name.clone();
        if self.by_name.insert(name.clone(), self.entries.len()).is_some() {
            return Err(SourceClash::Operation(name));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// With one source the name with its namespace works too, so that names go on working when another one is added.
    fn add_full_names(&mut self) {
        for (index, entry) in self.entries.iter().enumerate() {
            let is_own = self.sources.iter().all(|source| source.name != entry.source.name);
            if !is_own && !matches!(entry.operation.target, Target::BuiltIn(_)) {
                let name = namespaced(&entry.source.name, &entry.operation.name);
                self.by_name.entry(name).or_insert(index);
            }
        }
    }

    /// A bare name works too while only one source has it.
    fn add_bare_names(&mut self) {
        let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, entry) in self.entries.iter().enumerate() {
            holders.entry(&entry.operation.name).or_default().push(index);
        }
        let unique: Vec<(String, usize)> = holders
            .into_iter()
            .filter(|(_, indexes)| indexes.len() == 1)
            .map(|(name, indexes)| (name.to_owned(), indexes[0]))
            .collect();
        for (name, index) in unique {
            self.by_name.entry(name).or_insert(index);
        }
    }

    /// The operation with this name.
    pub fn find(&self, name: &str) -> Option<(usize, &RegistryEntry)> {
        let index = *self.by_name.get(name)?;
        Some((index, &self.entries[index]))
    }

    /// Every operation, in the order of sources and files, `introspect` last.
    pub fn entries(&self) -> &[Arc<RegistryEntry>] {
        &self.entries
    }

    /// The same with other settings for agents: sources have their say in them.
    #[must_use]
    pub fn with_safety_settings(mut self, settings: Value) -> Registry {
        self.safety.settings = Some(settings);
        self
    }

    /// How agents are watched.
    pub fn safety(&self) -> &SafetyFacts {
        &self.safety
    }

    /// Every source.
    pub fn sources(&self) -> &[Arc<Source>] {
        &self.sources
    }

    /// The same, with what is wrong with the files behind it.
    #[must_use]
    pub fn with_problems(mut self, problems: Vec<SourceProblem>) -> Registry {
        self.problems = problems;
        self
    }

    /// The sources that are not as their files say.
    pub fn problems(&self) -> &[SourceProblem] {
        &self.problems
    }

    /// Every type that a source declares, under its public name.
    pub fn types(&self) -> impl Iterator<Item = &TypeDef> {
        self.sources.iter().flat_map(|source| &source.types)
    }
}

#[cfg(test)]
mod tests;
