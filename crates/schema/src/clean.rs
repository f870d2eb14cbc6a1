//! Any schema document to one that rules are made of, with the same meaning.
//!
//! Whatever dialect it is written in comes in; plain draft 2020-12 goes out: only keywords that check something, each
//! of the right type, older spellings rewritten, references gathered under `$defs`. A keyword that is wrong is left
//! out alone. The depth of the document bounds the depth of the walk; references are followed by a queue.

use crate::dialect::{SchemaDialect, SchemaRewriter, admit_null, names, rewrite_keywords, unique};
use crate::format::Format;
use crate::keywords::{Keyword, KeywordRole};
use crate::places::SchemaLocations;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// What is left out or relaxed on purpose.
#[derive(Default)]
pub(crate) struct SchemaLeniency {
    /// `oneOf` is read as `anyOf`.
    pub(crate) one_of_is_any_of: bool,
    /// Formats are for information.
    pub(crate) ignores_formats: bool,
    /// What no schema looked into is not known, because one of them is missing: the `unevaluated` keywords go.
    pub(crate) ignores_unevaluated: bool,
}

/// Schemas ready to be made into rules.
#[derive(Default)]
pub(crate) struct CleanSchema {
    /// The schemas that were asked for, in their order.
    pub(crate) schemas: Vec<Value>,
    /// What references lead to, by number.
    pub(crate) definitions: Vec<Value>,
    /// Whether some `oneOf` was there.
    pub(crate) has_one_of: bool,
    /// Whether some format was there that is checked.
    pub(crate) has_format: bool,
    /// Whether some reference leads out of the document.
    pub(crate) lost_reference: bool,
}

/// Rewrites the schemas in `starts`, places of the document that `places` knows.
pub(crate) fn clean<'d>(
    places: &SchemaLocations<'d>,
    document: &Value,
    starts: &[&'d Value],
    leniency: &SchemaLeniency,
) -> CleanSchema {
    let mut cleaner = Cleaner {
        places,
        leniency,
        references_stand_alone: is_draft_seven_or_older(document),
        targets: HashMap::new(),
        queue: Vec::new(),
        cleaned: CleanSchema::default(),
    };
    cleaner.cleaned.schemas = starts.iter().map(|start| cleaner.schema(start)).collect();
    while let Some((number, target)) = cleaner.queue.pop() {
        let definition = cleaner.schema(target);
        let definitions = &mut cleaner.cleaned.definitions;
        if definitions.len() <= number {
            definitions.resize(number + 1, Value::Bool(true));
        }
        definitions[number] = definition;
    }
    cleaner.cleaned
}

fn is_draft_seven_or_older(document: &Value) -> bool {
    let dialect = document.get("$schema").and_then(Value::as_str).unwrap_or_default();
    ["draft-03", "draft-04", "draft-05", "draft-06", "draft-07"].iter().any(|draft| dialect.contains(draft))
}

struct Cleaner<'p, 'd> {
    places: &'p SchemaLocations<'d>,
    leniency: &'p SchemaLeniency,
    references_stand_alone: bool,
    targets: HashMap<*const Value, usize>,
    queue: Vec<(usize, &'d Value)>,
    cleaned: CleanSchema,
}

impl<'d> Cleaner<'_, 'd> {
    fn keywords(&mut self, schema: &'d Map<String, Value>) -> Map<String, Value> {
        let reference = self.reference(schema);
        let stands_alone = self.references_stand_alone && schema.get("$ref").is_some_and(Value::is_string);
        let mut out = if stands_alone { Map::new() } else { rewrite_keywords(self, schema) };
        if let Some(target) = reference {
            out.insert("$ref".to_owned(), target);
        }
        if stands_alone {
            return out;
        }
        if let Some(Value::Array(options)) = out.get("enum") {
            let options = unique(options);
            out.insert("enum".to_owned(), options);
        }
        self.relax_one_of(&mut out);
        self.dependencies(schema, &mut out);
        if schema.get("nullable") == Some(&Value::Bool(true)) {
            out = admit_null(SchemaDialect::JsonSchema, out);
        }
        out
    }

    fn relax_one_of(&mut self, out: &mut Map<String, Value>) {
        let Some(branches) = out.get_mut("oneOf") else { return };
        self.cleaned.has_one_of = true;
        if self.leniency.one_of_is_any_of {
            let any = json!({ "anyOf": branches.take() });
            out.remove("oneOf");
            if let Value::Array(all) = out.entry("allOf").or_insert_with(|| Value::Array(Vec::new())) {
                all.push(any);
            }
        }
    }

    /// The older spelling of `dependentRequired` and `dependentSchemas`.
    fn dependencies(&mut self, schema: &'d Map<String, Value>, out: &mut Map<String, Value>) {
        let Some(Value::Object(entries)) = schema.get("dependencies") else { return };
        for (name, dependency) in entries {
            let (keyword, value) = match names(dependency) {
                Some(needed) => ("dependentRequired", needed),
                None if dependency.is_object() || dependency.is_boolean() => {
                    ("dependentSchemas", self.schema(dependency))
                }
                None => continue,
            };
            let group = out.entry(keyword).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(group) = group {
                group.entry(name.clone()).or_insert(value);
            }
        }
    }

    fn reference(&mut self, schema: &Map<String, Value>) -> Option<Value> {
        let spellings = ["$ref", "$dynamicRef", "$recursiveRef"];
        let reference = spellings.iter().find_map(|keyword| schema.get(*keyword).and_then(Value::as_str))?;
        let Some(target) = self.places.resolve(reference) else {
            self.cleaned.lost_reference = true;
            return None;
        };
        let known = self.targets.len();
        let number = *self.targets.entry(std::ptr::from_ref(target)).or_insert(known);
        if number == known {
            self.queue.push((number, target));
        }
        Some(Value::String(format!("#/$defs/{number}")))
    }
}

impl<'d> SchemaRewriter<'d> for Cleaner<'_, 'd> {
    const DIALECT: SchemaDialect = SchemaDialect::JsonSchema;

    fn schema(&mut self, schema: &'d Value) -> Value {
        match schema {
            Value::Bool(verdict) => Value::Bool(*verdict),
            Value::Object(keywords) => Value::Object(self.keywords(keywords)),
            _ => Value::Bool(true),
        }
    }

    fn keeps(&mut self, keyword: Keyword, value: &Value) -> bool {
        match keyword.name {
            "unevaluatedProperties" | "unevaluatedItems" => !self.leniency.ignores_unevaluated,
            "format" => {
                // Other names are hints for the reader.
                let is_checked = value.as_str().is_some_and(|name| Format::CHECKED_NAMES.contains(&name));
                self.cleaned.has_format |= is_checked;
                is_checked && !self.leniency.ignores_formats
            }
            _ => keyword.role == KeywordRole::Check,
        }
    }
}

#[cfg(test)]
mod tests;
