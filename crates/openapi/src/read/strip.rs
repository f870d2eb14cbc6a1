//! JSON text to a value without its examples, which are often most of a document and never needed to make a call.
//!
//! An `example` or `examples` key is passed over where it is a keyword, and kept where it is a name that somebody chose
//! (a property called `example`) or part of a literal value.

use super::outline::OutlineKey;
use aqueduct_schema::{Keyword, KeywordKind};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// The value of valid JSON text; null when it is none.
pub(super) fn parse(text: &str) -> Value {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    WithoutExamples { inside: JsonContext::Keywords }.deserialize(&mut deserializer).unwrap_or_default()
}

#[derive(Clone, Copy)]
enum JsonContext {
    /// Keys are words of the standard.
    Keywords,
    /// Keys are names that the author chose; below them are keywords again.
    Names,
    /// Everything is a literal value.
    Literal,
}

impl JsonContext {
    fn below(self, key: &str) -> JsonContext {
        match self {
            JsonContext::Literal => JsonContext::Literal,
            JsonContext::Names => JsonContext::Keywords,
            JsonContext::Keywords => match key {
                "headers" | "responses" | "content" | "encoding" | "links" | "callbacks" | "mapping"
                | "scopes" | "variables" => JsonContext::Names,
                "value" => JsonContext::Literal,
                key if key.starts_with("x-") => JsonContext::Literal,
                // Looked up once: this is asked of every key of a document.
                key => match Keyword::named(key).map(|keyword| keyword.kind) {
                    Some(KeywordKind::SchemaMap) => JsonContext::Names,
                    Some(KeywordKind::Data | KeywordKind::Values) => JsonContext::Literal,
                    _ => JsonContext::Keywords,
                },
            },
        }
    }
}

struct WithoutExamples {
    inside: JsonContext,
}

impl<'de> DeserializeSeed<'de> for WithoutExamples {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for WithoutExamples {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        // A list under a map of names, such as `parameters`, holds objects of the standard.
        let inside =
            if matches!(self.inside, JsonContext::Names) { JsonContext::Keywords } else { self.inside };
        while let Some(element) = list.next_element_seed(WithoutExamples { inside })? {
            elements.push(element);
        }
        Ok(Value::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = map.next_key::<OutlineKey<'de>>()? {
            let key = key.0;
            if matches!(self.inside, JsonContext::Keywords) && matches!(&*key, "example" | "examples") {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let value = map.next_value_seed(WithoutExamples { inside: self.inside.below(&key) })?;
            members.insert(key.into_owned(), value);
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests;
