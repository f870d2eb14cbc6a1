//! Schemas that stand on their own: every reference leads to a definition inside, in the words of JSON Schema 2020-12.
//!
//! A schema of any of the versions in; a complete document out, its reachable definitions under `$defs`, circles kept
//! as references. What leads nowhere, or would make it too large, accepts anything and is told.

mod circles;
mod dialect;
mod kin;

pub(in crate::openapi) use dialect::as_text;

use super::library::{Library, Node, Version};
use super::place::Place;
use super::references::Resource;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet, VecDeque};

/// More definitions than this are cut.
const MAX_DEFINITIONS: usize = 2_000;
/// More text than this, about, is cut.
const MAX_SIZE: usize = 4 * 1024 * 1024;
/// Longer chains of references are taken for circles.
const MAX_HOPS: usize = 64;

/// A schema with what is to be told about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The schema.
    pub schema: Value,
    /// What was replaced or left out.
    pub remarks: Vec<String>,
}

impl Library {
    /// The schema, complete in itself. `from` says in which document the value stands.
    pub fn schema(&self, value: &Value, from: &Node) -> Value {
        self.schema_told(value, from).schema
    }

    /// The schema, complete in itself, and what was lost on the way.
    pub fn schema_told(&self, value: &Value, from: &Node) -> Told {
        let mut builder = Builder {
            library: self,
            names: HashMap::new(),
            taken: HashSet::new(),
            waiting: VecDeque::new(),
            size: 0,
            subtypes: 0,
            remarks: Vec::new(),
        };
        let context = Context { document: from.document, resource: None };
        let is_definition = (self.family(from).is_some() || self.chosen_by(from).is_some())
            && value.get("$ref").is_none()
            && *value == self.plain(from);
        let mut schema = if is_definition {
            builder.of_definition(*from, Flavour::Whole, None)
        } else {
            builder.rewrite(value, &context)
        };
        let mut definitions = builder.definitions();
        let Builder { mut remarks, .. } = builder;
        circles::cut(&mut schema, &mut definitions, &mut remarks);
        let schema = match (schema, definitions.is_empty()) {
            (schema, true) => schema,
            (Value::Object(mut members), false) => {
                members.insert("$defs".to_owned(), Value::Object(definitions));
                Value::Object(members)
            }
            (schema, false) => schema,
        };
        Told { schema, remarks }
    }
}

/// Where a schema stands while it is rewritten.
#[derive(Debug, Clone)]
struct Context {
    document: u32,
    resource: Option<Resource>,
}

/// Which of the definitions of one schema is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Flavour {
    /// With everything that it stands for.
    Whole,
    /// By itself, for the subtypes that are put together from it.
    Alone,
}

struct Builder<'l> {
    library: &'l Library,
    names: HashMap<(Node, Flavour), String>,
    taken: HashSet<String>,
    waiting: VecDeque<(Node, Flavour, String)>,
    size: usize,
    /// Subtypes that the schema leads to.
    subtypes: usize,
    remarks: Vec<String>,
}

impl Builder<'_> {
    /// Rewrites the definitions that are referred to, and those that these refer to, until none is left.
    fn definitions(&mut self) -> Map<String, Value> {
        let mut definitions = Map::new();
        while let Some((node, flavour, name)) = self.waiting.pop_front() {
            let schema = if self.size > MAX_SIZE {
                self.remark(format!(
                    "'{name}' accepts anything: the schema around it is larger than {MAX_SIZE} bytes"
                ));
                Value::Bool(true)
            } else {
                self.size += (node.span.end - node.span.start) as usize;
                self.of_definition(node, flavour, Some(&name))
            };
            definitions.insert(name, schema);
        }
        definitions
    }

    fn version(&self, context: &Context) -> Version {
        self.library.dialect(context.document)
    }

    fn remark(&mut self, remark: String) {
        if self.remarks.len() < 100 && !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// The name of the definition that a reference leads to; none when any value is accepted instead.
    fn definition(&mut self, reference: &str, context: &Context) -> Option<String> {
        let (mut reference, mut document) = (reference.to_owned(), context.document);
        let mut resource = context.resource.clone();
        let mut name = None;
        for _ in 0..MAX_HOPS {
            let target = match self.library.target(&reference, document, resource.as_ref()) {
                Ok(target) => target,
                Err(problem) => {
                    self.remark(format!("{problem}; any value is accepted in its place"));
                    return None;
                }
            };
            name = target.name.or(name);
            if let Some(known) = self.names.get(&(target.node, Flavour::Whole)) {
                return Some(known.clone());
            }
            // Definitions that are nothing but a reference are passed through: a circle of them would never end.
            let found = self.library.plain(&target.node);
            match found.as_object() {
                Some(members) if members.len() == 1 => match members.get("$ref").and_then(Value::as_str) {
                    Some(next) => {
                        reference = next.to_owned();
                        document = target.node.document;
                        resource = None;
                    }
                    None => return self.define(target.node, Flavour::Whole, name),
                },
                _ => return self.define(target.node, Flavour::Whole, name),
            }
        }
        self.remark(format!(
            "the reference '{reference}' refers back to itself; any value is accepted in its place"
        ));
        None
    }

    fn define(&mut self, node: Node, flavour: Flavour, name: Option<String>) -> Option<String> {
        if self.names.len() >= MAX_DEFINITIONS {
            self.remark(format!(
                "a schema with more than {MAX_DEFINITIONS} definitions is cut: the rest accepts anything"
            ));
            return None;
        }
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
        let wanted: String =
            name.unwrap_or_default().chars().map(|letter| if plain(letter) { letter } else { '_' }).collect();
        let wanted = if wanted.is_empty() { "definition".to_owned() } else { wanted };
        let mut unique = wanted.clone();
        let mut number = 2;
        while !self.taken.insert(unique.clone()) {
            unique = format!("{wanted}_{number}");
            number += 1;
        }
        self.names.insert((node, flavour), unique.clone());
        self.waiting.push_back((node, flavour, unique.clone()));
        Some(unique)
    }

    /// What a reference becomes.
    fn reference(&mut self, reference: &str, context: &Context) -> Value {
        match self.definition(reference, context) {
            Some(name) => json!({ "$ref": format!("#/$defs/{name}") }),
            None => Value::Bool(true),
        }
    }

    /// The context below a schema that gives itself a name.
    fn below(&self, members: &Map<String, Value>, context: &Context) -> Option<Context> {
        let id = members.get("$id").and_then(Value::as_str).filter(|id| !id.starts_with('#'))?;
        let base: &Place = match &context.resource {
            Some(resource) => &resource.place,
            None => &self.library.document(context.document)?.place,
        };
        let place = base.join(id.split('#').next().unwrap_or_default());
        let node = self.library.by_id(&place.key());
        Some(Context { document: context.document, resource: Some(Resource { place, node }) })
    }
}
