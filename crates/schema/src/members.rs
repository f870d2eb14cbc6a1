//! The fields of an object schema, with those of everything it is put together from (`allOf`).
//!
//! A schema in; its fields in order out, and whether they say all of it. A base whose `discriminator` chooses a type has
//! the fields of all its subtypes. Circles end, and so do very deep schemas.

use crate::keywords::stated_types;
use crate::resolver::{SchemaDiscriminator, SchemaResolver};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// `allOf` is followed so deep.
const DEPTH: usize = 12;
/// A base with more subtypes than this is one value, not a list of fields.
const MOST_SUBTYPES: usize = 24;
/// So many values are named in a description.
const MOST_NAMED: usize = 5;
/// And so is one with more fields than this, all subtypes together.
const MOST_FIELDS: usize = 120;

/// One field.
#[derive(Debug)]
pub struct SchemaMember<L> {
    /// Its name.
    pub name: String,
    /// Its schema.
    pub schema: Value,
    /// Where that stands.
    pub location: L,
    /// Must be there.
    pub is_required: bool,
    /// A schema describes it; else it is only required.
    pub is_declared: bool,
    /// The values of the choosing property with which it goes; none when it always does.
    pub only_with: Vec<DiscriminatorCondition>,
}

/// A value of the property that chooses a type, for a field of that type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscriminatorCondition {
    /// The value.
    pub value: Box<str>,
    /// The field must be there with it.
    pub is_required: bool,
}

/// What an object schema declares.
#[derive(Debug)]
pub struct SchemaMembers<L> {
    /// Its fields, in order.
    pub list: Vec<SchemaMember<L>>,
    /// The schema is of an object and nothing else.
    pub is_object: bool,
    /// Other fields than these are welcome.
    pub is_open: bool,
    /// Other fields than these are refused.
    pub is_closed: bool,
    /// Some part of it is no object.
    pub has_other_types: bool,
    /// Keywords of alternatives that may have fields of their own.
    pub alternatives: Vec<&'static str>,
    /// It stands for more types, or more fields, than can be listed.
    pub is_too_large: bool,
    /// Rules about several fields together, by keyword.
    pub rules: Vec<&'static str>,
    /// The property that chooses a type, and its values.
    pub chooses: Option<(String, Vec<Box<str>>)>,
    required: Vec<String>,
    /// Where each field is in the list, and which are required.
    places: HashMap<String, usize>,
    is_required: HashSet<String>,
    visited: HashSet<L>,
}

impl<L> Default for SchemaMembers<L> {
    fn default() -> SchemaMembers<L> {
        SchemaMembers {
            list: Vec::new(),
            is_object: false,
            is_open: false,
            is_closed: false,
            has_other_types: false,
            alternatives: Vec::new(),
            is_too_large: false,
            rules: Vec::new(),
            chooses: None,
            required: Vec::new(),
            places: HashMap::new(),
            is_required: HashSet::new(),
            visited: HashSet::new(),
        }
    }
}

/// Rules that hold for the object as a whole.
const RULES: [&str; 8] = [
    "not",
    "if",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "minProperties",
    "maxProperties",
    "propertyNames",
];

impl<L> SchemaMember<L> {
    /// With which values of the property it goes, in words.
    pub fn condition(&self, property: &str) -> Option<String> {
        let first = self.only_with.first()?;
        let shown: Vec<&str> = self.only_with.iter().take(MOST_NAMED).map(|with| &*with.value).collect();
        let rest = self.only_with.len().saturating_sub(MOST_NAMED);
        let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
        let is_required = first.is_required && self.only_with.iter().all(|with| with.is_required);
        let word = if is_required { "Required with" } else { "With" };
        Some(format!("{word} {property}: {}{more}", shown.join(", ")))
    }
}

impl<L: Copy + Eq + Hash> SchemaMembers<L> {
    /// The fields of a schema that stands at `from`.
    pub fn of(resolver: &impl SchemaResolver<Location = L>, schema: &Value, from: &L) -> SchemaMembers<L> {
        let mut members = SchemaMembers::default();
        members.collect(resolver, schema, from, DEPTH);
        members.mark_required(from);
        // What stands in place has no name, so nothing is put together from it.
        if schema.get("$ref").is_some()
            && let Some(found) = resolver.resolve(schema, from)
            && let Some(discriminator) = resolver.discriminator(&found.location)
        {
            members.add_subtypes(resolver, discriminator);
        }
        members
    }

    /// True when its fields do not say all of it.
    pub fn has_alternatives(&self) -> bool {
        self.has_other_types || self.is_too_large || !self.alternatives.is_empty()
    }

    fn mark_required(&mut self, from: &L) {
        for name in std::mem::take(&mut self.required) {
            match self.places.get(&name).map(|place| &mut self.list[*place]) {
                Some(member) => member.is_required = true,
                // Required, but described nowhere: anything will do.
                None => self.list.push(SchemaMember {
                    name,
                    schema: Value::Bool(true),
                    location: *from,
                    is_required: true,
                    is_declared: false,
                    only_with: Vec::new(),
                }),
            }
        }
    }

