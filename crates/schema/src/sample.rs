//! A small value that fits a schema: what is required and no more, by its own words where it has any (default, const,
//! enum, examples), else made from its type and bounds.
//!
//! A schema in, a value out that the schema accepts, or nothing. Used for examples that must pass our own checks.

mod pattern;
mod scalar;

pub use scalar::{numbers, texts};

use crate::Schema;
use crate::format::Format;
use crate::pattern::{Dialect, Pattern, PatternMatch};
use crate::shape::Shape;
use crate::work::Meter;
use serde_json::{Map, Value, json};
use std::cell::Cell;

/// How deep objects are filled, and how many parts of the schema are looked at: parts of parts multiply.
const DEEPEST: usize = 12;
const MOST_PARTS: u32 = 5_000;
/// Steps that checking it may take.
const MOST_STEPS: u64 = 200_000;

/// Makes a value; it may still be one that the schema refuses, so the caller checks it.
pub(crate) fn sample(schema: &Schema, word: &str) -> Option<Value> {
    let make = |chooses: bool, fills: bool| {
        let maker = SampleMaker { root: schema.document(), chooses, fills, left: Cell::new(MOST_PARTS) };
        let made = maker.make(schema.document(), word, 0)?;
        let fits = schema.accepts_within(&made, &Meter::new(MOST_STEPS)).unwrap_or(false);
        fits.then_some(made)
    };
    // Alternatives that are hardly different all take an empty object.
    make(true, false).or_else(|| make(false, false)).or_else(|| make(true, true))
}

struct SampleMaker<'a> {
    root: &'a Value,
    /// Of types that a property chooses between, one is taken.
    chooses: bool,
    /// An object that needs nothing has its first property.
    fills: bool,
    /// Parts that may still be looked at.
    left: Cell<u32>,
}

