//! A compiled schema: the document, the validator, and what is only made when it is first needed.
//!
//! A document in; verdicts, problems, the tree and fitted values out. Checking input takes `oneOf` and formats at their
//! word; fitting a value reads `oneOf` as `anyOf` and leaves formats alone, with a validator of its own.

use crate::compile::{Compiled, Reading, compile};
use crate::convert::{Tree, convert};
use crate::depth;
use crate::node::{Kind, Node};
use crate::normalise::{Normalised, normalise, without_refused};
use crate::problem::{Problem, problems, too_deep};
use crate::sample::sample;
use jsonschema::Validator;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A compiled schema.
pub struct Schema {
    document: Value,
    /// Nothing when every value fits.
    validator: Option<Validator>,
    depends_on_reading: bool,
    fitting: OnceLock<Box<Fitting>>,
}

/// What only normalising and the tree need.
struct Fitting {
    tree: Tree,
    /// For a schema with some `oneOf` or format; others take their one validator.
    lenient: OnceLock<Option<Validator>>,
    /// Validators of parts, by their pointers.
    parts: Mutex<HashMap<Box<str>, Option<Arc<Validator>>>>,
}

impl Schema {
    /// Compiles a document.
    pub(crate) fn of(document: &Value) -> Schema {
        Schema::compiled(depth::cut(document, depth::SCHEMA_LEVELS))
    }

    /// Compiles a document that nobody else needs.
    pub(crate) fn owning(document: Value) -> Schema {
        if depth::is_deeper_than(&document, depth::SCHEMA_LEVELS) {
            let schema = Schema::of(&document);
            depth::dismantle(document);
            return schema;
        }
        Schema::compiled(document)
    }

    fn compiled(document: Value) -> Schema {
        let Compiled { validator, depends_on_reading } = compile(&document, &document, Reading::Strict);
        Schema { document, validator, depends_on_reading, fitting: OnceLock::new() }
    }

    /// The schema as it was given, without what lies deeper than can be looked into.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// True when every value fits.
    pub fn accepts_anything(&self) -> bool {
        self.validator.is_none()
    }

    /// True when the value fits.
    pub fn accepts(&self, value: &Value) -> bool {
        let fits = |validator: &Validator| !is_too_deep(value) && validator.is_valid(value);
        self.validator.as_ref().is_none_or(fits)
    }

    /// Everything that is wrong with a value, outer places first; nothing when it fits.
    pub fn problems(&self, value: &Value) -> Vec<Problem> {
        found(self.validator.as_ref(), value)
    }

    /// The value without undeclared properties and with defaults filled in; nothing is invented.
    pub fn normalise(&self, value: &Value) -> Normalised {
        normalise(self, value)
    }

    /// The value without the properties that objects of the schema refuse (`additionalProperties: false`), and their
    /// places. Nothing else is changed.
    pub fn without_refused(&self, value: &Value) -> (Value, Vec<String>) {
        without_refused(self, value)
    }

    /// A small value that fits, if one can be made; text takes the given word where nothing else decides.
    pub fn sample(&self, word: &str) -> Option<Value> {
        sample(self, word)
    }

    /// What the schema says, as a tree.
    pub fn node(&self) -> &Node {
        &self.fitting().tree.root
    }

    /// The node that a reference of the tree leads to, if it is in the document.
    pub fn target(&self, reference: &str) -> Option<&Node> {
        self.fitting().tree.targets.get(reference)
    }

    /// The problems of a value that came, not of one that is sent: `oneOf` is `anyOf`, and formats are not checked.
    pub(crate) fn lenient_problems(&self, value: &Value) -> Vec<Problem> {
        if !self.depends_on_reading {
            return self.problems(value);
        }
        let compiled = || compile(&self.document, &self.document, Reading::Lenient).validator;
        found(self.fitting().lenient.get_or_init(compiled).as_ref(), value)
    }

    /// True when the value fits this part of the tree, with `oneOf` read as `anyOf`.
    pub(crate) fn fits(&self, part: &Node, value: &Value) -> bool {
        match &part.pointer {
            Some(pointer) => self.part(pointer).is_none_or(|validator| validator.is_valid(value)),
            None => is_of_kind(&part.kind, value),
        }
    }

    fn part(&self, pointer: &str) -> Option<Arc<Validator>> {
        let mut parts = self.fitting().parts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = parts.get(pointer) {
            return known.clone();
        }
        let start = self.document.pointer(pointer)?;
        let validator = compile(&self.document, start, Reading::Lenient).validator.map(Arc::new);
        parts.insert(pointer.into(), validator.clone());
        validator
    }

    fn fitting(&self) -> &Fitting {
        self.fitting.get_or_init(|| {
            let tree = convert(&self.document);
            Box::new(Fitting { tree, lenient: OnceLock::new(), parts: Mutex::default() })
        })
    }
}

fn found(validator: Option<&Validator>, value: &Value) -> Vec<Problem> {
    match validator {
        Some(_) if is_too_deep(value) => vec![too_deep(depth::VALUE_LEVELS)],
        Some(validator) => problems(validator.iter_errors(value)),
        None => Vec::new(),
    }
}

fn is_too_deep(value: &Value) -> bool {
    depth::is_deeper_than(value, depth::VALUE_LEVELS)
}

/// True when the value is of this kind, without a look inside; for kinds that are no schema of their own.
fn is_of_kind(kind: &Kind, value: &Value) -> bool {
    match kind {
        Kind::Never => false,
        Kind::Null => value.is_null(),
        Kind::Boolean => value.is_boolean(),
        Kind::Integer | Kind::Number => value.is_number(),
        Kind::String => value.is_string(),
        Kind::Literal(literal) => literal == value,
        Kind::Array(_) | Kind::Tuple { .. } => value.is_array(),
        Kind::Object(_) => value.is_object(),
        Kind::Any | Kind::Union(_) | Kind::Intersection(_) | Kind::Reference(_) => true,
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema").field("document", &self.document).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
