//! Which values a parameter or a field takes, in short: a type and its constraints.
//!
//! The text of a type in, a `Shape` out. It is what introspection shows, whatever kind of source it came from.

use crate::Pattern;
use crate::format::Format;
use serde_json::Value;
use std::fmt;

/// A type with its constraints.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// The type.
    pub kind: ValueKind,
    /// The only values allowed.
    pub allowed: Option<Vec<Value>>,
    /// Lower bound, inclusive.
    pub minimum: Option<f64>,
    /// Upper bound, inclusive.
    pub maximum: Option<f64>,
    /// Fewest characters of a string.
    pub min_length: Option<u64>,
    /// Most characters of a string.
    pub max_length: Option<u64>,
    /// A regular expression that a string must match somewhere.
    pub pattern: Option<Pattern>,
    /// A named format of a string.
    pub format: Option<Format>,
    /// What the elements of an array are.
    pub items: Option<Box<Shape>>,
    /// The declared type that the value is, or that each element of a list is.
    pub reference: Option<String>,
}

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ValueKind {
    /// Text.
    #[default]
    String,
    /// A number without a fractional part.
    Integer,
    /// Any number.
    Number,
    /// True or false.
    Boolean,
    /// A list, of anything or of one kind.
    Array(Option<Box<ValueKind>>),
    /// An object.
    Object,
    /// Any of these.
    Union(Vec<ValueKind>),
}

impl ValueKind {
    /// The six plain names.
    pub const NAMES: [&'static str; 6] = ["string", "integer", "number", "boolean", "array", "object"];

    /// Reads a type: one of the six names, `T[]`, or alternatives joined by `|`.
    pub fn parse(text: &str) -> Option<ValueKind> {
        let mut alternatives = text
            .split('|')
            .map(|part| ValueKind::parse_one(part.trim()))
            .collect::<Option<Vec<ValueKind>>>()?;
        match alternatives.len() {
            1 => alternatives.pop(),
            _ => Some(ValueKind::Union(alternatives)),
        }
    }

    fn parse_one(text: &str) -> Option<ValueKind> {
        if let Some(element) = text.strip_suffix("[]") {
            return Some(ValueKind::Array(Some(Box::new(ValueKind::parse_one(element)?))));
        }
        Some(match text {
            "string" => ValueKind::String,
            "integer" => ValueKind::Integer,
            "number" => ValueKind::Number,
            "boolean" => ValueKind::Boolean,
            "array" => ValueKind::Array(None),
            "object" => ValueKind::Object,
            _ => return None,
        })
    }

    /// True when a value of this JSON type fits, elements of arrays included.
    pub fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (ValueKind::String, Value::String(_))
            | (ValueKind::Number, Value::Number(_))
            | (ValueKind::Boolean, Value::Bool(_))
            | (ValueKind::Object, Value::Object(_))
            | (ValueKind::Array(None), Value::Array(_)) => true,
            (ValueKind::Integer, Value::Number(number)) => {
                number.is_i64()
                    || number.is_u64()
                    || number.as_f64().is_some_and(|float| float.fract() == 0.0)
            }
            (ValueKind::Array(Some(element)), Value::Array(values)) => {
                values.iter().all(|each| element.accepts(each))
            }
            (ValueKind::Union(kinds), _) => kinds.iter().any(|kind| kind.accepts(value)),
            _ => false,
        }
    }

    /// The value of this kind that a text stands for: `true`, `2.5`, or the only element of a list. A text stands for
    /// itself where text fits.
    pub fn value_of(&self, text: &str) -> Option<Value> {
        match self {
            ValueKind::String => Some(text.into()),
            ValueKind::Integer | ValueKind::Number => {
                text.parse().ok().map(Value::Number).filter(|number| self.accepts(number))
            }
            ValueKind::Boolean => text.parse().ok().map(Value::Bool),
            ValueKind::Array(None) => Some(Value::from([text])),
            ValueKind::Array(Some(element)) => element.value_of(text).map(|value| Value::from([value])),
            ValueKind::Union(_) if self.takes_text() => Some(text.into()),
            ValueKind::Union(kinds) => kinds.iter().find_map(|kind| kind.value_of(text)),
            ValueKind::Object => None,
        }
    }

    /// True when objects or arrays are among the values that fit: such arguments may arrive as JSON text.
    pub fn is_structured(&self) -> bool {
        match self {
            ValueKind::Array(_) | ValueKind::Object => true,
            ValueKind::Union(kinds) => kinds.iter().any(ValueKind::is_structured),
            _ => false,
        }
    }

    /// True when plain text fits.
    pub fn takes_text(&self) -> bool {
        match self {
            ValueKind::String => true,
            ValueKind::Union(kinds) => kinds.iter().any(ValueKind::takes_text),
            _ => false,
        }
    }

    /// True when numbers fit.
    pub fn takes_numbers(&self) -> bool {
        match self {
            ValueKind::Integer | ValueKind::Number => true,
            ValueKind::Union(kinds) => kinds.iter().any(ValueKind::takes_numbers),
            _ => false,
        }
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueKind::String => f.write_str("string"),
            ValueKind::Integer => f.write_str("integer"),
            ValueKind::Number => f.write_str("number"),
            ValueKind::Boolean => f.write_str("boolean"),
            ValueKind::Object => f.write_str("object"),
            ValueKind::Array(None) => f.write_str("array"),
            ValueKind::Array(Some(element)) => write!(f, "{element}[]"),
            ValueKind::Union(kinds) => {
                for (i, kind) in kinds.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" | ")?;
                    }
                    write!(f, "{kind}")?;
                }
                Ok(())
            }
        }
    }
}

impl Shape {
    /// A shape with no constraint but its type.
    pub fn of(kind: ValueKind) -> Shape {
        Shape { kind, ..Shape::default() }
    }

    /// The type as it is shown: by name where it is a declared one, `User` or `User[]`.
    pub fn shown_type(&self) -> String {
        match (&self.reference, &self.kind) {
            (Some(name), ValueKind::Array(_)) => format!("{name}[]"),
            (Some(name), _) => name.clone(),
            (None, kind) => kind.to_string(),
        }
    }

    /// Puts the constraints into an object, by the keywords of JSON Schema. What elements are begins with what `typed` says of
    /// their type.
    pub fn put_keywords(&self, schema: &mut Value, typed: fn(&Shape) -> Value) {
        let items = self.items.as_ref().map(|items| {
            let mut of_elements = typed(items);
            items.put_keywords(&mut of_elements, typed);
            of_elements
        });
        let keywords = [
            ("enum", self.allowed.clone().map(Value::from)),
            ("minimum", self.minimum.map(number)),
            ("maximum", self.maximum.map(number)),
            ("minLength", self.min_length.map(Value::from)),
            ("maxLength", self.max_length.map(Value::from)),
            ("pattern", self.pattern.as_ref().map(|pattern| pattern.as_str().into())),
            ("format", self.format.as_ref().map(|format| format.to_string().into())),
            ("items", items),
        ];
        for (keyword, value) in keywords {
            if let Some(value) = value {
                schema[keyword] = value;
            }
        }
    }
}

/// A number as people write it: without a decimal point where it is whole.
pub fn number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}

/// The JSON type of a value, in the words of the type names.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests;
