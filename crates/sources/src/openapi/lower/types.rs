//! Declared types: the objects that parameters, bodies and answers are made of, so that their fields can be asked for.
//!
//! Schemas of objects in, names out; when all operations are known, one level of fields for each name. What requests
//! need is followed all the way; of answers only the outermost type is described, because a document has thousands.

use super::context::SchemaMembers;
use super::context::with_values;
use super::document_view::DocumentView;

use super::words::{brief, pascal};
use crate::openapi::read::PartLocation;
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::protocol_types::protocol_types;
use aqueduct_operations::types::{TypeBody, TypeDef};
use aqueduct_schema::OutlineReader;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// More types than this are not declared: for requests, and for answers.
const MOST_TYPES: [usize; 2] = [4_000, 2_000];
/// With this many fields described, further types are only named.
const MOST_FIELDS: usize = 60_000;
/// Characters of a field's description.
const DESCRIPTION: usize = 120;
/// Types without names of their own are described so deep in each other: a circle of them has no end.
const DEPTH: usize = 4;
/// Types have names of at most so many characters.
const LONGEST_NAME: usize = 100;

type ObjectSchema = aqueduct_schema::ObjectSchema<PartLocation>;

/// Who needs a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeUse {
    /// Somebody who makes a request.
    Request,
    /// Somebody who reads an answer.
    Answer,
}

/// The types of a document.
pub(super) struct DocumentTypes {
    taken: HashSet<String>,
    /// How often a name was wanted.
    wanted: HashMap<String, usize>,
    by_reference: HashMap<(u32, String), usize>,
    entries: Vec<TypeEntry>,
    counts: [usize; 2],
    fields: usize,
    /// The depth of the type that is being described.
    inside: usize,
}

struct TypeEntry {
    name: String,
    object: ObjectSchema,
    need: TypeUse,
    /// How many types without a name of their own it stands in.
    depth: usize,
    def: Option<TypeDef>,
}

impl DocumentTypes {
    pub(super) fn new() -> DocumentTypes {
        let taken = protocol_types().into_iter().map(|each| each.name).collect();
        DocumentTypes {
            taken,
            wanted: HashMap::new(),
            by_reference: HashMap::new(),
            entries: Vec::new(),
            counts: [0; 2],
            fields: 0,
            inside: 0,
        }
    }

    /// The name of the type that an object has. One without a name of its own is called after where it stands.
    pub(super) fn name_of(&mut self, object: &ObjectSchema, called: &str, need: TypeUse) -> Option<String> {
        self.name_inside(0, object, called, need)
    }

    fn name_inside(
        &mut self,
        depth: usize,
        object: &ObjectSchema,
        called: &str,
        need: TypeUse,
    ) -> Option<String> {
        let key = key_of(object);
        if let Some(&index) = key.as_ref().and_then(|key| self.by_reference.get(key)) {
            if need == TypeUse::Request {
                self.entries[index].need = TypeUse::Request;
            }
            return Some(self.entries[index].name.clone());
        }
        let depth = if key.is_some() { 0 } else { depth };
        let count = &mut self.counts[need as usize];
        if *count >= MOST_TYPES[need as usize] || depth > DEPTH {
            return None;
        }
        *count += 1;
        let name = self.free_name(object.name.as_deref().unwrap_or(called));
        if let Some(key) = key {
            self.by_reference.insert(key, self.entries.len());
        }
        self.entries.push(TypeEntry { name: name.clone(), object: object.clone(), need, depth, def: None });
        Some(name)
    }