    /// Adds the fields of the types that a base stands for, each with the values that it goes with.
    fn add_subtypes(
        &mut self,
        resolver: &impl SchemaResolver<Location = L>,
        discriminator: SchemaDiscriminator<'_, L>,
    ) {
        let SchemaDiscriminator { property, values, subtypes } = discriminator;
        self.chooses = Some((property.to_owned(), values));
        if subtypes.len() > MOST_SUBTYPES {
            self.is_too_large = true;
            return;
        }
        let common = self.list.len();
        for subtype in &subtypes {
            let mut own = SchemaMembers::default();
            own.collect(resolver, &(subtype.schema)(), &subtype.location, DEPTH);
            own.mark_required(&subtype.location);
            self.has_other_types |= own.has_other_types;
            self.alternatives.extend(own.alternatives);
            self.is_open |= own.is_open;
            self.rules.extend(own.rules);
            for member in own.list {
                self.add_variant(resolver, member, subtype.values, common);
            }
        }
        self.rules.sort_unstable();
        self.rules.dedup();
        self.is_too_large |= self.list.len() > MOST_FIELDS;
    }

    fn add_variant(
        &mut self,
        resolver: &impl SchemaResolver<Location = L>,
        member: SchemaMember<L>,
        values: &[Box<str>],
        common: usize,
    ) {
        let is_required = member.is_required;
        let with = values.iter().map(|value| DiscriminatorCondition { value: value.clone(), is_required });
        match self.list.iter_mut().enumerate().find(|(_, known)| known.name == member.name) {
            // What all of them have stays as the base has it.
            Some((index, _)) if index < common => {}
            Some((_, known)) => {
                known.only_with.extend(with);
                let is_near = resolver.document(&known.location) == resolver.document(&member.location);
                if known.schema != member.schema {
                    let either = json!({"anyOf": [known.schema.take(), member.schema]});
                    known.schema = if is_near { either } else { Value::Bool(true) };
                }
            }
            None => {
                let only_with = with.collect();
                self.list.push(SchemaMember { is_required: false, only_with, ..member });
            }
        }
    }

    fn collect(
        &mut self,
        resolver: &impl SchemaResolver<Location = L>,
        schema: &Value,
        from: &L,
        depth: usize,
    ) {
        let Some(found) = resolver.resolve(schema, from).filter(|_| depth > 0) else { return };
        // Each part that is referred to counts once, however many ways lead to it.
        if schema.get("$ref").is_some() && !self.visited.insert(found.location) {
            return;
        }
        let Some(object) = found.value.as_object() else { return };
        let mut types = stated_types(object);
        if object.get("type").is_some_and(Value::is_array) {
            types.retain(|name| *name != "null");
        }
        let properties = object.get("properties").and_then(Value::as_object);
        if types == ["object"] || (types.is_empty() && properties.is_some()) {
            self.is_object = true;
        } else if !types.is_empty() {
            self.has_other_types = true;
        }
        for (name, schema) in properties.into_iter().flatten() {
            self.add(resolver, name, schema, found.location);
        }
        let required = object.get("required").and_then(Value::as_array).into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            if self.is_required.insert(name.to_owned()) {
                self.required.push(name.to_owned());
            }
        }
        let welcomes = |key: &str| object.get(key).is_some_and(|value| *value != Value::Bool(false));
        self.is_open |= welcomes("additionalProperties")
            || object
                .get("patternProperties")
                .and_then(Value::as_object)
                .is_some_and(|each| !each.is_empty());
        let refuses = |key: &str| object.get(key) == Some(&Value::Bool(false));
        self.is_closed |= refuses("additionalProperties") || refuses("unevaluatedProperties");
        for key in ["oneOf", "anyOf"] {
            self.add_alternatives(object, key);
        }
        for rule in RULES {
            if object.contains_key(rule) && !self.rules.contains(&rule) {
                self.rules.push(rule);
            }
        }
        for branch in object.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.collect(resolver, branch, &found.location, depth - 1);
        }
    }

    /// Alternatives that only say which fields must be there leave the fields as they are.
    fn add_alternatives(&mut self, object: &Map<String, Value>, key: &'static str) {
        let Some(branches) = object.get(key).and_then(Value::as_array).filter(|list| !list.is_empty()) else {
            return;
        };
        let only_requires = |branch: &Value| {
            branch.as_object().is_some_and(|branch| {
                branch
                    .keys()
                    .all(|key| ["required", "title", "description", "type", "not"].contains(&key.as_str()))
            })
        };
        let is_rule = branches.iter().all(only_requires) && object.contains_key("properties");
        let keywords = if is_rule { &mut self.rules } else { &mut self.alternatives };
        if !keywords.contains(&key) {
            keywords.push(key);
        }
    }

    fn add(&mut self, resolver: &impl SchemaResolver<Location = L>, name: &str, schema: &Value, location: L) {
        let Some(known) = self.places.get(name).map(|place| &mut self.list[*place]) else {
            self.places.insert(name.to_owned(), self.list.len());
            self.list.push(SchemaMember {
                name: name.to_owned(),
                schema: schema.clone(),
                location,
                is_required: false,
                is_declared: true,
                only_with: Vec::new(),
            });
            return;
        };
        if known.schema == *schema {
            return;
        }
        if resolver.document(&known.location) == resolver.document(&location) {
            known.schema = json!({"allOf": [known.schema.take(), schema]});
        } else {
            (known.schema, known.location) = (schema.clone(), location);
        }
    }
}

#[cfg(test)]
mod tests;
