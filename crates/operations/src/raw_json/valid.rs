//! Walks JSON text without keeping anything, and refuses what other readers choke on: nesting over 127 levels, lone
//! surrogates, numbers out of range. JSON text in, nothing or the parser's error out.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value that was looked at and forgotten.
pub(super) struct ValidJson;

impl<'de> Deserialize<'de> for ValidJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ValidJson, D::Error> {
        deserializer.deserialize_any(ValidJsonVisitor)
    }
}

struct ValidJsonVisitor;

impl<'de> Visitor<'de> for ValidJsonVisitor {
    type Value = ValidJson;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<ValidJson, E> {
        Ok(ValidJson)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<ValidJson, E> {
        Ok(ValidJson)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<ValidJson, E> {
        Ok(ValidJson)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<ValidJson, E> {
        Ok(ValidJson)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<ValidJson, E> {
        Ok(ValidJson)
    }

    fn visit_unit<E: Error>(self) -> Result<ValidJson, E> {
        Ok(ValidJson)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ValidJson, A::Error> {
        while items.next_element::<ValidJson>()?.is_some() {}
        Ok(ValidJson)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<ValidJson, A::Error> {
        while entries.next_entry::<ValidJson, ValidJson>()?.is_some() {}
        Ok(ValidJson)
    }
}
