//! Schemas of OpenAPI 3.0 and Swagger 2.0 become those of JSON Schema 2020-12.
//!
//! A schema and where it stands in; the same with every reference to a definition by its name out. What the keywords
//! become is `aqueduct_schema`'s.

use super::super::library::SpecVersion;
use super::{SchemaBuilder, SchemaContext};
use aqueduct_schema::{Keyword, SchemaDialect, SchemaRewriter, admit_null, is_nullable, rewrite_keywords};
use serde_json::{Map, Value, json};

/// What stays beside a reference in OpenAPI 3.0, where everything else there is ignored.
const BESIDE: [&str; 6] = ["description", "title", "default", "deprecated", "readOnly", "writeOnly"];

impl SchemaBuilder<'_> {
    /// A schema in the words of JSON Schema 2020-12. What is no schema accepts anything.
    pub(super) fn rewrite(&mut self, schema: &Value, context: &SchemaContext) -> Value {
        let members = match schema {
            Value::Object(members) => members,
            Value::Bool(flag) => return Value::Bool(*flag),
            _ => return Value::Bool(true),
        };
        let own = self.below(members, context);
        let context = own.as_ref().unwrap_or(context);
        let modern = self.version(context) >= SpecVersion::V3_1;
        if let Some(reference) = referred(members) {
            return self.with_reference(members, reference, context, modern);
        }
        if members.contains_key("discriminator")
            && let Some(discriminated) = self.library.discriminated_in(members, context.document)
        {
            return self.conditions(schema.clone(), &discriminated, None, context);
        }
        let out = self.keywords(members, context);
        let or_null = !modern && is_nullable(members);
        Value::Object(if or_null { admit_null(SchemaDialect::OpenApi, out) } else { out })
    }

    fn with_reference(
        &mut self,
        members: &Map<String, Value>,
        reference: &str,
        context: &SchemaContext,
        modern: bool,
    ) -> Value {
        let target = self.reference(reference, context);
        let mut out = if modern {
            self.keywords(members, context)
        } else {
            let kept = members.iter().filter(|(key, _)| BESIDE.contains(&key.as_str()));
            let kept: Map<_, _> = kept.map(|(key, value)| (key.clone(), value.clone())).collect();
            self.keywords(&kept, context)
        };
        match target {
            target if !modern && is_nullable(members) => {
                out.insert("anyOf".to_owned(), json!([target, {"type": "null"}]));
            }
            Value::Object(target) => out.extend(target),
            target if out.is_empty() => return target,
            _ => {}
        }
        Value::Object(out)
    }

    fn keywords(&mut self, members: &Map<String, Value>, context: &SchemaContext) -> Map<String, Value> {
        rewrite_keywords(&mut ContextRewriter { builder: self, context }, members)
    }
}

/// Rewrites the schemas below one schema.
struct ContextRewriter<'b, 'l> {
    builder: &'b mut SchemaBuilder<'l>,
    context: &'b SchemaContext,
}

impl<'d> SchemaRewriter<'d> for ContextRewriter<'_, '_> {
    const DIALECT: SchemaDialect = SchemaDialect::OpenApi;

    fn schema(&mut self, schema: &'d Value) -> Value {
        self.builder.rewrite(schema, self.context)
    }

    fn keeps(&mut self, _keyword: Keyword, _value: &Value) -> bool {
        true
    }

    fn unknown_type(&mut self, stated: &Value) {
        self.builder.warn(format!("the type {stated} is no type of JSON Schema: any type is accepted"));
    }
}

/// The reference of a schema; a dynamic one is followed to where it leads in the document.
fn referred(members: &Map<String, Value>) -> Option<&str> {
    let names = ["$ref", "$dynamicRef", "$recursiveRef"];
    names.iter().find_map(|name| members.get(*name).and_then(Value::as_str))
}
