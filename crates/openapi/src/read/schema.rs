//! Schemas that stand on their own: every reference leads to a definition inside, in the words of JSON Schema 2020-12.
//!
//! A schema of any of the versions in; a complete document out, its reachable definitions under `$defs`, cycles kept
//! as references. A definition is the same in every schema that leads to it, under the same name. What leads nowhere, or
//! would make it too large, accepts anything and is reported.

mod cycles;
mod dialect;
mod discriminated;
mod names;

pub(super) use names::DefinitionNames;

use super::library::{DocumentSet, PartLocation, SpecVersion};
use super::references::IdentifiedSchema;
use aqueduct_schema::definitions::{self, DefinitionLimits, LOCAL};
use aqueduct_schema::{Definitions, parts};
use aqueduct_source_kind::document_location::DocumentLocation;
use cycles::ReferenceCycles;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Longer chains of references are taken for cycles.
const MAX_HOPS: usize = 64;

/// A schema with what is to be told about it.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaWithNotes {
    /// The schema.
    pub schema: Value,
    /// What was replaced or left out.
    pub warnings: Vec<String>,
}

impl DocumentSet {
    /// The schema, complete in itself. `from` says in which document the value stands.
    pub fn schema(&self, value: &Value, from: &PartLocation) -> Value {
        self.schema_with_notes(value, from).schema
    }

    /// The schema, complete in itself, and what was lost on the way.
    pub fn schema_with_notes(&self, value: &Value, from: &PartLocation) -> SchemaWithNotes {
        let mut builder = SchemaBuilder::new(self);
        let mut schema = builder.own(value, from);
        let limits = DefinitionLimits::OF_ONE;
        let cut = definitions::complete(&mut schema, limits, &mut |name| builder.definition(name));
        let SchemaBuilder { mut warnings, .. } = builder;
        if let Some(first) = cut.first() {
            let DefinitionLimits { definitions, size } = limits;
            warnings.push(format!(
                "a schema with more than {definitions} definitions or {size} bytes is cut: '{first}' and {} more accept anything",
                cut.len() - 1
            ));
        }
        SchemaWithNotes { schema, warnings }
    }

    /// The schema without its definitions, which it refers to by the names that they have everywhere.
    pub(crate) fn schema_alone(&self, value: &Value, from: &PartLocation) -> Value {
        SchemaBuilder::new(self).own(value, from)
    }
}

impl Definitions for DocumentSet {
    fn reachable(&self, names: BTreeSet<String>) -> BTreeMap<String, Value> {
        let mut builder = SchemaBuilder::new(self);
        definitions::reach(names, DefinitionLimits::ALL, &mut |name| builder.definition(name)).definitions
    }
}

/// Where a schema stands while it is rewritten.
#[derive(Debug, Clone)]
struct SchemaContext {
    document: u32,
    resource: Option<IdentifiedSchema>,
}

/// Which of the definitions of one schema is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum DefinitionVariant {
    /// With everything that it stands for.
    Whole,
    /// By itself, for the subtypes that are put together from it.
    Alone,
}

/// Rewrites schemas, and remembers what it needs more than once.
struct SchemaBuilder<'l> {
    library: &'l DocumentSet,
    /// Definitions that are nothing but a reference, with that; nothing for those that are more.
    passed: HashMap<PartLocation, Option<String>>,
    /// Definitions that cycles were looked for in and that no one has asked for yet.
    made: HashMap<String, Value>,
    cycles: ReferenceCycles,
    warnings: Vec<String>,
}