impl SampleMaker<'_> {
    fn make(&self, schema: &Value, word: &str, depth: usize) -> Option<Value> {
        let left = self.left.get();
        if depth > DEEPEST || left == 0 {
            return None;
        }
        self.left.set(left - 1);
        let schema = match schema {
            Value::Bool(accepts) => return accepts.then(|| json!(word)),
            Value::Object(schema) => schema,
            _ => return Some(json!(word)),
        };
        for keyword in ["const", "default", "example"] {
            if let Some(value) = schema.get(keyword).filter(|value| !value.is_null()) {
                return Some(value.clone());
            }
        }
        for list in ["enum", "examples"] {
            if let Some(first) = schema.get(list).and_then(Value::as_array).and_then(|list| list.first()) {
                return Some(first.clone());
            }
        }
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(target.strip_prefix('#')?)?;
            return self.make(target, word, depth + 1);
        }
        if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
            return self.of_all(schema, parts, word, depth);
        }
        for union in ["oneOf", "anyOf"] {
            if let Some(branches) = schema.get(union).and_then(Value::as_array) {
                let own = || self.of_type(schema, word, depth);
                let mut made = branches.iter().filter_map(|branch| match required_of(schema, branch) {
                    Some(together) => self.of_type(&together, word, depth + 1),
                    None => self.make(branch, word, depth + 1).map(|value| joined(own(), value)),
                });
                return made.next();
            }
        }
        self.of_type(schema, word, depth)
    }

    /// The parts of an `allOf` together, when they are objects; else the first that can be made.
    fn of_all(
        &self,
        schema: &Map<String, Value>,
        parts: &[Value],
        word: &str,
        depth: usize,
    ) -> Option<Value> {
        let mut whole =
            if schema.contains_key("properties") { self.of_type(schema, word, depth) } else { None };
        for part in parts.iter().filter(|part| part.get("if").is_none()) {
            let made = self.make(part, word, depth + 1)?;
            whole = Some(joined(whole, made));
        }
        if let Some(Value::Object(whole)) = &mut whole {
            whole.extend(self.required_of_others(schema, depth)?);
        }
        let property = schema.get("discriminator").and_then(|keyword| keyword.get("propertyName")?.as_str());
        match (property, whole) {
            (Some(property), None) => self.one_of_its_types(property, parts, Map::new(), depth),
            (Some(property), Some(Value::Object(own))) => self.one_of_its_types(property, parts, own, depth),
            (_, whole) => whole,
        }
    }

    /// Properties that one part requires and another one declares, as they are declared.
    fn required_of_others(&self, schema: &Map<String, Value>, depth: usize) -> Option<Map<String, Value>> {
        let mut parts = Vec::new();
        together(self.root, schema, 0, &mut parts);
        let declared = |part: &&Map<String, Value>, name: &str| part.get("properties")?.get(name).cloned();
        let mut made = Map::new();
        for part in &parts {
            let required = part.get("required").and_then(Value::as_array).into_iter().flatten();
            for name in required.filter_map(Value::as_str).filter(|name| declared(part, name).is_none()) {
                let Some(property) = parts.iter().find_map(|other| declared(other, name)) else { continue };
                made.insert(name.to_owned(), self.make(&property, name, depth + 1)?);
            }
        }
        Some(made)
    }

    /// An object with what one of the types has that the property chooses between: the one it names already, else the
    /// first that can be made.
    fn one_of_its_types(
        &self,
        property: &str,
        parts: &[Value],
        own: Map<String, Value>,
        depth: usize,
    ) -> Option<Value> {
        let case = |part: &'_ Value| {
            let values = part.get("if")?.get("properties")?.get(property)?.get("enum")?.as_array()?;
            Some((values.clone(), part.get("then")?.clone()))
        };
        let mut cases: Vec<(Vec<Value>, Value)> =
            parts.iter().filter(|_| self.chooses).filter_map(case).collect();
        let is_named = |values: &[Value]| own.get(property).is_some_and(|keyword| values.contains(keyword));
        if cases.iter().any(|(values, _)| is_named(values)) {
            cases.retain(|(values, _)| is_named(values));
        }
        if cases.is_empty() {
            return Some(Value::Object(own));
        }
        cases.into_iter().find_map(|(values, then)| {
            let mut whole = own.clone();
            if !is_named(&values) {
                whole.insert(property.to_owned(), values.first()?.clone());
            }
            if let Value::Object(made) = self.make(&then, property, depth + 1)? {
                made.into_iter().for_each(|(name, value)| {
                    whole.entry(name).or_insert(value);
                });
            }
            Some(Value::Object(whole))
        })
    }

    fn of_type(&self, schema: &Map<String, Value>, word: &str, depth: usize) -> Option<Value> {
        let named = match schema.get("type") {
            Some(Value::Array(types)) => types.iter().find(|each| *each != "null").and_then(Value::as_str),
            other => other.and_then(Value::as_str),
        };
        let is_object = schema.contains_key("properties") || schema.contains_key("required");
        let is_array = schema.contains_key("items") || schema.contains_key("prefixItems");
        match named {
            Some("object") => self.object(schema, depth),
            Some("array") => self.array(schema, word, depth),
            Some("integer") => Some(number(schema, true)),
            Some("number") => Some(number(schema, false)),
            Some("boolean") => Some(json!(true)),
            Some("null") => Some(Value::Null),
            Some(_) => Some(text(schema, word)),
            None if is_object => self.object(schema, depth),
            None if is_array => self.array(schema, word, depth),
            None if schema.contains_key("minimum") => Some(number(schema, true)),
            None => Some(text(schema, word)),
        }
    }

    fn object(&self, schema: &Map<String, Value>, depth: usize) -> Option<Value> {
        let mut made = Map::new();
        let required =
            schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let properties = schema.get("properties").and_then(Value::as_object);
        for name in required.iter().filter_map(Value::as_str) {
            let property = properties.and_then(|properties| properties.get(name));
            let value = self.make(property.unwrap_or(&Value::Bool(true)), name, depth + 1)?;
            made.insert(name.to_owned(), value);
        }
        let needed = schema.get("minProperties").and_then(Value::as_u64).unwrap_or(0);
        let fewest = needed.max(self.fills.into());
        for (name, property) in properties.into_iter().flatten() {
            if made.len() as u64 >= fewest {
                break;
            }
            if !made.contains_key(name) {
                made.insert(name.clone(), self.make(property, name, depth + 1)?);
            }
        }
        while (made.len() as u64) < needed.min(16) {
            let additional = schema.get("additionalProperties").unwrap_or(&Value::Bool(true));
            let name = format!("key{}", made.len() + 1);
            let value = self.make(additional, &name, depth + 1)?;
            made.insert(name, value);
        }
        Some(Value::Object(made))
    }

    fn array(&self, schema: &Map<String, Value>, word: &str, depth: usize) -> Option<Value> {
        let fixed = schema.get("prefixItems").and_then(Value::as_array);
        if let Some(fixed) = fixed {
            let made: Option<Vec<Value>> =
                fixed.iter().map(|each| self.make(each, word, depth + 1)).collect();
            return made.map(Value::Array);
        }
        let any = Value::Bool(true);
        let items = schema.get("items").unwrap_or(&any);
        let fewest = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1).min(16);
        let mut made = Vec::new();
        for index in 0..fewest {
            // Lists that want different elements get different words.
            let word = if index == 0 { word.to_owned() } else { format!("{word}{}", index + 1) };
            match self.make(items, &word, depth + 1) {
                Some(value) => made.push(value),
                None if schema.get("minItems").is_none() => break,
                None => return None,
            }
        }
        Some(Value::Array(made))
    }
}

