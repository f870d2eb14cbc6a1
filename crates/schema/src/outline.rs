//! A schema in short: the type and the simple constraints that introspection shows.
//!
//! A schema in, an `Outline` out, references followed as far as needed and each of them only once. Whether a value fits
//! is decided by the full schema; an outline decides alone only where nothing is lost (`is_exact`).

mod kinds;

use crate::Pattern;
use crate::dialect::{as_text, is_nullable};
use crate::format::Format;
use crate::parts::listed_values;
use crate::resolver::SchemaResolver;
use crate::shape::{Shape, ValueKind};
use kinds::{alternatives, guessed, has_null, types_of, union_of};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::rc::Rc;

/// References and branches are followed so deep.
const DEPTH: usize = 24;
/// Longer lists of values are not shown.
const MOST_VALUES: usize = 100;
/// Longer patterns are not shown.
const LONGEST_PATTERN: usize = 120;
/// Only so many patterns are compiled for showing: the schema checks all of them anyway.
const MOST_PATTERNS: usize = 200;

/// A schema in short.
#[derive(Debug, Clone)]
pub struct Outline<L> {
    /// Type and constraints, without the name of a type.
    pub shape: Shape,
    /// What it means, in the author's words.
    pub description: Option<String>,
    /// What the API assumes when it is not sent.
    pub default: Option<Value>,
    /// The objects inside: what a declared type can be made of.
    pub object: Option<ObjectSchema<L>>,
    /// Only in answers.
    pub is_read_only: bool,
    /// Bytes rather than text.
    pub is_binary: bool,
    /// The shape says all that the schema says.
    pub is_exact: bool,
}

/// The schema of an object, or of the elements of a list of them.
#[derive(Debug, Clone)]
pub struct ObjectSchema<L> {
    /// The name of its definition; none for one that stands in place.
    pub name: Option<String>,
    /// The schema, or the reference to it.
    pub schema: Rc<Value>,
    /// Where it stands.
    pub location: L,
}

/// Makes outlines, remembering those of references.
#[derive(Debug)]
pub struct OutlineReader<R: SchemaResolver> {
    known: HashMap<(u32, String), Rc<Outline<R::Location>>>,
    patterns: usize,
}

impl<R: SchemaResolver> Default for OutlineReader<R> {
    fn default() -> OutlineReader<R> {
        OutlineReader { known: HashMap::new(), patterns: 0 }
    }
}

/// What every step of reading one schema knows.
struct OutlineStep<'r, R: SchemaResolver> {
    resolver: &'r R,
    from: &'r R::Location,
    /// How much deeper it may go.
    depth: usize,
}

impl<R: SchemaResolver> OutlineStep<'_, R> {
    fn below(&self) -> OutlineStep<'_, R> {
        OutlineStep { depth: self.depth - 1, ..*self }
    }

    /// An object that stands here, without a name.
    fn object(&self, schema: &Value) -> Option<ObjectSchema<R::Location>> {
        Some(ObjectSchema { name: None, schema: Rc::new(schema.clone()), location: *self.from })
    }
}

impl<R: SchemaResolver> OutlineReader<R> {
    /// The outline of a schema that stands at `from`.
    pub fn of(&mut self, resolver: &R, schema: &Value, from: &R::Location) -> Outline<R::Location> {
        self.at(schema, &OutlineStep { resolver, from, depth: DEPTH })
    }

