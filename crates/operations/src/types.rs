//! Types that a source declares, in the shape in which introspection shows them.
//!
//! Sources make them; operations name them in what they take and return.

use crate::params::Param;
use crate::response::{Preset, RelationshipFetch};

/// A named type.
#[derive(Debug, Clone)]
pub struct TypeDef {
    /// Its name, the same in every response.
    pub name: String,
    /// What it is, in words.
    pub description: Option<String>,
    /// Its content, by kind.
    pub body: TypeBody,
    /// Named choices of its fields.
    pub presets: Vec<Preset>,
    /// How one of them is read.
    pub fetch: Option<RelationshipFetch>,
}

impl TypeDef {
    /// A type with nothing but its content.
    pub fn new(name: impl Into<String>, description: Option<String>, body: TypeBody) -> TypeDef {
        TypeDef { name: name.into(), description, body, presets: Vec::new(), fetch: None }
    }
}

/// The content of a type.
#[derive(Debug, Clone)]
pub enum TypeBody {
    /// One of these strings.
    Enum(Vec<String>),
    /// An object with these fields.
    Object(Vec<Param>),
    /// One of these types.
    Union(Vec<String>),
    /// A plain value.
    Scalar,
}

impl TypeBody {
    /// The `kind` on the wire.
    pub fn kind(&self) -> &'static str {
        match self {
            TypeBody::Enum(_) => "enum",
            TypeBody::Object(_) => "object",
            TypeBody::Union(_) => "union",
            TypeBody::Scalar => "scalar",
        }
    }
}