/// A schema and the parts of its `allOf`, those of what it refers to among them.
fn together<'s>(
    root: &'s Value,
    schema: &'s Map<String, Value>,
    depth: usize,
    found: &mut Vec<&'s Map<String, Value>>,
) {
    if depth > DEEPEST || found.len() > DEEPEST * DEEPEST {
        return;
    }
    found.push(schema);
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'));
    let target = target.and_then(|path| root.pointer(path));
    let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    for part in target.into_iter().chain(parts).filter_map(Value::as_object) {
        together(root, part, depth + 1, found);
    }
}

/// The object with what one alternative asks for besides, when that only names fields of it.
fn required_of(object: &Map<String, Value>, branch: &Value) -> Option<Map<String, Value>> {
    let properties = object.get("properties")?;
    let names = branch.get("required").and_then(Value::as_array)?;
    let is_known = |name: &Value| name.as_str().is_some_and(|name| properties.get(name).is_some());
    if branch.get("properties").is_some() || !names.iter().all(is_known) {
        return None;
    }
    let mut together = object.clone();
    let mut all = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    all.extend(names.iter().cloned());
    together.insert("required".to_owned(), Value::Array(all));
    Some(together)
}

/// Two values that must both hold: the fields of both when they are objects, else the second.
fn joined(before: Option<Value>, value: Value) -> Value {
    match (before, value) {
        (Some(Value::Object(mut all)), Value::Object(more)) => {
            all.extend(more);
            Value::Object(all)
        }
        (_, value) => value,
    }
}

fn number(schema: &Map<String, Value>, whole: bool) -> Value {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let fits = |made: &Value| {
        made.as_f64().is_some_and(|number| {
            bound("minimum").is_none_or(|low| number >= low)
                && bound("exclusiveMinimum").is_none_or(|low| number > low)
                && bound("maximum").is_none_or(|high| number <= high)
                && bound("exclusiveMaximum").is_none_or(|high| number < high)
        })
    };
    let step = bound("multipleOf").filter(|step| *step > 0.0).or(whole.then_some(1.0));
    let low = bound("minimum").or_else(|| bound("exclusiveMinimum"));
    let high = bound("maximum").or_else(|| bound("exclusiveMaximum"));
    numbers(low, high, step).find(fits).unwrap_or(json!(1))
}

fn text(schema: &Map<String, Value>, word: &str) -> Value {
    let length = |key: &str| schema.get(key).and_then(Value::as_u64);
    let named = |key: &str| schema.get(key).and_then(Value::as_str);
    let shape = Shape {
        min_length: length("minLength"),
        max_length: length("maxLength"),
        pattern: named("pattern").map(|pattern| Pattern::of(pattern, Dialect::Ecma)),
        format: named("format").map(Format::parse),
        ..Shape::default()
    };
    let passes = |text: &String| {
        let lengths = shape.min_length.unwrap_or(0)..=shape.max_length.unwrap_or(u64::MAX);
        let matches =
            |pattern: &Pattern| pattern.matches(text, &Meter::new(MOST_STEPS)) != Ok(PatternMatch::No);
        lengths.contains(&(text.chars().count() as u64)) && shape.pattern.as_ref().is_none_or(matches)
    };
    let made = texts(&shape, word, &passes);
    json!(made.iter().find(|text| passes(text)).or(made.first()))
}

#[cfg(test)]
mod tests;
