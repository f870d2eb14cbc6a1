//! A schema in short: the type and the simple constraints that introspection shows.
//!
//! A schema in, a `Sketch` out, references followed as far as needed and each of them only once. Whether a value fits is
//! decided by the full schema; a sketch says so alone only where nothing is lost (`is_whole`).

mod guess;

use super::document_view::DocumentView;
use crate::openapi::read::{PartLocation, as_text};
use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{Shape, ValueKind};
use aqueduct_schema::Pattern;
use guess::{alternatives, guessed, has_null, types_of, union_of};
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
pub(super) struct Sketch {
    /// Type and constraints, without the name of a type.
    pub shape: Shape,
    /// What it means, in the author's words.
    pub description: Option<String>,
    /// What the API assumes when it is not sent.
    pub default: Option<Value>,
    /// The objects inside: what a declared type can be made of.
    pub object: Option<ObjectSchema>,
    /// Only in answers.
    pub is_read_only: bool,
    /// Bytes rather than text.
    pub is_binary: bool,
    /// The shape says all that the schema says.
    pub is_whole: bool,
}

/// The schema of an object, or of the elements of a list of them.
#[derive(Debug, Clone)]
pub(super) struct ObjectSchema {
    /// The component's name; none for one that stands in place.
    pub name: Option<String>,
    /// The schema, or the reference to it.
    pub schema: Rc<Value>,
    /// Where it stands.
    pub node: PartLocation,
}

/// Makes sketches, remembering those of references.
#[derive(Default)]
pub(super) struct Sketches {
    known: HashMap<(u32, String), Rc<Sketch>>,
    patterns: usize,
}

impl Sketches {
    /// The sketch of a schema.
    pub(super) fn of(&mut self, look: &DocumentView<'_>, schema: &Value, from: &PartLocation) -> Sketch {
        self.at(look, schema, from, DEPTH)
    }

