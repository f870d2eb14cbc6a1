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
mod tests {
    use super::FieldPath;
    use serde_json::{Value, json};

    #[test]
    fn putting() {
        let mut object = json!({"a": 1, "b": {"c": 2}}).as_object().unwrap().clone();
        for (path, value) in [("a.x.y", 3), ("b.d", 4), ("e", 5)] {
            FieldPath::parse(path).unwrap().put(&mut object, value.into());
        }
        assert_eq!(Value::Object(object), json!({"a": {"x": {"y": 3}}, "b": {"c": 2, "d": 4}, "e": 5}));
    }

    #[test]
    fn paths() {
        let path = FieldPath::parse("owner.login").unwrap();
        assert_eq!(
            (path.first(), path.names().len(), path.to_string()),
            ("owner", 2, "owner.login".to_owned())
        );
        for bad in ["", ".", "a.", ".a", "a..b"] {
            assert_eq!(FieldPath::parse(bad), None, "{bad}");
        }
    }
}
