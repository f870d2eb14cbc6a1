//! A schema document to its tree of nodes.
//!
//! Any document in, nodes out; it never fails: what is not known is `Any`. The depth of the document, which is bounded
//! when the schema is made, bounds the depth of the walk. Each reference is converted once, however often it is used.

use crate::node::{NodeKind, ObjectNode, SchemaNode};
use crate::places::{SchemaLocations, below};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The nodes of a document.
#[derive(Debug)]
pub(crate) struct SchemaTree {
    pub(crate) root: SchemaNode,
    /// The nodes that references lead to, by the reference.
    pub(crate) targets: HashMap<String, SchemaNode>,
}

impl SchemaTree {
    /// The places of all nodes that values are compared with, each once.
    pub(crate) fn pointers(&self) -> Vec<&str> {
        let mut places: Vec<&str> = Vec::new();
        let mut rest: Vec<&SchemaNode> = std::iter::once(&self.root).chain(self.targets.values()).collect();
        while let Some(node) = rest.pop() {
            places.extend(node.pointer.as_deref());
            match &node.kind {
                NodeKind::Array(items) => rest.push(items),
                NodeKind::Tuple { items, rest: behind } => rest.extend(items.iter().chain(behind.as_deref())),
                NodeKind::Union(nodes) | NodeKind::Intersection(nodes) => rest.extend(nodes),
                NodeKind::Object(object) => {
                    let named = object.properties.iter().chain(&object.patterns).map(|(_, node)| node);
                    rest.extend(named.chain(&object.additional));
                }
                _ => {}
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// Keywords that the kind of a node expresses, and containers of other schemas; the others are annotations.
const MODELLED: [&str; 18] = [
    "$ref",
    "$defs",
    "definitions",
    "components",
    "allOf",
    "anyOf",
    "oneOf",
    "enum",
    "const",
    "type",
    "nullable",
    "properties",
    "required",
    "patternProperties",
    "additionalProperties",
    "items",
    "prefixItems",
    "additionalItems",
];

/// Converts a document.
pub(crate) fn convert(document: &Value) -> SchemaTree {
    let places = SchemaLocations::of(document);
    let mut converter = Converter { references: Vec::new() };
    let root = converter.schema(document, "");
    let mut targets = HashMap::new();
    while let Some(reference) = converter.references.pop() {
        if targets.contains_key(&reference) {
            continue;
        }
        if let Some((pointer, target)) = places.pointer(&reference).zip(places.resolve(&reference)) {
            let node = converter.schema(target, &pointer);
            targets.insert(reference, node);
        }
    }
    SchemaTree { root, targets }
}

struct Converter {
    references: Vec<String>,
}

impl Converter {
    fn schema(&mut self, schema: &Value, pointer: &str) -> SchemaNode {
        match schema {
            Value::Object(keywords) => self.keywords(keywords, pointer),
            Value::Bool(false) => SchemaNode::new(NodeKind::Never),
            _ => SchemaNode::new(NodeKind::Any),
        }
    }

    fn keywords(&mut self, schema: &Map<String, Value>, pointer: &str) -> SchemaNode {
        let mut kinds = self.own_kinds(schema, pointer);
        let all = self.list(schema, "allOf", pointer);
        let mut kind = match (all, kinds.len()) {
            (None, 0) => NodeKind::Any,
            (None, 1) => kinds.remove(0),
            (all, _) => {
                let own = kinds.into_iter().map(SchemaNode::new);
                NodeKind::Intersection(own.chain(all.into_iter().flatten()).collect())
            }
        };
        if schema.get("nullable") == Some(&Value::Bool(true)) && kind != NodeKind::Any {
            kind = match kind {
                NodeKind::Union(mut branches) => {
                    branches.push(SchemaNode::new(NodeKind::Null));
                    NodeKind::Union(branches)
                }
                other => NodeKind::Union(vec![SchemaNode::new(other), SchemaNode::new(NodeKind::Null)]),
            };
        }
        let others = schema.iter().filter(|(keyword, _)| !MODELLED.contains(&keyword.as_str()));
        let annotations: Map<String, Value> =
            others.map(|(keyword, value)| (keyword.clone(), value.clone())).collect();
        let compared = annotations.contains_key("default").then(|| pointer.into());
        SchemaNode { kind, annotations, pointer: compared }
    }

    /// The kinds that the keywords beside `allOf` tell; a value is all of them.
    fn own_kinds(&mut self, schema: &Map<String, Value>, pointer: &str) -> Vec<NodeKind> {
        let mut kinds = Vec::new();
        let references = ["$ref", "$dynamicRef", "$recursiveRef"];
        if let Some(path) = references.iter().find_map(|keyword| schema.get(*keyword).and_then(Value::as_str))
        {
            self.references.push(path.to_owned());
            kinds.push(NodeKind::Reference(path.to_owned()));
        }
        let literals = match (schema.get("const"), schema.get("enum")) {
            (Some(value), _) => Some(NodeKind::Literal(value.clone())),
            (None, Some(Value::Array(options))) if !options.is_empty() => Some(NodeKind::Union(
                options.iter().map(|option| SchemaNode::new(NodeKind::Literal(option.clone()))).collect(),
            )),
            _ => None,
        };
        match literals {
            Some(literals) => kinds.push(literals),
            None => kinds.extend(self.typed(schema, pointer)),
        }
        for keyword in ["anyOf", "oneOf"] {
            kinds.extend(self.list(schema, keyword, pointer).map(NodeKind::Union));
        }
        kinds.extend(self.conditional(schema, pointer));
        kinds
    }

    /// The kinds of the types; without any, those that the other keywords apply to.
    fn typed(&mut self, schema: &Map<String, Value>, pointer: &str) -> Vec<NodeKind> {
        let types: Vec<&Value> = match schema.get("type") {
            Some(Value::Array(types)) => types.iter().collect(),
            Some(one) => vec![one],
            None => Vec::new(),
        };
        let mut kinds: Vec<NodeKind> =
            types.iter().filter_map(|name| self.of_type(name.as_str()?, schema, pointer)).collect();
        if kinds.len() != types.len() {
            return Vec::new();
        }
        if kinds.len() > 1 {
            return vec![NodeKind::Union(kinds.into_iter().map(SchemaNode::new).collect())];
        }
        if types.is_empty() {
            let speaks_of = |keywords: &[&str]| keywords.iter().any(|keyword| schema.contains_key(*keyword));
            if speaks_of(&["properties", "required", "additionalProperties", "patternProperties"]) {
                kinds.extend(self.of_type("object", schema, pointer));
            }
            if speaks_of(&["items", "prefixItems"]) {
                kinds.extend(self.of_type("array", schema, pointer));
            }
        }
        kinds
    }

    fn of_type(&mut self, name: &str, schema: &Map<String, Value>, pointer: &str) -> Option<NodeKind> {
        match name {
            "null" => Some(NodeKind::Null),
            "boolean" => Some(NodeKind::Boolean),
            "integer" => Some(NodeKind::Integer),
            "number" => Some(NodeKind::Number),
            "string" => Some(NodeKind::String),
            "array" => Some(self.array(schema, pointer)),
            "object" => Some(NodeKind::Object(Box::new(self.object(schema, pointer)))),
            _ => None,
        }
    }

    fn array(&mut self, schema: &Map<String, Value>, pointer: &str) -> NodeKind {
        let older = self.list(schema, "items", pointer);
        let rest = if older.is_some() { "additionalItems" } else { "items" };
        let rest = schema.get(rest).map(|items| Box::new(self.schema(items, &below(pointer, rest))));
        match older.or_else(|| self.list(schema, "prefixItems", pointer)) {
            Some(items) => NodeKind::Tuple { items, rest },
            None => NodeKind::Array(rest.unwrap_or_else(|| Box::new(SchemaNode::new(NodeKind::Any)))),
        }
    }

    fn object(&mut self, schema: &Map<String, Value>, pointer: &str) -> ObjectNode {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let others = ["additionalProperties", "unevaluatedProperties"]
            .into_iter()
            .find_map(|keyword| Some((keyword, schema.get(keyword)?)));
        ObjectNode {
            properties: self.named(schema, "properties", pointer),
            required: required.filter_map(Value::as_str).map(str::to_owned).collect(),
            patterns: self.named(schema, "patternProperties", pointer),
            additional: others.map(|(keyword, node)| self.schema(node, &below(pointer, keyword))),
        }
    }

    /// What holds under a condition counts as an alternative: it declares properties, and it may not apply.
    fn conditional(&mut self, schema: &Map<String, Value>, pointer: &str) -> Vec<NodeKind> {
        let mut kinds = Vec::new();
        if let Some(condition) = schema.get("if") {
            let mut part = |keyword: &str| {
                let part = schema.get(keyword).filter(|part| part.is_object())?;
                Some(self.branch(part, below(pointer, keyword)))
            };
            let (then, otherwise) = (part("then"), part("else"));
            let condition = self.branch(condition, below(pointer, "if"));
            // Chosen by the condition alone; what must hold then is checked, not a reason to choose.
            let chosen = condition.pointer.clone();
            let kind = NodeKind::Intersection(std::iter::once(condition).chain(then).collect());
            let first = SchemaNode { kind, annotations: Map::new(), pointer: chosen };
            kinds.push(NodeKind::Union(std::iter::once(first).chain(otherwise).collect()));
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            let Some(Value::Object(entries)) = schema.get(keyword) else { continue };
            let at = below(pointer, keyword);
            let dependents = entries.iter().filter(|(_, dependent)| dependent.is_object());
            kinds.extend(
                dependents.map(|(name, node)| NodeKind::Union(vec![self.branch(node, below(&at, name))])),
            );
        }
        kinds
    }

    fn named(
        &mut self,
        schema: &Map<String, Value>,
        keyword: &str,
        pointer: &str,
    ) -> Vec<(String, SchemaNode)> {
        let Some(Value::Object(entries)) = schema.get(keyword) else { return Vec::new() };
        let here = below(pointer, keyword);
        entries.iter().map(|(name, node)| (name.clone(), self.schema(node, &below(&here, name)))).collect()
    }

    fn list(&mut self, schema: &Map<String, Value>, keyword: &str, pointer: &str) -> Option<Vec<SchemaNode>> {
        let branches = schema.get(keyword)?.as_array().filter(|branches| !branches.is_empty())?;
        let here = below(pointer, keyword);
        let branches = branches.iter().enumerate();
        Some(branches.map(|(index, node)| self.branch(node, format!("{here}/{index}"))).collect())
    }

    fn branch(&mut self, schema: &Value, pointer: String) -> SchemaNode {
        let mut node = self.schema(schema, &pointer);
        node.pointer = Some(pointer.into());
        node
    }
}

#[cfg(test)]
mod tests;
