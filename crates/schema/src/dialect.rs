//! The keywords of one schema object, rewritten to those of JSON Schema 2020-12.
//!
//! An object of any draft or OpenAPI version in; the same keywords in their present spelling out, each with a value of
//! the right type. A keyword with a wrong value is left out alone. The caller rewrites the schemas inside.

mod null;
mod values;

pub use null::{admit_null, is_nullable};
pub(crate) use values::{as_text, names, unique};

use crate::keywords::{Keyword, KeywordKind, KeywordRole};
use serde_json::{Map, Value, json};
use values::{count, flag, number, types};

/// How closely values of keywords are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaDialect {
    /// As JSON Schema wants it.
    JsonSchema,
    /// As OpenAPI documents are written: numbers and flags may be quoted, and there are files.
    OpenApi,
}

/// Rewrites schemas of one kind of document.
pub trait SchemaRewriter<'d> {
    /// How the document is written.
    const DIALECT: SchemaDialect;

    /// Rewrites a schema that stands below a keyword.
    fn schema(&mut self, schema: &'d Value) -> Value;

    /// Whether a keyword that is known is carried over.
    fn keeps(&mut self, keyword: Keyword, value: &Value) -> bool;

    /// Takes note of a `type` that is no type of JSON Schema, and is left out.
    fn unknown_type(&mut self, _stated: &Value) {}
}

/// Rewrites the keywords of a schema, all but its reference.
pub fn rewrite_keywords<'d, R: SchemaRewriter<'d>>(
    rewriter: &mut R,
    schema: &'d Map<String, Value>,
) -> Map<String, Value> {
    let mut out = Map::new();
    for (name, value) in schema {
        let Some(keyword) = Keyword::named(name).filter(|keyword| keyword.role != KeywordRole::Structure)
        else {
            continue;
        };
        if rewriter.keeps(keyword, value)
            && let Some(value) = rewritten(rewriter, keyword.kind, value)
        {
            out.insert(name.clone(), value);
        }
    }
    rewrite_type(rewriter, schema, &mut out);
    exclusive_limits(R::DIALECT, schema, &mut out);
    rewrite_items(rewriter, schema, &mut out);
    out
}

/// The value of a keyword that stands for itself; `type`, `items` and exclusive limits depend on others.
fn rewritten<'d, R: SchemaRewriter<'d>>(
    rewriter: &mut R,
    kind: KeywordKind,
    value: &'d Value,
) -> Option<Value> {
    match kind {
        KeywordKind::Schema if value.is_object() => Some(rewriter.schema(value)),
        KeywordKind::Schema | KeywordKind::Flag => flag(R::DIALECT, value),
        KeywordKind::SchemaMap => {
            let entries = value.as_object()?.iter();
            let entries = entries.map(|(name, schema)| (name.clone(), rewriter.schema(schema)));
            Some(Value::Object(entries.collect()))
        }
        KeywordKind::SchemaList => schema_list(rewriter, value),
        KeywordKind::Number => number(R::DIALECT, value),
        KeywordKind::Divisor => {
            number(R::DIALECT, value).filter(|number| number.as_f64().is_some_and(|number| number > 0.0))
        }
        KeywordKind::Count => count(R::DIALECT, value),
        KeywordKind::Text => value.is_string().then(|| value.clone()),
        KeywordKind::Names => names(value),
        KeywordKind::NamesMap => {
            let entries = value.as_object()?.iter();
            let entries = entries.filter_map(|(name, needed)| Some((name.clone(), names(needed)?)));
            Some(Value::Object(entries.collect()))
        }
        KeywordKind::Values => value.as_array().filter(|list| !list.is_empty()).map(|_| value.clone()),
        KeywordKind::Data | KeywordKind::Hint => Some(value.clone()),
        KeywordKind::Items
        | KeywordKind::AdditionalItems
        | KeywordKind::Dependencies
        | KeywordKind::ExclusiveLimit
        | KeywordKind::Anchor
        | KeywordKind::Identifier
        | KeywordKind::FlagMap
        | KeywordKind::Type => None,
    }
}

fn schema_list<'d, R: SchemaRewriter<'d>>(rewriter: &mut R, value: &'d Value) -> Option<Value> {
    let list = value.as_array().filter(|list| !list.is_empty())?;
    Some(list.iter().map(|schema| rewriter.schema(schema)).collect())
}

/// `type`: what is no type of JSON is left out; a file of OpenAPI is sent as base64.
fn rewrite_type<'d, R: SchemaRewriter<'d>>(
    rewriter: &mut R,
    schema: &Map<String, Value>,
    out: &mut Map<String, Value>,
) {
    let Some(stated) = schema.get("type") else { return };
    if R::DIALECT == SchemaDialect::OpenApi && stated.as_str() == Some("file") {
        out.insert("type".to_owned(), json!("string"));
        out.insert("contentEncoding".to_owned(), json!("base64"));
        return;
    }
    let Some(known) = types(stated) else { return rewriter.unknown_type(stated) };
    // YAML makes a number of `1.5`: among the values of text it is text.
    if R::DIALECT == SchemaDialect::OpenApi && known == "string" {
        for keyword in ["enum", "const"] {
            match out.get_mut(keyword) {
                Some(Value::Array(values)) => values.iter_mut().for_each(as_text),
                Some(value) => as_text(value),
                None => {}
            }
        }
    }
    out.insert("type".to_owned(), known);
}

/// Exclusive limits: numbers of their own, or the older `true` which makes the limit beside it exclusive.
fn exclusive_limits(dialect: SchemaDialect, schema: &Map<String, Value>, out: &mut Map<String, Value>) {
    for (limit, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        let bound = match schema.get(exclusive) {
            Some(Value::Bool(true)) => out.remove(limit),
            Some(value) => number(dialect, value),
            None => None,
        };
        if let Some(bound) = bound {
            out.insert(exclusive.to_owned(), bound);
        }
    }
}

/// A list of schemas under `items` is the older spelling of `prefixItems`, `additionalItems` that of `items` beside it.
fn rewrite_items<'d, R: SchemaRewriter<'d>>(
    rewriter: &mut R,
    schema: &'d Map<String, Value>,
    out: &mut Map<String, Value>,
) {
    let rest = match schema.get("items") {
        Some(prefix @ Value::Array(_)) if !out.contains_key("prefixItems") => {
            if let Some(prefix) = schema_list(rewriter, prefix) {
                out.insert("prefixItems".to_owned(), prefix);
            }
            schema.get("additionalItems").and_then(|rest| rewritten(rewriter, KeywordKind::Schema, rest))
        }
        Some(items @ (Value::Object(_) | Value::Bool(_))) => Some(rewriter.schema(items)),
        _ => None,
    };
    if let Some(rest) = rest {
        out.insert("items".to_owned(), rest);
    }
}
