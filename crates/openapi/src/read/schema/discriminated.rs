//! Definitions that stand for others: which one holds for a value is said by one of its properties.
//!
//! A schema with a `discriminator` in; the same as plain conditions out: where the property has the value of a subtype,
//! that subtype holds. Values that mean none are held against the base, or any of the alternatives, alone. Subtypes that
//! are put together from the base refer to it without its conditions, so nothing goes in cycles.

use super::super::discriminator::DiscriminatedSchema;
use super::super::library::PartLocation;
use super::{DefinitionVariant, SchemaBuilder, SchemaContext};
use aqueduct_schema::definitions::LOCAL;
use aqueduct_schema::{is_nullable, parts as schema_parts};
use serde_json::{Map, Value, json};

/// A base with more subtypes than this takes any further properties instead.
const MOST_SUBTYPES: usize = 150;

impl SchemaBuilder<'_> {
    /// The schema of a definition.
    pub(super) fn of_definition(
        &mut self,
        node: PartLocation,
        variant: DefinitionVariant,
        name: Option<&str>,
    ) -> Value {
        let mut schema = self.library.plain(&node);
        let context = SchemaContext { document: node.document, resource: None };
        let Some(discriminated) = self.library.discriminated(&node) else {
            return self.without_conditions(schema, node, &context);
        };
        if variant == DefinitionVariant::Whole {
            return self.conditions(schema, discriminated, Some((node, name)), &context);
        }
        strip(&mut schema, discriminated);
        self.without_conditions(schema, node, &context)
    }

    /// The conditions by which one of the subtypes holds; `base` is the definition that it is, with its name, if it is one.
    pub(super) fn conditions(
        &mut self,
        mut schema: Value,
        discriminated: &DiscriminatedSchema,
        base: Option<(PartLocation, Option<&str>)>,
        context: &SchemaContext,
    ) -> Value {
        let says_null = schema.as_object().is_some_and(is_nullable);
        let branches = strip(&mut schema, discriminated);
        let is_listed = discriminated.subtypes.len() <= MOST_SUBTYPES;
        let own = match base {
            Some((node, name)) if !discriminated.has_alternatives && is_listed => {
                let name = format!("{}_alone", name.unwrap_or_default());
                self.refer(node, DefinitionVariant::Alone, Some(name))
            }
            Some((node, _)) => self.without_conditions(schema, node, context),
            None => self.rewrite(&schema, context),
        };
        if !is_listed {
            self.warn(format!(
                "of types with more than {MOST_SUBTYPES} subtypes only the common fields are checked"
            ));
            return opened(own);
        }
        let mut parts = vec![own];
        parts.retain(|part| part.as_object().is_none_or(|part| !part.is_empty()));
        for subtype in discriminated.subtypes.iter().filter(|subtype| !subtype.values.is_empty()) {
            let holds = self.refer(subtype.node, DefinitionVariant::Whole, Some(subtype.name.to_string()));
            parts.push(
                json!({"if": has(discriminated, subtype.values.iter().map(|value| &**value)), "then": holds}),
            );
        }
        if let Some(branches) = branches {
            let branches = branches.as_array().into_iter().flatten();
            let mut any: Vec<Value> = branches.map(|branch| self.rewrite(branch, context)).collect();
            if any.is_empty() {
                any.push(Value::Bool(true));
            }
            any.extend(says_null.then(|| json!({"type": "null"})));
            parts.push(json!({"if": has(discriminated, discriminated.values()), "else": {"anyOf": any}}));
        }
        json!({"allOf": parts, "discriminator": {"propertyName": discriminated.property}})
    }

    /// A definition that may be put together from bases: it has nothing of what else these stand for.
    fn without_conditions(
        &mut self,
        mut schema: Value,
        node: PartLocation,
        context: &SchemaContext,
    ) -> Value {
        let mut bases = Vec::new();
        if let Some(Value::Array(parts)) = schema.get_mut("allOf") {
            parts.retain(|part| {
                let alone = part.as_object().filter(|part| part.len() == 1);
                let base = alone.and_then(|_| self.base(schema_parts::reference(part)?, node, context));
                bases.extend(base.clone());
                base.is_none()
            });
            if parts.is_empty() {
                schema.as_object_mut().map(|schema| schema.remove("allOf"));
            }
        }
        let mut out = self.rewrite(&schema, context);
        if bases.is_empty() {
            return out;
        }
        let mut all: Vec<Value> = bases
            .into_iter()
            .map(|(node, name)| self.refer(node, DefinitionVariant::Alone, Some(name)))
            .collect();
        if let Some(out) = out.as_object_mut() {
            if let Some(Value::Array(others)) = out.remove("allOf") {
                all.extend(others);
            }
            out.insert("allOf".to_owned(), Value::Array(all));
        }
        out
    }

    /// The base that a reference leads to, when the definition is one of its subtypes.
    fn base(
        &self,
        reference: &str,
        subtype: PartLocation,
        context: &SchemaContext,
    ) -> Option<(PartLocation, String)> {
        let target = self.library.target(reference, context.document, None).ok()?;
        let discriminated = self.library.discriminated(&target.node)?;
        let is_subtype = discriminated.subtypes.iter().any(|each| each.node == subtype);
        is_subtype.then(|| (target.node, format!("{}_alone", target.name.unwrap_or_default())))
    }

    fn refer(&self, node: PartLocation, variant: DefinitionVariant, name: Option<String>) -> Value {
        let name = self.library.names().of(node, variant, name.as_deref());
        json!({ "$ref": format!("{LOCAL}{name}") })
    }
}

/// Takes away what makes a schema stand for others; its alternatives are given back.
fn strip(schema: &mut Value, discriminated: &DiscriminatedSchema) -> Option<Value> {
    let schema = schema.as_object_mut()?;
    schema.remove("discriminator");
    if discriminated.has_alternatives { schema_parts::take_alternatives(schema) } else { None }
}

/// The schema of objects whose property has one of these values.
fn has<'v>(discriminated: &DiscriminatedSchema, values: impl Iterator<Item = &'v str>) -> Value {
    let values: Vec<&str> = values.collect();
    json!({"type": "object", "required": [discriminated.property], "properties": {&*discriminated.property: {"enum": values}}})
}

/// The same, with any further properties.
fn opened(schema: Value) -> Value {
    let mut members = match schema {
        Value::Object(members) => members,
        other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
    };
    members.remove("unevaluatedProperties");
    members.insert("additionalProperties".to_owned(), Value::Bool(true));
    Value::Object(members)
}