impl<'l> SchemaBuilder<'l> {
    fn new(library: &'l DocumentSet) -> SchemaBuilder<'l> {
        SchemaBuilder {
            library,
            passed: HashMap::new(),
            made: HashMap::new(),
            cycles: ReferenceCycles::default(),
            warnings: Vec::new(),
        }
    }

    /// A schema without its definitions.
    fn own(&mut self, value: &Value, from: &PartLocation) -> Value {
        let context = SchemaContext { document: from.document, resource: None };
        let is_definition = (self.library.discriminated(from).is_some()
            || self.library.chosen_by(from).is_some())
            && value.get("$ref").is_none()
            && *value == self.library.plain(from);
        let mut schema = if is_definition {
            self.of_definition(*from, DefinitionVariant::Whole, None)
        } else {
            self.rewrite(value, &context)
        };
        // It may be a copy of a definition that is on a cycle.
        if parts::has_one_of(&schema)
            && cycles::leads_to(&schema).iter().any(|name| self.explored(name).is_loose(name))
        {
            parts::any_for_one_of(&mut schema);
        }
        schema
    }

    /// The definition of this name, without the cycles that it is on.
    fn definition(&mut self, name: &str) -> Option<Value> {
        self.explored(name);
        let mut schema = self.made.remove(name).or_else(|| self.raw(name))?;
        self.cycles.cut(name, &mut schema, &mut self.warnings);
        Some(schema)
    }

    /// The cycles, once they are known for all that this definition asks for.
    fn explored(&mut self, name: &str) -> &ReferenceCycles {
        let mut cycles = std::mem::take(&mut self.cycles);
        cycles.explore(name, &mut |name| {
            let Some(schema) = self.raw(name) else { return Vec::new() };
            let leads_to = cycles::leads_to(&schema);
            self.made.insert(name.to_owned(), schema);
            leads_to
        });
        self.cycles = cycles;
        &self.cycles
    }

    fn raw(&mut self, name: &str) -> Option<Value> {
        let (node, variant) = self.library.names().meaning(name)?;
        Some(self.of_definition(node, variant, Some(name)))
    }

    fn version(&self, context: &SchemaContext) -> SpecVersion {
        self.library.dialect(context.document)
    }

    fn warn(&mut self, warning: String) {
        if self.warnings.len() < 100 && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// The name of the definition that a reference leads to; none when any value is accepted instead.
    fn named(&mut self, reference: &str, context: &SchemaContext) -> Option<String> {
        let (mut reference, mut document) = (reference.to_owned(), context.document);
        let mut resource = context.resource.clone();
        let mut name = None;
        for _ in 0..MAX_HOPS {
            let target = match self.library.target(&reference, document, resource.as_ref()) {
                Ok(target) => target,
                Err(problem) => {
                    self.warn(format!("{problem}; any value is accepted in its place"));
                    return None;
                }
            };
            name = target.name.or(name);
            // Definitions that are nothing but a reference are passed through: a cycle of them would never end.
            match self.next(&target.node) {
                Some(next) => {
                    reference = next;
                    document = target.node.document;
                    resource = None;
                }
                None => {
                    return Some(self.library.names().of(
                        target.node,
                        DefinitionVariant::Whole,
                        name.as_deref(),
                    ));
                }
            }
        }
        self.warn(format!(
            "the reference '{reference}' refers back to itself; any value is accepted in its place"
        ));
        None
    }

    /// The reference that is all there is of a definition.
    fn next(&mut self, node: &PartLocation) -> Option<String> {
        let library = self.library;
        let only = || {
            let found = library.plain(node);
            let members = found.as_object().filter(|members| members.len() == 1)?;
            members.get("$ref").and_then(Value::as_str).map(str::to_owned)
        };
        self.passed.entry(*node).or_insert_with(only).clone()
    }

    /// What a reference becomes.
    fn reference(&mut self, reference: &str, context: &SchemaContext) -> Value {
        match self.named(reference, context) {
            Some(name) => json!({ "$ref": format!("{LOCAL}{name}") }),
            None => Value::Bool(true),
        }
    }

    /// The context below a schema that gives itself a name.
    fn below(&self, members: &Map<String, Value>, context: &SchemaContext) -> Option<SchemaContext> {
        let id = members.get("$id").and_then(Value::as_str).filter(|id| !id.starts_with('#'))?;
        let base: &DocumentLocation = match &context.resource {
            Some(resource) => &resource.place,
            None => &self.library.document(context.document)?.place,
        };
        let place = base.join(id.split('#').next().unwrap_or_default());
        let node = self.library.by_id(&place.key());
        Some(SchemaContext { document: context.document, resource: Some(IdentifiedSchema { place, node }) })
    }
}
