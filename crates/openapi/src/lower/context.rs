//! What lowering one parameter, body or answer needs: the document, outlines of its schemas, the types found so far.
//!
//! A schema in, a parameter with everything but its place out.

use super::document_view::{DocumentView, flag};
use super::summary::brief;
use crate::read::{DocumentSet, PartLocation};
use aqueduct_operations::params::Param;
use aqueduct_source_kind::schema_reader::{FieldStyle, SchemaReader, with_values};
use serde_json::Value;
use std::sync::Arc;

/// Characters of a parameter's description.
const DESCRIPTION: usize = 200;
/// Characters of a field's description.
const FIELD_DESCRIPTION: usize = 120;
/// Longer defaults are not shown.
const LONGEST_DEFAULT: usize = 60;

/// The outline of a schema of a document.
pub(super) type SchemaOutline = aqueduct_schema::Outline<PartLocation>;
/// The fields of a schema of a document.
pub(super) type SchemaMembers = aqueduct_schema::SchemaMembers<PartLocation>;
/// One of these fields.
pub(super) type SchemaMember = aqueduct_schema::SchemaMember<PartLocation>;

/// What lowering one document needs: its schemas, and the types found so far.
pub(super) type LoweringContext<'l> = SchemaReader<DocumentView<'l>>;

/// The context of a document.
pub(super) fn lowering_context(library: &Arc<DocumentSet>) -> LoweringContext<'_> {
    let describe = |text: &str| brief(text, FIELD_DESCRIPTION);
    SchemaReader::new(DocumentView::new(library), FieldStyle { describe, fills_defaults: false })
}

/// A parameter of this name that takes what the schema says. `of` is what it belongs to, for the names of types.
pub(super) fn schema_param(
    context: &mut LoweringContext<'_>,
    of: &str,
    name: &str,
    schema: &Value,
    from: &PartLocation,
) -> (Param, SchemaOutline) {
    let outline = context.outline(schema, from);
    let mut param = context.param(of, name, &outline);
    param.schema = (!outline.is_exact).then(|| context.resolver.later(schema, from));
    param.description = described(outline.description.as_deref(), outline.default.as_ref());
    if flag(schema, "deprecated") {
        note_deprecation(&mut param);
    }
    (param, outline)
}

/// Shows the values that choose a type. Others may be taken too, so they are not held against these.
pub(super) fn show_values(
    context: &LoweringContext<'_>,
    param: &mut Param,
    values: &[Box<str>],
    schema: &Value,
    from: &PartLocation,
) {
    if with_values(&mut param.shape, values) && param.schema.is_none() {
        param.schema = Some(context.resolver.later(schema, from));
    }
}

/// The author's words, and what the API assumes by itself: it is shown and not sent, because some APIs refuse two
/// parameters together of which each has a default.
pub(super) fn described(text: Option<&str>, default: Option<&Value>) -> Option<String> {
    let mut description = text.map(|text| brief(text, DESCRIPTION)).unwrap_or_default();
    if let Some(default) = default.map(Value::to_string).filter(|text| text.len() <= LONGEST_DEFAULT) {
        add_sentence(&mut description, &format!("Default: {default}"));
    }
    (!description.is_empty()).then_some(description)
}

/// Says in the description that a parameter is not to be used any more; where the author has said so, that is enough.
pub(super) fn note_deprecation(param: &mut Param) {
    let description = param.description.get_or_insert_default();
    if !description.to_lowercase().contains("deprecated") {
        add_sentence(description, "Deprecated");
    }
}

/// Puts a sentence after others.
fn add_sentence(text: &mut String, sentence: &str) {
    if !text.is_empty() {
        text.push_str(if text.ends_with(['.', '…', '!', '?']) { " " } else { ". " });
    }
    text.push_str(sentence);
}
