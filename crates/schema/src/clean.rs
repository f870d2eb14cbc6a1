//! Any schema document to one that rules are made of, with the same meaning.
//!
//! Whatever dialect it is written in comes in; plain draft 2020-12 goes out: only keywords that check something, each
//! of the right type, older spellings rewritten, references gathered under `$defs`. A keyword that is wrong is left
//! out alone. The depth of the document bounds the depth of the walk; references are followed by a queue.

mod keywords;
mod null;

use crate::format::Format;
use crate::places::SchemaLocations;
use keywords::{bounds, count, limit, names, positive, types, unique};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// What is left out or relaxed on purpose.
#[derive(Default)]
pub(crate) struct Leniency {
    /// `oneOf` is read as `anyOf`.
    pub(crate) one_of_is_any_of: bool,
    /// Formats are for information.
    pub(crate) ignores_formats: bool,
    /// What no schema looked into is not known, because one of them is missing: the `unevaluated` keywords go.
    pub(crate) ignores_unevaluated: bool,
}

/// Schemas ready to be made into rules.
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
    leniency: &Leniency,
) -> CleanSchema {
    let mut cleaner = Cleaner {
        places,
        leniency,
        references_stand_alone: is_draft_seven_or_older(document),
        targets: HashMap::new(),
        queue: Vec::new(),
        has_one_of: false,
        has_format: false,
        lost_reference: false,
    };
    let schemas = starts.iter().map(|start| cleaner.schema(start)).collect();
    let mut definitions = Vec::new();
    while let Some((number, target)) = cleaner.queue.pop() {
        let definition = cleaner.schema(target);
        if definitions.len() <= number {
            definitions.resize(number + 1, Value::Bool(true));
        }
        definitions[number] = definition;
    }
    let Cleaner { has_one_of, has_format, lost_reference, .. } = cleaner;
    CleanSchema { schemas, definitions, has_one_of, has_format, lost_reference }
}

fn is_draft_seven_or_older(document: &Value) -> bool {
    let dialect = document.get("$schema").and_then(Value::as_str).unwrap_or_default();
    ["draft-03", "draft-04", "draft-05", "draft-06", "draft-07"].iter().any(|draft| dialect.contains(draft))
}

struct Cleaner<'p, 'd> {
    places: &'p SchemaLocations<'d>,
    leniency: &'p Leniency,
    references_stand_alone: bool,
    targets: HashMap<*const Value, usize>,
    queue: Vec<(usize, &'d Value)>,
    has_one_of: bool,
    has_format: bool,
    lost_reference: bool,
}

impl<'d> Cleaner<'_, 'd> {
    fn schema(&mut self, schema: &'d Value) -> Value {
        match schema {
            Value::Bool(verdict) => Value::Bool(*verdict),
            Value::Object(keywords) => Value::Object(self.keywords(keywords)),
            _ => Value::Bool(true),
        }
    }

    fn keywords(&mut self, schema: &'d Map<String, Value>) -> Map<String, Value> {
        let mut out = Map::new();
        if let Some(target) = self.reference(schema) {
            out.insert("$ref".to_owned(), target);
        }
        if self.references_stand_alone && schema.get("$ref").is_some_and(Value::is_string) {
            return out;
        }
        for (keyword, value) in schema {
            if let Some(value) = self.plain(keyword, value).or_else(|| self.applied(keyword, value)) {
                out.insert(keyword.clone(), value);
            }
        }
        self.alternatives(schema, &mut out);
        self.items(schema, &mut out);
        self.dependencies(schema, &mut out);
        self.pattern_properties(schema, &mut out);
        bounds(schema, &mut out);
        if schema.get("nullable") == Some(&Value::Bool(true)) {
            out = null::admit(out);
        }
        out
    }

    /// Keywords that hold no schema.
    fn plain(&mut self, keyword: &str, value: &Value) -> Option<Value> {
        match keyword {
            "type" => types(value),
            "const" => Some(value.clone()),
            "enum" => value.as_array().filter(|options| !options.is_empty()).map(|options| unique(options)),
            "required" => names(value),
            "multipleOf" => positive(value),
            "minimum" | "maximum" => limit(value),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
            | "minContains" | "maxContains" => count(value),
            "uniqueItems" => value.as_bool().map(Value::Bool),
            // Other names are hints for the reader.
            "format" => {
                let name = value.as_str().filter(|name| Format::CHECKED_NAMES.contains(name))?;
                self.has_format = true;
                (!self.leniency.ignores_formats).then(|| Value::from(name))
            }
            "pattern" => value.as_str().map(Value::from),
            _ => None,
        }
    }

