//! Types that a property chooses between: schemas with a `discriminator`, and what stands in their place.
//!
//! The schemas of all documents in; for each such schema the property, and its subtypes with the values that choose
//! them, out. Subtypes are its alternatives; where it has none, the schemas that are put together from it (`allOf`), and
//! those of its `mapping`. Made when first asked for; documents without the word pay nothing.

use super::library::{DocumentSet, PartLocation, PartRole};
use aqueduct_schema::parts;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// Where named schemas stand.
const SECTIONS: [&str; 3] = ["components/schemas", "definitions", "$defs"];
/// Chains of subtypes are followed so far.
const MOST: usize = 5_000;

/// A schema that stands for others.
#[derive(Debug, Clone, Default)]
pub(crate) struct DiscriminatedSchema {
    /// The property that says which one it is.
    pub(crate) property: Box<str>,
    /// The others, each once.
    pub(crate) subtypes: Vec<Subtype>,
    /// It lists them itself (`oneOf`, `anyOf`).
    pub(crate) has_alternatives: bool,
}

/// One of the schemas that a discriminated one stands for.
#[derive(Debug, Clone)]
pub(crate) struct Subtype {
    pub(crate) name: Box<str>,
    pub(crate) node: PartLocation,
    /// The values of the property that mean this one.
    pub(crate) values: Vec<Box<str>>,
}

impl DiscriminatedSchema {
    /// All values that mean one of the subtypes.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        self.subtypes.iter().flat_map(|subtype| subtype.values.iter().map(|value| &**value))
    }
}

/// The discriminated schemas of all documents.
#[derive(Debug, Default)]
pub(super) struct Discriminators {
    by_base: HashMap<PartLocation, DiscriminatedSchema>,
    /// The property and the values of each subtype.
    by_subtype: HashMap<PartLocation, (Box<str>, Vec<Box<str>>)>,
}

/// The schemas that are put together from each, with their names.
type SubtypesByBase = HashMap<PartLocation, Vec<(PartLocation, Box<str>)>>;

impl DocumentSet {
    /// What a named schema stands for, where it has a discriminator.
    pub(crate) fn discriminated(&self, node: &PartLocation) -> Option<&DiscriminatedSchema> {
        self.discriminators().by_base.get(node)
    }

    /// The property and its values that mean this named schema.
    pub(crate) fn chosen_by(&self, node: &PartLocation) -> Option<(&str, &[Box<str>])> {
        self.discriminators().by_subtype.get(node).map(|(property, values)| (&**property, values.as_slice()))
    }

    /// What a schema stands for by its own words: its alternatives, and its mapping.
    pub(super) fn discriminated_in(
        &self,
        schema: &Map<String, Value>,
        document: u32,
    ) -> Option<DiscriminatedSchema> {
        let stated = DeclaredDiscriminator::of(self, schema, document)?;
        let discriminated = self.with_subtypes(&stated, &[]);
        (!discriminated.subtypes.is_empty()).then_some(discriminated)
    }

    fn discriminators(&self) -> &Discriminators {
        self.discriminators.get_or_init(|| Discriminators::of(self))
    }

    fn with_subtypes(
        &self,
        stated: &DeclaredDiscriminator,
        composed: &[(PartLocation, Box<str>)],
    ) -> DiscriminatedSchema {
        let has_alternatives = !stated.alternatives.is_empty();
        let listed = if has_alternatives { &stated.alternatives } else { composed };
        let mapped = stated.mapping.iter().map(|(_, node, name)| (*node, name.clone()));
        let mut discriminated = DiscriminatedSchema {
            property: stated.property.clone(),
            has_alternatives,
            ..DiscriminatedSchema::default()
        };
        let (mut seen, mut taken) = (HashSet::new(), HashSet::new());
        for (node, name) in listed.iter().cloned().chain(mapped) {
            if Some(node) == stated.node || !seen.insert(node) {
                continue;
            }
            let mut values = self.values_of(&node, &name, stated);
            // A value means one of them.
            values.retain(|value| taken.insert(value.clone()));
            discriminated.subtypes.push(Subtype { name, node, values });
        }
        discriminated
    }

    /// The values that mean a subtype: by the mapping, else by its own constant, else its name.
    fn values_of(&self, node: &PartLocation, name: &str, stated: &DeclaredDiscriminator) -> Vec<Box<str>> {
        let mapped = stated.mapping.iter().filter(|(_, target, _)| target == node);
        let mapped: Vec<Box<str>> = mapped.map(|(value, _, _)| value.clone()).collect();
        if !mapped.is_empty() {
            return mapped;
        }
        let schema = self.plain(node);
        if let Some(value) = schema.get("x-ms-discriminator-value").and_then(Value::as_str) {
            return vec![value.into()];
        }
        let fixed = std::iter::once(&schema).chain(parts::conjuncts(&schema)).find_map(|part| {
            let list = parts::listed_values(parts::property(part, &stated.property)?.as_object()?)?;
            let values: Vec<Box<str>> = list.iter().filter_map(Value::as_str).map(Into::into).collect();
            (!values.is_empty()).then_some(values)
        });
        fixed.unwrap_or_else(|| vec![name.into()])
    }
}