    fn free_name(&mut self, wanted: &str) -> String {
        let mut base = pascal(wanted);
        base.truncate(LONGEST_NAME);
        if base.is_empty() {
            base = "Type".to_owned();
        }
        let number = self.wanted.entry(base.clone()).or_insert(0);
        loop {
            *number += 1;
            let name = if *number == 1 { base.clone() } else { format!("{base}{number}") };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    /// Describes all of them.
    pub(super) fn finish(
        mut self,
        look: &DocumentView<'_>,
        outlines: &mut OutlineReader<PartLocation>,
    ) -> Vec<TypeDef> {
        // What requests need may lead to more of the same; a type found on the way may be one that answers had already.
        let mut changed = true;
        while changed {
            changed = false;
            let mut index = 0;
            while index < self.entries.len() {
                if self.entries[index].need == TypeUse::Request && self.entries[index].def.is_none() {
                    self.define(index, look, outlines);
                    changed = true;
                }
                index += 1;
            }
        }
        for index in 0..self.entries.len() {
            if self.entries[index].def.is_none() {
                self.define(index, look, outlines);
            }
        }
        self.entries.into_iter().filter_map(|entry| entry.def).collect()
    }

    fn define(&mut self, index: usize, look: &DocumentView<'_>, outlines: &mut OutlineReader<PartLocation>) {
        let TypeEntry { name, object, need, .. } = &self.entries[index];
        let (name, object, need) = (name.clone(), object.clone(), *need);
        self.inside = self.entries[index].depth;
        let found = look.follow(&object.schema, &object.location).filter(|_| self.fields < MOST_FIELDS);
        let Some(found) = found else {
            self.entries[index].def = Some(TypeDef::new(name, None, TypeBody::Object(Vec::new())));
            return;
        };
        let description =
            found.value.get("description").and_then(Value::as_str).map(|text| brief(text, DESCRIPTION));
        let members = SchemaMembers::of(look, &object.schema, &object.location);
        let branches =
            ["oneOf", "anyOf"].iter().find_map(|key| found.value.get(key).and_then(Value::as_array));
        let body = match branches {
            Some(branches) if members.list.is_empty() => {
                TypeBody::Union(self.alternatives(&name, branches, &found.node, need, look, outlines))
            }
            _ => {
                let list = members.list.iter();
                let fields = list.map(|member| {
                    let mut field = self.field(
                        &name,
                        &member.name,
                        &member.schema,
                        &member.location,
                        need,
                        look,
                        outlines,
                    );
                    field.required = member.is_required;
                    if let Some((property, values)) = &members.chooses {
                        if *property == member.name {
                            with_values(&mut field.shape, values);
                        }
                        if let Some(condition) = member.condition(property) {
                            let own =
                                field.description.take().map(|own| format!("{own} ")).unwrap_or_default();
                            field.description = Some(format!("{own}({condition})"));
                        }
                    }
                    field
                });
                TypeBody::Object(fields.collect())
            }
        };
        self.entries[index].def = Some(TypeDef::new(name, description, body));
    }

    #[expect(clippy::too_many_arguments, reason = "one call in one place; a struct would only rename them")]
    fn field(
        &mut self,
        of: &str,
        name: &str,
        schema: &Value,
        node: &PartLocation,
        need: TypeUse,
        look: &DocumentView<'_>,
        outlines: &mut OutlineReader<PartLocation>,
    ) -> Param {
        let outline = outlines.of(look, schema, node);
        let mut field = Param::new(name, outline.shape.kind.clone());
        field.shape = outline.shape;
        field.shape.reference = outline.object.and_then(|object| self.inner_name(&object, of, name, need));
        field.description =
            outline.description.map(|text| brief(&text, DESCRIPTION)).filter(|text| !text.is_empty());
        field
    }

    /// The type of a field: any for requests, for answers only one that is described anyway.
    fn inner_name(&mut self, object: &ObjectSchema, of: &str, name: &str, need: TypeUse) -> Option<String> {
        match need {
            TypeUse::Request => self.name_inside(self.inside + 1, object, &format!("{of} {name}"), need),
            TypeUse::Answer => {
                let index = *self.by_reference.get(&key_of(object)?)?;
                Some(self.entries[index].name.clone())
            }
        }
    }

    fn alternatives(
        &mut self,
        of: &str,
        branches: &[Value],
        node: &PartLocation,
        need: TypeUse,
        look: &DocumentView<'_>,
        outlines: &mut OutlineReader<PartLocation>,
    ) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (number, branch) in (1..).zip(branches) {
            let outline = outlines.of(look, branch, node);
            let inner = outline.object.filter(|_| !matches!(outline.shape.kind, ValueKind::Array(_)));
            let declared =
                inner.and_then(|object| self.inner_name(&object, of, &format!("option {number}"), need));
            let name = declared.unwrap_or_else(|| match outline.shape.kind {
                ValueKind::Array(_) => "array".to_owned(),
                ValueKind::Union(_) => "object".to_owned(),
                plain => plain.to_string(),
            });
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

fn key_of(object: &ObjectSchema) -> Option<(u32, String)> {
    object.name.as_ref()?;
    let reference = object.schema.get("$ref")?.as_str()?;
    Some((object.location.document_number(), reference.to_owned()))
}
