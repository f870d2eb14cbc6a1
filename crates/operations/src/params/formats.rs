//! Formats of texts inside a value, as its schema names them: the same that are checked in adapter files.
//!
//! A schema and a value in; every text that is not of its format out, with its place. Of alternatives one is enough. The
//! work is bounded: a schema that leads everywhere at once is followed only so far.

use super::check::{Rule, ValueProblem, plain};
use super::format::Format;
use aqueduct_schema::{Kind, Node, Schema};
use serde_json::Value;

/// Nodes that are looked at for one value.
const MOST_STEPS: usize = 20_000;

/// Every text of a value that is not of the format that its schema names.
pub(super) fn problems(schema: &Schema, value: &Value) -> Vec<ValueProblem> {
    let mut walk = Walk { schema, left: MOST_STEPS };
    walk.node(schema.node(), value, "")
}

struct Walk<'s> {
    schema: &'s Schema,
    left: usize,
}

impl Walk<'_> {
    fn node(&mut self, node: &Node, value: &Value, place: &str) -> Vec<ValueProblem> {
        if self.left == 0 || !matches!(value, Value::String(_) | Value::Array(_) | Value::Object(_)) {
            return Vec::new();
        }
        self.left -= 1;
        let mut found = own(node, value, place);
        match (&node.kind, value) {
            (Kind::Reference(path), _) => {
                if let Some(target) = self.schema.target(path) {
                    found.extend(self.node(target, value, place));
                }
            }
            (Kind::Intersection(parts), _) => {
                parts.iter().for_each(|part| found.extend(self.node(part, value, place)));
            }
            (Kind::Union(branches), _) => found.extend(self.union(branches, value, place)),
            (Kind::Array(items), Value::Array(values)) => {
                for (index, each) in values.iter().enumerate() {
                    found.extend(self.node(items, each, &format!("{place}[{index}]")));
                }
            }
            (Kind::Tuple { items, rest }, Value::Array(values)) => {
                for (index, each) in values.iter().enumerate() {
                    if let Some(node) = items.get(index).or(rest.as_deref()) {
                        found.extend(self.node(node, each, &format!("{place}[{index}]")));
                    }
                }
            }
            (Kind::Object(object), Value::Object(members)) => {
                for (name, each) in members {
                    if let Some(node) = object.property(name).or(object.additional.as_ref()) {
                        found.extend(self.node(node, each, &format!("{place}.{name}")));
                    }
                }
            }
            _ => {}
        }
        found
    }

    /// One alternative without a problem is enough; of others than the value's own kind none is expected.
    fn union(&mut self, branches: &[Node], value: &Value, place: &str) -> Vec<ValueProblem> {
        let mut first: Option<Vec<ValueProblem>> = None;
        for branch in branches.iter().filter(|branch| may_be(branch, value)) {
            let found = self.node(branch, value, place);
            if found.is_empty() {
                return Vec::new();
            }
            first.get_or_insert(found);
        }
        first.unwrap_or_default()
    }
}

fn may_be(node: &Node, value: &Value) -> bool {
    match &node.kind {
        Kind::Never | Kind::Null | Kind::Boolean | Kind::Integer | Kind::Number => false,
        Kind::String => value.is_string(),
        Kind::Literal(literal) => literal == value,
        Kind::Array(_) | Kind::Tuple { .. } => value.is_array(),
        Kind::Object(_) => value.is_object(),
        Kind::Any | Kind::Union(_) | Kind::Intersection(_) | Kind::Reference(_) => true,
    }
}

fn own(node: &Node, value: &Value, place: &str) -> Vec<ValueProblem> {
    let format = node.annotations.get("format").and_then(Value::as_str).map(Format::parse);
    match (format, value.as_str()) {
        (Some(format), Some(text)) if !format.accepts(text) => vec![ValueProblem {
            place: place.to_owned(),
            rule: Rule::Constraint("format"),
            expected: format.expectation().to_owned(),
            received: plain(value),
        }],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::problems;
    use aqueduct_schema::from_schema;
    use serde_json::{Value, json};

    fn places(schema: Value, value: Value) -> Vec<String> {
        problems(&from_schema(&schema), &value).into_iter().map(|problem| problem.place).collect()
    }

    /// C4.7.2-1: formats are checked wherever the schema names them, whatever leads there.
    #[test]
    fn formats_at_any_depth() {
        let date = json!({"type": "string", "format": "date"});
        assert_eq!(places(date.clone(), json!("soon")), [""]);
        assert!(places(date.clone(), json!("2026-02-04")).is_empty());
        assert!(places(date.clone(), json!(5)).is_empty(), "its type is another matter");
        let nested = json!({"type": "object", "properties": {"when": {"type": "array", "items": {"$ref": "#/$defs/d"}}},
            "additionalProperties": {"type": "string", "format": "email"}, "$defs": {"d": date}});
        let value = json!({"when": ["2026-02-04", "x"], "who": "nobody", "other": "a@b.example"});
        assert_eq!(places(nested, value), [".when[1]", ".who"]);
        let nullable = json!({"type": ["string", "null"], "format": "uuid"});
        assert!(places(nullable.clone(), Value::Null).is_empty());
        assert_eq!(places(nullable, json!("x")).len(), 1);
        let either = json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]});
        assert!(places(either.clone(), json!("2026-02-04")).is_empty());
        assert_eq!(places(either, json!("soon")).len(), 1);
        let free = json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "string"}]});
        assert!(places(free, json!("soon")).is_empty());
        assert!(
            places(json!({"type": "string", "format": "hostname"}), json!("a b")).is_empty(),
            "not one of ours"
        );
    }

    /// A schema that doubles at every step ends all the same.
    #[test]
    fn work_is_bounded() {
        let mut defs = serde_json::Map::new();
        for level in 0..60 {
            let next = json!({"$ref": format!("#/$defs/n{}", level + 1)});
            defs.insert(format!("n{level}"), json!({"allOf": [next, next]}));
        }
        defs.insert("n60".to_owned(), json!({"type": "string"}));
        assert!(places(json!({"$ref": "#/$defs/n0", "$defs": defs}), json!("x")).is_empty());
    }
}
