//! What a schema says, as a tree.
//!
//! The parts of a schema that give a value its shape are kinds of nodes; every other keyword stays with its node as it
//! was written. References are not followed: `Schema::target` gives the node of one.

use serde_json::{Map, Value};

/// One schema, or one part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaNode {
    /// The shape.
    pub kind: NodeKind,
    /// The keywords of the schema that its kind does not tell: description, default, format, bounds and others.
    pub annotations: Map<String, Value>,
    /// Where the schema is in its document, as a JSON pointer; kept where the value must be compared with this part.
    pub(crate) pointer: Option<Box<str>>,
}

/// The shape of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// Every value.
    Any,
    /// No value.
    Never,
    /// Null only.
    Null,
    /// True or false.
    Boolean,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A text.
    String,
    /// This value only.
    Literal(Value),
    /// Items of one kind.
    Array(Box<SchemaNode>),
    /// Items position by position, and those after them.
    Tuple {
        /// The items in their positions.
        items: Vec<SchemaNode>,
        /// The items after these; nothing said when absent.
        rest: Option<Box<SchemaNode>>,
    },
    /// Named properties.
    Object(Box<ObjectNode>),
    /// One of several.
    Union(Vec<SchemaNode>),
    /// All of several.
    Intersection(Vec<SchemaNode>),
    /// What another place says, by its path as written.
    Reference(String),
}

/// The properties of an object.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ObjectNode {
    /// The declared properties, in the order of the document.
    pub properties: Vec<(String, SchemaNode)>,
    /// Names that must be present.
    pub required: Vec<String>,
    /// Properties by a pattern of their names.
    pub patterns: Vec<(String, SchemaNode)>,
    /// The other properties; nothing said when absent.
    pub additional: Option<SchemaNode>,
}

impl SchemaNode {
    pub(crate) fn new(kind: NodeKind) -> SchemaNode {
        SchemaNode { kind, annotations: Map::new(), pointer: None }
    }

    /// The default that the schema declares, if it does.
    pub fn default(&self) -> Option<&Value> {
        self.annotations.get("default")
    }
}

impl ObjectNode {
    /// The declared property of this name.
    pub fn property(&self, name: &str) -> Option<&SchemaNode> {
        self.properties.iter().find(|(declared, _)| declared == name).map(|(_, node)| node)
    }

    /// True when it declares properties, or refuses all.
    pub(crate) fn has_rules(&self) -> bool {
        !self.properties.is_empty() || self.is_closed()
    }

    /// True when properties that are not declared are refused.
    pub(crate) fn is_closed(&self) -> bool {
        self.patterns.is_empty() && self.additional.as_ref().is_some_and(|node| node.kind == NodeKind::Never)
    }

    /// True when properties that are not declared belong to the object too.
    pub(crate) fn is_open(&self) -> bool {
        !self.patterns.is_empty() || self.additional.as_ref().is_some_and(|node| node.kind != NodeKind::Never)
    }
}