    fn at(&mut self, look: &DocumentView<'_>, schema: &Value, from: &PartLocation, depth: usize) -> Sketch {
        let Some(object) = schema.as_object() else { return anything() };
        if depth == 0 {
            return anything();
        }
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            let mut sketch = self.of_reference(look, reference, schema, from, depth);
            if let Some(description) = object.get("description").and_then(Value::as_str) {
                sketch.description = Some(description.to_owned());
            }
            sketch.is_whole &= object.len() == 1;
            return sketch;
        }
        let mut sketch = self.in_place(look, object, schema, from, depth);
        annotate(&mut sketch, object);
        sketch
    }

    fn of_reference(
        &mut self,
        look: &DocumentView<'_>,
        reference: &str,
        schema: &Value,
        from: &PartLocation,
        depth: usize,
    ) -> Sketch {
        let key = (from.document_number(), reference.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Sketch::clone(known);
        }
        // What refers back to itself finds this in its own place, so each reference is followed once.
        self.known.insert(key.clone(), Rc::new(anything()));
        let Some(found) = look.follow(schema, from) else { return anything() };
        let mut sketch = self.at(look, &found.value, &found.node, depth - 1);
        if let (Some(object), Some(name)) = (&mut sketch.object, found.name.as_deref())
            && !matches!(sketch.shape.kind, ValueKind::Array(_))
        {
            *object = ObjectSchema {
                name: Some(name.to_owned()),
                schema: Rc::new(serde_json::json!({"$ref": reference})),
                node: *from,
            };
        }
        self.known.insert(key, Rc::new(sketch.clone()));
        sketch
    }

    fn in_place(
        &mut self,
        look: &DocumentView<'_>,
        object: &Map<String, Value>,
        schema: &Value,
        from: &PartLocation,
        depth: usize,
    ) -> Sketch {
        let branches = |key: &str| object.get(key).and_then(Value::as_array).filter(|list| !list.is_empty());
        let types = types_of(object);
        if types.is_empty() || types == ["object"] {
            if let Some(branches) = branches("oneOf").or_else(|| branches("anyOf"))
                && !object.contains_key("properties")
            {
                return self.union(look, branches, schema, from, depth);
            }
            if let Some(branches) = branches("allOf") {
                return self.together(look, branches, schema, object.contains_key("properties"), from, depth);
            }
        }
        let kinds: Vec<ValueKind> = if types.is_empty() {
            guessed(object)
        } else {
            types.iter().filter_map(|name| ValueKind::parse(name)).collect()
        };
        let Some(kind) = union_of(kinds) else { return anything() };
        let mut sketch = plain(kind);
        match &sketch.shape.kind {
            ValueKind::Array(_) => {
                let items = object.get("items").map(|items| self.at(look, items, from, depth - 1));
                sketch.is_whole = items.as_ref().is_some_and(|items| items.is_whole)
                    && object
                        .keys()
                        .all(|key| ["type", "items"].contains(&key.as_str()) || is_annotation(key));
                if let Some(items) = items.filter(|items| !matches!(items.shape.kind, ValueKind::Union(_))) {
                    sketch.shape.kind = ValueKind::Array(Some(Box::new(items.shape.kind.clone())));
                    sketch.object = items.object;
                    sketch.is_binary = items.is_binary;
                    let is_plain = is_unconstrained(&items.shape);
                    sketch.shape.items = (!is_plain).then(|| Box::new(items.shape));
                } else {
                    sketch.is_whole = false;
                }
            }
            ValueKind::Object => {
                let has_fields =
                    ["properties", "allOf", "oneOf", "anyOf"].iter().any(|key| object.contains_key(*key));
                if has_fields {
                    sketch.object =
                        Some(ObjectSchema { name: None, schema: Rc::new(schema.clone()), node: *from });
                }
                sketch.is_whole = object.keys().all(|key| key == "type" || is_annotation(key));
            }
            _ => self.constrain(&mut sketch, object),
        }
        let says = |key: &str| object.get(key) == Some(&Value::Bool(true));
        if says("nullable") || says("x-nullable") || has_null(object) {
            sketch.is_whole = false;
        }
        sketch
    }

    /// One of several: the types of all of them. Null beside a single other one only says that it may be null.
    fn union(
        &mut self,
        look: &DocumentView<'_>,
        branches: &[Value],
        schema: &Value,
        from: &PartLocation,
        depth: usize,
    ) -> Sketch {
        let is_null = |branch: &&Value| branch.get("type").is_some_and(|name| name == "null");
        let others: Vec<&Value> = branches.iter().filter(|branch| !is_null(branch)).collect();
        if let [only] = others[..] {
            let sketch = self.at(look, only, from, depth - 1);
            return Sketch { is_whole: sketch.is_whole && branches.len() == 1, ..sketch };
        }
        let sketches: Vec<Sketch> =
            others.iter().take(20).map(|branch| self.at(look, branch, from, depth - 1)).collect();
        let kinds = sketches.iter().flat_map(|sketch| alternatives(&sketch.shape.kind)).collect();
        let Some(kind) = union_of(kinds) else { return anything() };
        let is_object = kind == ValueKind::Object;
        let mut sketch = Sketch { is_whole: false, ..plain(kind) };
        if is_object {
            sketch.object = Some(ObjectSchema { name: None, schema: Rc::new(schema.clone()), node: *from });
        }
        let values: Option<Vec<Value>> = sketches
            .iter()
            .map(|each| each.shape.allowed.clone())
            .collect::<Option<Vec<_>>>()
            .map(|lists| lists.into_iter().flatten().collect());
        sketch.shape.allowed = values.filter(|values| values.len() <= MOST_VALUES);
        sketch
    }

    /// All of several: objects are one object, anything else is what the first of them says.
    fn together(
        &mut self,
        look: &DocumentView<'_>,
        branches: &[Value],
        schema: &Value,
        has_properties: bool,
        from: &PartLocation,
        depth: usize,
    ) -> Sketch {
        // `allOf` is often only there to put a description beside a reference.
        let says_something = |branch: &&Value| {
            branch.as_object().is_none_or(|each| !each.keys().all(|key| is_annotation(key)))
        };
        let telling: Vec<&Value> = branches.iter().filter(says_something).collect();
        if let ([only], false) = (&telling[..], has_properties) {
            let mut sketch = self.at(look, only, from, depth - 1);
            branches.iter().filter_map(Value::as_object).for_each(|branch| annotate(&mut sketch, branch));
            return Sketch { is_whole: false, ..sketch };
        }
        let sketches: Vec<Sketch> =
            branches.iter().take(20).map(|branch| self.at(look, branch, from, depth - 1)).collect();
        let is_object = has_properties || sketches.iter().any(|each| each.shape.kind == ValueKind::Object);
        if is_object {
            let object = ObjectSchema { name: None, schema: Rc::new(schema.clone()), node: *from };
            return Sketch { object: Some(object), is_whole: false, ..plain(ValueKind::Object) };
        }
        let known = sketches.into_iter().find(|each| !matches!(each.shape.kind, ValueKind::Union(_)));
        Sketch { is_whole: false, ..known.unwrap_or_else(anything) }
    }

    fn constrain(&mut self, sketch: &mut Sketch, object: &Map<String, Value>) {
        let number = |key: &str| object.get(key).and_then(Value::as_f64);
        let count = |key: &str| object.get(key).and_then(Value::as_u64);
        let shape = &mut sketch.shape;
        let list = object.get("enum").and_then(Value::as_array).cloned();
        let values = list.or_else(|| object.get("const").map(|value| vec![value.clone()]));
        let values: Option<Vec<Value>> =
            values.map(|list| list.into_iter().filter(|value| !value.is_null()).collect());
        let mut values = values;
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
            sketch.is_binary = format == Some("binary")
                || (object.contains_key("contentMediaType") && !object.contains_key("contentEncoding"));
        }
        let is_checked =
            sketch.shape.format.as_ref().is_some_and(|format| !matches!(format, Format::Other(_)));
        sketch.is_whole = is_shown
            && !excludes
            && !is_checked
            && !matches!(sketch.shape.kind, ValueKind::Union(_))
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

fn annotate(sketch: &mut Sketch, object: &Map<String, Value>) {
    if let Some(description) = object.get("description").and_then(Value::as_str) {
        sketch.description = Some(description.to_owned());
    }
    if let Some(default) = object.get("default").filter(|value| !value.is_null()) {
        sketch.default = Some(default.clone());
    }
    if let Some(flag) = object.get("readOnly").and_then(Value::as_bool) {
        sketch.is_read_only = flag;
    }
}

fn plain(kind: ValueKind) -> Sketch {
    Sketch {
        shape: Shape::of(kind),
        description: None,
        default: None,
        object: None,
        is_read_only: false,
        is_binary: false,
        is_whole: true,
    }
}

/// Whatever there is.
pub(super) fn anything() -> Sketch {
    let all = vec![
        ValueKind::String,
        ValueKind::Number,
        ValueKind::Boolean,
        ValueKind::Array(None),
        ValueKind::Object,
    ];
    Sketch { is_whole: false, ..plain(ValueKind::Union(all)) }
}

fn is_unconstrained(shape: &Shape) -> bool {
    shape.allowed.is_none()
        && shape.minimum.or(shape.maximum).is_none()
        && shape.min_length.or(shape.max_length).is_none()
        && shape.pattern.is_none()
        && shape.format.is_none()
        && shape.items.is_none()
}
