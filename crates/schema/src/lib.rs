//! JSON Schema to a compiled validator: whether a value fits, every problem of it, and the value fitted to the schema.
//!
//! `from_schema` takes any document and never fails: what it does not know accepts everything. `LazySchema` puts a
//! schema together when a call first needs it, because large documents have thousands of them.

mod check;
mod clean;
mod compile;
mod convert;
pub mod definitions;
mod depth;
mod dialect;
pub mod format;
mod keywords;
mod language;
mod lazy;
mod members;
mod mistake;
mod node;
mod normalise;
mod outline;
pub mod parts;
pub mod pattern;
mod place;
mod places;
mod problem;
pub mod references;
mod resolver;
pub mod sample;
mod schema;
pub mod shape;
pub mod work;

pub use check::number::whole_against;
pub use dialect::{SchemaDialect, SchemaRewriter, admit_null, is_nullable, rewrite_keywords};
pub use keywords::{Keyword, KeywordKind, KeywordRole, stated_types};
pub use language::{JsonSchema, SchemaLanguage};
pub use lazy::{Definitions, LazySchema};
pub use members::{DiscriminatorCondition, SchemaMember, SchemaMembers};
pub use mistake::{SchemaMistake, first_mistake};
pub use node::{NodeKind, ObjectNode, SchemaNode};
pub use normalise::Normalised;
pub use outline::{ObjectSchema, Outline, OutlineReader};
pub use pattern::{Pattern, PatternError};
pub use places::SchemaLocations;
pub use problem::SchemaProblem;
pub use resolver::{
    DocumentPart, LocatedSchema, SchemaDiscriminator, SchemaDocuments, SchemaResolver, SchemaSubtype,
};
pub use schema::Schema;
pub use work::{Meter, WorkStop};

use serde_json::Value;

/// Compiles a schema. References inside the document are followed; others accept everything.
pub fn from_schema(document: &Value) -> Schema {
    JsonSchema.compile(document)
}
