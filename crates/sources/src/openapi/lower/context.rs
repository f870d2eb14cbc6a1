//! What lowering one parameter, body or answer needs: the document, outlines of its schemas, the types found so far.
//!
//! A schema in, a parameter with everything but its place out.

use super::document_view::DocumentView;
use super::types::{DocumentTypes, TypeUse};
use super::words::brief;
use crate::openapi::read::{DocumentSet, PartLocation};
use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{Param, Shape, ValueKind};
use aqueduct_operations::types::TypeDef;
use aqueduct_schema::OutlineReader;
use serde_json::Value;
use std::sync::Arc;

/// Characters of a parameter's description.
const DESCRIPTION: usize = 200;
/// More values are not shown.
const MOST_VALUES: usize = 100;
/// Longer defaults are not told.
const LONGEST_DEFAULT: usize = 60;

/// The outline of a schema of a document.
pub(super) type Outline = aqueduct_schema::Outline<PartLocation>;
/// The fields of a schema of a document.
pub(super) type SchemaMembers = aqueduct_schema::SchemaMembers<PartLocation>;
/// One of these fields.
pub(super) type SchemaMember = aqueduct_schema::SchemaMember<PartLocation>;

/// What lowering one document needs.
pub(super) struct LoweringContext<'l> {
    pub look: DocumentView<'l>,
    pub outlines: OutlineReader<PartLocation>,
    pub types: DocumentTypes,
}

impl<'l> LoweringContext<'l> {
    pub(super) fn new(library: &'l Arc<DocumentSet>) -> LoweringContext<'l> {
        LoweringContext {
            look: DocumentView::new(library),
            outlines: OutlineReader::default(),
            types: DocumentTypes::new(),
        }
    }

    pub(super) fn outline(&mut self, schema: &Value, from: &PartLocation) -> Outline {
        self.outlines.of(&self.look, schema, from)
    }

    /// A parameter of this name that takes what the schema says. `of` is what it belongs to, for the names of types.
    pub(super) fn param(
        &mut self,
        of: &str,
        name: &str,
        schema: &Value,
        from: &PartLocation,
    ) -> (Param, Outline) {
        let outline = self.outline(schema, from);
        let mut param = Param::new(name, outline.shape.kind.clone());
        param.shape = outline.shape.clone();
        param.shape.reference = outline
            .object
            .as_ref()
            .and_then(|object| self.types.name_of(object, &format!("{of} {name}"), TypeUse::Request));
        param.schema = (!outline.is_exact).then(|| self.look.later(schema, from));
        param.description = described(outline.description.as_deref(), outline.default.as_ref());
        param.sensitive = matches!(&param.shape.format, Some(Format::Other(name)) if name == "password");
        (param, outline)
    }

    /// Shows the values that choose a type. Others may be taken too, so they are not held against these.
    pub(super) fn show_values(
        &self,
        param: &mut Param,
        values: &[Box<str>],
        schema: &Value,
        from: &PartLocation,
    ) {
        if with_values(&mut param.shape, values) && param.schema.is_none() {
            param.schema = Some(self.look.later(schema, from));
        }
    }

    pub(super) fn finish(self) -> Vec<TypeDef> {
        let LoweringContext { look, mut outlines, types } = self;
        types.finish(&look, &mut outlines)
    }
}

/// Puts the values that choose a type into a shape of text that has none of its own; true when it did.
pub(super) fn with_values(shape: &mut Shape, values: &[Box<str>]) -> bool {
    let is_open = shape.allowed.is_none() && shape.kind == ValueKind::String && shape.pattern.is_none();
    if !is_open || values.is_empty() || values.len() > MOST_VALUES {
        return false;
    }
    shape.allowed = Some(values.iter().map(|value| Value::from(&**value)).collect());
    true
}

/// The author's words, and what the API assumes by itself: it is told and not sent, because some APIs refuse two
/// parameters together of which each has a default.
pub(super) fn described(text: Option<&str>, default: Option<&Value>) -> Option<String> {
    let mut description = text.map(|text| brief(text, DESCRIPTION)).unwrap_or_default();
    if let Some(default) = default.map(Value::to_string).filter(|text| text.len() <= LONGEST_DEFAULT) {
        if !description.is_empty() {
            description.push_str(if description.ends_with(['.', '…', '!', '?']) { " " } else { ". " });
        }
        description.push_str(&format!("Default: {default}"));
    }
    (!description.is_empty()).then_some(description)
}