    /// Keywords that hold one schema, or one for each name.
    fn applied(&mut self, keyword: &str, value: &'d Value) -> Option<Value> {
        match keyword {
            "unevaluatedProperties" | "unevaluatedItems" if self.leniency.ignores_unevaluated => None,
            "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "unevaluatedItems" => is_schema(value).then(|| self.schema(value)),
            "properties" | "dependentSchemas" => value.as_object().map(|entries| self.each(entries)),
            "dependentRequired" => {
                let entries = value.as_object()?.iter();
                let named = entries.filter_map(|(name, needed)| Some((name.clone(), names(needed)?)));
                Some(Value::Object(named.collect()))
            }
            _ => None,
        }
    }

    fn each(&mut self, entries: &'d Map<String, Value>) -> Value {
        Value::Object(entries.iter().map(|(name, schema)| (name.clone(), self.schema(schema))).collect())
    }

    fn all(&mut self, schemas: &'d [Value]) -> Value {
        Value::Array(schemas.iter().map(|schema| self.schema(schema)).collect())
    }

    fn alternatives(&mut self, schema: &'d Map<String, Value>, out: &mut Map<String, Value>) {
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = schema.get(keyword) else { continue };
            if branches.is_empty() {
                continue;
            }
            self.has_one_of |= keyword == "oneOf";
            let branches = self.all(branches);
            if keyword == "oneOf" && self.leniency.one_of_is_any_of {
                let both = json!({ "anyOf": branches });
                match out.get_mut("allOf") {
                    Some(Value::Array(all)) => all.push(both),
                    _ => {
                        out.insert("allOf".to_owned(), Value::Array(vec![both]));
                    }
                }
            } else {
                out.insert(keyword.to_owned(), branches);
            }
        }
    }

    /// A list of schemas under `items` is the older spelling of `prefixItems`, `additionalItems` of `items` beside it.
    fn items(&mut self, schema: &'d Map<String, Value>, out: &mut Map<String, Value>) {
        let items = schema.get("items");
        let older = items.and_then(Value::as_array);
        let prefix = older.or_else(|| schema.get("prefixItems").and_then(Value::as_array));
        let rest = if older.is_some() { schema.get("additionalItems") } else { items };
        if let Some(prefix) = prefix.filter(|prefix| !prefix.is_empty()) {
            let prefix = self.all(prefix);
            out.insert("prefixItems".to_owned(), prefix);
        }
        if let Some(rest) = rest.filter(|rest| is_schema(rest)) {
            let rest = self.schema(rest);
            out.insert("items".to_owned(), rest);
        }
    }

    /// The older spelling of `dependentRequired` and `dependentSchemas`.
    fn dependencies(&mut self, schema: &'d Map<String, Value>, out: &mut Map<String, Value>) {
        let Some(Value::Object(entries)) = schema.get("dependencies") else { return };
        for (name, dependency) in entries {
            let (keyword, value) = match names(dependency) {
                Some(needed) => ("dependentRequired", needed),
                None if is_schema(dependency) => ("dependentSchemas", self.schema(dependency)),
                None => continue,
            };
            let group = out.entry(keyword).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(group) = group {
                group.entry(name.clone()).or_insert(value);
            }
        }
    }

    fn pattern_properties(&mut self, schema: &'d Map<String, Value>, out: &mut Map<String, Value>) {
        let Some(Value::Object(entries)) = schema.get("patternProperties") else { return };
        let kept = self.each(entries);
        out.insert("patternProperties".to_owned(), kept);
    }

    fn reference(&mut self, schema: &Map<String, Value>) -> Option<Value> {
        let spellings = ["$ref", "$dynamicRef", "$recursiveRef"];
        let reference = spellings.iter().find_map(|keyword| schema.get(*keyword).and_then(Value::as_str))?;
        let Some(target) = self.places.resolve(reference) else {
            self.lost_reference = true;
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

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

#[cfg(test)]
mod tests;
