//! The keywords of one schema object: those of OpenAPI 3.0 and Swagger 2.0 become those of JSON Schema 2020-12, those
//! with a wrong kind of value are dropped, so that one slip does not make a whole schema useless.

use super::super::library::SpecVersion;
use super::{SchemaBuilder, SchemaContext};
use aqueduct_schema::as_text;
use serde_json::{Map, Number, Value, json};

const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];
/// What stays beside a reference in OpenAPI 3.0, where everything else there is ignored.
const BESIDE: [&str; 6] = ["description", "title", "default", "deprecated", "readOnly", "writeOnly"];

/// What the value of a keyword must be.
enum KeywordValue {
    Schema,
    SchemaMap,
    SchemaList,
    Number,
    Count,
    Text,
    Flag,
    Names,
    List,
    Anything,
    Dropped,
    Special,
}

fn kind(keyword: &str) -> KeywordValue {
    match keyword {
        "additionalProperties"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "propertyNames"
        | "contains"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contentSchema"
        | "additionalItems" => KeywordValue::Schema,
        "properties" | "patternProperties" | "dependentSchemas" => KeywordValue::SchemaMap,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => KeywordValue::SchemaList,
        "minimum" | "maximum" | "multipleOf" => KeywordValue::Number,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => KeywordValue::Count,
        "pattern" | "format" | "title" | "description" | "contentEncoding" | "contentMediaType" => {
            KeywordValue::Text
        }
        "readOnly" | "writeOnly" | "deprecated" | "uniqueItems" => KeywordValue::Flag,
        "required" => KeywordValue::Names,
        "enum" => KeywordValue::List,
        "const" | "default" | "discriminator" | "dependentRequired" => KeywordValue::Anything,
        "type" | "nullable" | "exclusiveMinimum" | "exclusiveMaximum" | "items" | "$ref" | "$dynamicRef"
        | "$recursiveRef" => KeywordValue::Special,
        _ => KeywordValue::Dropped,
    }
}

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
            && let Some(family) = self.library.family_in(members, context.document)
        {
            return self.family(schema.clone(), &family, None, context);
        }
        let mut out = self.keywords(members, context);
        if !modern {
            nullable(members, &mut out);
        }
        Value::Object(out)
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
        let says = |key: &str| members.get(key) == Some(&Value::Bool(true));
        let or_null = !modern && (says("nullable") || says("x-nullable"));
        match target {
            target if or_null => {
                out.insert("anyOf".to_owned(), json!([target, {"type": "null"}]));
            }
            Value::Object(target) => out.extend(target),
            target if out.is_empty() => return target,
            _ => {}
        }
        Value::Object(out)
    }

    fn keywords(&mut self, members: &Map<String, Value>, context: &SchemaContext) -> Map<String, Value> {
        let mut out = Map::new();
        for (keyword, value) in members {
            let rewritten = match kind(keyword) {
                KeywordValue::Schema => {
                    value.is_object().then(|| self.rewrite(value, context)).or_else(|| flag(value))
                }
                KeywordValue::SchemaMap => self.schema_map(value, context),
                KeywordValue::SchemaList => self.schema_list(value, context),
                KeywordValue::Number => number(value),
                KeywordValue::Count => count(value),
                KeywordValue::Text => value.is_string().then(|| value.clone()),
                KeywordValue::Flag => flag(value),
                KeywordValue::Names => names(value),
                KeywordValue::List => value.as_array().filter(|list| !list.is_empty()).map(|_| value.clone()),
                KeywordValue::Anything => Some(value.clone()),
                KeywordValue::Dropped | KeywordValue::Special => None,
            };
            if let Some(rewritten) = rewritten {
                out.insert(keyword.clone(), rewritten);
            }
        }
        self.types(members, &mut out);
        text_values(&mut out);
        limits(members, &mut out);
        match members.get("items") {
            Some(Value::Array(_)) if !out.contains_key("prefixItems") => {
                if let Some(list) = self.schema_list(&members["items"], context) {
                    out.insert("prefixItems".to_owned(), list);
                }
                if let Some(rest) = out.remove("additionalItems") {
                    out.insert("items".to_owned(), rest);
                }
            }
            Some(items @ (Value::Object(_) | Value::Bool(_))) => {
                let items = self.rewrite(items, context);
                out.insert("items".to_owned(), items);
            }
            _ => {}
        }
        out.remove("additionalItems");
        out
    }

    fn schema_map(&mut self, value: &Value, context: &SchemaContext) -> Option<Value> {
        let members = value.as_object()?;
        let rewritten = members.iter().map(|(name, schema)| (name.clone(), self.rewrite(schema, context)));
        Some(Value::Object(rewritten.collect()))
    }

    pub(super) fn schema_list(&mut self, value: &Value, context: &SchemaContext) -> Option<Value> {
        let list = value.as_array().filter(|list| !list.is_empty())?;
        Some(list.iter().map(|schema| self.rewrite(schema, context)).collect())
    }

    /// `type`: what is no type of JSON is dropped; a file is sent as base64.
    fn types(&mut self, members: &Map<String, Value>, out: &mut Map<String, Value>) {
        let Some(stated) = members.get("type") else { return };
        if stated.as_str() == Some("file") {
            out.insert("type".to_owned(), json!("string"));
            out.insert("contentEncoding".to_owned(), json!("base64"));
            return;
        }
        let known = |value: &&Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
        let kept = match stated {
            Value::Array(list) => {
                let mut kept: Vec<Value> = Vec::new();
                for value in list.iter().filter(known) {
                    if !kept.contains(value) {
                        kept.push(value.clone());
                    }
                }
                (!kept.is_empty() && kept.len() == list.len()).then_some(Value::Array(kept))
            }
            stated => Some(stated).filter(known).cloned(),
        };
        match kept {
            Some(kept) => {
                out.insert("type".to_owned(), kept);
            }
            None => self.warn(format!("the type {stated} is no type of JSON Schema: any type is accepted")),
        }
    }
}