/// What a schema with a `discriminator` says of it.
struct DeclaredDiscriminator {
    node: Option<PartLocation>,
    property: Box<str>,
    mapping: Vec<(Box<str>, PartLocation, Box<str>)>,
    alternatives: Vec<(PartLocation, Box<str>)>,
}

impl DeclaredDiscriminator {
    fn of(
        library: &DocumentSet,
        schema: &Map<String, Value>,
        document: u32,
    ) -> Option<DeclaredDiscriminator> {
        let discriminator = parts::discriminator(schema)?;
        let target = |reference: &str| {
            let target = library.target(reference, document, None).ok()?;
            let name = target.name.unwrap_or_default();
            Some((target.node, Box::from(name)))
        };
        let mapping = discriminator.mapping.into_iter().flatten().filter_map(|(value, reference)| {
            let reference = reference.as_str()?;
            let by_name = || target(&format!("#/components/schemas/{reference}"));
            let found = if reference.contains('#') { target(reference) } else { by_name() };
            let (node, name) = found.or_else(|| target(reference))?;
            Some((Box::from(value.as_str()), node, name))
        });
        let references = parts::alternatives(schema).iter().filter_map(parts::reference);
        Some(DeclaredDiscriminator {
            node: None,
            property: discriminator.property.into(),
            mapping: mapping.collect(),
            alternatives: references.filter_map(target).collect(),
        })
    }
}

impl Discriminators {
    fn of(library: &DocumentSet) -> Discriminators {
        let mut found = Discriminators::default();
        if !library.documents.iter().any(|document| document.text.contains("\"discriminator\"")) {
            return found;
        }
        let mut direct_subtypes = SubtypesByBase::new();
        let mut bases: Vec<(PartLocation, DeclaredDiscriminator)> = Vec::new();
        for (number, document) in (0..).zip(&library.documents) {
            let sections = SECTIONS.iter().filter_map(|name| document.outline.section(name));
            for (name, span) in sections.flat_map(|section| section.iter()) {
                let node = PartLocation { document: number, span, role: PartRole::Plain };
                let text = span.of(&document.text);
                let (is_base, is_subtype) = (text.contains("\"discriminator\""), text.contains("\"allOf\""));
                let schema = if is_base || is_subtype { library.plain(&node) } else { continue };
                for reference in parts::conjuncts(&schema).iter().filter_map(parts::reference) {
                    if let Ok(target) = library.target(reference, number, None) {
                        direct_subtypes.entry(target.node).or_default().push((node, name.into()));
                    }
                }
                let stated =
                    schema.as_object().and_then(|schema| DeclaredDiscriminator::of(library, schema, number));
                if let Some(stated) = stated {
                    bases.push((node, DeclaredDiscriminator { node: Some(node), ..stated }));
                }
            }
        }
        for (node, stated) in &bases {
            let all = descendants(*node, &direct_subtypes);
            found.put(*node, library.with_subtypes(stated, &all));
        }
        for (node, stated) in &bases {
            found.between(library, *node, stated, &direct_subtypes);
        }
        found
    }

    fn put(&mut self, base: PartLocation, discriminated: DiscriminatedSchema) {
        if discriminated.subtypes.is_empty() {
            return;
        }
        for subtype in &discriminated.subtypes {
            let known = (discriminated.property.clone(), subtype.values.clone());
            self.by_subtype.entry(subtype.node).or_insert(known);
        }
        self.by_base.insert(base, discriminated);
    }

    /// Subtypes that have subtypes stand for these, by the property of the base.
    fn between(
        &mut self,
        library: &DocumentSet,
        base: PartLocation,
        stated: &DeclaredDiscriminator,
        direct_subtypes: &SubtypesByBase,
    ) {
        for (node, _) in descendants(base, direct_subtypes) {
            if direct_subtypes.contains_key(&node) && !self.by_base.contains_key(&node) {
                let stated = DeclaredDiscriminator {
                    node: Some(node),
                    property: stated.property.clone(),
                    mapping: Vec::new(),
                    alternatives: Vec::new(),
                };
                let mut discriminated = library.with_subtypes(&stated, &descendants(node, direct_subtypes));
                for subtype in &mut discriminated.subtypes {
                    if let Some((_, values)) = self.by_subtype.get(&subtype.node) {
                        subtype.values.clone_from(values);
                    }
                }
                self.put(node, discriminated);
            }
        }
    }
}

/// Everything that is put together from a schema, directly or not.
fn descendants(base: PartLocation, direct_subtypes: &SubtypesByBase) -> Vec<(PartLocation, Box<str>)> {
    let (mut found, mut seen) = (Vec::new(), HashSet::from([base]));
    let mut rest = vec![base];
    while let Some(next) = rest.pop() {
        for (node, name) in direct_subtypes.get(&next).into_iter().flatten() {
            if found.len() < MOST && seen.insert(*node) {
                found.push((*node, name.clone()));
                rest.push(*node);
            }
        }
    }
    found
}
