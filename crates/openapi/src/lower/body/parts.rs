//! How single fields of a form or of a multipart body are written.
//!
//! The outline of a field and its `encoding` in, a rule out. Without a word from the document, lists of plain values are
//! repeated as the standard says, and everything deeper is written `name[key]`, which the standard leaves open.

use crate::lower::context::{LoweringContext, SchemaMembers, SchemaOutline};
use crate::lower::document_view::{flag, text};
use crate::lower::params::is_json;
use aqueduct_operations::params::{ParamEncoding, ParamStyle, ValueKind};
use aqueduct_operations::target::{BodyFormat, PartRule};
use serde_json::Value;

pub(super) fn of_members(
    context: &mut LoweringContext<'_>,
    members: &SchemaMembers,
    format: BodyFormat,
    encoding: Option<&Value>,
) -> Vec<(String, PartRule)> {
    let mut rules = Vec::new();
    for member in &members.list {
        let outline = context.outline(&member.schema, &member.location);
        let rule = rule(format, &outline, encoding.and_then(|all| all.get(&member.name)));
        if rule != PartRule::default() {
            rules.push((member.name.clone(), rule));
        }
    }
    rules
}

pub(super) fn rule(format: BodyFormat, outline: &SchemaOutline, encoding: Option<&Value>) -> PartRule {
    let declared_type = encoding.and_then(|each| text(each, "contentType"));
    let first_type = declared_type.and_then(|list| list.split(',').next()).map(str::trim);
    let content_type = first_type.filter(|name| !name.is_empty() && !name.contains('*')).map(str::to_owned);
    if format == BodyFormat::Multipart {
        let is_typed_file = declared_type
            .is_some_and(|list| !list.starts_with("text/") && !list.contains("json"))
            && outline.shape.kind.takes_text();
        let writing = encoding.filter(|each| each.get("style").is_some()).map(|each| written(each, outline));
        return PartRule { content_type, writing, is_file: outline.is_binary || is_typed_file };
    }
    let says_style = encoding
        .filter(|each| ["style", "explode", "allowReserved"].iter().any(|key| each.get(key).is_some()));
    // Text may be JSON already; everything else is made so.
    let is_json = content_type.as_deref().is_some_and(is_json) && outline.shape.kind != ValueKind::String;
    let writing = match says_style {
        _ if is_json => {
            Some(ParamEncoding { style: ParamStyle::Json, explode: false, allow_reserved: false })
        }
        Some(encoding) => Some(written(encoding, outline)),
        None => outline.shape.kind.is_structured().then(|| unsaid(outline)),
    };
    PartRule { content_type: None, writing, is_file: false }
}

fn written(encoding: &Value, outline: &SchemaOutline) -> ParamEncoding {
    let style = text(encoding, "style").and_then(ParamStyle::parse).unwrap_or_else(|| unsaid(outline).style);
    let explode = encoding.get("explode").and_then(Value::as_bool);
    let explode = style == ParamStyle::DeepObject || explode.unwrap_or(style == ParamStyle::Form);
    ParamEncoding { style, explode, allow_reserved: flag(encoding, "allowReserved") }
}

fn unsaid(outline: &SchemaOutline) -> ParamEncoding {
    let is_flat_list = match &outline.shape.kind {
        ValueKind::Array(Some(element)) => !element.is_structured(),
        _ => false,
    };
    let style = if is_flat_list { ParamStyle::Form } else { ParamStyle::DeepObject };
    ParamEncoding { style, explode: true, allow_reserved: false }
}