    fn at(&mut self, schema: &Value, step: &OutlineStep<'_, R>) -> Outline<R::Location> {
        let Some(object) = schema.as_object().filter(|_| step.depth > 0) else { return Outline::anything() };
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            let mut outline = self.of_reference(reference, schema, step);
            if let Some(description) = object.get("description").and_then(Value::as_str) {
                outline.description = Some(description.to_owned());
            }
            outline.is_exact &= object.len() == 1;
            return outline;
        }
        let mut outline = self.in_place(object, schema, step);
        annotate(&mut outline, object);
        outline
    }

    fn of_reference(
        &mut self,
        reference: &str,
        schema: &Value,
        step: &OutlineStep<'_, R>,
    ) -> Outline<R::Location> {
        let key = (step.resolver.document(step.from), reference.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Outline::clone(known);
        }
        // What refers back to itself finds this in its own place, so each reference is followed once.
        self.known.insert(key.clone(), Rc::new(Outline::anything()));
        let Some(found) = step.resolver.resolve(schema, step.from) else { return Outline::anything() };
        let mut outline = self.at(&found.value, &OutlineStep { from: &found.location, ..step.below() });
        if let (Some(object), Some(name)) = (&mut outline.object, found.name.as_deref())
            && !matches!(outline.shape.kind, ValueKind::Array(_))
        {
            *object = ObjectSchema {
                name: Some(name.to_owned()),
                schema: Rc::new(serde_json::json!({"$ref": reference})),
                location: *step.from,
            };
        }
        self.known.insert(key, Rc::new(outline.clone()));
        outline
    }

    fn in_place(
        &mut self,
        object: &Map<String, Value>,
        schema: &Value,
        step: &OutlineStep<'_, R>,
    ) -> Outline<R::Location> {
        let branches = |key: &str| object.get(key).and_then(Value::as_array).filter(|list| !list.is_empty());
        let types = types_of(object);
        if types.is_empty() || types == ["object"] {
            if let Some(branches) = branches("oneOf").or_else(|| branches("anyOf"))
                && !object.contains_key("properties")
            {
                return self.union(branches, schema, step);
            }
            if let Some(branches) = branches("allOf") {
                return self.together(branches, schema, object.contains_key("properties"), step);
            }
        }
        let kinds: Vec<ValueKind> = if types.is_empty() {
            guessed(object)
        } else {
            types.iter().filter_map(|name| ValueKind::parse(name)).collect()
        };
        let Some(kind) = union_of(kinds) else { return Outline::anything() };
        let mut outline = Outline::plain(kind);
        match &outline.shape.kind {
            ValueKind::Array(_) => {
                let items = object.get("items").map(|items| self.at(items, &step.below()));
                outline.is_exact = items.as_ref().is_some_and(|items| items.is_exact)
                    && object
                        .keys()
                        .all(|key| ["type", "items"].contains(&key.as_str()) || is_annotation(key));
                if let Some(items) = items.filter(|items| !matches!(items.shape.kind, ValueKind::Union(_))) {
                    outline.shape.kind = ValueKind::Array(Some(Box::new(items.shape.kind.clone())));
                    outline.object = items.object;
                    outline.is_binary = items.is_binary;
                    let is_plain = is_unconstrained(&items.shape);
                    outline.shape.items = (!is_plain).then(|| Box::new(items.shape));
                } else {
                    outline.is_exact = false;
                }
            }
            ValueKind::Object => {
                let fields = ["properties", "allOf", "oneOf", "anyOf"];
                if fields.iter().any(|key| object.contains_key(*key)) {
                    outline.object = step.object(schema);
                }
                outline.is_exact = object.keys().all(|key| key == "type" || is_annotation(key));
            }
            _ => self.constrain(&mut outline, object),
        }
        if is_nullable(object) || has_null(object) {
            outline.is_exact = false;
        }
        outline
    }

    /// One of several: the types of all of them. Null beside a single other one only says that it may be null.
    fn union(
        &mut self,
        branches: &[Value],
        schema: &Value,
        step: &OutlineStep<'_, R>,
    ) -> Outline<R::Location> {
        let is_null = |branch: &&Value| branch.get("type").is_some_and(|name| name == "null");
        let others: Vec<&Value> = branches.iter().filter(|branch| !is_null(branch)).collect();
        if let [only] = others[..] {
            let outline = self.at(only, &step.below());
            return Outline { is_exact: outline.is_exact && branches.len() == 1, ..outline };
        }
        let outlines: Vec<_> = others.iter().take(20).map(|branch| self.at(branch, &step.below())).collect();
        let kinds = outlines.iter().flat_map(|outline| alternatives(&outline.shape.kind)).collect();
        let Some(kind) = union_of(kinds) else { return Outline::anything() };
        let is_object = kind == ValueKind::Object;
        let mut outline = Outline { is_exact: false, ..Outline::plain(kind) };
        if is_object {
            outline.object = step.object(schema);
        }
        let lists: Option<Vec<_>> = outlines.into_iter().map(|each| each.shape.allowed).collect();
        outline.shape.allowed = lists.map(|lists| lists.concat()).filter(|all| all.len() <= MOST_VALUES);
        outline
    }

    /// All of several: objects are one object, anything else is what the first of them says.
    fn together(
        &mut self,
        branches: &[Value],
        schema: &Value,
        has_properties: bool,
        step: &OutlineStep<'_, R>,
    ) -> Outline<R::Location> {
        // `allOf` is often only there to put a description beside a reference.
        let says_something = |branch: &&Value| {
            branch.as_object().is_none_or(|each| !each.keys().all(|key| is_annotation(key)))
        };
        let telling: Vec<&Value> = branches.iter().filter(says_something).collect();
        if let ([only], false) = (&telling[..], has_properties) {
            let mut outline = self.at(only, &step.below());
            branches.iter().filter_map(Value::as_object).for_each(|branch| annotate(&mut outline, branch));
            return Outline { is_exact: false, ..outline };
        }
        let outlines: Vec<_> =
            branches.iter().take(20).map(|branch| self.at(branch, &step.below())).collect();
        let is_object = has_properties || outlines.iter().any(|each| each.shape.kind == ValueKind::Object);
        if is_object {
            let object = step.object(schema);
            return Outline { object, is_exact: false, ..Outline::plain(ValueKind::Object) };
        }
        let known = outlines.into_iter().find(|each| !matches!(each.shape.kind, ValueKind::Union(_)));
        Outline { is_exact: false, ..known.unwrap_or_else(Outline::anything) }
    }

    fn constrain(&mut self, outline: &mut Outline<R::Location>, object: &Map<String, Value>) {
        let number = |key: &str| object.get(key).and_then(Value::as_f64);
        let count = |key: &str| object.get(key).and_then(Value::as_u64);
        let shape = &mut outline.shape;
        let mut values: Option<Vec<Value>> =
            listed_values(object).map(|list| list.iter().filter(|value| !value.is_null()).cloned().collect());
        if shape.kind == ValueKind::String {
            values.iter_mut().flatten().for_each(as_text);
        }
        let has_values = values.is_some();
        shape.allowed = values.filter(|values| !values.is_empty() && values.len() <= MOST_VALUES);
        let is_shown = has_values == shape.allowed.is_some();
        let mut excludes = false;
        if shape.kind.takes_numbers() {
            (shape.minimum, shape.maximum) = (number("minimum"), number("maximum"));
            // Of whole numbers the bounds that are left out are easily put into others.
            for (key, bound, step) in [
                ("exclusiveMinimum", &mut shape.minimum, 1.0),
                ("exclusiveMaximum", &mut shape.maximum, -1.0),
            ] {
                let Some(exclusive) = object.get(key).filter(|value| **value != Value::Bool(false)) else {
                    continue;
                };
                excludes = true;
                let limit = exclusive.as_f64().or(*bound);
                *bound =
                    limit.filter(|_| shape.kind == ValueKind::Integer).map(|limit| limit + step).or(limit);
            }
        }
        if shape.kind.takes_text() {
            (shape.min_length, shape.max_length) = (count("minLength"), count("maxLength"));
            shape.pattern = self.pattern(object);
            let format = object.get("format").and_then(Value::as_str);
            shape.format = format.filter(|name| *name != "binary").map(Format::parse);
            outline.is_binary = format == Some("binary")
                || (object.contains_key("contentMediaType") && !object.contains_key("contentEncoding"));
        }
        let is_checked =
            outline.shape.format.as_ref().is_some_and(|format| !matches!(format, Format::Other(_)));
        outline.is_exact = is_shown
            && !excludes
            && !is_checked
            && !matches!(outline.shape.kind, ValueKind::Union(_))
            && object.keys().all(|key| SIMPLE.contains(&key.as_str()) || is_annotation(key));
    }

    fn pattern(&mut self, object: &Map<String, Value>) -> Option<Pattern> {
        let text =
            object.get("pattern").and_then(Value::as_str).filter(|text| text.len() <= LONGEST_PATTERN)?;
        if self.patterns >= MOST_PATTERNS {
            return None;
        }
        self.patterns += 1;
        Pattern::checked(text).ok()
    }
}

