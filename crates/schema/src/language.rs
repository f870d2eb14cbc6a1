//! Other languages than JSON Schema for the inputs and outputs of operations.
//!
//! A language turns its definitions into JSON Schema; everything else, from the tree to checking and normalising, is
//! then the same for all of them.

use crate::Schema;
use serde_json::Value;
use std::borrow::Cow;

/// A language in which schemas are written.
pub trait SchemaLanguage {
    /// The name people know it by.
    fn name(&self) -> &str;

    /// The definition as a JSON Schema. What the language cannot say in it accepts everything: this does not fail.
    fn json_schema<'d>(&self, definition: &'d Value) -> Cow<'d, Value>;

    /// Compiles a definition.
    fn compile(&self, definition: &Value) -> Schema {
        match self.json_schema(definition) {
            Cow::Borrowed(document) => Schema::of(document),
            Cow::Owned(document) => Schema::owning(document),
        }
    }
}

/// JSON Schema in all its drafts, and the dialects of OpenAPI.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonSchema;

impl SchemaLanguage for JsonSchema {
    fn name(&self) -> &str {
        "JSON Schema"
    }

    fn json_schema<'d>(&self, definition: &'d Value) -> Cow<'d, Value> {
        Cow::Borrowed(definition)
    }
}

#[cfg(test)]
mod tests;
