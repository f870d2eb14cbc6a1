//! The path of a field: names with dots between them, such as `owner.login`. It leads through arrays without saying so.
//!
//! Text in, a path out; never an empty one.

use serde_json::{Map, Value};
use std::fmt;

/// One or more names; never empty, and no name is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldPath(Vec<String>);

impl FieldPath {
    /// Reads a dotted path. Nothing when a name in it is empty.
    pub fn parse(text: &str) -> Option<FieldPath> {
        let names: Vec<String> = text.split('.').map(str::to_owned).collect();
        (!names.iter().any(String::is_empty)).then_some(FieldPath(names))
    }

    /// Its names, outermost first.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Puts a value into an object where the path leads; what is in its way and no object is replaced.
    pub fn put(&self, object: &mut Map<String, Value>, value: Value) {
        let mut inner = object;
        for name in &self.0[..self.0.len() - 1] {
            let slot = inner.entry(name.as_str()).or_insert_with(|| Value::Object(Map::new()));
            if !slot.is_object() {
                *slot = Value::Object(Map::new());
            }
            let Value::Object(next) = slot else { return };
            inner = next;
        }
        inner.insert(self.0[self.0.len() - 1].clone(), value);
    }

    /// The outermost name.
    pub fn first(&self) -> &str {
        &self.0[0]
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

#[cfg(test)]
mod tests;