/// The reference of a schema; a dynamic one is followed to where it leads in the document.
fn referred(members: &Map<String, Value>) -> Option<&str> {
    let names = ["$ref", "$dynamicRef", "$recursiveRef"];
    names.iter().find_map(|name| members.get(*name).and_then(Value::as_str))
}

/// `nullable: true` of OpenAPI 3.0, and its forerunner `x-nullable`.
fn nullable(members: &Map<String, Value>, out: &mut Map<String, Value>) {
    let says = |key: &str| members.get(key) == Some(&Value::Bool(true));
    if !says("nullable") && !says("x-nullable") {
        return;
    }
    if let Some(Value::String(name)) = out.get("type").cloned()
        && name != "null"
    {
        out.insert("type".to_owned(), json!([name, "null"]));
    }
    if let Some(Value::Array(list)) = out.get_mut("enum")
        && !list.contains(&Value::Null)
    {
        list.push(Value::Null);
    }
    // Branches know nothing of the null around them.
    for combined in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = out.get_mut(combined) {
            branches.push(json!({"type": "null"}));
            if combined == "oneOf" && branches.iter().any(allows_null_already) {
                let branches = out.remove("oneOf").unwrap_or_default();
                out.insert("anyOf".to_owned(), branches);
            }
        }
    }
    if let Some(all) = out.remove("allOf") {
        out.insert("anyOf".to_owned(), json!([{ "allOf": all }, {"type": "null"}]));
    }
}

/// True for branches other than the null itself that may be null.
fn allows_null_already(branch: &Value) -> bool {
    let Some(members) = branch.as_object() else { return true };
    match members.get("type") {
        Some(Value::Array(types)) => types.contains(&Value::Null) || types.contains(&json!("null")),
        Some(_) => false,
        None => true,
    }
}

/// Exclusive limits: a flag beside the limit in OpenAPI 3.0, a number of its own later.
fn limits(members: &Map<String, Value>, out: &mut Map<String, Value>) {
    for (limit, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        match members.get(exclusive) {
            Some(Value::Bool(true)) => {
                if let Some(number) = out.remove(limit) {
                    out.insert(exclusive.to_owned(), number);
                }
            }
            Some(value) => {
                if let Some(number) = number(value) {
                    out.insert(exclusive.to_owned(), number);
                }
            }
            None => {}
        }
    }
}

/// Values of text that are written as numbers or truth values, as YAML makes of `1.5`, are text.
fn text_values(out: &mut Map<String, Value>) {
    if out.get("type").and_then(Value::as_str) != Some("string") {
        return;
    }
    for keyword in ["enum", "const"] {
        match out.get_mut(keyword) {
            Some(Value::Array(values)) => values.iter_mut().for_each(as_text),
            Some(value) => as_text(value),
            None => {}
        }
    }
}

fn flag(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(value.clone()),
        Value::String(text) => text.parse().ok().map(Value::Bool),
        _ => None,
    }
}

fn number(value: &Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value.clone()),
        Value::String(text) => text.trim().parse::<Number>().ok().map(Value::Number),
        _ => None,
    }
}

/// Counts are whole and not negative.
fn count(value: &Value) -> Option<Value> {
    let number = number(value)?;
    let whole = number.as_u64().or_else(|| {
        let float = number.as_f64()?;
        (float >= 0.0 && float.fract() == 0.0 && float < 9e15).then_some(float as u64)
    });
    whole.map(Value::from)
}

/// `required` with the names in it; a flag, as some write it, says nothing here.
fn names(value: &Value) -> Option<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for name in value.as_array()?.iter().filter(|name| name.is_string()) {
        if !kept.contains(name) {
            kept.push(name.clone());
        }
    }
    (!kept.is_empty()).then_some(Value::Array(kept))
}