/// Keywords that a shape says as well as a schema.
const SIMPLE: [&str; 6] = ["type", "enum", "minimum", "maximum", "minLength", "maxLength"];

/// Keywords that no value can break.
fn is_annotation(key: &str) -> bool {
    const WORDS: [&str; 13] = [
        "description",
        "title",
        "default",
        "example",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "format",
        "externalDocs",
        "xml",
        "nullable",
        "exclusiveMinimum",
    ];
    key.starts_with("x-") || WORDS.contains(&key)
}

fn annotate<L>(outline: &mut Outline<L>, object: &Map<String, Value>) {
    if let Some(description) = object.get("description").and_then(Value::as_str) {
        outline.description = Some(description.to_owned());
    }
    if let Some(default) = object.get("default").filter(|value| !value.is_null()) {
        outline.default = Some(default.clone());
    }
    if let Some(flag) = object.get("readOnly").and_then(Value::as_bool) {
        outline.is_read_only = flag;
    }
}

impl<L> Outline<L> {
    fn plain(kind: ValueKind) -> Outline<L> {
        Outline {
            shape: Shape::of(kind),
            description: None,
            default: None,
            object: None,
            is_read_only: false,
            is_binary: false,
            is_exact: true,
        }
    }

    /// That of a schema which takes anything.
    pub fn anything() -> Outline<L> {
        let all = vec![
            ValueKind::String,
            ValueKind::Number,
            ValueKind::Boolean,
            ValueKind::Array(None),
            ValueKind::Object,
        ];
        Outline { is_exact: false, ..Outline::plain(ValueKind::Union(all)) }
    }
}

fn is_unconstrained(shape: &Shape) -> bool {
    shape.allowed.is_none()
        && shape.minimum.or(shape.maximum).is_none()
        && shape.min_length.or(shape.max_length).is_none()
        && shape.pattern.is_none()
        && shape.format.is_none()
        && shape.items.is_none()
}

#[cfg(test)]
mod tests;
